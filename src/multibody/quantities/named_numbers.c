#include "multibody/quantities/named_numbers.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "multibody/tree/coordinate_names.h"

#include <string.h>

static const char coordinate[] = "q ", step[] = "step";

static cardo_status add(cardo_named_numbers *numbers, const char *name, int length, double value,
                        cardo_error *error)
{
    const cardo_status status =
        CARDO_RESERVE(&numbers->number, &numbers->capacity, numbers->n + 1, error);
    if (status == CARDO_OK)
        numbers->number[numbers->n++] = (cardo_named_number){name, length, value};
    return status;
}

static cardo_status take_line(const char *path, const cardo_line *line, cardo_named_numbers *out,
                              cardo_error *error)
{
    const char *comma = memchr(line->text, ',', (size_t)line->length);
    const int length = comma ? (int)(comma - line->text) : line->length;
    double value;
    if (!comma || !cardo_parse_double(comma + 1, line->length - length - 1, &value))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: '%.*s' is not NAME,VALUE", path,
                          line->number, line->length, line->text);
    return add(out, line->text, length, value, error);
}

/* The length of the cell that begins here. */
static int cell_length(const char *cell, const char *end)
{
    const char *comma = memchr(cell, ',', (size_t)(end - cell));
    return (int)((comma ? comma : end) - cell);
}

/* Of "q lobe (nm)" the length of what is before the unit. */
static int title_length(const char *cell, int length)
{
    for (int k = 1; k + 1 < length; ++k)
        if (cell[k] == ' ' && cell[k + 1] == '(' && cell[length - 1] == ')')
            return k;
    return length;
}

static cardo_status take_row(const char *path, const cardo_line *header, const cardo_line *row,
                             cardo_named_numbers *out, cardo_error *error)
{
    const int skipped = (int)strlen(coordinate);
    const char *title = header->text, *cell = row->text;
    const char *titles = title + header->length, *cells = cell + row->length;
    while (title < titles) {
        const int wide = cell_length(title, titles), length = title_length(title, wide);
        const int digits = cell <= cells ? cell_length(cell, cells) : 0;
        if (length > skipped && memcmp(title, coordinate, (size_t)skipped) == 0) {
            double value;
            if (!cardo_parse_double(cell, digits, &value))
                return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: has no number for '%.*s'", path,
                                  row->number, length, title);
            const cardo_status status = add(out, title + skipped, length - skipped, value, error);
            if (status != CARDO_OK)
                return status;
        }
        title += wide + 1;
        cell = cell <= cells ? cell + digits + 1 : cell;
    }
    return CARDO_OK;
}

static cardo_status take_last_row(const char *path, const cardo_line *header, const char *next,
                                  const char *end, cardo_named_numbers *out, cardo_error *error)
{
    cardo_line line = *header, row = {0};
    while (cardo_next_line(&next, end, &line))
        if (line.length > 0)
            row = line;
    return row.text ? take_row(path, header, &row, out, error)
                    : CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: has no row", path);
}

static cardo_status take(const char *path, size_t length, cardo_named_numbers *out,
                         cardo_error *error)
{
    cardo_line line = {0};
    cardo_status status = CARDO_OK;
    const char *next = out->text, *end = out->text + length;
    if (!cardo_next_line(&next, end, &line))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: is empty", path);
    if (cell_length(line.text, line.text + line.length) == (int)strlen(step) &&
        memcmp(line.text, step, strlen(step)) == 0) {
        out->of_table = true;
        return take_last_row(path, &line, next, end, out, error);
    }
    while (status == CARDO_OK && cardo_next_line(&next, end, &line))
        status = take_line(path, &line, out, error);
    return status;
}

cardo_status cardo_named_numbers_read(const char *path, cardo_named_numbers *out,
                                      cardo_error *error)
{
    size_t length;
    *out = (cardo_named_numbers){0};
    cardo_status status = cardo_read_file(path, 0, &out->text, &length, error);
    if (status == CARDO_OK)
        status = take(path, length, out, error);
    if (status != CARDO_OK)
        cardo_named_numbers_clear(out);
    return status;
}

/* *from: where the search begins, so that names in the file's own order are found at once. */
static bool find(const cardo_named_numbers *numbers, const char *name, int *from, double *value)
{
    const size_t length = strlen(name);
    for (int k = 0; k < numbers->n; ++k) {
        const int at = (*from + k) % numbers->n;
        const cardo_named_number *one = &numbers->number[at];
        if ((size_t)one->length == length && memcmp(one->name, name, length) == 0) {
            *from = at + 1;
            *value = one->value;
            return true;
        }
    }
    return false;
}

int cardo_named_numbers_put(const cardo_named_numbers *numbers, const cardo_system *system,
                            double *q)
{
    int from = 0, missing = -1;
    for (int k = 0; k < cardo_system_nq(system); ++k) {
        char name[CARDO_COORDINATE_NAME];
        if (!find(numbers, cardo_coordinate_name(system, k, name), &from, &q[k]) && missing < 0)
            missing = k;
    }
    return missing;
}

void cardo_named_numbers_clear(cardo_named_numbers *numbers)
{
    cardo_free(numbers->number);
    cardo_free(numbers->text);
    *numbers = (cardo_named_numbers){0};
}
