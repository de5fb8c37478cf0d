/* Energy tables row by row: a site with all its partners. One text compiled for several widths of
 * vectors, which differ in nothing but speed. */
#ifndef CARDO_FORCES_COARSE_ROWS_H
#define CARDO_FORCES_COARSE_ROWS_H

#include "forces/coarse/energy.h"

/* The energy of site i with its partners; positions x and forces f, which it adds to, are 3 x stride. */
typedef double cardo_coarse_row(const cardo_coarse_energy *energy, int i, const double *x,
                                double *f, int stride);

/* The energy of n pairs of CARDO_PAIR_CHARGES, likewise. */
typedef double cardo_coarse_charges(const cardo_coarse_pair *pair, int n, const double *x,
                                    double *f, int stride);

typedef struct cardo_coarse_rows {
    const char *name;
    cardo_coarse_row *core, *well;
    cardo_coarse_charges *charges;
} cardo_coarse_rows;

extern const cardo_coarse_rows cardo_coarse_rows_plain;

/* The widest that this processor runs. */
const cardo_coarse_rows *cardo_coarse_rows_best(void);

#endif
