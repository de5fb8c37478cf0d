#include "cardo/files.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "base/text.h"
#include "multibody/quantities/columns.h"
#include "multibody/tree/coordinate_names.h"

#include <stdio.h>
#include <string.h>

/* Line k of the file is "name,value" of coordinate k, after a header. */
static cardo_status take_line(const cardo_system *system, const char *path, const cardo_line *line,
                              int k, double *q, cardo_error *error)
{
    char name[96];
    cardo_coordinate_name(system, k, name);
    const char *comma = memchr(line->text, ',', (size_t)line->length);
    int length = comma ? (int)(comma - line->text) : line->length;
    if (!comma || !cardo_parse_double(comma + 1, line->length - length - 1, &q[k]))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: '%.*s' is not NAME,VALUE", path,
                          line->number, line->length, line->text);
    if (strlen(name) != (size_t)length || memcmp(name, line->text, (size_t)length) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: coordinate %d is '%.*s' here and '%s' in the model: the file is "
                          "of another one",
                          path, line->number, k + 1, length, line->text, name);
    return CARDO_OK;
}

/* Cell number k, from 0, of a row; false: it has fewer. */
static bool find_cell(const cardo_line *row, int k, const char **cell, int *length)
{
    const char *at = row->text, *end = row->text + row->length;
    for (; k > 0; --k) {
        at = memchr(at, ',', (size_t)(end - at));
        if (!at++)
            return false;
    }
    const char *comma = memchr(at, ',', (size_t)(end - at));
    *cell = at;
    *length = (int)((comma ? comma : end) - at);
    return true;
}

/* Is the cell the title of this column, "q lobe" or "q lobe (rad)"? */
static bool is_titled(const char *cell, int length, const cardo_column *column)
{
    int n = (int)strlen(column->name);
    return length >= n && memcmp(cell, column->name, (size_t)n) == 0 &&
           (length == n || (length > n + 1 && cell[n] == ' ' && cell[n + 1] == '('));
}

/* The coordinates in one row of trajectory.csv. */
static cardo_status take_row(const cardo_system *system, const char *path, const cardo_line *header,
                             const cardo_line *row, const cardo_column *columns, double *q,
                             cardo_error *error)
{
    for (int k = 0; k < cardo_system_nq(system); ++k) {
        const char *cell;
        int at = 0, length;
        while (find_cell(header, at, &cell, &length) && !is_titled(cell, length, &columns[k]))
            ++at;
        if (!find_cell(header, at, &cell, &length))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: has no column '%s', a coordinate of the model: the file is of "
                              "another one",
                              path, columns[k].name);
        if (!find_cell(row, at, &cell, &length) || !cardo_parse_double(cell, length, &q[k]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: has no number for '%s'", path,
                              row->number, columns[k].name);
    }
    return CARDO_OK;
}

/* The last row of trajectory.csv. */
static cardo_status take_last_row(const cardo_system *system, const char *path,
                                  const cardo_line *header, const char *next, const char *end,
                                  double *q, cardo_error *error)
{
    cardo_column *columns;
    cardo_line line = *header, row = {0};
    cardo_status status = CARDO_ALLOCATE(&columns, cardo_system_nq(system), error);
    if (status != CARDO_OK)
        return status;
    cardo_coordinate_columns(system, columns);
    while (cardo_next_line(&next, end, &line))
        if (line.length > 0)
            row = line;
    status = row.text ? take_row(system, path, header, &row, columns, q, error)
                      : CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: has no row", path);
    cardo_free(columns);
    return status;
}

/* coordinates.csv, line by line. */
static cardo_status take_lines(const cardo_system *system, const char *path,
                               const cardo_line *header, const char *next, const char *end,
                               double *q, cardo_error *error)
{
    cardo_line line = *header;
    int nq = cardo_system_nq(system), n = 0;
    while (n < nq && cardo_next_line(&next, end, &line)) {
        cardo_status status = take_line(system, path, &line, n, q, error);
        if (status != CARDO_OK)
            return status;
        ++n;
    }
    if (n < nq || cardo_next_line(&next, end, &line))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: has %s than the model's %d coordinates",
                          path, n < nq ? "fewer" : "more", nq);
    return CARDO_OK;
}

cardo_status cardo_coordinates_read(const char *path, const cardo_system *system, double *q,
                                    cardo_error *error)
{
    static const char table[] = "step,";
    cardo_status status;
    char *text = NULL;
    size_t length;
    cardo_line header = {0};
    CARDO_TRY(cardo_read_file(path, 0, &text, &length, error));
    const char *next = text, *end = text + length;
    if (!cardo_next_line(&next, end, &header)) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: is empty", path);
        goto done;
    }
    if (header.length >= (int)strlen(table) && memcmp(header.text, table, strlen(table)) == 0)
        status = take_last_row(system, path, &header, next, end, q, error);
    else
        status = take_lines(system, path, &header, next, end, q, error);
done:
    cardo_free(text);
    return status;
}
