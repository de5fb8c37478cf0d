/* The velocity Verlet step in internal coordinates, shared by `verlet` and by thermostats built on
 * it. */
#ifndef CARDO_DYNAMICS_INTEGRATORS_VERLET_STEP_H
#define CARDO_DYNAMICS_INTEGRATORS_VERLET_STEP_H

#include "dynamics/integrators/integrator.h"

#include <stddef.h>

/* The row of option tables for where an integrator's struct keeps verlet's tolerance. */
#define CARDO_FLIGHT_TOLERANCE_FIELD(type, member, standard)                                       \
    {                                                                                              \
        "flight-tolerance", CARDO_FIELD_DOUBLE, offsetof(type, member), "", standard, 1e-14, 1e-3, \
            NULL, "relative accuracy of the free motion between the kicks of the forces"           \
    }

/* Numbers of scratch that the step uses. */
int cardo_verlet_work_count(int nq, int nu);

/* u += time M^-1 J^T F with the forces of the last evaluation, which is that of the state's q: the
 * flow of the potential energy but for what moves with the flight (evaluate.h), q standing still; constraints bear their part of the
 * forces. DYNAMICS realized. Uses 3 nu numbers of work. */
cardo_status cardo_kick(cardo_integration *integration, double time, cardo_error *error);

/* Half a kick u += h/2 M^-1 J^T F at q0, inertial flight over h (dynamics/integrators/flight.h), forces at q1,
 * once, and the other half kick there. With a constant M this is velocity Verlet. Each part is the
 * exact flow of one part of the Hamiltonian, so the step is symplectic and reversible for any M(q), and on the manifold of
 * constraints, where the flight follows geodesics (Leimkuhler & Matthews 2016), as much as without any.
 * The state comes realized to DYNAMICS and goes realized to ACCELERATION. h in ps. Speeds too high for the step are
 * CARDO_RECOVERABLE. */
cardo_status cardo_verlet_step(cardo_integration *integration, double h,
                               const cardo_verlet_options *options, cardo_error *error);

#endif
