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
 * Forces are evaluated once, at q1.
 *
 * Constraints p(q) = 0 add the same discrete forces as in RATTLE (Andersen 1983; Hairer, Lubich, Wanner 2006, VII.1.4; Marsden and
 * West 2001): -G(q0)^T lambda on the left of the first equation, lambda such that p(q1) = 0, and G(q1)^T mu on the left of the
 * second, mu such that G(q1) u1 = 0. The step on the manifold is symplectic and its own inverse as the other is, where the
 * multipliers that it finds are those of the way back. */
#ifndef CARDO_DYNAMICS_INTEGRATORS_LEAPFROG_STEP_H
#define CARDO_DYNAMICS_INTEGRATORS_LEAPFROG_STEP_H

#include "dynamics/integrators/integrator.h"

/* Numbers of scratch that the step uses. */
int cardo_leapfrog_work_count(int nq, int nu);

/* CARDO_ERROR_UNSUPPORTED, naming the body, where the method does not apply: angles for an
 * orientation, speeds that are no rates of coordinates (lines), prescribed motions. Constraints are of
 * positions alone and stand still (cardo_require_still_constraints). */
cardo_status cardo_leapfrog_check(const cardo_system *system, cardo_error *error);

/* One step over h (ps). The state comes realized to DYNAMICS and goes realized to ACCELERATION.
 * CARDO_RECOVERABLE where the equation for v has no solution near u, or, with reverse_check, where
 * the same solver does not find the way back from q1: *one_way (may be NULL) becomes true then. */
cardo_status cardo_leapfrog_step(cardo_integration *integration, double h,
                                 const cardo_leapfrog_options *options, bool *one_way,
                                 cardo_error *error);

#endif
