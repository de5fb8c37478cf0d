/* Checks of coordinates and forces before and after OpenMM. */
#ifndef CARDO_FORCES_TERMS_EXTENT_H
#define CARDO_FORCES_TERMS_EXTENT_H

#include "base/status.h"

#include <stdbool.h>

/* Are all n numbers finite? */
bool cardo_all_finite(const double *x, int n);

/* Fails with CARDO_ERROR_NUMERICAL when a coordinate of x (natom x 3) is not finite; else returns
 * the diagonal of the box around all atoms, in x's unit. */
cardo_status cardo_measure_extent(const double *x, int natom, double *extent, cardo_error *error);

#endif
