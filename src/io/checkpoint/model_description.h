/* What a checkpoint knows a run by, as text: one "key value" line for each thing that must be
 * equal. */
#ifndef CARDO_IO_CHECKPOINT_MODEL_DESCRIPTION_H
#define CARDO_IO_CHECKPOINT_MODEL_DESCRIPTION_H

#include "dynamics/simulation.h"

#include <stdio.h>

/* Writes the lines of model, provider, integrator, options (but those that may change: steps and
 * max-energy-jump) and extra (may be NULL). */
cardo_status cardo_write_identity(FILE *stream, const cardo_simulation *simulation,
                                  const char *extra, cardo_error *error);

/* The lines that describe a model: bodies, mobilizers, frames, masses, and hashes of station
 * positions and of poses at probe coordinates (which catch a mobilizer's parameters). The caller
 * owns *text (cardo_free). */
cardo_status cardo_model_description(const cardo_system *system,
                                     const cardo_force_provider *provider, char **text,
                                     cardo_error *error);
/* 64-bit FNV-1a hash. */
unsigned long long cardo_hash(const void *bytes, size_t length, unsigned long long start);

#endif
