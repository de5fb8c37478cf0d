/* Bringing a system to a value of a variable. */
#ifndef CARDO_SAMPLING_WALKERS_STEER_H
#define CARDO_SAMPLING_WALKERS_STEER_H

#include "multibody/tree/state.h"
#include "sampling/variables/variable.h"

/* Moves the state's coordinates until the variable has the value, and realizes POSITION. A variable
 * that depends on one speed alone is set there; for others each small step is the shortest in the
 * metric of M, dq = N M^-1 g dxi / (g M^-1 g), g = dxi/dq. Under constraints the state, which obeys
 * them, stays on its part of their manifold: steps of Mc (variables/response.h), shorter where it bends. CARDO_ERROR_INPUT where the value cannot be
 * reached: it says how near it came. */
cardo_status cardo_steer(const cardo_variable *variable, const cardo_system *system,
                         cardo_state *state, double value, cardo_error *error);

#endif
