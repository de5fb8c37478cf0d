#include "cli/start.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "base/text.h"
#include "io/tables/columns.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 255, MOST_LISTED = 8 };

/* Names the bodies that have coordinates, as far as they are few, and the likely misspelling. */
static cardo_status no_such_body(const cardo_system *system, const char *body, cardo_error *error)
{
    const char *names[MOST_NAMED + 1] = {NULL};
    char list[512] = "";
    int n = 0;
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        if (info.nq == 0 || !info.name || n == MOST_NAMED)
            continue;
        names[n++] = info.name;
        const size_t used = strlen(list);
        if (n <= MOST_LISTED)
            snprintf(list + used, sizeof list - used, "%s%.48s", used ? ", " : "", info.name);
    }
    const char *near = cardo_nearest_name(body, names);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "there is no body '%s' in the model%s%s%s; those with coordinates are: %s%s",
                      body, near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "",
                      list, n > MOST_LISTED ? ", ... (cardo info shows them)" : "");
}

cardo_status cardo_find_coordinate(const cardo_system *system, const char *name, size_t length,
                                   int *q, cardo_error *error)
{
    char body[96];
    snprintf(body, sizeof body, "%.*s", (int)length, name);
    int which = 1;
    char *dot = strrchr(body, '.');
    if (dot && cardo_parse_int(dot + 1, (int)strlen(dot + 1), &which))
        *dot = '\0';
    else
        dot = NULL;
    int b = cardo_system_find_body(system, body);
    if (b < 1)
        return no_such_body(system, body, error);
    cardo_body_info info;
    cardo_system_body(system, b, &info);
    if (which < 1 || which > info.nq || (!dot && info.nq != 1))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "body '%s' has %d coordinate%s; choose one as %s.1%s", body, info.nq,
                          info.nq == 1 ? "" : "s", body, info.nq == 0 ? " (it has none)" : "");
    *q = info.q_first + which - 1;
    return CARDO_OK;
}

static cardo_status take_given(const cardo_command *command, cardo_setup *setup, cardo_error *error)
{
    const char *given[CARDO_MOST_GIVEN];
    int n = cardo_command_values(command, "at", given);
    for (int k = 0; k < n; ++k) {
        const char *equals = strchr(given[k], '=');
        double value;
        int q;
        if (!equals || !cardo_parse_double(equals + 1, (int)strlen(equals + 1), &value))
            return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--at %s is not BODY=VALUE", given[k]);
        cardo_status status =
            cardo_find_coordinate(setup->system, given[k], (size_t)(equals - given[k]), &q, error);
        if (status == CARDO_OK)
            status = cardo_setup_set_coordinate(setup, q, value, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

/* Line k of the file is "name,value" of coordinate k, behind a header. */
static cardo_status take_line(const cardo_setup *setup, const char *path, const cardo_line *line,
                              int k, double *q, cardo_error *error)
{
    char name[96];
    cardo_setup_coordinate_name(setup->system, k, name);
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
static cardo_status take_row(const cardo_setup *setup, const char *path, const cardo_line *header,
                             const cardo_line *row, const cardo_column *columns, double *q,
                             cardo_error *error)
{
    for (int k = 0; k < cardo_system_nq(setup->system); ++k) {
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
static cardo_status take_last_row(const cardo_setup *setup, const char *path,
                                  const cardo_line *header, const char *next, const char *end,
                                  double *q, cardo_error *error)
{
    cardo_column *columns;
    cardo_line line = *header, row = {0};
    cardo_status status = CARDO_ALLOCATE(&columns, cardo_system_nq(setup->system), error);
    if (status != CARDO_OK)
        return status;
    cardo_coordinate_columns(setup->system, columns);
    while (cardo_next_line(&next, end, &line))
        if (line.length > 0)
            row = line;
    status = row.text ? take_row(setup, path, header, &row, columns, q, error)
                      : CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: has no row", path);
    cardo_free(columns);
    return status;
}

/* coordinates.csv, line by line. */
static cardo_status take_lines(const cardo_setup *setup, const char *path, const cardo_line *header,
                               const char *next, const char *end, double *q, cardo_error *error)
{
    cardo_line line = *header;
    int nq = cardo_system_nq(setup->system), n = 0;
    while (n < nq && cardo_next_line(&next, end, &line)) {
        cardo_status status = take_line(setup, path, &line, n, q, error);
        if (status != CARDO_OK)
            return status;
        ++n;
    }
    if (n < nq || cardo_next_line(&next, end, &line))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: has %s than the model's %d coordinates",
                          path, n < nq ? "fewer" : "more", nq);
    return CARDO_OK;
}

static cardo_status take_file(cardo_setup *setup, const char *path, cardo_error *error)
{
    static const char table[] = "step,";
    cardo_status status;
    char *text = NULL;
    double *q = NULL;
    size_t length;
    cardo_line header = {0};
    CARDO_TRY(cardo_read_file(path, 0, &text, &length, error));
    CARDO_TRY(CARDO_ALLOCATE(&q, cardo_system_nq(setup->system), error));
    const char *next = text, *end = text + length;
    if (!cardo_next_line(&next, end, &header)) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: is empty", path);
        goto done;
    }
    if (header.length >= (int)strlen(table) && memcmp(header.text, table, strlen(table)) == 0)
        CARDO_TRY(take_last_row(setup, path, &header, next, end, q, error));
    else
        CARDO_TRY(take_lines(setup, path, &header, next, end, q, error));
    cardo_state_set_q(setup->state, q);
    CARDO_TRY(cardo_realize(setup->system, setup->state, CARDO_STAGE_POSITION, error));
done:
    cardo_free(text);
    cardo_free(q);
    return status;
}

cardo_status cardo_start_place(const cardo_command *command, cardo_setup *setup, cardo_error *error)
{
    const char *file = cardo_command_value(command, "from");
    cardo_status status = file ? take_file(setup, file, error) : CARDO_OK;
    return status == CARDO_OK ? take_given(command, setup, error) : status;
}

cardo_status cardo_write_coordinates(const cardo_setup *setup, const char *path, cardo_error *error)
{
    cardo_output output = {0};
    char name[96];
    cardo_status status = cardo_output_open(&output, path, error);
    if (status != CARDO_OK)
        return status;
    fprintf(output.stream, "coordinate,value\n");
    for (int k = 0; k < cardo_system_nq(setup->system); ++k)
        cardo_print(output.stream, "%s,%.17g\n",
                    cardo_setup_coordinate_name(setup->system, k, name),
                    cardo_state_q(setup->state)[k]);
    return cardo_output_commit(&output, error);
}
