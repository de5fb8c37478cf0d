/* Householder reflections: an orthogonal basis of n dimensions whose first directions span given rows, and whose others are
 * orthogonal to all of them (Golub & Van Loan, Matrix Computations, 5.1 and 5.4). */
#ifndef CARDO_MULTIBODY_ALGEBRA_REFLECTIONS_H
#define CARDO_MULTIBODY_ALGEBRA_REFLECTIONS_H

#include "base/status.h"

typedef struct cardo_reflections {
    int n, most; /* dimensions; most rows                                                        */
    int rank;    /* rows that are independent: the first directions of the basis                 */
    int *order;  /* (most) the rows by pivot: from the rank on they depend on those before       */
    double
        *vectors; /* (most x n) of the reflections, with v . v = 2                                */
    double *size; /* (most) lengths of the rows                                                   */
} cardo_reflections;

/* Memory; zero-initialise, and clear also after a failure. */
cardo_status cardo_reflections_open(cardo_reflections *self, int n, int most, cardo_error *error);
void cardo_reflections_clear(cardo_reflections *self);

/* From m <= most rows (m x n, destroyed). In turn the row of which the largest share of its length is left outside the span of
 * those before; a row of which less than the share `least` is left depends on them. Allocates nothing. */
void cardo_reflections_factor(cardo_reflections *self, int m, double *rows, double least);
/* x = Q z, of the basis' coordinates z, and z = Q^T x, in place (n). */
void cardo_reflections_apply(const cardo_reflections *self, double *x);
void cardo_reflections_apply_transposed(const cardo_reflections *self, double *x);

#endif
