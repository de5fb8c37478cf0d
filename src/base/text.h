/* Reading text: whole files, lines with their numbers, near names. */
#ifndef CARDO_BASE_TEXT_H
#define CARDO_BASE_TEXT_H

#include "base/status.h"
#include "cardo/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Reads a whole file, plain or gzip (by content), into memory with a NUL after the last byte.
 * *text is the caller's (cardo_free); *length leaves out that NUL. max_bytes limits the unpacked
 * size (0: no limit). Fails with CARDO_ERROR_FILE naming the path; devices, which may never end, are
 * refused. */
cardo_status cardo_read_file(const char *path, size_t max_bytes, char **text, size_t *length,
                             cardo_error *error);

/* Puts a limit on the memory (base/memory.h) that reading a file may take: 34 times its size on the
 * disk and 8 MB, which with what the heap keeps for itself stays below fifty times. A gzip file may unpack to a thousand times its size, and a text may claim more than
 * it holds. What is no plain file (a pipe) has no limit. What begin returns goes to end, with the
 * status of the reading: CARDO_ERROR_MEMORY becomes CARDO_ERROR_INPUT, which names the file. */
long long cardo_file_limit_begin(const char *path);
cardo_status cardo_file_limit_end(long long outer, const char *path, cardo_status status,
                                  cardo_error *error);

/* That limit for an input of that many bytes. */
long long cardo_input_memory(long long bytes);

/* The size of a file on the disk; otherwise for what is no plain file. */
long long cardo_file_size(const char *path, long long otherwise);

/* Does this plain file, or what a gzip file unpacks to, begin with word (at most 60 bytes)? */
bool cardo_file_begins(const char *path, const char *word);

/* One line of a text that is being walked: not NUL-terminated, without its line end (LF, CRLF, CR).
 */
typedef struct cardo_line {
    const char *text;
    int length;
    int number; /* from 1 */
} cardo_line;

/* Walks over lines: start with next = text and line->number = 0; returns false at the end. */
bool cardo_next_line(const char **next, const char *end, cardo_line *line);

/* The nearest (cardo_nearest_name) among names that are shown one by one, however many: begin with {.name = what was written}. The first of
 * the nearest stays in nearest (borrowed), which is NULL before. */
typedef struct cardo_near {
    const char *name, *nearest;
    int distance;
} cardo_near;
void cardo_near_try(cardo_near *self, const char *candidate);

enum { CARDO_NEAR_TEXT = 96 };
/* "; did you mean 'NEAREST'?", or "" where nothing is near; returns text. */
const char *cardo_near_hint(const cardo_near *self, char text[CARDO_NEAR_TEXT]);

/* Folder part of a path joined with a name: what a file named inside another file means. An
 * absolute name stays as it is. Of a file that is there a folder that the name leaves again ("runs/one/../two") is left out. The caller
 * owns *out. */
cardo_status cardo_path_beside(const char *path, const char *name, char **out, cardo_error *error);

/* Finds a data file: as given (relative to the folder of beside, when that is not NULL), then under
 * $CARDO_DATA, share/cardo of the copy that the library is in, the installed data folder and the source tree, each in subfolder (such as
 * "forcefields") and by itself. The caller owns *out. The error lists every place that was tried.
 */
cardo_status cardo_find_data(const char *name, const char *beside, const char *subfolder,
                             char **out, cardo_error *error);

#endif
