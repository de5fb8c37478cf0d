#include "io/trajectory/trajectory.h"

#include "base/memory.h"

#include <string.h>

struct cardo_trajectory {
    const cardo_trajectory_format *format;
    void *file;
    long long frames;
};

#define ENTRY(name, ending) &cardo_trajectory_##name,
const cardo_trajectory_format *const cardo_trajectory_formats[] = {CARDO_TRAJECTORY_FORMATS(ENTRY)
                                                                       NULL};
#undef ENTRY

const cardo_trajectory_format *const *cardo_trajectory_format_list(void)
{
    return cardo_trajectory_formats;
}

const char *cardo_trajectory_format_name(const cardo_trajectory_format *format)
{
    return format->name;
}

const char *cardo_trajectory_format_ending(const cardo_trajectory_format *format)
{
    return format->extension;
}

const char *cardo_trajectory_format_doc(const cardo_trajectory_format *format)
{
    return format->doc;
}

const cardo_trajectory_format *cardo_trajectory_format_find(const char *name)
{
    for (int k = 0; cardo_trajectory_formats[k]; ++k)
        if (strcmp(cardo_trajectory_formats[k]->name, name) == 0)
            return cardo_trajectory_formats[k];
    return NULL;
}

static cardo_status open_trajectory(const cardo_trajectory_format *format, const char *path,
                                    const cardo_trajectory_info *info, long long frames,
                                    cardo_trajectory **out, cardo_error *error)
{
    cardo_trajectory *self = NULL;
    *out = NULL;
    cardo_status status = CARDO_ALLOCATE(&self, 1, error);
    if (status != CARDO_OK)
        return status;
    status = format->open(path, info, frames, &self->file, error);
    if (status != CARDO_OK) {
        cardo_free(self);
        return status;
    }
    self->format = format;
    self->frames = frames < 0 ? 0 : frames;
    *out = self;
    return CARDO_OK;
}

cardo_status cardo_trajectory_create(const cardo_trajectory_format *format, const char *path,
                                     const cardo_trajectory_info *info, cardo_trajectory **out,
                                     cardo_error *error)
{
    return open_trajectory(format, path, info, -1, out, error);
}

cardo_status cardo_trajectory_continue(const cardo_trajectory_format *format, const char *path,
                                       const cardo_trajectory_info *info, long long frames,
                                       cardo_trajectory **out, cardo_error *error)
{
    if (frames < 0)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s: cannot go on after %lld frames", path,
                          frames);
    return open_trajectory(format, path, info, frames, out, error);
}

cardo_status cardo_trajectory_write(cardo_trajectory *self, double time, const double *positions,
                                    const double *velocities, cardo_error *error)
{
    cardo_status status = self->format->write(self->file, time, positions, velocities, error);
    if (status == CARDO_OK)
        self->frames++;
    return status;
}

cardo_status cardo_trajectory_flush(cardo_trajectory *self, cardo_error *error)
{
    return self->format->flush(self->file, error);
}

long long cardo_trajectory_frames(const cardo_trajectory *self)
{
    return self->frames;
}

cardo_status cardo_trajectory_close(cardo_trajectory *self, cardo_error *error)
{
    if (!self)
        return CARDO_OK;
    cardo_status status = self->format->close(self->file, error);
    cardo_free(self);
    return status;
}
