/* Text that people type and read, in a host as in the library: numbers with a decimal point whatever the locale of the
 * process or thread says, and names that were meant. */
#ifndef CARDO_TEXT_H
#define CARDO_TEXT_H

#include <cardo/export.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As snprintf and fprintf in the locale "C", with what these return. */
CARDO_API int cardo_format(char *text, size_t size, const char *format, ...)
    CARDO_LIKE_PRINTF(3, 4);
CARDO_API int cardo_print(FILE *stream, const char *format, ...) CARDO_LIKE_PRINTF(2, 3);

/* Parses a decimal number that fills text[0..length) but for blanks around it. False where it is none, not
 * finite or too large for its type; *value is then undefined. */
CARDO_API bool cardo_parse_double(const char *text, int length, double *value);
CARDO_API bool cardo_parse_int(const char *text, int length, int *value);
CARDO_API bool cardo_parse_long(const char *text, int length, long long *value);

/* Whether a text is a number alone, without a unit: "2", not "2 fs". */
CARDO_API bool cardo_unit_is_missing(const char *text);

/* The one of names (NULL-terminated) that is nearest to name by edit distance, or NULL where none is near
 * enough to be a likely misspelling. Borrowed from names. */
CARDO_API const char *cardo_nearest_name(const char *name, const char *const *names);

#ifdef __cplusplus
}
#endif

#endif
