#include "io/plumed_table.h"

#include "base/memory.h"
#include "io/growing_file.h"

#include <stdio.h>
#include <string.h>

enum { VALUE_ROOM = 32 };

struct cardo_plumed_table {
    cardo_growing_file file;
    int nfield;
    char *header, *line;
};

static void append(char *text, const char *word, bool name)
{
    char *end = text + strlen(text);
    for (; *word; ++word)
        *end++ = name && (unsigned char)*word <= ' ' ? '_' : *word;
    *end = '\0';
}

static cardo_status table_new(const cardo_plumed_header *header, cardo_plumed_table **out,
                              cardo_error *error)
{
    cardo_status status;
    cardo_plumed_table *self = NULL;
    size_t size = 32;
    for (int k = 0; k < header->nfield; ++k)
        size += strlen(header->fields[k]) + 1;
    for (int k = 0; k < header->nset; ++k)
        size += strlen(header->sets[k]) + 16;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->nfield = header->nfield;
    CARDO_TRY(CARDO_ALLOCATE(&self->header, size, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->line, VALUE_ROOM * (size_t)header->nfield + 2, error));
    append(self->header, "#! FIELDS", false);
    for (int k = 0; k < header->nfield; ++k) {
        append(self->header, " ", false);
        append(self->header, header->fields[k], true);
    }
    append(self->header, "\n", false);
    for (int k = 0; k < header->nset; ++k) {
        append(self->header, "#! SET ", false);
        append(self->header, header->sets[k], false);
        append(self->header, "\n", false);
    }
    *out = self;
    self = NULL;
done:
    cardo_plumed_table_close(self, NULL);
    return status;
}

cardo_status cardo_plumed_table_create(const char *path, const cardo_plumed_header *header,
                                       cardo_plumed_table **out, cardo_error *error)
{
    cardo_plumed_table *self = NULL;
    *out = NULL;
    cardo_status status = table_new(header, &self, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(cardo_growing_file_create(&self->file, path, error));
    CARDO_TRY(cardo_growing_file_write(&self->file, self->header, strlen(self->header), error));
    CARDO_TRY(cardo_growing_file_flush(&self->file, false, error));
    *out = self;
    self = NULL;
done:
    cardo_plumed_table_close(self, NULL);
    return status;
}

static cardo_status check_header(cardo_plumed_table *self, cardo_error *error)
{
    size_t length = strlen(self->header);
    char *found = NULL;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&found, length + 1, error));
    if (fread(found, 1, length, self->file.stream) != length ||
        memcmp(found, self->header, length) != 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: its fields are not those of this run, so it cannot be continued",
                            self->file.path);
done:
    cardo_free(found);
    return status;
}

cardo_status cardo_plumed_table_continue(const char *path, const cardo_plumed_header *header,
                                         long long length, cardo_plumed_table **out,
                                         cardo_error *error)
{
    cardo_plumed_table *self = NULL;
    *out = NULL;
    cardo_status status = table_new(header, &self, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(cardo_growing_file_reopen(&self->file, path, error));
    CARDO_TRY(check_header(self, error));
    CARDO_TRY(cardo_growing_file_cut(&self->file, length, error));
    *out = self;
    self = NULL;
done:
    if (self && self->file.stream) {
        /* Nothing was written: leave the file as it is. */
        fclose(self->file.stream);
        cardo_free(self->file.path);
        self->file = (cardo_growing_file){0};
    }
    cardo_plumed_table_close(self, NULL);
    return status;
}

cardo_status cardo_plumed_table_write(cardo_plumed_table *self, const double *values,
                                      cardo_error *error)
{
    size_t used = 0;
    for (int k = 0; k < self->nfield; ++k) {
        char *at = self->line + used;
        size_t length = (size_t)snprintf(at, VALUE_ROOM, " %.10g", values[k]);
        char *comma = memchr(at, ',', length); /* some locales' decimal sign */
        if (comma)
            *comma = '.';
        used += length;
    }
    self->line[used++] = '\n';
    cardo_status status = cardo_growing_file_write(&self->file, self->line, used, error);
    return status == CARDO_OK ? cardo_growing_file_flush(&self->file, false, error) : status;
}

cardo_status cardo_plumed_table_flush(cardo_plumed_table *self, cardo_error *error)
{
    return cardo_growing_file_flush(&self->file, true, error);
}

long long cardo_plumed_table_length(const cardo_plumed_table *self)
{
    return self->file.length;
}

cardo_status cardo_plumed_table_close(cardo_plumed_table *self, cardo_error *error)
{
    if (!self)
        return CARDO_OK;
    cardo_status status = cardo_growing_file_close(&self->file, error);
    cardo_free(self->header);
    cardo_free(self->line);
    cardo_free(self);
    return status;
}
