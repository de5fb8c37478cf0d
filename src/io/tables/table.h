/* Tables of numbers, a line a row, in a file that can be continued: as CSV with one header line with
 * units, or laid out otherwise. */
#ifndef CARDO_IO_TABLES_TABLE_H
#define CARDO_IO_TABLES_TABLE_H

#include "base/column.h"
#include "base/status.h"

typedef struct cardo_table cardo_table;

/* How a table is laid out. All is borrowed; before and between are static text. */
typedef struct cardo_table_layout {
    const char *header; /* what stands in front of the rows, its ends of line too        */
    const char *before,
        *between;      /* in front of a row, and between two of its values              */
    int count;         /* values in a row                                               */
    const int *digits; /* to print, 0: whole numbers                        (count)     */
} cardo_table_layout;

/* A new table under path (replacing what was there); columns are copied. The caller owns *out. */
cardo_status cardo_table_create(const char *path, const cardo_column *columns, int ncolumn,
                                cardo_table **out, cardo_error *error);
/* Goes on after byte `length` of an existing table and drops what follows. A header that differs,
 * or a shorter file, is CARDO_ERROR_INPUT. */
cardo_status cardo_table_continue(const char *path, const cardo_column *columns, int ncolumn,
                                  long long length, cardo_table **out, cardo_error *error);
/* The same two with another layout, of which header and digits are copied. */
cardo_status cardo_table_create_as(const char *path, const cardo_table_layout *layout,
                                   cardo_table **out, cardo_error *error);
cardo_status cardo_table_continue_as(const char *path, const cardo_table_layout *layout,
                                     long long length, cardo_table **out, cardo_error *error);
/* Adds a row (as many values as there are columns); the decimal sign is a point whatever the locale. */
cardo_status cardo_table_write(cardo_table *table, const double *values, cardo_error *error);
/* Brings the rows to the disk. */
cardo_status cardo_table_flush(cardo_table *table, cardo_error *error);
/* Bytes written so far: what cardo_table_continue wants. */
long long cardo_table_length(const cardo_table *table);
/* Flushes, closes, frees; the table is gone even when this fails. NULL is fine. */
cardo_status cardo_table_close(cardo_table *table, cardo_error *error);

#endif
