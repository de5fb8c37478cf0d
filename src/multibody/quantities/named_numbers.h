/* Numbers by name, from a file of one or from a table of many. */
#ifndef CARDO_MULTIBODY_QUANTITIES_NAMED_NUMBERS_H
#define CARDO_MULTIBODY_QUANTITIES_NAMED_NUMBERS_H

#include "base/status.h"

#include <stdbool.h>

typedef struct cardo_named_number {
    const char *name; /* not NUL-terminated, and ... */
    int length;
    double value;
} cardo_named_number;

/* Owned: cardo_named_numbers_clear. */
typedef struct cardo_named_numbers {
    int n, capacity;
    cardo_named_number *number;
    char *text; /* in which the names lie */
} cardo_named_numbers;

/* Reads lines NAME,VALUE after a header, or of a table whose first column is "step" the last row: of columns "q NAME" or
 * "q NAME (unit)", the others being left out. Fails with CARDO_ERROR_FILE or CARDO_ERROR_INPUT, naming the line. *out is
 * nothing then. */
cardo_status cardo_named_numbers_read(const char *path, cardo_named_numbers *out,
                                      cardo_error *error);

/* The number of this name; false: there is none, and *value is left as it is. *from: where the search begins, 0 at first, so that
 * names in the file's own order are found at once. */
bool cardo_named_numbers_find(const cardo_named_numbers *numbers, const char *name, int *from,
                              double *value);

void cardo_named_numbers_clear(cardo_named_numbers *numbers);

#endif
