/* Bytes as text that a page unpacks: gzip, then base64. */
#ifndef CARDO_IO_PAGE_PACKING_H
#define CARDO_IO_PAGE_PACKING_H

#include "base/status.h"

#include <stddef.h>
#include <stdio.h>

/* Prints the packed bytes to a stream. */
cardo_status cardo_packed_print(FILE *stream, const void *bytes, size_t size, cardo_error *error);

#endif
