/* Arrays for NumPy: numpy.load reads them. */
#ifndef CARDO_IO_TABLES_NPY_H
#define CARDO_IO_TABLES_NPY_H

#include <stddef.h>
#include <stdio.h>

/* Prints a whole .npy file (format 1.0), a C-ordered array of up to four axes, to a stream: elements of size bytes, which type names as NumPy does,
 * without the order of bytes ("f8", "i8", "b1"). */
void cardo_npy_print(FILE *stream, const char *type, int ndim, const size_t *shape,
                     const void *values, size_t size);

#endif
