/* Finding the modes of a model, and all that is told of them. */
#ifndef CARDO_STUDY_MODES_FIND_H
#define CARDO_STUDY_MODES_FIND_H

#include "base/communicator.h"
#include "study/modes/set.h"
#include "study/session/session.h"

/* Stiffness, modes, amplitudes and overlaps of the model where its state stands, or in the minimum
 * next to it. Differences of forces are shared out over the communicator. Zero-initialise *set;
 * cardo_mode_set_clear frees what is there, also after a failure. */
cardo_status cardo_mode_set_make(cardo_session *session, const cardo_mode_options *options,
                                 cardo_communicator *communicator, cardo_mode_set *set,
                                 cardo_error *error);

#endif
