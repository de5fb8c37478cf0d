#include "io/tables/growing_file.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

cardo_status cardo_growing_file_fail(cardo_growing_file *file, cardo_error *error)
{
    int reason = errno;
    file->failed = true;
    return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be written (%s)", file->path,
                      reason ? strerror(reason) : "unknown reason");
}

static cardo_status open_file(cardo_growing_file *file, const char *path, const char *mode,
                              cardo_error *error)
{
    cardo_status status = cardo_copy_string(&file->path, path, error);
    if (status != CARDO_OK)
        return status;
    file->stream = fopen(path, mode);
    if (!file->stream) {
        status =
            CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be opened (%s)", path, strerror(errno));
        cardo_free(file->path);
        *file = (cardo_growing_file){0};
    }
    return status;
}

cardo_status cardo_growing_file_create(cardo_growing_file *file, const char *path,
                                       cardo_error *error)
{
    return open_file(file, path, "w+b", error);
}

cardo_status cardo_growing_file_reopen(cardo_growing_file *file, const char *path,
                                       cardo_error *error)
{
    return open_file(file, path, "r+b", error);
}

cardo_status cardo_growing_file_cut(cardo_growing_file *file, long long length, cardo_error *error)
{
    struct stat info;
    errno = 0;
    if (fflush(file->stream) != 0 || fstat(fileno(file->stream), &info) != 0)
        return cardo_growing_file_fail(file, error);
    if (length < 0 || info.st_size < length)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: has %lld bytes where the checkpoint counts %lld: it is not the file "
                          "that the run wrote",
                          file->path, (long long)info.st_size, length);
    if (ftruncate(fileno(file->stream), length) != 0 || fseeko(file->stream, length, SEEK_SET) != 0)
        return cardo_growing_file_fail(file, error);
    file->length = length;
    return CARDO_OK;
}

cardo_status cardo_growing_file_write(cardo_growing_file *file, const void *bytes, size_t size,
                                      cardo_error *error)
{
    errno = 0;
    if (fwrite(bytes, 1, size, file->stream) != size)
        return cardo_growing_file_fail(file, error);
    return CARDO_OK;
}

cardo_status cardo_growing_file_flush(cardo_growing_file *file, bool sync, cardo_error *error)
{
    errno = 0;
    if (ferror(file->stream) || fflush(file->stream) != 0)
        return cardo_growing_file_fail(file, error);
    /* Pipes and devices cannot be synced; that is no failure. */
    if (sync && fsync(fileno(file->stream)) != 0 && errno != EINVAL && errno != EROFS)
        return cardo_growing_file_fail(file, error);
    off_t length = ftello(file->stream);
    if (length >= 0)
        file->length = length;
    return CARDO_OK;
}

cardo_status cardo_growing_file_patch(cardo_growing_file *file, long long offset, const void *bytes,
                                      size_t size, cardo_error *error)
{
    errno = 0;
    if (pwrite(fileno(file->stream), bytes, size, offset) != (ssize_t)size)
        return cardo_growing_file_fail(file, error);
    return CARDO_OK;
}

cardo_status cardo_growing_file_close(cardo_growing_file *file, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!file->stream)
        return CARDO_OK;
    if (!file->failed)
        status = cardo_growing_file_flush(file, false, error);
    errno = 0;
    if (fclose(file->stream) != 0 && status == CARDO_OK && !file->failed)
        status = cardo_growing_file_fail(file, error);
    /* Devices cannot be cut (EINVAL), and hold no earlier results. */
    if (file->failed && truncate(file->path, file->length) != 0 && errno != EINVAL &&
        status == CARDO_OK)
        status = cardo_growing_file_fail(file, error);
    cardo_free(file->path);
    *file = (cardo_growing_file){0};
    return status;
}
