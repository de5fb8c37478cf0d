/* The generalized leapfrog step, shared by `leapfrog` and by Monte Carlo.
 *
 * Stoermer and Verlet's method for a mass matrix that depends on the coordinates, as the variational
 * integrator of the discrete Lagrangian
 *
 *     h/2 (L(q0, v) + L(q1, v)),  q1 = q0 (+) h v,
 *
 * (Hairer, Lubich, Wanner 2006, VI.6; on groups Bou-Rabee and Marsden 2009). (+) adds, and turns an
 * orientation by exp(h v). With T = v^T M(q) v / 2, A(x) = dexp_x^-1 on orientations and 1 elsewhere,
 * and gradients in the speeds' directions:
 *
 *     p0 + h/2 f(q0) = A(h v)   (M(q0) + M(q1)) v / 2 - h/2 dT/dq(q0, v)      implicit in v
 *     p1 - h/2 f(q1) = A(h v)^T (M(q0) + M(q1)) v / 2 + h/2 dT/dq(q1, v)
 *
 * Any such map is symplectic, and this one is its own inverse with time turned round. Second order.
 * Forces are evaluated once, at q1. */
#ifndef CARDO_DYNAMICS_INTEGRATORS_LEAPFROG_STEP_H
#define CARDO_DYNAMICS_INTEGRATORS_LEAPFROG_STEP_H

#include "dynamics/integrators/integrator.h"

/* Numbers of scratch that the step uses. */
int cardo_leapfrog_work_count(int nq, int nu);

/* CARDO_ERROR_UNSUPPORTED, naming the body, where the method does not apply: angles for an
 * orientation, speeds that are no rates of coordinates (lines), prescribed motions. */
cardo_status cardo_leapfrog_check(const cardo_system *system, cardo_error *error);

/* One step over h (ps). The state comes realized to DYNAMICS and goes realized to ACCELERATION.
 * CARDO_RECOVERABLE where the equation for v has no solution near u, or, with reverse_check, where
 * the same solver does not find the way back from q1. */
cardo_status cardo_leapfrog_step(cardo_integration *integration, double h,
                                 const cardo_leapfrog_options *options, cardo_error *error);

#endif
