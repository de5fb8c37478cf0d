/* Arrays for NumPy: numpy.load reads them. */
#ifndef CARDO_IO_TABLES_NPY_H
#define CARDO_IO_TABLES_NPY_H

#include "base/status.h"

#include <stddef.h>
#include <stdio.h>

/* A whole .npy file (format 1.0) of a C-ordered array of ndim (1 or 2) dimensions: doubles, or
 * 32-bit integers. */
cardo_status cardo_npy_write_doubles(const char *path, int ndim, const size_t *shape,
                                     const double *values, cardo_error *error);
cardo_status cardo_npy_write_integers(const char *path, int ndim, const size_t *shape,
                                      const int *values, cardo_error *error);

/* Prints an array of up to four axes to a stream: elements of size bytes, which type names as NumPy does,
 * without the order of bytes ("f8", "i8", "b1"). */
void cardo_npy_print(FILE *stream, const char *type, int ndim, const size_t *shape,
                     const void *values, size_t size);

#endif
