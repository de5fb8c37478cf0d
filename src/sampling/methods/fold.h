/* Folded variables: two configurations with the same value along the way, such as a distance that goes
 * through its least value as a hinge turns.
 *
 * F adds both branches up. A walker on one of them comes to the other by the turning point alone, and a
 * spring or a hill does not tell them apart: where one is left out, F is wrong and nothing shows it. */
#ifndef CARDO_SAMPLING_METHODS_FOLD_H
#define CARDO_SAMPLING_METHODS_FOLD_H

#include "sampling/sampling.h"
#include "sampling/variables/slow.h"

typedef struct cardo_fold {
    bool found;
    int coordinate; /* of the system's q                                                     */
    double q, xi;   /* where the variable turns round                                        */
    double start;   /* the coordinate at the start                                           */
    char name[64];  /* body and coordinate                                                   */
} cardo_fold;

/* Turns each hinge coordinate that moves the variable, of models with no more than CARDO_MOST_SLOW of
 * them, from the start to either side, all others standing, for as long as the variable is within the range: does
 * dxi/dq change its sign where the energy is no more than 40 kT above the lowest that was passed? A
 * variable that is a coordinate has no folds. Under constraints: fold_manifold.h. A collective call: every member does the same. */
cardo_status cardo_fold_find(const cardo_sampling_plan *plan, double kT, cardo_fold *fold,
                             cardo_error *error);

/* Whether samples of the crew lie on both sides of the turning point, 20 on each at least, which can be
 * told where the coordinate is recorded with them. */
bool cardo_fold_is_sampled(const cardo_fold *fold, const cardo_crew *crew);

#endif
