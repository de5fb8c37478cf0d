/* What the steps of a transition come to together: the rung whose free energy is the answer, and the answer in words. */
#ifndef CARDO_STUDY_TRANSITION_ANSWER_H
#define CARDO_STUDY_TRANSITION_ANSWER_H

#include "study/transition/steps.h"

/* Adds "verdict", "doubt", "start", "end", "answer" (a table of lines), "headline" (not there: no rung has an answer), "steps", and "page", the parts
 * of the place in the order of a page. */
cardo_status cardo_transition_answer(const cardo_transition *t, cardo_result *into,
                                     cardo_error *error);

#endif
