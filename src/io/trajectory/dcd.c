/* DCD in the CHARMM/X-PLOR manner: Fortran records with 32-bit lengths, single precision, angstrom,
 * no cell. */
#include "io/trajectory/trajectory.h"

#include "base/memory.h"
#include "base/units.h"
#include "io/tables/growing_file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* CHARMM's unit of time in ps: sqrt(Da A^2 / (kcal/mol)). */
#define AKMA_TIME 0.04888821

enum {
    TITLE_LINE = 80,
    CONTROL_RECORD = 4 + 84 + 4,
    TITLE_RECORD = 4 + 4 + TITLE_LINE + 4,
    NATOM_RECORD = 4 + 4 + 4,
    HEADER_SIZE = CONTROL_RECORD + TITLE_RECORD + NATOM_RECORD,
    NFRAME_OFFSET = 8, /* after the record's length and "CORD" */
    NSTEP_OFFSET = 20
};

typedef struct dcd_file {
    cardo_growing_file file;
    int natom;
    long long interval;
    int32_t nframe;
    size_t frame_size;
    unsigned char *frame; /* one frame as it goes out */
} dcd_file;

static unsigned char *put_int(unsigned char *to, int32_t value)
{
    memcpy(to, &value, sizeof value);
    return to + sizeof value;
}

static cardo_status dcd_close(void *handle, cardo_error *error);
static cardo_status dcd_flush(void *handle, cardo_error *error);

static void print_header(const dcd_file *self, const cardo_trajectory_info *info,
                         unsigned char header[HEADER_SIZE])
{
    int32_t control[20] = {0};
    float delta = (float)(info->timestep / AKMA_TIME);
    control[0] = 0;                       /* frames: patched at every flush */
    control[1] = 0;                       /* step of the first frame        */
    control[2] = (int32_t)info->interval; /* steps between frames           */
    control[19] = 24;                     /* CHARMM's version: floats have a known place */
    memcpy(&control[9], &delta, sizeof delta);
    unsigned char *to = put_int(header, 84);
    memcpy(to, "CORD", 4);
    memcpy(to + 4, control, sizeof control);
    to = put_int(to + 84, 84);
    to = put_int(to, 4 + TITLE_LINE);
    to = put_int(to, 1);
    memset(to, ' ', TITLE_LINE);
    const char *title = info->title ? info->title : "Cardo";
    size_t length = strlen(title);
    memcpy(to, title, length < TITLE_LINE ? length : TITLE_LINE);
    to = put_int(to + TITLE_LINE, 4 + TITLE_LINE);
    to = put_int(to, 4);
    to = put_int(to, self->natom);
    put_int(to, 4);
}

static cardo_status create_file(dcd_file *self, const char *path, const cardo_trajectory_info *info,
                                cardo_error *error)
{
    unsigned char header[HEADER_SIZE];
    cardo_status status = cardo_growing_file_create(&self->file, path, error);
    if (status != CARDO_OK)
        return status;
    print_header(self, info, header);
    status = cardo_growing_file_write(&self->file, header, sizeof header, error);
    return status == CARDO_OK ? cardo_growing_file_flush(&self->file, false, error) : status;
}

static cardo_status reopen_file(dcd_file *self, const char *path, long long frames,
                                cardo_error *error)
{
    unsigned char header[HEADER_SIZE];
    int32_t natom = 0;
    cardo_status status = cardo_growing_file_reopen(&self->file, path, error);
    if (status != CARDO_OK)
        return status;
    if (fread(header, 1, sizeof header, self->file.stream) != sizeof header ||
        memcmp(header + 4, "CORD", 4) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: is not a DCD file of ours", path);
    memcpy(&natom, header + HEADER_SIZE - 8, sizeof natom);
    if (natom != self->natom)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: has %d atoms, the model has %d", path,
                          (int)natom, self->natom);
    self->nframe = (int32_t)frames;
    return cardo_growing_file_cut(&self->file, HEADER_SIZE + frames * (long long)self->frame_size,
                                  error);
}

static cardo_status dcd_open(const char *path, const cardo_trajectory_info *info, long long frames,
                             void **file, cardo_error *error)
{
    cardo_status status;
    dcd_file *self = NULL;
    *file = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->natom = info->natom;
    self->interval = info->interval;
    self->frame_size = 3 * (8 + sizeof(float) * (size_t)info->natom);
    CARDO_TRY(CARDO_ALLOCATE(&self->frame, self->frame_size, error));
    CARDO_TRY(frames < 0 ? create_file(self, path, info, error)
                         : reopen_file(self, path, frames, error));
    CARDO_TRY(dcd_flush(self, error));
    *file = self;
    self = NULL;
done:
    if (self && frames >= 0 && self->file.stream)
        self->file.failed = false; /* a file that is not ours stays as it is */
    if (self)
        dcd_close(self, NULL);
    return status;
}

static cardo_status dcd_write(void *handle, double time, const double *positions,
                              const double *velocities, cardo_error *error)
{
    dcd_file *self = handle;
    (void)time;
    (void)velocities;
    int32_t bytes = (int32_t)(sizeof(float) * (size_t)self->natom);
    unsigned char *to = self->frame;
    for (int axis = 0; axis < 3; ++axis) {
        to = put_int(to, bytes);
        for (int atom = 0; atom < self->natom; ++atom) {
            float x = (float)(positions[3 * (size_t)atom + (size_t)axis] / CARDO_ANGSTROM);
            memcpy(to, &x, sizeof x);
            to += sizeof x;
        }
        to = put_int(to, bytes);
    }
    cardo_status status =
        cardo_growing_file_write(&self->file, self->frame, self->frame_size, error);
    if (status == CARDO_OK)
        self->nframe++;
    return status;
}

static cardo_status dcd_flush(void *handle, cardo_error *error)
{
    dcd_file *self = handle;
    cardo_status status = cardo_growing_file_flush(&self->file, false, error);
    int32_t nstep = self->nframe > 0 ? (int32_t)((self->nframe - 1) * self->interval) : 0;
    if (status == CARDO_OK)
        status = cardo_growing_file_patch(&self->file, NFRAME_OFFSET, &self->nframe,
                                          sizeof self->nframe, error);
    if (status == CARDO_OK)
        status = cardo_growing_file_patch(&self->file, NSTEP_OFFSET, &nstep, sizeof nstep, error);
    return status;
}

static cardo_status dcd_close(void *handle, cardo_error *error)
{
    dcd_file *self = handle;
    cardo_status status = CARDO_OK;
    if (self->file.stream && !self->file.failed && self->file.length >= HEADER_SIZE)
        status = dcd_flush(self, error);
    cardo_status closed = cardo_growing_file_close(&self->file, status == CARDO_OK ? error : NULL);
    cardo_free(self->frame);
    cardo_free(self);
    return status == CARDO_OK ? closed : status;
}

const cardo_trajectory_format cardo_trajectory_dcd = {
    .name = "dcd",
    .extension = "dcd",
    .doc = "CHARMM/NAMD DCD, single precision, no times",
    .open = dcd_open,
    .write = dcd_write,
    .flush = dcd_flush,
    .close = dcd_close,
};
