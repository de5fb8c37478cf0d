/* A PDB file with one MODEL a frame: large, but every viewer plays it. */
#include "io/trajectory.h"

#include "base/memory.h"
#include "io/growing_file.h"
#include "structure/pdb.h"

#include <string.h>

typedef struct pdb_file {
    cardo_growing_file file;
    const cardo_structure *structure;
    int nmodel;
} pdb_file;

/* Byte behind the count-th ENDMDL record, or -1 when there are fewer. */
static long long find_end(FILE *stream, long long count)
{
    char line[256];
    long long seen = 0;
    if (count == 0)
        return 0;
    while (fgets(line, sizeof line, stream))
        if (strncmp(line, "ENDMDL", 6) == 0 && ++seen == count)
            return ftello(stream);
    return -1;
}

static cardo_status reopen_file(pdb_file *self, const char *path, long long frames,
                                cardo_error *error)
{
    cardo_status status = cardo_growing_file_reopen(&self->file, path, error);
    if (status != CARDO_OK)
        return status;
    long long end = find_end(self->file.stream, frames);
    if (end < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: has fewer than the %lld models that the checkpoint counts", path,
                          frames);
    self->nmodel = (int)frames;
    return cardo_growing_file_cut(&self->file, end, error);
}

static void release(pdb_file *self)
{
    if (self && self->file.stream) {
        fclose(self->file.stream);
        cardo_free(self->file.path);
    }
    cardo_free(self);
}

static cardo_status pdb_open(const char *path, const cardo_trajectory_info *info, long long frames,
                             void **file, cardo_error *error)
{
    cardo_status status;
    pdb_file *self = NULL;
    *file = NULL;
    if (!info->structure || info->structure->natom != info->natom)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "%s: a PDB trajectory needs the structure that its atoms come from",
                          path);
    if (!cardo_pdb_holds(info->structure, NULL))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: a PDB file has no room for these chain names, or so many atoms: "
                          "choose netcdf, dcd or cif as the trajectory's format",
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

static cardo_status pdb_write(void *handle, double time, const double *positions,
                              const double *velocities, cardo_error *error)
{
    pdb_file *self = handle;
    (void)time;
    (void)velocities;
    cardo_status status =
        cardo_pdb_write(self->file.stream, self->structure, positions, self->nmodel + 1, error);
    if (status == CARDO_OK)
        self->nmodel++;
    else
        self->file.failed = true;
    return status;
}

static cardo_status pdb_flush(void *handle, cardo_error *error)
{
    pdb_file *self = handle;
    return cardo_growing_file_flush(&self->file, false, error);
}

static cardo_status pdb_close(void *handle, cardo_error *error)
{
    pdb_file *self = handle;
    cardo_status status = CARDO_OK;
    if (!self->file.failed)
        status = cardo_growing_file_write(&self->file, "END\n", 4, error);
    cardo_status closed = cardo_growing_file_close(&self->file, status == CARDO_OK ? error : NULL);
    cardo_free(self);
    return status == CARDO_OK ? closed : status;
}

const cardo_trajectory_format cardo_trajectory_pdb = {
    .name = "pdb",
    .extension = "pdb",
    .doc = "PDB file with one model a frame",
    .open = pdb_open,
    .write = pdb_write,
    .flush = pdb_flush,
    .close = pdb_close,
};
