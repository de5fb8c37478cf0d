/* Multipliers: Y lambda = r, Y = G M^-1 G^T. */
#ifndef CARDO_MULTIBODY_MANIFOLD_SOLVE_H
#define CARDO_MULTIBODY_MANIFOLD_SOLVE_H

#include "multibody/manifold/set.h"

/* What forces on bodies about their reference points (nbody; zero afterwards) and on mobilities (nu) accelerate: speeds = M^-1 (J^T
 * force + tau), with bodies' motions about reference points in cache->scratch_a. M must be factored. */
void cardo_respond(const cardo_system *system, const cardo_state *state, cardo_spatial *force,
                   const double *tau, double *speeds);

/* Y of the first `limit` rows is factored for the state from here on: those of positions, of velocities too, or all. M must be
 * factored. */
void cardo_multipliers_factor(const cardo_system *system, const cardo_state *state, int limit);
/* Y itself of the first `limit` rows that are switched on (lower triangle of c->Y, rows nrow apart, by c->active), with what its diagonal could be in c->scale. What was
 * factored is lost. M must be factored. */
void cardo_multipliers_make_y(const cardo_system *system, const cardo_state *state, int limit);
/* lambda = Y^+ r (nrow, may be the same), zero for rows that are switched off. After cardo_multipliers_factor. */
void cardo_multipliers_solve(const cardo_system *system, const cardo_state *state, const double *r,
                             double *lambda);

/* Both at once, by elimination along the tree where that can be done: Y lambda = r for the first `limit` rows (nrow, lambda may be
 * r), speeds = -M^-1 G^T lambda, and the motions of bodies with them about reference points in cache->scratch_a. */
void cardo_multipliers_respond(const cardo_system *system, const cardo_state *state, int limit,
                               const double *r, double *lambda, double *speeds);

/* The last part of it: speeds = -M^-1 G^T lambda, and the motions of bodies. */
void cardo_multipliers_apply(const cardo_system *system, const cardo_state *state,
                             const double *lambda, double *speeds);

#endif
