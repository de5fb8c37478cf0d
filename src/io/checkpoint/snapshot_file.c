#include "io/checkpoint/snapshot_file.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

/* Layout: preamble, text, numbers, checksum of all before. */
static const char magic[8] = {'C', 'A', 'R', 'D', 'O', 'C', 'P', '\n'};
enum { VERSION = 1, BYTE_ORDER_MARK = 0x01020304 };

typedef struct preamble {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t header_length, nvalue;
} preamble;

/* Appends bytes to a file and to its running checksum. */
static void put(FILE *stream, uLong *sum, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    if (size == 0)
        return;
    fwrite(bytes, 1, size, stream);
    *sum = crc32_z(*sum, from, size);
}

cardo_status cardo_snapshot_write(const char *path, const char *text, size_t length,
                                  const double *values, size_t nvalue, cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status = cardo_output_open(&output, path, error);
    if (status != CARDO_OK)
        return status;
    uLong sum = crc32(0, NULL, 0);
    preamble front = {.version = VERSION,
                      .byte_order = BYTE_ORDER_MARK,
                      .header_length = length,
                      .nvalue = nvalue};
    memcpy(front.magic, magic, sizeof magic);
    put(output.stream, &sum, &front, sizeof front);
    put(output.stream, &sum, text, length);
    put(output.stream, &sum, values, sizeof(double) * nvalue);
    uint32_t checksum = (uint32_t)sum;
    fwrite(&checksum, 1, sizeof checksum, output.stream);
    return cardo_output_commit(&output, error);
}

/* Checks preamble, size and checksum of a file in memory. */
static cardo_status check_file(const char *path, const char *bytes, size_t length, preamble *front,
                               cardo_error *error)
{
    if (length < sizeof *front || memcmp(bytes, magic, sizeof magic) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: is not a checkpoint of Cardo", path);
    memcpy(front, bytes, sizeof *front);
    if (front->byte_order != BYTE_ORDER_MARK)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: was written on a machine of the other byte order", path);
    if (front->version != VERSION)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: is a checkpoint of version %u, this program reads version %d", path,
                          front->version, VERSION);
    uint32_t stored, sum;
    size_t rest = length - sizeof *front;
    if (front->header_length > rest || front->nvalue > rest / sizeof(double) ||
        front->header_length + front->nvalue * sizeof(double) + sizeof stored != rest)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: is cut off or has bytes after its end",
                          path);
    memcpy(&stored, bytes + length - sizeof stored, sizeof stored);
    sum =
        (uint32_t)crc32_z(crc32(0, NULL, 0), (const unsigned char *)bytes, length - sizeof stored);
    if (sum != stored)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: is damaged (its checksum is %08x, not %08x)", path, sum, stored);
    return CARDO_OK;
}

cardo_status cardo_snapshot_read(const char *path, char **text, double **values, size_t *nvalue,
                                 cardo_error *error)
{
    cardo_status status;
    preamble front;
    char *bytes = NULL;
    size_t length;
    CARDO_TRY(cardo_read_file(path, 0, &bytes, &length, error));
    CARDO_TRY(check_file(path, bytes, length, &front, error));
    CARDO_TRY(CARDO_ALLOCATE(text, front.header_length + 1, error));
    memcpy(*text, bytes + sizeof front, front.header_length);
    *nvalue = front.nvalue;
    CARDO_TRY(CARDO_ALLOCATE(values, front.nvalue, error));
    if (front.nvalue > 0)
        memcpy(*values, bytes + sizeof front + front.header_length, front.nvalue * sizeof **values);
done:
    cardo_free(bytes);
    return status;
}
