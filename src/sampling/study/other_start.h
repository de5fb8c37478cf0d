/* Where a replica of odd number begins: as another structure has what the first replica's start leaves
 * as it is. */
#ifndef CARDO_SAMPLING_STUDY_OTHER_START_H
#define CARDO_SAMPLING_STUDY_OTHER_START_H

#include "sampling/methods/method.h"

/* Makes the plan's other_start the start of this replica, brought into the range by the shortest way,
 * where its energy is no more than highest-start above that of the plan's start. *everywhere: so it is with the
 * variable anywhere in the range and all else as there, so that walkers can begin like that: a walker led
 * over the range would come to what the first replica's came to. What it decided is noted. Nothing in
 * replicas of even number, and where there is no other start. */
cardo_status cardo_sampling_take_other_start(cardo_sampling *sampling, bool *everywhere,
                                             cardo_error *error);

#endif
