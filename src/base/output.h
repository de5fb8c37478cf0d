/* Output files that appear whole or not at all: written under a temporary name of their own, then renamed, so
 * that processes which write the same file leave it whole, by the last of them. */
#ifndef CARDO_BASE_OUTPUT_H
#define CARDO_BASE_OUTPUT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct cardo_output {
    FILE *stream;    /* write here with stdio; NULL when not open        */
    char *path;      /* final name                                       */
    char *temporary; /* name while it is being written: path.PROCESS-NUMBER.part */
} cardo_output;

#define CARDO_TEMPORARY_ENDING ".part"

/* A device, a pipe or a folder would be replaced by the file, or could not be: CARDO_ERROR_FILE. */
cardo_status cardo_output_check(const char *path, cardo_error *error);

/* Opens a temporary file for writing that no other process has. A path that is something else than a plain file
 * is CARDO_ERROR_FILE. Zero-initialise *output first. */
cardo_status cardo_output_open(cardo_output *output, const char *path, cardo_error *error);

/* Flushes, syncs, checks for errors of any earlier write (a full disk is CARDO_ERROR_FILE with the
 * path and the reason), closes and renames. On failure the temporary file is removed. */
cardo_status cardo_output_commit(cardo_output *output, cardo_error *error);

/* Closes and removes the temporary file; nothing happens if it is not open. */
void cardo_output_abandon(cardo_output *output);

/* Writes bytes as a whole file, atomically. */
cardo_status cardo_write_file(const char *path, const void *bytes, size_t length,
                              cardo_error *error);

/* Text that is printed into memory. */
typedef struct cardo_text_stream {
    FILE *stream; /* print here; NULL when not open */
    char *bytes;
    size_t length;
} cardo_text_stream;

cardo_status cardo_text_stream_open(cardo_text_stream *self, cardo_error *error);
/* Ends it and hands over what was printed, with a NUL after it: *text is the caller's (cardo_free). printed: the status of
 * the printing; where that is a failure it is returned, and *text is NULL. */
cardo_status cardo_text_stream_close(cardo_text_stream *self, cardo_status printed, char **text,
                                     cardo_error *error);

/* Makes a folder and its parents; fine if it is there. */
cardo_status cardo_make_folder(const char *path, cardo_error *error);
/* The same, and how many there were to make; none is left after a failure. */
cardo_status cardo_make_folders(const char *path, int *nmade, cardo_error *error);
/* Removes the last nmade folders of a path again, as far as they are empty. */
void cardo_unmake_folders(const char *path, int nmade);

bool cardo_file_exists(const char *path);

#endif
