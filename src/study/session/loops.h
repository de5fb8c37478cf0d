/* What loops that are closed rigidly leave of their torsions. */
#ifndef CARDO_STUDY_SESSION_LOOPS_H
#define CARDO_STUDY_SESSION_LOOPS_H

#include "base/result.h"
#include "study/session/session.h"

/* Adds "loops": for each strand that constraints close its torsions between the ends of the cut, the rank of the rows that hold
 * them while the paths stand still, and how many freedoms that leaves beside the paths' q. Nothing where no strand is closed so.
 * The session's state: POSITION. */
cardo_status cardo_loops_fill(const cardo_session *session, cardo_result *into, cardo_error *error);

#endif
