/* Residues that are held one after the other, or a few at once: which are next, and what the model was before each step, so that it can be gone back
 * to. */
#ifndef CARDO_STUDY_DOMAINS_HELD_STEPS_H
#define CARDO_STUDY_DOMAINS_HELD_STEPS_H

#include "study/domains/attempt_changes.h"

/* The cheapest of those that were not tried are held, by themselves at first. Where two have been held one after the other, two are tried
 * together, then four and so on: most of what costs little can be held, and a trial takes as long for many as for one. Once they cannot
 * be, each is tried by itself. */
enum { CARDO_HELD_TOGETHER = 8 };

typedef struct cardo_held_group {
    int n, residue[CARDO_HELD_TOGETHER];
} cardo_held_group;

/* Takes at most so many as are expected to come to one bound, or one. share: of a bound that it comes to where a residue is held, infinite where the stiffness says
 * nothing (nresidue); now: where none is. unweighed: of which of these one is taken by itself, once none is left that was weighed (nresidue); NULL: of
 * none. Those taken count as tried; n is 0 where none is left. */
void cardo_held_group_take(int nresidue, const double *share, const bool *unweighed, double now,
                           int most, bool *tried, cardo_held_group *group);

/* How many are held together after a group. *in_turn: groups that were held, one after the other; zero at first. */
int cardo_held_group_next(const cardo_held_group *group, bool held, int *in_turn);

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
