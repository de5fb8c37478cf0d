#include "io/page/packing.h"

#include "base/memory.h"

#define ZLIB_CONST
#include <zlib.h>

enum { GZIP = 16 + MAX_WBITS, BEST = 9, MEMORY = 8 };

static cardo_status deflate_all(const void *bytes, size_t size, unsigned char **out, size_t *length,
                                cardo_error *error)
{
    z_stream z = {0};
    if (deflateInit2(&z, BEST, Z_DEFLATED, GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory to pack %zu bytes", size);
    const uLong room = deflateBound(&z, (uLong)size);
    cardo_status status = cardo_allocate((void **)out, room, 1, error);
    if (status == CARDO_OK) {
        z.next_in = bytes;
        z.avail_in = (uInt)size;
        z.next_out = *out;
        z.avail_out = (uInt)room;
        if (deflate(&z, Z_FINISH) != Z_STREAM_END)
            status =
                CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "%zu bytes could not be packed", size);
        *length = z.total_out;
    }
    deflateEnd(&z);
    return status;
}

static void print_base64(FILE *stream, const unsigned char *bytes, size_t size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < size; k += 3) {
        const size_t left = size - k;
        const unsigned long group = ((unsigned long)bytes[k] << 16) |
                                    (left > 1 ? (unsigned long)bytes[k + 1] << 8 : 0) |
                                    (left > 2 ? (unsigned long)bytes[k + 2] : 0);
        fputc(letters[group >> 18 & 63], stream);
        fputc(letters[group >> 12 & 63], stream);
        fputc(left > 1 ? letters[group >> 6 & 63] : '=', stream);
        fputc(left > 2 ? letters[group & 63] : '=', stream);
    }
}

cardo_status cardo_packed_print(FILE *stream, const void *bytes, size_t size, cardo_error *error)
{
    unsigned char *packed = NULL;
    size_t length = 0;
    cardo_status status = deflate_all(bytes, size, &packed, &length, error);
    if (status == CARDO_OK)
        print_base64(stream, packed, length);
    cardo_free(packed);
    return status;
}
