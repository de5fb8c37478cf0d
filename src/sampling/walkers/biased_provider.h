/* A force provider that adds a bias of one variable to another provider: its energy, its
 * generalized forces -dV/dxi dxi/dq, and a last term "bias". */
#ifndef CARDO_SAMPLING_WALKERS_BIASED_PROVIDER_H
#define CARDO_SAMPLING_WALKERS_BIASED_PROVIDER_H

#include "multibody/force.h"
#include "sampling/variables/variable.h"
#include "sampling/walkers/bias.h"

/* All is borrowed and outlives *out, which the caller owns. model: who computes the other forces,
 * shared by any number of biased providers of one thread; NULL: no forces. state: the one that
 * will be evaluated; the variable is read off it. The bias's numbers may change between
 * evaluations. The traits are the model's: the bias is a matter of generalized forces, so moving
 * station positions as a whole leaves it alone; of the model's force groups it goes with the
 * slowest. nu: speeds of the system. */
cardo_status cardo_biased_provider_create(cardo_force_provider *model,
                                          const cardo_variable *variable,
                                          const cardo_bias_potential *bias,
                                          const cardo_state *state, int nu,
                                          cardo_force_provider **out, cardo_error *error);

#endif
