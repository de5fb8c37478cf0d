/* Generalized speeds to begin with: thermal draws, and taking overall motion away. */
#ifndef CARDO_DYNAMICS_VELOCITIES_H
#define CARDO_DYNAMICS_VELOCITIES_H

#include "base/random.h"
#include "multibody/state.h"

/* Sets u = sqrt(kT) M^{-1/2} xi, an exact Maxwell-Boltzmann draw at the state's q; kT in kJ/mol.
 * Leaves the state realized to VELOCITY or above. */
cardo_status cardo_draw_velocities(const cardo_system *system, cardo_state *state, double kT,
                                   cardo_random *random, cardo_error *error);

/* Takes away overall motion: changes the speeds of the one free base body so that the six momenta
 * of rigid motion of the whole vanish (M u = 0 in its rows). CARDO_ERROR_INPUT when ground carries
 * anything but one free body (and welds): overall motion is not free then. */
cardo_status cardo_remove_drift(const cardo_system *system, cardo_state *state, cardo_error *error);

#endif
