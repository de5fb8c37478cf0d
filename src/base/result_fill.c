#include "base/result.h"

#include "base/memory.h"
#include "base/result_node.h"

#include <math.h>
#include <string.h>

enum { MOST_WORDS = 9 };

static const size_t size_of[] = {
    [CARDO_RESULT_DOUBLE] = sizeof(double),       [CARDO_RESULT_INTEGER] = sizeof(long long),
    [CARDO_RESULT_TRUTH] = sizeof(bool),          [CARDO_RESULT_TEXT] = sizeof(char *),
    [CARDO_RESULT_PART] = sizeof(cardo_result *),
};

/* Takes additions: there, and nothing has failed in its tree. */
static bool is_open(const cardo_result *part)
{
    return part && part->root->failure->code == CARDO_OK;
}

static cardo_error *failure_of(cardo_result *part)
{
    return part->root->failure;
}

static void destroy(cardo_result *part);

static void clear_values(cardo_result *array)
{
    long long n = array->values ? cardo_result_size_from(array, 0) : 0;
    for (long long k = 0; array->type == CARDO_RESULT_TEXT && k < n; ++k)
        cardo_free(((char **)array->values)[k]);
    for (long long k = 0; array->type == CARDO_RESULT_PART && k < n; ++k)
        destroy(((cardo_result **)array->values)[k]);
    cardo_free(array->values);
    cardo_free(array->absent);
    cardo_free(array->hidden);
    for (int axis = 0; axis < array->naxis; ++axis) {
        for (long long k = 0; array->label[axis] && k < array->axis[axis].n; ++k)
            cardo_free(array->label[axis][k]);
        cardo_free(array->label[axis]);
        cardo_free(array->axis_name[axis]);
    }
}

static void destroy(cardo_result *part)
{
    if (!part)
        return;
    for (int k = 0; k < part->npart; ++k)
        destroy(part->part[k]);
    cardo_free(part->part);
    if (part->kind == CARDO_RESULT_ARRAY)
        clear_values(part);
    cardo_free(part->words);
    cardo_free(part->file);
    cardo_free(part->failure);
    cardo_free(part);
}

/* Copies what a part is called and what it means, in one block. */
static cardo_status take_words(cardo_result *part, const cardo_quantity *what, const char *place,
                               const char *rows, cardo_error *error)
{
    const char **to[MOST_WORDS] = {&part->quantity.name,    &part->quantity.label,
                                   &part->quantity.unit,    &part->quantity.style,
                                   &part->quantity.heading, &part->quantity.stored,
                                   &part->quantity.meaning, &part->place,
                                   &part->rows_name};
    const char *from[MOST_WORDS] = {what->name,    what->label,   what->unit,
                                    what->style,   what->heading, what->stored,
                                    what->meaning, place,         rows};
    size_t length = 1;
    for (int k = 0; k < MOST_WORDS; ++k)
        length += from[k] ? strlen(from[k]) + 1 : 0;
    cardo_status status = CARDO_ALLOCATE(&part->words, length, error);
    char *end = part->words;
    for (int k = 0; status == CARDO_OK && k < MOST_WORDS; ++k) {
        if (!from[k])
            continue;
        *to[k] = strcpy(end, from[k]);
        end += strlen(from[k]) + 1;
    }
    return status;
}

/* A part that hangs nowhere yet; root: NULL of the first. */
static cardo_status make(cardo_result *root, cardo_result_kind kind, const cardo_quantity *what,
                         const char *place, const char *rows, cardo_result **out,
                         cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(out, 1, error);
    if (status != CARDO_OK)
        return status;
    (*out)->root = root ? root : *out;
    (*out)->kind = kind;
    status = take_words(*out, what, place, rows, error);
    if (status != CARDO_OK) {
        destroy(*out);
        *out = NULL;
    }
    return status;
}

cardo_status cardo_result_create(cardo_result **out, cardo_error *error)
{
    const cardo_quantity nameless = {0};
    cardo_status status = make(NULL, CARDO_RESULT_GROUP, &nameless, NULL, NULL, out, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&(*out)->failure, 1, error);
    if (status != CARDO_OK) {
        destroy(*out);
        *out = NULL;
    }
    return status;
}

void cardo_result_destroy(cardo_result *root)
{
    destroy(root);
}

cardo_status cardo_result_status(const cardo_result *part, cardo_error *error)
{
    if (!part)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for a result");
    if (part->root->failure->code != CARDO_OK && error)
        *error = *part->root->failure;
    return part->root->failure->code;
}

static cardo_result *named(const cardo_result *parent, const char *name)
{
    for (int k = 0; name && k < parent->npart; ++k)
        if (parent->part[k]->quantity.name && strcmp(parent->part[k]->quantity.name, name) == 0)
            return parent->part[k];
    return NULL;
}

/* Room for the rows of a table in one of its columns; new cells are absent. */
static cardo_status lengthen(cardo_result *column, long long rows, cardo_error *error)
{
    const long long width = cardo_result_size_from(column, 1), first = column->axis[0].n;
    if (rows * width > CARDO_RESULT_MOST_CELLS)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY,
                          "%s: a column of a result has no more than %d cells",
                          column->quantity.name, CARDO_RESULT_MOST_CELLS);
    cardo_status status = cardo_reserve(&column->values, &column->capacity, (int)(rows * width),
                                        size_of[column->type], error);
    if (status == CARDO_OK)
        status = CARDO_RESERVE(&column->absent, &column->absent_capacity, (int)rows, error);
    if (status != CARDO_OK)
        return status;
    column->axis[0].n = rows;
    for (long long k = first; k < rows; ++k)
        column->absent[k] = true;
    for (long long k = first * width; column->type == CARDO_RESULT_DOUBLE && k < rows * width; ++k)
        ((double *)column->values)[k] = (double)NAN;
    return CARDO_OK;
}

static cardo_status take_axes(cardo_result *array, int first, int naxis, const cardo_axis *axes,
                              cardo_error *error)
{
    if (first + naxis > CARDO_RESULT_MOST_AXES)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "%s: an array of a result has no more than %d axes", array->quantity.name,
                          CARDO_RESULT_MOST_AXES);
    array->naxis = first + naxis;
    for (int k = 0; k < naxis; ++k) {
        char **name = &array->axis_name[first + k];
        cardo_status status = cardo_copy_string(name, axes[k].name, error);
        if (status != CARDO_OK)
            return status;
        array->axis[first + k] = (cardo_axis){*name, axes[k].n};
    }
    return CARDO_OK;
}

static cardo_status push(cardo_result *parent, cardo_result *part, cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&parent->part, &parent->part_capacity, parent->npart + 1, error);
    if (status == CARDO_OK)
        parent->part[parent->npart++] = part;
    return status;
}

static bool has_shape(const cardo_result *column, cardo_result_type type, int naxis,
                      const cardo_axis *axes)
{
    bool same = column->type == type && column->naxis == naxis + 1;
    for (int k = 0; same && k < naxis; ++k)
        same = column->axis[k + 1].n == axes[k].n;
    return same;
}

/* The column of that name, made where there is none; NULL after a failure. */
static cardo_result *column_of(cardo_result *table, const cardo_quantity *what,
                               cardo_result_type type, int naxis, const cardo_axis *axes)
{
    cardo_error *error = failure_of(table);
    cardo_result *column = named(table, what->name);
    if (!column) {
        if (make(table->root, CARDO_RESULT_ARRAY, what, NULL, NULL, &column, error) != CARDO_OK)
            return NULL;
        column->type = type;
        column->naxis = 1;
        cardo_status status = take_axes(column, 1, naxis, axes, error);
        if (status == CARDO_OK)
            status = lengthen(column, table->nrow, error);
        if (status == CARDO_OK)
            status = push(table, column, error);
        if (status != CARDO_OK)
            destroy(column);
        return status == CARDO_OK ? column : NULL;
    }
    if (!has_shape(column, type, naxis, axes)) {
        CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s: a column of a result holds one type and shape",
                   what->name);
        return NULL;
    }
    return column;
}

/* The cells of a column in the row that was begun last, no longer absent; NULL after a failure. */
static void *cell_of(cardo_result *table, const cardo_quantity *what, cardo_result_type type,
                     int naxis, const cardo_axis *axes)
{
    if (table->nrow == 0) {
        CARDO_FAIL(failure_of(table), CARDO_ERROR_ARGUMENT,
                   "%s: no row of the table '%s' was begun", what->name,
                   table->quantity.name ? table->quantity.name : "");
        return NULL;
    }
    cardo_result *column = column_of(table, what, type, naxis, axes);
    if (!column)
        return NULL;
    column->absent[table->nrow - 1] = false;
    size_t cells = (size_t)cardo_result_size_from(column, 1);
    return (char *)column->values + (size_t)(table->nrow - 1) * cells * size_of[type];
}

/* Hangs a part below its parent, whose it is from here on; false, and it is gone, after a failure. */
static bool hang(cardo_result *parent, cardo_result *part)
{
    cardo_error *error = failure_of(parent);
    bool fine = false;
    if (parent->kind == CARDO_RESULT_TABLE) {
        const cardo_quantity what = {.name = part->quantity.name};
        cardo_result **cell = cell_of(parent, &what, CARDO_RESULT_PART, 0, NULL);
        if (cell && *cell)
            CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s is in this row already", what.name);
        fine = cell && !*cell;
        if (fine)
            *cell = part;
    } else if (parent->kind == CARDO_RESULT_ARRAY) {
        CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s: an array has no parts",
                   parent->quantity.name ? parent->quantity.name : "");
    } else if (parent->kind == CARDO_RESULT_GROUP && named(parent, part->quantity.name)) {
        CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s is in this group already", part->quantity.name);
    } else {
        fine = push(parent, part, error) == CARDO_OK;
    }
    if (!fine)
        destroy(part);
    return fine;
}

static cardo_result *add(cardo_result *parent, cardo_result_kind kind, const char *name,
                         const char *rows)
{
    cardo_result *part;
    const cardo_quantity what = {.name = name};
    if (!is_open(parent) ||
        make(parent->root, kind, &what, NULL, rows, &part, failure_of(parent)) != CARDO_OK)
        return NULL;
    return hang(parent, part) ? part : NULL;
}

cardo_result *cardo_result_group(cardo_result *parent, const char *name)
{
    return add(parent, CARDO_RESULT_GROUP, name, NULL);
}

cardo_result *cardo_result_list(cardo_result *parent, const char *name)
{
    return add(parent, CARDO_RESULT_LIST, name, NULL);
}

cardo_result *cardo_result_table(cardo_result *parent, const char *name, const char *rows)
{
    return add(parent, CARDO_RESULT_TABLE, name, rows);
}

void cardo_result_row(cardo_result *table)
{
    if (!is_open(table))
        return;
    if (table->kind != CARDO_RESULT_TABLE) {
        CARDO_FAIL(failure_of(table), CARDO_ERROR_ARGUMENT, "%s has no rows: it is no table",
                   table->quantity.name ? table->quantity.name : "");
        return;
    }
    ++table->nrow;
    for (int k = 0; k < table->npart && is_open(table); ++k)
        lengthen(table->part[k], table->nrow, failure_of(table));
}

void cardo_result_column(cardo_result *table, const cardo_quantity *what, cardo_result_type type)
{
    if (is_open(table) && table->kind == CARDO_RESULT_TABLE)
        column_of(table, what, type, 0, NULL);
    else if (is_open(table))
        CARDO_FAIL(failure_of(table), CARDO_ERROR_ARGUMENT, "%s has no columns: it is no table",
                   table->quantity.name ? table->quantity.name : "");
}

/* An array as a part of its own; NULL after a failure. */
static cardo_result *add_array(cardo_result *parent, const cardo_quantity *what,
                               cardo_result_type type, int naxis, const cardo_axis *axes,
                               const char *place)
{
    cardo_result *array;
    cardo_error *error = failure_of(parent);
    if (make(parent->root, CARDO_RESULT_ARRAY, what, place, NULL, &array, error) != CARDO_OK)
        return NULL;
    array->type = type;
    cardo_status status = take_axes(array, 0, naxis, axes, error);
    if (status == CARDO_OK)
        status = cardo_allocate(&array->values, (size_t)cardo_result_size_from(array, 0),
                                size_of[type], error);
    if (status != CARDO_OK) {
        destroy(array);
        return NULL;
    }
    return hang(parent, array) ? array : NULL;
}

/* Where the elements of one value go: a cell of a row, or an array of its own. */
static void *slot(cardo_result *parent, const cardo_quantity *what, cardo_result_type type,
                  int naxis, const cardo_axis *axes)
{
    if (!is_open(parent))
        return NULL;
    if (parent->kind == CARDO_RESULT_TABLE)
        return cell_of(parent, what, type, naxis, axes);
    cardo_result *array = add_array(parent, what, type, naxis, axes, NULL);
    return array ? array->values : NULL;
}

void cardo_result_number(cardo_result *parent, const cardo_quantity *what, double value)
{
    double *at = slot(parent, what, CARDO_RESULT_DOUBLE, 0, NULL);
    if (at)
        *at = value;
}

void cardo_result_integer(cardo_result *parent, const cardo_quantity *what, long long value)
{
    long long *at = slot(parent, what, CARDO_RESULT_INTEGER, 0, NULL);
    if (at)
        *at = value;
}

void cardo_result_truth(cardo_result *parent, const cardo_quantity *what, bool value)
{
    bool *at = slot(parent, what, CARDO_RESULT_TRUTH, 0, NULL);
    if (at)
        *at = value;
}

void cardo_result_text(cardo_result *parent, const cardo_quantity *what, const char *value)
{
    char **at = slot(parent, what, CARDO_RESULT_TEXT, 0, NULL);
    if (!at)
        return;
    cardo_free(*at);
    cardo_copy_string(at, value, failure_of(parent));
}

void cardo_result_values(cardo_result *parent, const cardo_quantity *what, int naxis,
                         const cardo_axis *axes, const double *values)
{
    size_t n = 1;
    double *at = slot(parent, what, CARDO_RESULT_DOUBLE, naxis, axes);
    for (int k = 0; k < naxis; ++k)
        n *= (size_t)axes[k].n;
    if (at)
        memcpy(at, values, n * sizeof *at);
}

void cardo_result_vector(cardo_result *parent, const cardo_quantity *what, int n,
                         const double *values)
{
    const cardo_axis axis = {"component", n};
    cardo_result_values(parent, what, 1, &axis, values);
}

void cardo_result_remark(cardo_result *parent, const char *name, cardo_result_severity severity,
                         const char *text, const char *place)
{
    const cardo_quantity what = {.name = name};
    if (!is_open(parent))
        return;
    cardo_result *remark = add_array(parent, &what, CARDO_RESULT_TEXT, 0, NULL, place);
    if (!remark)
        return;
    remark->severity = severity;
    cardo_copy_string((char **)remark->values, text, failure_of(parent));
}

static void *add_values(cardo_result *parent, const cardo_quantity *what, cardo_result_type type,
                        int naxis, const cardo_axis *axes, cardo_result **part)
{
    cardo_result *array = is_open(parent) ? add_array(parent, what, type, naxis, axes, NULL) : NULL;
    if (part)
        *part = array;
    return array ? array->values : NULL;
}

double *cardo_result_doubles(cardo_result *parent, const cardo_quantity *what, int naxis,
                             const cardo_axis *axes, cardo_result **part)
{
    return add_values(parent, what, CARDO_RESULT_DOUBLE, naxis, axes, part);
}

long long *cardo_result_integers(cardo_result *parent, const cardo_quantity *what, int naxis,
                                 const cardo_axis *axes, cardo_result **part)
{
    return add_values(parent, what, CARDO_RESULT_INTEGER, naxis, axes, part);
}

void cardo_result_texts(cardo_result *parent, const cardo_quantity *what, const cardo_axis *axis,
                        const char *const *texts)
{
    cardo_status status = CARDO_OK;
    char **at = add_values(parent, what, CARDO_RESULT_TEXT, 1, axis, NULL);
    for (long long k = 0; at && k < axis->n && status == CARDO_OK; ++k)
        status = cardo_copy_string(&at[k], texts[k], failure_of(parent));
}

/* Whether there is such a place; that there is none is kept as a failure. */
static bool has_place(cardo_result *array, int axis, long long k)
{
    if (!is_open(array))
        return false;
    if (array->kind == CARDO_RESULT_ARRAY && !array->absent && axis >= 0 && axis < array->naxis &&
        k >= 0 && k < array->axis[axis].n)
        return true;
    CARDO_FAIL(failure_of(array), CARDO_ERROR_ARGUMENT, "%s has no place %lld on axis %d",
               array->quantity.name ? array->quantity.name : "", k, axis);
    return false;
}

void cardo_result_label(cardo_result *array, int axis, long long k, const char *label)
{
    if (!has_place(array, axis, k))
        return;
    if (!array->label[axis] &&
        CARDO_ALLOCATE(&array->label[axis], array->axis[axis].n, failure_of(array)) != CARDO_OK)
        return;
    cardo_free(array->label[axis][k]);
    cardo_copy_string(&array->label[axis][k], label, failure_of(array));
}

void cardo_result_hide(cardo_result *array, long long k)
{
    if (has_place(array, 0, k) && (array->hidden || CARDO_ALLOCATE(&array->hidden, array->axis[0].n,
                                                                   failure_of(array)) == CARDO_OK))
        array->hidden[k] = true;
}

void cardo_result_file(cardo_result *part, const char *name, bool aside)
{
    if (!is_open(part))
        return;
    cardo_free(part->file);
    cardo_copy_string(&part->file, name, failure_of(part));
    part->aside = aside;
}

void cardo_result_for_people(cardo_result *part)
{
    if (is_open(part))
        part->for_people = true;
}

/* ------------ tables of fields ------------ */

static void add_text(cardo_result *into, const char *name, const char *text)
{
    cardo_result_text(into, &(cardo_quantity){name}, text);
}

void cardo_result_fields(cardo_result *parent, const char *name, const cardo_field *fields)
{
    static const char *const types[] = {
        [CARDO_FIELD_DOUBLE] = "number",     [CARDO_FIELD_INT] = "whole number",
        [CARDO_FIELD_LONG] = "whole number", [CARDO_FIELD_BOOL] = "yes or no",
        [CARDO_FIELD_CHOICE] = "choice",     [CARDO_FIELD_STRING] = "text",
        [CARDO_FIELD_TEXT] = "text"};
    cardo_result *list = cardo_result_list(parent, name);
    for (const cardo_field *field = fields; field && field->name; ++field) {
        cardo_result *one = cardo_result_group(list, NULL);
        add_text(one, "name", field->name);
        add_text(one, "type", types[field->type]);
        add_text(one, "unit", field->unit);
        add_text(one, "default", field->default_value);
        if (field->minimum != 0 || field->maximum != 0) {
            cardo_result_number(one, &(cardo_quantity){"minimum"}, field->minimum);
            cardo_result_number(one, &(cardo_quantity){"maximum"}, field->maximum);
        }
        cardo_result *choices = field->choices ? cardo_result_list(one, "choices") : NULL;
        for (int k = 0; choices && field->choices[k]; ++k)
            add_text(choices, NULL, field->choices[k]);
        cardo_result_truth(one, &(cardo_quantity){"may_change"}, field->may_change);
        add_text(one, "doc", field->doc);
    }
}
