/* A file that grows by whole records under its final name: tables and trajectories.
 *
 * What a flush has brought to the disk stays: when a later write fails the file is cut back to it.
 */
#ifndef CARDO_IO_TABLES_GROWING_FILE_H
#define CARDO_IO_TABLES_GROWING_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct cardo_growing_file {
    FILE *stream;     /* write here with stdio                          */
    char *path;       /* for messages                                   */
    long long length; /* bytes that the last flush brought to the disk  */
    bool failed;      /* a write failed; cut back to length when closed  */
} cardo_growing_file;

/* A new file; whatever was there is replaced. Zero-initialise *file first. */
cardo_status cardo_growing_file_create(cardo_growing_file *file, const char *path,
                                       cardo_error *error);
/* An existing file, open for reading and writing at its beginning; cardo_growing_file_cut comes
 * next. */
cardo_status cardo_growing_file_reopen(cardo_growing_file *file, const char *path,
                                       cardo_error *error);
/* Drops what lies after byte length and goes on there. A shorter file is CARDO_ERROR_INPUT. */
cardo_status cardo_growing_file_cut(cardo_growing_file *file, long long length, cardo_error *error);
/* Writes bytes. */
cardo_status cardo_growing_file_write(cardo_growing_file *file, const void *bytes, size_t size,
                                      cardo_error *error);
/* Hands everything to the system, and with sync also to the disk. */
cardo_status cardo_growing_file_flush(cardo_growing_file *file, bool sync, cardo_error *error);
/* Replaces bytes that were written and flushed before. */
cardo_status cardo_growing_file_patch(cardo_growing_file *file, long long offset, const void *bytes,
                                      size_t size, cardo_error *error);
/* Flushes, closes and releases, also on failure. */
cardo_status cardo_growing_file_close(cardo_growing_file *file, cardo_error *error);

/* CARDO_ERROR_FILE: "path: cannot be written (reason)", from errno; marks the file as failed. */
cardo_status cardo_growing_file_fail(cardo_growing_file *file, cardo_error *error);

#endif
