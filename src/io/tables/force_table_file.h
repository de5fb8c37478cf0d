/* Force tables as text files: a header of "# key value" lines, one row a node (coordinates, energy,
 * derivatives; gnuplot draws it as it is), and a checksum. */
#ifndef CARDO_IO_TABLES_FORCE_TABLE_FILE_H
#define CARDO_IO_TABLES_FORCE_TABLE_FILE_H

#include "dynamics/tables/force_table.h"
#include "dynamics/tables/table_store.h"

/* Writes atomically. identity: a hash of all that the forces depend on, which a reader compares.
 * names: of the coordinates (naxis). */
cardo_status cardo_force_table_write(const cardo_force_table *table, unsigned long long identity,
                                     const char *const *names, const char *path,
                                     cardo_error *error);

/* Reads a file of that format and its identity; not one, cut off or damaged is CARDO_ERROR_INPUT
 * with path and line. The caller owns *out. */
cardo_status cardo_force_table_read(const char *path, unsigned long long *identity,
                                    cardo_force_table **out, cardo_error *error);

/* A file of that format as a store, with a hash of the identity in it. path is borrowed, and must last as long. */
cardo_table_store cardo_force_table_store(char *path);

#endif
