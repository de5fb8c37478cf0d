#include "io/table.h"

#include "base/memory.h"
#include "io/growing_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct cardo_table {
    cardo_growing_file file;
    int ncolumn;
    cardo_column *columns;
    char *line;
    size_t line_size;
};

enum { COLUMN_ROOM = 128 };

static int print_header(const cardo_table *self, char *text, size_t size)
{
    size_t used = 0;
    for (int k = 0; k < self->ncolumn && used < size; ++k) {
        const cardo_column *column = &self->columns[k];
        bool unit = column->unit && *column->unit;
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s%s", k ? "," : "", column->name,
                                 unit ? " (" : "", unit ? column->unit : "", unit ? ")" : "");
    }
    used += (size_t)snprintf(text + used, size - used, "\n");
    return (int)used;
}

static cardo_status table_new(const cardo_column *columns, int ncolumn, cardo_table **out,
                              cardo_error *error)
{
    cardo_status status;
    cardo_table *self = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->ncolumn = ncolumn;
    self->line_size = (size_t)(ncolumn + 1) * COLUMN_ROOM;
    CARDO_TRY(CARDO_ALLOCATE(&self->columns, ncolumn, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->line, self->line_size, error));
    memcpy(self->columns, columns, (size_t)ncolumn * sizeof *columns);
    for (int k = 0; k < ncolumn; ++k)
        for (char *c = self->columns[k].name; *c; ++c)
            if (*c == ',' || *c == '"' || (unsigned char)*c < ' ')
                *c = '_';
    *out = self;
    self = NULL;
done:
    if (status != CARDO_OK)
        cardo_table_close(self, NULL);
    return status;
}

cardo_status cardo_table_create(const char *path, const cardo_column *columns, int ncolumn,
                                cardo_table **out, cardo_error *error)
{
    cardo_table *self = NULL;
    *out = NULL;
    cardo_status status = table_new(columns, ncolumn, &self, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(cardo_growing_file_create(&self->file, path, error));
    int length = print_header(self, self->line, self->line_size);
    CARDO_TRY(cardo_growing_file_write(&self->file, self->line, (size_t)length, error));
    CARDO_TRY(cardo_growing_file_flush(&self->file, false, error));
    *out = self;
    self = NULL;
done:
    cardo_table_close(self, NULL);
    return status;
}

static cardo_status check_header(cardo_table *self, cardo_error *error)
{
    cardo_status status;
    char *found = NULL;
    int length = print_header(self, self->line, self->line_size);
    CARDO_TRY(CARDO_ALLOCATE(&found, (size_t)length + 1, error));
    size_t have = fread(found, 1, (size_t)length, self->file.stream);
    if (have != (size_t)length || memcmp(found, self->line, have) != 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: its columns are not those of this run, so it cannot be continued",
                            self->file.path);
done:
    cardo_free(found);
    return status;
}

cardo_status cardo_table_continue(const char *path, const cardo_column *columns, int ncolumn,
                                  long long length, cardo_table **out, cardo_error *error)
{
    cardo_table *self = NULL;
    *out = NULL;
    cardo_status status = table_new(columns, ncolumn, &self, error);
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
    cardo_table_close(self, NULL);
    return status;
}

static size_t print_value(char *text, size_t size, int digits, double value)
{
    if (digits == 0 && fabs(value) < 9e15)
        return (size_t)snprintf(text, size, "%lld", (long long)value);
    size_t used = (size_t)snprintf(text, size, "%.*g", digits > 0 ? digits : 17, value);
    char *comma = memchr(text, ',', used); /* some locales' decimal sign */
    if (comma)
        *comma = '.';
    return used;
}

cardo_status cardo_table_write(cardo_table *self, const double *values, cardo_error *error)
{
    size_t used = 0;
    for (int k = 0; k < self->ncolumn; ++k) {
        if (k > 0)
            self->line[used++] = ',';
        used += print_value(self->line + used, self->line_size - used, self->columns[k].digits,
                            values[k]);
    }
    self->line[used++] = '\n';
    cardo_status status = cardo_growing_file_write(&self->file, self->line, used, error);
    if (status == CARDO_OK)
        status = cardo_growing_file_flush(&self->file, false, error);
    return status;
}

cardo_status cardo_table_flush(cardo_table *self, cardo_error *error)
{
    return cardo_growing_file_flush(&self->file, true, error);
}

long long cardo_table_length(const cardo_table *self)
{
    return self->file.length;
}

cardo_status cardo_table_close(cardo_table *self, cardo_error *error)
{
    if (!self)
        return CARDO_OK;
    cardo_status status = cardo_growing_file_close(&self->file, error);
    cardo_free(self->columns);
    cardo_free(self->line);
    cardo_free(self);
    return status;
}
