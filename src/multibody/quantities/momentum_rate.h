/* The rate of the system's Jacobian. */
#ifndef CARDO_MULTIBODY_QUANTITIES_MOMENTUM_RATE_H
#define CARDO_MULTIBODY_QUANTITIES_MOMENTUM_RATE_H

#include "multibody/algebra/spatial.h"
#include "multibody/tree/state.h"

/* Jdot^T forces (nu): what generalized forces become when the system moves on and the forces on bodies, about points that stand
 * where the reference points are (nbody; overwritten), do not change. VELOCITY. */
void cardo_sweep_rate(const cardo_system *system, const cardo_state *state, cardo_spatial *forces,
                      double *rate);

#endif
