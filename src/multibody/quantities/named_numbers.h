/* Numbers by name, from a file of one or from a table of many. */
#ifndef CARDO_MULTIBODY_QUANTITIES_NAMED_NUMBERS_H
#define CARDO_MULTIBODY_QUANTITIES_NAMED_NUMBERS_H

#include "base/status.h"
#include "multibody/tree/system.h"

#include <stdbool.h>

typedef struct cardo_named_number {
    const char *name; /* not NUL-terminated, and ... */
    int length;
    double value;
} cardo_named_number;

/* Owned: cardo_named_numbers_clear. */
typedef struct cardo_named_numbers {
    int n, capacity;
    bool of_table; /* which may have more of them than are asked for */
    cardo_named_number *number;
    char *text; /* in which the names lie */
} cardo_named_numbers;

/* Reads lines NAME,VALUE after a header, or of a table whose first column is "step" the last row: of columns "q NAME" or
 * "q NAME (unit)", the others being left out. Fails with CARDO_ERROR_FILE or CARDO_ERROR_INPUT, naming the line. *out is
 * nothing then. */
cardo_status cardo_named_numbers_read(const char *path, cardo_named_numbers *out,
                                      cardo_error *error);

/* Writes the coordinates of a system whose names are there into q (cardo_system_nq numbers); others stay. Returns the first coordinate that
 * is not there, or -1. */
int cardo_named_numbers_put(const cardo_named_numbers *numbers, const cardo_system *system,
                            double *q);

void cardo_named_numbers_clear(cardo_named_numbers *numbers);

#endif
