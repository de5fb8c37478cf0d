/* What a force on a variable does while the system's constraints bear what they must. */
#ifndef CARDO_SAMPLING_VARIABLES_RESPONSE_H
#define CARDO_SAMPLING_VARIABLES_RESPONSE_H

#include "sampling/variables/variable.h"

/* Whether the system has constraints. */
bool cardo_is_constrained(const cardo_system *system);

/* response (nu) = Mc gradient and *rate = gradient . Mc gradient, the inverse of the mass that the variable has: Mc = M^-1 without
 * constraints and M^-1 - M^-1 G^T Y^-1 G M^-1 with them. gradient: cardo_variable_gradient's. DYNAMICS. */
cardo_status cardo_variable_response(const cardo_system *system, const cardo_state *state,
                                     const double *gradient, double *response, double *rate,
                                     cardo_error *error);

#endif
