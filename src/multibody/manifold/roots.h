/* Multipliers of constraints that act on hinges of ground alone. */
#ifndef CARDO_MULTIBODY_MANIFOLD_ROOTS_H
#define CARDO_MULTIBODY_MANIFOLD_ROOTS_H

#include "multibody/manifold/set.h"

/* Whether all constraints of a system are such, a few rows a hinge; lists the hinges if so. */
cardo_status cardo_roots_plan(const cardo_system *system, constraint_list *list,
                              cardo_error *error);
void cardo_roots_release(constraint_list *list);

/* As cardo_elimination_factor and cardo_elimination_solve, for such systems. */
bool cardo_roots_factor(const cardo_system *system, const cardo_state *state, int limit);
void cardo_roots_solve(const cardo_system *system, const cardo_state *state, const double *r,
                       double *lambda, double *speeds);

#endif
