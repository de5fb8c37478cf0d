#include "base/output.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_ROOM = 48, MOST_NAMES = 10000 };

cardo_status cardo_output_check(const char *path, cardo_error *error)
{
    struct stat info;
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_FILE,
                      S_ISDIR(info.st_mode) ? "%s: is a folder: choose a name for a file"
                                            : "%s: is no plain file: choose another name",
                      path);
}

/* Makes a file that nobody else has: "path.1234-0.part", of process 1234. What a killed process of the same
 * number left behind is passed over. */
static cardo_status make_temporary(cardo_output *output, cardo_error *error)
{
    const size_t n = strlen(output->path) + NAME_ROOM;
    int descriptor = -1;
    cardo_status status = cardo_allocate((void **)&output->temporary, n, 1, error);
    if (status != CARDO_OK)
        return status;
    errno = EEXIST;
    for (int k = 0; k < MOST_NAMES && descriptor < 0 && errno == EEXIST; ++k) {
        snprintf(output->temporary, n, "%s.%ld-%d%s", output->path, (long)getpid(), k,
                 CARDO_TEMPORARY_ENDING);
        descriptor =
            open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    }
    if (descriptor >= 0)
        output->stream = fdopen(descriptor, "wb");
    if (output->stream)
        return CARDO_OK;
    const int reason = errno;
    if (descriptor >= 0) {
        close(descriptor);
        unlink(output->temporary);
    }
    return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be written (%s)", output->path,
                      strerror(reason));
}

cardo_status cardo_output_open(cardo_output *output, const char *path, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_output_check(path, error));
    CARDO_TRY(cardo_copy_string(&output->path, path, error));
    status = make_temporary(output, error);
done:
    if (status != CARDO_OK)
        cardo_output_abandon(output);
    return status;
}

cardo_status cardo_output_commit(cardo_output *output, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    errno = 0;
    bool bad = ferror(output->stream) != 0;
    bad = fflush(output->stream) != 0 || bad;
    bad = fsync(fileno(output->stream)) != 0 || bad;
    int reason = errno;
    if (fclose(output->stream) != 0) {
        bad = true;
        reason = errno;
    }
    output->stream = NULL;
    if (!bad && rename(output->temporary, output->path) != 0) {
        bad = true;
        reason = errno;
    }
    if (bad)
        status = CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be written (%s)", output->path,
                            reason ? strerror(reason) : "an earlier write failed");
    if (bad)
        unlink(output->temporary);
    cardo_free(output->path);
    cardo_free(output->temporary);
    *output = (cardo_output){0};
    return status;
}

void cardo_output_abandon(cardo_output *output)
{
    if (output->stream) {
        fclose(output->stream);
        unlink(output->temporary);
    }
    cardo_free(output->path);
    cardo_free(output->temporary);
    *output = (cardo_output){0};
}

cardo_status cardo_write_file(const char *path, const void *bytes, size_t length,
                              cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status = cardo_output_open(&output, path, error);
    if (status != CARDO_OK)
        return status;
    /* A short write shows in ferror, which commit checks. */
    size_t written = fwrite(bytes, 1, length, output.stream);
    (void)written;
    return cardo_output_commit(&output, error);
}

cardo_status cardo_text_stream_open(cardo_text_stream *self, cardo_error *error)
{
    *self = (cardo_text_stream){0};
    self->stream = open_memstream(&self->bytes, &self->length);
    return self->stream ? CARDO_OK : CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for a text");
}

cardo_status cardo_text_stream_close(cardo_text_stream *self, cardo_status printed, char **text,
                                     cardo_error *error)
{
    cardo_status status = printed;
    const bool bad = ferror(self->stream) != 0;
    *text = NULL;
    if ((fclose(self->stream) != 0 || bad) && status == CARDO_OK)
        status = CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for a text");
    if (status == CARDO_OK)
        status = cardo_copy_string(text, self->bytes, error);
    free(self->bytes);
    *self = (cardo_text_stream){0};
    return status;
}

static cardo_status make_one(const char *path, bool *made, cardo_error *error)
{
    struct stat info;
    *made = mkdir(path, 0777) == 0;
    if (*made || (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: the folder cannot be made (%s)", path,
                      strerror(errno));
}

cardo_status cardo_make_folders(const char *path, int *nmade, cardo_error *error)
{
    char *part;
    bool made;
    *nmade = 0;
    cardo_status status = *path ? cardo_copy_string(&part, path, error)
                                : CARDO_FAIL(error, CARDO_ERROR_FILE, "a folder needs a name");
    if (status != CARDO_OK)
        return status;
    for (char *p = part + 1; status == CARDO_OK; ++p) {
        const char kept = *p;
        if (kept != '/' && kept != '\0')
            continue;
        *p = '\0';
        status = make_one(part, &made, error);
        *nmade += made;
        *p = kept;
        if (kept == '\0')
            break;
    }
    if (status != CARDO_OK) {
        cardo_unmake_folders(path, *nmade);
        *nmade = 0;
    }
    cardo_free(part);
    return status;
}

void cardo_unmake_folders(const char *path, int nmade)
{
    char *part;
    if (nmade == 0 || cardo_copy_string(&part, path, NULL) != CARDO_OK)
        return;
    /* What could not be made is not there, and counts for nothing. */
    while (nmade > 0 && *part) {
        if (rmdir(part) == 0)
            --nmade;
        else if (errno != ENOENT)
            break;
        char *slash = strrchr(part, '/');
        *(slash ? slash : part) = '\0';
    }
    cardo_free(part);
}

cardo_status cardo_make_folder(const char *path, cardo_error *error)
{
    int nmade;
    return cardo_make_folders(path, &nmade, error);
}

bool cardo_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}
