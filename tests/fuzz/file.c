#include "fuzz/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 8, NAME_SIZE = 64 };

static char folder[] = P_tmpdir "/cardo-fuzz-XXXXXX";
static struct {
    char name[NAME_SIZE], path[NAME_SIZE + sizeof folder];
} files[MOST_FILES];
static int nfile;

void fuzz_require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "wrong: %s\n", what);
    abort();
}

static void remove_files(void)
{
    for (int k = 0; k < nfile; ++k)
        unlink(files[k].path);
    rmdir(folder);
}

static const char *path_of(const char *name)
{
    if (nfile == 0) {
        fuzz_require(mkdtemp(folder) != NULL, "no folder for the input");
        atexit(remove_files);
    }
    for (int k = 0; k < nfile; ++k)
        if (strcmp(files[k].name, name) == 0)
            return files[k].path;
    fuzz_require(nfile < MOST_FILES, "too many files");
    snprintf(files[nfile].name, NAME_SIZE, "%s", name);
    snprintf(files[nfile].path, sizeof files[nfile].path, "%s/%s", folder, name);
    return files[nfile++].path;
}

const char *fuzz_file(const char *name, const uint8_t *data, size_t size)
{
    const char *path = path_of(name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool written = file >= 0 && write(file, data, size) == (ssize_t)size;
    fuzz_require(written && close(file) == 0, "the input cannot be written");
    return path;
}

const char *fuzz_text_file(const char *name, const char *text)
{
    return fuzz_file(name, (const uint8_t *)text, strlen(text));
}
