/* Where a table of forces is kept between runs: handed in by who knows files. */
#ifndef CARDO_DYNAMICS_TABLES_TABLE_STORE_H
#define CARDO_DYNAMICS_TABLES_TABLE_STORE_H

#include "dynamics/tables/force_table.h"

#include <stdbool.h>

typedef struct cardo_table_store {
    void *user;
    const char
        *place; /* for messages: "run/forces.table"                                          */
    const char
        *name; /* for a note: "forces.table"                                                */

    /* Reads what is kept; same: it was kept with this identity, a text of all that the forces depend on. Nothing kept:
     * *out is NULL and that is no failure. What is damaged is CARDO_ERROR_INPUT. The caller owns *out. */
    cardo_status (*read)(void *user, const char *identity, bool *same, cardo_force_table **out,
                         cardo_error *error);
    /* Keeps a table in place of what is kept. names: of the coordinates (naxis). */
    cardo_status (*write)(void *user, const char *identity, const cardo_force_table *table,
                          const char *const *names, cardo_error *error);
} cardo_table_store;

#endif
