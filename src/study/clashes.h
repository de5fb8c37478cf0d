/* How near heavy atoms of different bodies come along a model's paths, with the side chains of each structure and
 * with the best of them. */
#ifndef CARDO_STUDY_CLASHES_H
#define CARDO_STUDY_CLASHES_H

#include "base/result.h"
#include "study/session/session.h"

/* Adds "clashes", a row for each choice of side chains with the least distance by place and the pairs that come near,
 * and "clashes_at_q", the places, on the manifold of the model's constraints as far as they let the paths go. A distance of which there is none within reach is infinite. */
cardo_status cardo_clashes_fill(const cardo_session *session, cardo_result *into,
                                cardo_error *error);

#endif
