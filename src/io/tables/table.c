#include "io/tables/table.h"

#include "base/memory.h"
#include "base/number.h"
#include "io/tables/growing_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct cardo_table {
    cardo_growing_file file;
    cardo_table_layout layout; /* header and digits are our own */
    char *header, *line;
    int *digits;
    size_t line_size;
};

enum { COLUMN_ROOM = 128, VALUE_ROOM = 40 };

static cardo_status table_new(const cardo_table_layout *layout, cardo_table **out,
                              cardo_error *error)
{
    cardo_status status;
    cardo_table *self = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->layout = *layout;
    self->line_size =
        strlen(layout->before) + 2 + (size_t)layout->count * (VALUE_ROOM + strlen(layout->between));
    CARDO_TRY(CARDO_ALLOCATE(&self->line, self->line_size, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->digits, layout->count, error));
    CARDO_TRY(cardo_copy_string(&self->header, layout->header, error));
    memcpy(self->digits, layout->digits, (size_t)layout->count * sizeof *self->digits);
    self->layout.header = self->header;
    self->layout.digits = self->digits;
    *out = self;
    self = NULL;
done:
    cardo_table_close(self, NULL);
    return status;
}

cardo_status cardo_table_create_as(const char *path, const cardo_table_layout *layout,
                                   cardo_table **out, cardo_error *error)
{
    cardo_table *self = NULL;
    *out = NULL;
    cardo_status status = table_new(layout, &self, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(cardo_growing_file_create(&self->file, path, error));
    CARDO_TRY(cardo_growing_file_write(&self->file, self->header, strlen(self->header), error));
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
    const size_t length = strlen(self->header);
    CARDO_TRY(CARDO_ALLOCATE(&found, length + 1, error));
    size_t have = fread(found, 1, length, self->file.stream);
    if (have != length || memcmp(found, self->header, have) != 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: its columns (fields) are not those of this run, so it cannot be "
                            "continued",
                            self->file.path);
done:
    cardo_free(found);
    return status;
}

cardo_status cardo_table_continue_as(const char *path, const cardo_table_layout *layout,
                                     long long length, cardo_table **out, cardo_error *error)
{
    cardo_table *self = NULL;
    *out = NULL;
    cardo_status status = table_new(layout, &self, error);
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

static void append_name(char *text, const cardo_column *column)
{
    size_t used = strlen(text);
    for (const char *c = column->name; *c; ++c)
        text[used++] = *c == ',' || *c == '"' || (unsigned char)*c < ' ' ? '_' : *c;
    if (column->unit && *column->unit)
        snprintf(text + used, COLUMN_ROOM - sizeof column->name, " (%s)", column->unit);
}

/* The layout of CSV; its header and digits are the caller's to free. */
static cardo_status csv_layout(const cardo_column *columns, int ncolumn, char **header,
                               int **digits, cardo_table_layout *layout, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(header, (size_t)(ncolumn + 1) * COLUMN_ROOM, error));
    CARDO_TRY(CARDO_ALLOCATE(digits, ncolumn, error));
    for (int k = 0; k < ncolumn; ++k) {
        strcat(*header, k > 0 ? "," : "");
        append_name(*header, &columns[k]);
        (*digits)[k] = columns[k].digits;
    }
    strcat(*header, "\n");
    *layout = (cardo_table_layout){*header, "", ",", ncolumn, *digits};
done:
    return status;
}

cardo_status cardo_table_create(const char *path, const cardo_column *columns, int ncolumn,
                                cardo_table **out, cardo_error *error)
{
    cardo_table_layout layout;
    char *header = NULL;
    int *digits = NULL;
    *out = NULL;
    cardo_status status = csv_layout(columns, ncolumn, &header, &digits, &layout, error);
    if (status == CARDO_OK)
        status = cardo_table_create_as(path, &layout, out, error);
    cardo_free(header);
    cardo_free(digits);
    return status;
}

cardo_status cardo_table_continue(const char *path, const cardo_column *columns, int ncolumn,
                                  long long length, cardo_table **out, cardo_error *error)
{
    cardo_table_layout layout;
    char *header = NULL;
    int *digits = NULL;
    *out = NULL;
    cardo_status status = csv_layout(columns, ncolumn, &header, &digits, &layout, error);
    if (status == CARDO_OK)
        status = cardo_table_continue_as(path, &layout, length, out, error);
    cardo_free(header);
    cardo_free(digits);
    return status;
}

static size_t print_value(char *text, size_t size, int digits, double value)
{
    if (digits == 0 && fabs(value) < 9e15)
        return (size_t)snprintf(text, size, "%lld", (long long)value);
    size_t used = (size_t)cardo_format(text, size, "%.*g", digits > 0 ? digits : 17, value);
    char *comma = memchr(text, ',', used); /* some locales' decimal sign */
    if (comma)
        *comma = '.';
    return used;
}

cardo_status cardo_table_write(cardo_table *self, const double *values, cardo_error *error)
{
    size_t used = 0;
    for (int k = 0; k < self->layout.count; ++k) {
        const char *text = k > 0 ? self->layout.between : self->layout.before;
        while (*text)
            self->line[used++] = *text++;
        used += print_value(self->line + used, self->line_size - used, self->digits[k], values[k]);
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
    cardo_free(self->header);
    cardo_free(self->digits);
    cardo_free(self->line);
    cardo_free(self);
    return status;
}
