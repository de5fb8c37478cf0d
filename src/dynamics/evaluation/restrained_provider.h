/* Forces of a provider, and of flat bottoms that hold bodies near places of other bodies. */
#ifndef CARDO_DYNAMICS_EVALUATION_RESTRAINED_PROVIDER_H
#define CARDO_DYNAMICS_EVALUATION_RESTRAINED_PROVIDER_H

#include "cardo/elements.h"
#include "multibody/force.h"

/* A provider of the forces of `model` (borrowed) and of nwell flat bottoms (copied), whose energy is its last term, "restraint". In the
 * slowest of force groups. The caller owns *out. */
cardo_status cardo_restrained_provider_create(cardo_force_provider *model, int nwell,
                                              const cardo_flat_bottom *well,
                                              cardo_force_provider **out, cardo_error *error);

#endif
