/* What a system and its forces are known by, as text: one "key value" line for each thing that must be equal. */
#ifndef CARDO_MULTIBODY_MANIFOLD_DESCRIPTION_H
#define CARDO_MULTIBODY_MANIFOLD_DESCRIPTION_H

#include "multibody/force.h"
#include "multibody/tree/system.h"

#include <stdio.h>

/* The lines that describe a model: bodies, mobilizers, frames, masses, and hashes of station
 * positions and of poses at probe coordinates (which catch a mobilizer's parameters). The caller
 * owns *text (cardo_free). */
cardo_status cardo_model_description(const cardo_system *system,
                                     const cardo_force_provider *provider, char **text,
                                     cardo_error *error);
/* The same to a stream. */
cardo_status cardo_write_model_description(FILE *stream, const cardo_system *system,
                                           const cardo_force_provider *provider,
                                           cardo_error *error);

#endif
