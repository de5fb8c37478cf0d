/* Arrays for NumPy: numpy.load reads them. */
#ifndef CARDO_IO_NPY_H
#define CARDO_IO_NPY_H

#include "base/status.h"

#include <stddef.h>

/* A whole .npy file (format 1.0) of a C-ordered array of ndim (1 or 2) dimensions: doubles, or
 * 32-bit integers. */
cardo_status cardo_npy_write_doubles(const char *path, int ndim, const size_t *shape,
                                     const double *values, cardo_error *error);
cardo_status cardo_npy_write_integers(const char *path, int ndim, const size_t *shape,
                                      const int *values, cardo_error *error);

#endif
