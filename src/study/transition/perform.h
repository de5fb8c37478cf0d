/* One step of a transition, done. */
#ifndef CARDO_STUDY_TRANSITION_PERFORM_H
#define CARDO_STUDY_TRANSITION_PERFORM_H

#include "study/transition/steps.h"

/* Runs the step's study in its part of the place, goes on with what an interrupted one has left there, and notes what it came to, in
 * the plan too; nothing where that is known already. A study that fails for a reason of its own is "failed" among the notes, and no failure
 * here; what ends here are lack of memory and a host that says stop (CARDO_ERROR_INTERRUPTED: the step begins again, or goes on). */
cardo_status cardo_step_perform(cardo_transition *t, const cardo_step *step, cardo_error *error);

#endif
