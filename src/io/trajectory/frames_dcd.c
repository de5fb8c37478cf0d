/* Reading DCD of CHARMM, NAMD, X-PLOR and OpenMM: Fortran records with 32-bit lengths, of either byte
 * order. A frame is a record each of x, y and z, before them one of the cell and after them one of a
 * fourth dimension where the header says so. */
#include "io/trajectory/frames.h"

#include "base/memory.h"
#include "base/units.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    CONTROL = 84, /* length of the first record: "CORD" and twenty numbers */
    FIXED = 8,    /* numbers of it: atoms that stand still                  */
    CELL = 10,    /* CHARMM: frames have a cell                             */
    FOUR = 11,    /* CHARMM: frames have a fourth dimension                 */
    VERSION = 19, /* 0 in X-PLOR's files, which have none of these two      */
    CELL_RECORD = 48,
    MARKS = 8, /* the length, before and after every record */
};

typedef struct dcd_frames {
    FILE *stream;
    const char *path; /* borrowed */
    bool swapped;     /* the other byte order */
    int natom;
    long long first, before,
        size;      /* of the first frame; of the cell in a frame; of a frame: bytes */
    float *buffer; /* natom */
} dcd_frames;

static uint32_t to_host(uint32_t value, bool swapped)
{
    return swapped ? value >> 24 | (value >> 8 & 0xff00U) | (value << 8 & 0xff0000U) | value << 24
                   : value;
}

static uint32_t load(const unsigned char *from, bool swapped)
{
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return to_host(value, swapped);
}

static bool detect(const unsigned char *start)
{
    return memcmp(start + 4, "CORD", 4) == 0 &&
           (load(start, false) == CONTROL || load(start, true) == CONTROL);
}

static cardo_status broken(const dcd_frames *self, const char *what, cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: is no whole DCD file: %s", self->path, what);
}

static bool read_number(dcd_frames *self, uint32_t *value)
{
    unsigned char bytes[4];
    if (fread(bytes, 1, sizeof bytes, self->stream) != sizeof bytes)
        return false;
    *value = load(bytes, self->swapped);
    return true;
}

/* Steps over a record of any length that is closed as it was opened. */
static bool skip_record(dcd_frames *self)
{
    uint32_t length, end;
    return read_number(self, &length) && length <= INT32_MAX &&
           fseeko(self->stream, (off_t)length, SEEK_CUR) == 0 && read_number(self, &end) &&
           end == length;
}

static cardo_status read_header(dcd_frames *self, cardo_error *error)
{
    unsigned char control[4 + CONTROL + 4];
    uint32_t length = 0, natom = 0, end = 0;
    if (fread(control, 1, sizeof control, self->stream) != sizeof control)
        return broken(self, "it ends in its header", error);
    self->swapped = load(control, false) != CONTROL;
    if (load(control, self->swapped) != CONTROL ||
        load(control + 4 + CONTROL, self->swapped) != CONTROL || !skip_record(self))
        return broken(self, "its header is damaged", error);
    if (!read_number(self, &length) || length != 4 || !read_number(self, &natom) ||
        !read_number(self, &end) || end != 4)
        return broken(self, "the number of atoms is missing", error);
    if (natom != (uint32_t)self->natom)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: has %u atoms, and the structure that names them %d", self->path,
                          (unsigned)natom, self->natom);
    const unsigned char *numbers = control + 8;
    if (load(numbers + 4 * FIXED, self->swapped) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s: has %u fixed atoms, which stand in its first frame alone; write all "
                          "atoms of every frame",
                          self->path, (unsigned)load(numbers + 4 * FIXED, self->swapped));
    const bool charmm = load(numbers + 4 * VERSION, self->swapped) != 0;
    const bool cell = charmm && load(numbers + 4 * CELL, self->swapped) != 0;
    const bool four = charmm && load(numbers + 4 * FOUR, self->swapped) != 0;
    const long long axis = 4LL * self->natom + MARKS;
    self->before = cell ? CELL_RECORD + MARKS : 0;
    self->size = self->before + (four ? 4 : 3) * axis;
    self->first = (long long)ftello(self->stream);
    return CARDO_OK;
}

static void frames_close(void *handle)
{
    dcd_frames *self = handle;
    if (!self)
        return;
    if (self->stream)
        fclose(self->stream);
    cardo_free(self->buffer);
    cardo_free(self);
}

/* The frames that are whole: the header's number lags behind in files that are being written. */
static cardo_status frames_open(const char *path, int natom, void **out, long long *count,
                                cardo_error *error)
{
    cardo_status status;
    dcd_frames *self = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->path = path;
    self->natom = natom;
    CARDO_TRY(CARDO_ALLOCATE(&self->buffer, natom, error));
    self->stream = fopen(path, "rb");
    if (!self->stream) {
        status = CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be read", path);
        goto done;
    }
    CARDO_TRY(read_header(self, error));
    if (fseeko(self->stream, 0, SEEK_END) != 0) {
        status = broken(self, "its length is not known", error);
        goto done;
    }
    *count = ((long long)ftello(self->stream) - self->first) / self->size;
    *out = self;
    self = NULL;
done:
    frames_close(self);
    return status;
}

static cardo_status frames_read(void *handle, long long k, double *positions, cardo_error *error)
{
    dcd_frames *self = handle;
    const size_t n = (size_t)self->natom;
    uint32_t length, end;
    if (fseeko(self->stream, (off_t)(self->first + k * self->size + self->before), SEEK_SET) != 0)
        return broken(self, "it ends in a frame", error);
    for (int axis = 0; axis < 3; ++axis) {
        if (!read_number(self, &length) ||
            fread(self->buffer, sizeof *self->buffer, n, self->stream) != n ||
            !read_number(self, &end))
            return broken(self, "it ends in a frame", error);
        if (length != 4 * n || end != length)
            return broken(self, "a frame does not have the length that the header tells", error);
        for (size_t i = 0; i < n; ++i) {
            uint32_t bits;
            float value;
            memcpy(&bits, self->buffer + i, sizeof bits);
            bits = to_host(bits, self->swapped);
            memcpy(&value, &bits, sizeof value);
            positions[3 * i + (size_t)axis] = CARDO_ANGSTROM * (double)value;
        }
    }
    return CARDO_OK;
}

const cardo_frames_format cardo_frames_dcd = {
    .name = "DCD",
    .detect = detect,
    .open = frames_open,
    .read = frames_read,
    .close = frames_close,
};
