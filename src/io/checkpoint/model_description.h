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

#endif
