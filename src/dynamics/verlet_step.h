/* The velocity Verlet step in internal coordinates, shared by `verlet` and by thermostats built on
 * it. */
#ifndef CARDO_DYNAMICS_VERLET_STEP_H
#define CARDO_DYNAMICS_VERLET_STEP_H

#include "dynamics/integrator.h"

/* Numbers of scratch that the step uses. */
int cardo_verlet_work_count(int nq, int nu);

/* q1 = q0 + h qdot0 + h^2/2 qdotdot0 where qdot = u (quaternions turn exactly along the speeds of
 * the middle of the step); forces at q1, once; u1 = u0 + h/2 (udot0 + udot(q1, u1)), solved by
 * fixed-point iteration. The state comes and goes realized to ACCELERATION. No convergence is
 * CARDO_RECOVERABLE: the time step is too long for these speeds. */
cardo_status cardo_verlet_step(cardo_integration *integration, const cardo_verlet_options *options,
                               cardo_error *error);

#endif
