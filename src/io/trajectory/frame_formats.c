#include "io/trajectory/frames.h"

#include "base/memory.h"
#include "cardo/files.h"

#include <stdio.h>

static const cardo_frames_format *const formats[] = {&cardo_frames_netcdf, &cardo_frames_dcd, NULL};

struct cardo_frames {
    const cardo_frames_format *format;
    char *path;
    void *file;
    long long count;
};

static const cardo_frames_format *find_format(const char *path)
{
    unsigned char start[CARDO_FRAMES_START] = {0};
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return NULL;
    bool whole = fread(start, 1, sizeof start, stream) == sizeof start;
    fclose(stream);
    int k = 0;
    while (whole && formats[k] && !formats[k]->detect(start))
        ++k;
    return whole ? formats[k] : NULL;
}

bool cardo_frames_detect(const char *path)
{
    return find_format(path) != NULL;
}

cardo_status cardo_frames_open(const char *path, int natom, cardo_frames **out, cardo_error *error)
{
    cardo_status status;
    cardo_frames *frames = NULL;
    const cardo_frames_format *format = find_format(path);
    *out = NULL;
    if (!format)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: is no trajectory that can be read: neither AMBER NetCDF nor DCD",
                          path);
    CARDO_TRY(CARDO_ALLOCATE(&frames, 1, error));
    CARDO_TRY(cardo_copy_string(&frames->path, path, error));
    CARDO_TRY(format->open(frames->path, natom, &frames->file, &frames->count, error));
    frames->format = format;
    *out = frames;
    frames = NULL;
done:
    cardo_frames_close(frames);
    return status;
}

long long cardo_frames_count(const cardo_frames *frames)
{
    return frames->count;
}

cardo_status cardo_frames_read(cardo_frames *frames, long long k, double *positions,
                               cardo_error *error)
{
    if (k < 0 || k >= frames->count)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s: has %lld frames, and no frame %lld",
                          frames->path, frames->count, k + 1);
    return frames->format->read(frames->file, k, positions, error);
}

void cardo_frames_close(cardo_frames *frames)
{
    if (!frames)
        return;
    if (frames->format)
        frames->format->close(frames->file);
    cardo_free(frames->path);
    cardo_free(frames);
}

const cardo_frame_reader cardo_frame_files = {
    .size = sizeof(cardo_frame_reader),
    .detect = cardo_frames_detect,
    .open = cardo_frames_open,
    .count = cardo_frames_count,
    .read = cardo_frames_read,
    .close = cardo_frames_close,
};

const cardo_frame_reader *cardo_trajectory_reader(void)
{
    return &cardo_frame_files;
}
