/* Tables as PLUMED writes and reads them (COLVAR, HILLS): "#! FIELDS name ...", "#! SET key value",
 * then numbers between blanks. What is opened here is a table like others (io/tables/table.h).
 *
 * PLUMED's units are Cardo's: nm, ps, kJ/mol, radian. In HILLS of well-tempered metadynamics the height column
 * is that of the hill times biasf/(biasf - 1), so that the sum of hills is -F. */
#ifndef CARDO_IO_TABLES_PLUMED_TABLE_H
#define CARDO_IO_TABLES_PLUMED_TABLE_H

#include "io/tables/table.h"

typedef struct cardo_plumed_header {
    int nfield;
    const char *const *fields; /* names; blanks in them become underscores       (nfield)        */
    int nset;
    const char *const *sets; /* "key value", such as "min_phi -pi"               (nset)          */
} cardo_plumed_header;

/* A new table under path, replacing what was there. The caller owns *out. */
cardo_status cardo_plumed_table_create(const char *path, const cardo_plumed_header *header,
                                       cardo_table **out, cardo_error *error);
/* Goes on after byte `length` and drops what follows. Another header, or a shorter file, is
 * CARDO_ERROR_INPUT. */
cardo_status cardo_plumed_table_continue(const char *path, const cardo_plumed_header *header,
                                         long long length, cardo_table **out, cardo_error *error);

#endif
