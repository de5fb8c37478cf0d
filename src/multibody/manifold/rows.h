/* Rows of constraints at a realized state, and what they make of motions and multipliers. */
#ifndef CARDO_MULTIBODY_MANIFOLD_ROWS_H
#define CARDO_MULTIBODY_MANIFOLD_ROWS_H

#include "multibody/manifold/set.h"

/* The rows belong to the state's positions and time from here on. */
void cardo_rows_prepare(const cardo_system *system, const cardo_state *state);
/* Their rates, entry by entry, belong to its velocities; after cardo_rows_prepare. */
void cardo_rows_prepare_rates(const cardo_system *system, const cardo_state *state);
/* Errors of positions (nposition), zero for what is switched off. */
void cardo_rows_position(const cardo_system *system, const cardo_state *state, double *errors);

/* Whether a constraint's frames are turned to where its errors may vanish though it is not fulfilled. */
bool cardo_rows_are_turned(const cardo_system *system, const cardo_state *state, int constraint);

/* Motions of bodies about their reference points and speeds -> rows (nrow), without offsets, zero for what is switched off. */
void cardo_rows_of_motion(const cardo_system *system, const cardo_state *state,
                          const cardo_spatial *motions, const double *speeds, double *out);
/* One row of one constraint of the same. */
double cardo_row_of_motion(const cardo_state *state, const constraint_plan *plan, int own,
                           const cardo_spatial *motions, const double *speeds);
/* Sum of squares of what a row has on bodies and mobilities. */
double cardo_row_size(const cardo_system *system, const cardo_state *state, int row);
/* Adds what multipliers (nrow) are as forces on bodies about their reference points (nbody) and on mobilities (nu). */
void cardo_rows_add_forces(const cardo_system *system, const cardo_state *state,
                           const double *multipliers, cardo_spatial *forces, double *tau);
/* The same for one row, with factor; only bodies with a place in the tree. */
void cardo_row_add_forces(const cardo_state *state, const constraint_plan *plan, int own,
                          double factor, cardo_spatial *forces, double *tau);
/* Adds a row of G to row (nu). Beyond the body that carries all that a constraint acts on, what it does from one body and from
 * another is the same with other signs, and is left out: O(n) of the bodies between. */
void cardo_row_spread(const cardo_system *system, const cardo_state *state,
                      const constraint_plan *plan, int own, double *row);
/* The body up to which, but without it, a constraint's rows reach from all that it acts on. */
static inline int row_reach(const constraint_plan *plan)
{
    return plan->kind->on_any_motion ? 0 : plan->ancestor;
}
/* Adds the rates of forces that multipliers (nrow) are, on bodies about points that stand where the reference points are, and
 * on mobilities. After cardo_rows_prepare_rates. */
void cardo_rows_add_force_rates(const cardo_system *system, const cardo_state *state,
                                const double *multipliers, cardo_spatial *forces, double *tau);
/* Forces about reference points (nbody; zero afterwards) to generalized forces, added: J^T forces. */
void cardo_rows_sum_forces(const cardo_system *system, const cardo_state *state,
                           cardo_spatial *forces, double *generalized);
/* G udot + b (nrow) for the accelerations that the tree's pass has realized, or b, without that pass; rows and rates belong to the
 * state from here on. VELOCITY. */
void cardo_rows_accelerations(const cardo_system *system, const cardo_state *state, bool of_tree,
                              double *out);
/* Adds what constraints apply with multipliers (nrow), about body origins: -G^T multipliers. */
void cardo_rows_apply(const cardo_system *system, const cardo_state *state,
                      const double *multipliers, cardo_spatial *body_forces,
                      double *mobility_forces);

#endif
