/* A force provider made of one function and a user pointer: for tests and for users of the engine
 * alone. */
#ifndef CARDO_DYNAMICS_EVALUATION_CALLBACK_PROVIDER_H
#define CARDO_DYNAMICS_EVALUATION_CALLBACK_PROVIDER_H

#include "multibody/force.h"

/* Sets evaluation->energy and adds to evaluation->body_forces and mobility_forces, or leaves
 * station forces in memory of its own at evaluation->station_forces. Returns as a provider's
 * compute does. */
typedef cardo_status (*cardo_provider_callback)(void *user, cardo_force_evaluation *evaluation,
                                                cardo_error *error);

/* traits as in force.h; it is deterministic when the function is. user is borrowed. The caller owns
 * *out (cardo_force_provider_destroy). */
cardo_status cardo_callback_provider_create(cardo_provider_callback callback, void *user,
                                            unsigned traits, cardo_force_provider **out,
                                            cardo_error *error);

#endif
