#include "base/output.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

cardo_status cardo_output_open(cardo_output *output, const char *path, cardo_error *error)
{
    cardo_status status;
    size_t n = strlen(path) + sizeof ".part";
    CARDO_TRY(cardo_copy_string(&output->path, path, error));
    CARDO_TRY(cardo_allocate((void **)&output->temporary, n, 1, error));
    snprintf(output->temporary, n, "%s.part", path);
    output->stream = fopen(output->temporary, "wb");
    if (!output->stream)
        status = CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be written (%s)",
                            output->temporary, strerror(errno));
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

cardo_status cardo_make_folder(const char *path, cardo_error *error)
{
    char *part;
    cardo_status status = cardo_copy_string(&part, path, error);
    if (status != CARDO_OK)
        return status;
    for (char *p = part + 1;; ++p) {
        if (*p != '/' && *p != '\0')
            continue;
        char kept = *p;
        *p = '\0';
        struct stat info;
        if (mkdir(part, 0777) != 0 &&
            !(errno == EEXIST && stat(part, &info) == 0 && S_ISDIR(info.st_mode))) {
            status = CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: the folder cannot be made (%s)", part,
                                strerror(errno));
            break;
        }
        *p = kept;
        if (kept == '\0')
            break;
    }
    cardo_free(part);
    return status;
}

bool cardo_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}
