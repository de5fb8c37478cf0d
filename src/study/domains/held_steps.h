/* Residues that were held one after the other, or a few at once: what the model was before each step, so that it can be gone back to. */
#ifndef CARDO_STUDY_DOMAINS_HELD_STEPS_H
#define CARDO_STUDY_DOMAINS_HELD_STEPS_H

#include "study/domains/attempt_changes.h"

/* Before residues were held: the trial of then, and which residues turned. */
typedef struct cardo_held_step {
    int residue; /* the one that was held; -1: several */
    cardo_motion_trial *trial;
    cardo_attempt_choice choice;
} cardo_held_step;

/* Zero-initialise; clear. */
typedef struct cardo_held_steps {
    int n;
    cardo_held_step *step; /* (n of at most the attempt's residues) */
} cardo_held_steps;

/* Takes what the trial and the choice hold, which are empty afterwards. */
cardo_status cardo_held_steps_add(cardo_held_steps *steps, const cardo_domain_attempt *attempt,
                                  int residue, cardo_motion_trial *trial,
                                  cardo_attempt_choice *choice, cardo_error *error);
/* How many steps, one after the other, may stay by what all atoms came to in the judged trial of the last model. Trials but the first take that
 * from it. */
int cardo_held_steps_standing(cardo_held_steps *steps, const cardo_motion_trial *judged,
                              const cardo_attempt_change *by);
/* Makes the attempt and its file what they were after so many steps, and trial the one of then; the steps after are gone. */
cardo_status cardo_held_steps_go_back(cardo_held_steps *steps, int held,
                                      cardo_domain_attempt *attempt, cardo_motion_trial *trial,
                                      cardo_error *error);
void cardo_held_steps_clear(cardo_held_steps *steps);

#endif
