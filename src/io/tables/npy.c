#include "io/tables/npy.h"

#include <stdint.h>
#include <string.h>

/* The bytes of this machine's numbers go out as they are; the header says which order that is. */
static char byte_order(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first ? '<' : '>';
}

void cardo_npy_print(FILE *stream, const char *type, int ndim, const size_t *shape,
                     const void *values, size_t size)
{
    enum { BEFORE = 10, MOST = 256 };
    char header[MOST];
    size_t count = 1;
    int length =
        snprintf(header, sizeof header, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                 size > 1 ? byte_order() : '|', type);
    for (int k = 0; k < ndim; ++k) {
        count *= shape[k];
        length += snprintf(header + length, sizeof header - (size_t)length, "%s%zu%s",
                           k ? ", " : "", shape[k], ndim == 1 ? "," : "");
    }
    length += snprintf(header + length, sizeof header - (size_t)length, "), }");
    /* Ten bytes stand before the header, and the whole is a multiple of 64. */
    const int padded = (BEFORE + length + 1 + 63) / 64 * 64 - BEFORE;
    const unsigned char magic[BEFORE] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)padded,
                                         0};
    fwrite(magic, 1, sizeof magic, stream);
    fprintf(stream, "%-*s\n", padded - 1, header);
    fwrite(values, size, count, stream);
}
