#include "io/run/model_files.h"

#include "base/memory.h"
#include "base/output.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const endings[CARDO_MODEL_FILES] = {
    ".xml",       ".domains.xml", ".pml",        ".cxc",        "_start.pdb",
    "_start.cif", "_frame1.pdb",  "_frame1.cif", "_frame2.pdb", "_frame2.cif"};
enum { FIRST_STRUCTURE = 4 };

static const char *path_of(const cardo_model_files *self, int k, char *path, size_t size)
{
    const char *folder = self->folder.path;
    const bool here = strcmp(folder, ".") == 0;
    snprintf(path, size, "%s%s%s%s", here ? "" : folder, here ? "" : "/", self->name, endings[k]);
    return path;
}

static void note(cardo_model_files *self, const char *name)
{
    const size_t n = strlen(self->name);
    for (int k = 0; k < CARDO_MODEL_FILES && strncmp(name, self->name, n) == 0; ++k)
        self->written[k] = self->written[k] || strcmp(name + n, endings[k]) == 0;
}

static cardo_status print(void *user, const char *name, cardo_print_file what, const void *object,
                          cardo_error *error)
{
    cardo_model_files *self = user;
    note(self, name);
    return self->folder_writer.print(user, name, what, object, error);
}

static cardo_status write_structure(void *user, const char *stem,
                                    const struct cardo_structure *structure,
                                    const double *positions, cardo_error *error)
{
    cardo_model_files *self = user;
    note(self, stem);
    return self->folder_writer.structure(user, stem, structure, positions, error);
}

static void keep(void *user, bool worth)
{
    cardo_model_files *self = user;
    self->complete = worth;
}

/* folder/name.xml taken apart. */
static cardo_status take_apart(cardo_model_files *self, const char *path, cardo_error *error)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const size_t n = strlen(base);
    if (n < 5 || strcmp(base + n - 4, ".xml") != 0)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "%s: the model file's name ends in .xml; the others are named after it",
                          path);
    cardo_status status = cardo_copy_string(&self->name, base, error);
    if (status == CARDO_OK)
        status = cardo_copy_string(&self->folder.path, slash ? path : ".", error);
    if (status != CARDO_OK)
        return status;
    self->name[n - 4] = '\0';
    if (slash)
        self->folder.path[slash == path ? 1 : slash - path] = '\0';
    return CARDO_OK;
}

static cardo_status look(cardo_model_files *self, cardo_error *error)
{
    char path[4096];
    for (int k = 0; k < CARDO_MODEL_FILES; ++k) {
        self->there[k] = cardo_file_exists(path_of(self, k, path, sizeof path));
        if (self->there[k] && !self->request.replace)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s is there already: choose another name or %s", path,
                              self->request.how_to_replace);
    }
    return CARDO_OK;
}

cardo_status cardo_model_files_open(cardo_model_files *self,
                                    const cardo_model_files_request *request, cardo_error *error)
{
    cardo_status status;
    self->request = *request;
    CARDO_TRY(take_apart(self, request->path, error));
    CARDO_TRY(cardo_lock_file(request->path, request->holder, &self->lock, error));
    memset(self->there, true, sizeof self->there); /* until that is known: nothing is removed */
    CARDO_TRY(look(self, error));
    self->folder_writer = cardo_folder_writer(&self->folder);
    self->writer = self->folder_writer;
    self->writer.print = print;
    self->writer.structure = write_structure;
    self->writer.keep = keep;
done:
    return status;
}

static bool is_input(const cardo_model_files *self, const char *path)
{
    struct stat one, other;
    char file[4096];
    bool found = false;
    for (int k = 0; k < self->request.ninput && !found; ++k) {
        snprintf(file, sizeof file, "%.*s", (int)strcspn(self->request.input[k], "#"),
                 self->request.input[k]);
        found = stat(path, &one) == 0 && stat(file, &other) == 0 && one.st_dev == other.st_dev &&
                one.st_ino == other.st_ino;
    }
    return found;
}

void cardo_model_files_commit(cardo_model_files *self)
{
    char path[4096];
    self->complete = true;
    for (int k = FIRST_STRUCTURE; k < CARDO_MODEL_FILES; ++k)
        if (self->there[k] && !self->written[k] &&
            !is_input(self, path_of(self, k, path, sizeof path)))
            unlink(path);
}

bool cardo_model_files_written(const cardo_model_files *self, const char *ending, char *path,
                               size_t size)
{
    const size_t n = strlen(ending);
    for (int k = 0; k < CARDO_MODEL_FILES; ++k) {
        const bool fits = ending[n - 1] == '.' ? strncmp(endings[k], ending, n) == 0
                                               : strcmp(endings[k], ending) == 0;
        if (fits && self->written[k]) {
            path_of(self, k, path, size);
            return true;
        }
    }
    return false;
}

void cardo_model_files_close(cardo_model_files *self)
{
    char path[4096];
    for (int k = 0; k < CARDO_MODEL_FILES && !self->complete; ++k)
        if (self->written[k] && !self->there[k])
            unlink(path_of(self, k, path, sizeof path));
    cardo_lock_release(self->lock);
    cardo_free(self->folder.path);
    cardo_free(self->name);
    *self = (cardo_model_files){0};
}
