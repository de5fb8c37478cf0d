/* Linear complementarity problems of contacts. */
#ifndef CARDO_MULTIBODY_IMPACT_COMPLEMENTARITY_H
#define CARDO_MULTIBODY_IMPACT_COMPLEMENTARITY_H

#include "base/status.h"

#include <stdbool.h>

/* w = Y x + q with Y (n x n, row-major) symmetric and positive semidefinite: w_i = 0 where free, else x_i >= 0, w_i >= 0 and one of them 0. Of several x the shortest one, if that
 * will do. x is the least of x^T Y x / 2 + q^T x, found by taking into the set of x_i > 0 one after the other and out of it what would become negative (Lawson
 * & Hanson 1974, Solving Least Squares Problems, ch. 23). `level`: what counts as no w, as the w of a row of Y_ii = 1. work: 3 n^2 + 6 n numbers and 3 n ints. */
cardo_status cardo_complementarity_solve(int n, const double *Y, const double *q, const bool *free,
                                         double level, double *x, double *work, int *numbers,
                                         cardo_error *error);

#endif
