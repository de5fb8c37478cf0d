#include "io/trajectory/model_file.h"

#include "base/memory.h"
#include "io/tables/growing_file.h"

#include <string.h>

typedef struct model_file {
    cardo_growing_file file;
    const cardo_model_file_kind *models;
    const cardo_structure *structure;
    int nmodel;
} model_file;

static cardo_status reopen_file(model_file *self, const char *path, long long frames,
                                cardo_error *error)
{
    cardo_status status = cardo_growing_file_reopen(&self->file, path, error);
    if (status != CARDO_OK)
        return status;
    long long end = self->models->find_end(self->file.stream, frames, self->structure->natom);
    if (end < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: has fewer than the %lld models that the checkpoint counts", path,
                          frames);
    self->nmodel = (int)frames;
    return cardo_growing_file_cut(&self->file, end, error);
}

static void release(model_file *self)
{
    if (self && self->file.stream) {
        fclose(self->file.stream);
        cardo_free(self->file.path);
    }
    cardo_free(self);
}

cardo_status cardo_model_file_open(const cardo_model_file_kind *models, const char *path,
                                   const cardo_structure *structure, long long frames, void **file,
                                   cardo_error *error)
{
    cardo_status status;
    model_file *self = NULL;
    *file = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->models = models;
    self->structure = structure;
    CARDO_TRY(frames < 0 ? cardo_growing_file_create(&self->file, path, error)
                         : reopen_file(self, path, frames, error));
    *file = self;
    self = NULL;
done:
    release(self);
    return status;
}

cardo_status cardo_model_file_write(void *handle, double time, const double *positions,
                                    const double *velocities, cardo_error *error)
{
    model_file *self = handle;
    (void)time;
    (void)velocities;
    cardo_status status =
        self->models->write(self->file.stream, self->structure, positions, self->nmodel + 1, error);
    if (status == CARDO_OK)
        self->nmodel++;
    else
        self->file.failed = true;
    return status;
}

cardo_status cardo_model_file_flush(void *handle, cardo_error *error)
{
    model_file *self = handle;
    return cardo_growing_file_flush(&self->file, false, error);
}

cardo_status cardo_model_file_close(void *handle, cardo_error *error)
{
    model_file *self = handle;
    cardo_status status = CARDO_OK;
    if (!self->file.failed)
        status = cardo_growing_file_write(&self->file, self->models->last,
                                          strlen(self->models->last), error);
    cardo_status closed = cardo_growing_file_close(&self->file, status == CARDO_OK ? error : NULL);
    cardo_free(self);
    return status == CARDO_OK ? closed : status;
}
