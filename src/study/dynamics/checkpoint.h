/* Checkpoints: all that a simulation needs to go on bitwise alike, saved through a writer as a text (one "key value" line
 * each: the model, the integrator, the options, counters of the output files) and the numbers of the snapshot. */
#ifndef CARDO_STUDY_DYNAMICS_CHECKPOINT_H
#define CARDO_STUDY_DYNAMICS_CHECKPOINT_H

#include "base/writer.h"
#include "dynamics/simulation.h"

typedef struct cardo_checkpoint cardo_checkpoint;

/* A named whole number that belongs to an output file: rows, bytes, frames. */
typedef struct cardo_counter {
    const char *name;
    long long value;
} cardo_counter;

/* Writes the simulation's last good step. extra (may be NULL) are further "key value" lines that
 * must be equal on
 * --continue (the model file's hash, the platform's precision); counters go back to their owners.
 */
cardo_status cardo_checkpoint_write(const cardo_writer *writer, const char *name,
                                    const cardo_simulation *simulation, const char *extra,
                                    const cardo_counter *counters, int ncounter,
                                    cardo_error *error);

/* What was saved under a name: what is none of these, of another version or byte order, cut off or damaged is
 * CARDO_ERROR_INPUT that says which. The caller owns *out. */
cardo_status cardo_checkpoint_read(const cardo_writer *writer, const char *name,
                                   cardo_checkpoint **out, cardo_error *error);
void cardo_checkpoint_destroy(cardo_checkpoint *checkpoint);

long long cardo_checkpoint_step(const cardo_checkpoint *checkpoint);
/* A counter by name, or missing. */
long long cardo_checkpoint_counter(const cardo_checkpoint *checkpoint, const char *name,
                                   long long missing);
bool cardo_checkpoint_has_counter(const cardo_checkpoint *checkpoint, const char *name);
/* The text of a header line by key, or NULL. Borrowed until the next call. */
const char *cardo_checkpoint_value(cardo_checkpoint *checkpoint, const char *key);

/* Puts the simulation where the checkpoint left it. A model, integrator or option that differs is
 * CARDO_ERROR_INPUT naming the first difference (steps and max-energy-jump may differ). */
cardo_status cardo_checkpoint_restore(const cardo_checkpoint *checkpoint,
                                      cardo_simulation *simulation, const char *extra,
                                      cardo_error *error);

#endif
