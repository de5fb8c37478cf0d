/* Checkpoints: all that a simulation needs to go on bitwise alike, in one self-describing file.
 *
 * The file holds a magic word, version and byte order, a text header (one "key value" line each:
 * the model, the integrator, the options, counters of the output files), the numbers of the
 * snapshot, and a checksum of all. It is written atomically. */
#ifndef CARDO_IO_CHECKPOINT_CHECKPOINT_H
#define CARDO_IO_CHECKPOINT_CHECKPOINT_H

#include "dynamics/simulation.h"
#include "io/checkpoint/model_description.h"

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
cardo_status cardo_checkpoint_write(const char *path, const cardo_simulation *simulation,
                                    const char *extra, const cardo_counter *counters, int ncounter,
                                    cardo_error *error);

/* Reads and checks a file: not a checkpoint, another version or byte order, cut off or damaged are
 * CARDO_ERROR_INPUT that says which. The caller owns *out. */
cardo_status cardo_checkpoint_read(const char *path, cardo_checkpoint **out, cardo_error *error);
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
