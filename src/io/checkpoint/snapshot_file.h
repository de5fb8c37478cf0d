/* Files of a text and numbers, to the bit: what checkpoints are made of.
 *
 * A magic word, version and byte order, the text, the numbers, and a checksum of all; written
 * atomically. */
#ifndef CARDO_IO_CHECKPOINT_SNAPSHOT_FILE_H
#define CARDO_IO_CHECKPOINT_SNAPSHOT_FILE_H

#include "base/status.h"

#include <stddef.h>

cardo_status cardo_snapshot_write(const char *path, const char *text, size_t length,
                                  const double *values, size_t nvalue, cardo_error *error);

/* Reads and checks a file: not a checkpoint, another version or byte order, cut off or damaged are
 * CARDO_ERROR_INPUT that says which. The caller owns *text (NUL-terminated) and *values, also after
 * a failure; both NULL before. */
cardo_status cardo_snapshot_read(const char *path, char **text, double **values, size_t *nvalue,
                                 cardo_error *error);

#endif
