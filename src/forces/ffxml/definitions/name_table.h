/* Names to indices: an open-addressing hash table over borrowed strings. */
#ifndef CARDO_FORCES_FFXML_DEFINITIONS_NAME_TABLE_H
#define CARDO_FORCES_FFXML_DEFINITIONS_NAME_TABLE_H

#include "base/status.h"

/* Zero-initialise; the strings must outlive the table. */
typedef struct cardo_name_table {
    int capacity, count;
    const char **name; /* NULL: free slot              (capacity) */
    int *value;        /*                              (capacity) */
} cardo_name_table;

/* The value stored under name, or -1. */
int cardo_name_table_find(const cardo_name_table *table, const char *name);

/* Stores value (>= 0) under name; an older value is replaced. */
cardo_status cardo_name_table_set(cardo_name_table *table, const char *name, int value,
                                  cardo_error *error);

/* Releases the table's memory, not the strings. */
void cardo_name_table_clear(cardo_name_table *table);

#endif
