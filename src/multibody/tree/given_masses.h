/* Systems that were given a mass matrix (system.h): their accelerations, and what they have none of. Speeds are rates of coordinates then,
 * so with momenta A u Hamilton's equations are qdot = u, A udot = f(q): nothing depends on the velocities. */
#ifndef CARDO_MULTIBODY_TREE_GIVEN_MASSES_H
#define CARDO_MULTIBODY_TREE_GIVEN_MASSES_H

#include "multibody/tree/state.h"

/* udot, and with it the bodies' accelerations, under the forces that were gathered. */
cardo_status cardo_given_masses_accelerate(const cardo_system *system, cardo_state *state,
                                           cardo_error *error);

/* Fails where a system has a constant mass matrix: what is a quantity of the bodies' own masses, and not of this motion. */
cardo_status cardo_given_masses_refuse(const cardo_system *system, const char *what,
                                       cardo_error *error);

#endif
