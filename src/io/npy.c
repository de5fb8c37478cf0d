#include "io/npy.h"

#include "base/output.h"

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

static cardo_status write_array(const char *path, const char *type, int ndim, const size_t *shape,
                                const void *values, size_t size, cardo_error *error)
{
    char header[128];
    cardo_output output = {0};
    size_t count = ndim > 1 ? shape[0] * shape[1] : shape[0];
    cardo_status status = cardo_output_open(&output, path, error);
    if (status != CARDO_OK)
        return status;
    int length = ndim > 1
                     ? snprintf(header, sizeof header,
                                "{'descr': '%c%s', 'fortran_order': False, 'shape': (%zu, %zu), }",
                                byte_order(), type, shape[0], shape[1])
                     : snprintf(header, sizeof header,
                                "{'descr': '%c%s', 'fortran_order': False, 'shape': (%zu,), }",
                                byte_order(), type, shape[0]);
    /* Ten bytes stand before the header, and the whole is a multiple of 64. */
    int padded = (10 + length + 1 + 63) / 64 * 64 - 10;
    const unsigned char magic[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)padded, 0};
    fwrite(magic, 1, sizeof magic, output.stream);
    fprintf(output.stream, "%-*s\n", padded - 1, header);
    fwrite(values, size, count, output.stream);
    return cardo_output_commit(&output, error);
}

cardo_status cardo_npy_write_doubles(const char *path, int ndim, const size_t *shape,
                                     const double *values, cardo_error *error)
{
    return write_array(path, "f8", ndim, shape, values, sizeof *values, error);
}

cardo_status cardo_npy_write_integers(const char *path, int ndim, const size_t *shape,
                                      const int *values, cardo_error *error)
{
    return write_array(path, "i4", ndim, shape, values, sizeof *values, error);
}
