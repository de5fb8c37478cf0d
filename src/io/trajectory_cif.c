/* A mmCIF file with one model a frame, for structures that a PDB file has no room for. */
#include "io/trajectory.h"

#include "base/memory.h"
#include "io/growing_file.h"
#include "structure/mmcif.h"

#include <string.h>

typedef struct cif_file {
    cardo_growing_file file;
    const cardo_structure *structure;
    int nmodel;
} cif_file;

/* Byte after the count-th row of an atom, or -1 when there are fewer. */
static long long find_end(FILE *stream, long long count)
{
    char line[256];
    long long seen = 0;
    bool starts = true; /* a line begins here */
    if (count == 0)
        return 0;
    while (fgets(line, sizeof line, stream)) {
        seen += starts && (strncmp(line, "ATOM ", 5) == 0 || strncmp(line, "HETATM ", 7) == 0);
        starts = strchr(line, '\n') != NULL;
        if (seen == count && starts)
            return ftello(stream);
    }
    return -1;
}

static cardo_status reopen_file(cif_file *self, const char *path, long long frames,
                                cardo_error *error)
{
    cardo_status status = cardo_growing_file_reopen(&self->file, path, error);
    if (status != CARDO_OK)
        return status;
    long long end = find_end(self->file.stream, frames * self->structure->natom);
    if (end < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: has fewer than the %lld models that the checkpoint counts", path,
                          frames);
    self->nmodel = (int)frames;
    return cardo_growing_file_cut(&self->file, end, error);
}

static void release(cif_file *self)
{
    if (self && self->file.stream) {
        fclose(self->file.stream);
        cardo_free(self->file.path);
    }
    cardo_free(self);
}

static cardo_status cif_open(const char *path, const cardo_trajectory_info *info, long long frames,
                             void **file, cardo_error *error)
{
    cardo_status status;
    cif_file *self = NULL;
    *file = NULL;
    if (!info->structure || info->structure->natom != info->natom)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "%s: a mmCIF trajectory needs the structure that its atoms come from",
                          path);
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->structure = info->structure;
    CARDO_TRY(frames < 0 ? cardo_growing_file_create(&self->file, path, error)
                         : reopen_file(self, path, frames, error));
    *file = self;
    self = NULL;
done:
    release(self);
    return status;
}

static cardo_status cif_write(void *handle, double time, const double *positions,
                              const double *velocities, cardo_error *error)
{
    cif_file *self = handle;
    (void)time;
    (void)velocities;
    cardo_status status = cardo_mmcif_write_model(self->file.stream, self->structure, positions,
                                                  self->nmodel + 1, error);
    if (status == CARDO_OK)
        self->nmodel++;
    else
        self->file.failed = true;
    return status;
}

static cardo_status cif_flush(void *handle, cardo_error *error)
{
    cif_file *self = handle;
    return cardo_growing_file_flush(&self->file, false, error);
}

static cardo_status cif_close(void *handle, cardo_error *error)
{
    cif_file *self = handle;
    cardo_status status = CARDO_OK;
    if (!self->file.failed)
        status = cardo_growing_file_write(&self->file, "#\n", 2, error);
    cardo_status closed = cardo_growing_file_close(&self->file, status == CARDO_OK ? error : NULL);
    cardo_free(self);
    return status == CARDO_OK ? closed : status;
}

const cardo_trajectory_format cardo_trajectory_cif = {
    .name = "cif",
    .extension = "cif",
    .doc = "mmCIF file with one model a frame",
    .open = cif_open,
    .write = cif_write,
    .flush = cif_flush,
    .close = cif_close,
};
