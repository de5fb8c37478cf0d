/* Moving the coordinates along constant speeds: the position half of a geometric integrator. */
#ifndef CARDO_MULTIBODY_ADVANCE_H
#define CARDO_MULTIBODY_ADVANCE_H

#include "multibody/state.h"

/* q1 (nq) is where the state's q comes to in the time h (ps) at the constant speeds u (nu) and the
 * accelerations that belong to them. Unit quaternions turn along the great circle of N(q) u, which
 * is the exact rotation about a fixed axis and stays on the unit sphere; coordinates with qdot = u
 * go straight; orientation angles, whose N varies, follow q + h N u + h^2/2 Ndot u with Ndot u as
 * the state has it. Applied with u in the middle of a step the first two are time-reversible: -h
 * brings them back. VELOCITY. */
cardo_status cardo_advance(const cardo_system *system, const cardo_state *state, const double *u,
                           double h, double *q1, cardo_error *error);

#endif
