/* Results as JSON: what --json prints. */
#include "io/results/result_printer.h"

static cardo_json *element_json(const cardo_result *array, long long k);

/* The elements from k on along an axis and all after it. */
static cardo_json *elements_json(const cardo_result *array, int axis, long long k)
{
    if (axis == cardo_result_naxis(array))
        return element_json(array, k);
    const long long n = cardo_result_axis(array, axis).n;
    long long stride = 1;
    for (int after = axis + 1; after < cardo_result_naxis(array); ++after)
        stride *= cardo_result_axis(array, after).n;
    const bool labelled =
        cardo_result_naxis(array) == 1 && n > 0 && cardo_result_label_of(array, 0, 0);
    cardo_json *json = labelled ? cardo_json_object() : cardo_json_array();
    for (long long i = 0; i < n; ++i)
        cardo_json_put(json, labelled ? cardo_result_label_of(array, 0, i) : NULL,
                       elements_json(array, axis + 1, k + i * stride));
    return json;
}

static cardo_json *element_json(const cardo_result *array, long long k)
{
    switch (cardo_result_type_of(array)) {
    case CARDO_RESULT_DOUBLE:
        return cardo_json_of_number(cardo_result_as_doubles(array)[k]);
    case CARDO_RESULT_INTEGER:
        return cardo_json_of_integer(cardo_result_as_integers(array)[k]);
    case CARDO_RESULT_TRUTH:
        return cardo_json_of_bool(cardo_result_as_truths(array)[k]);
    case CARDO_RESULT_TEXT:
        return cardo_json_of_string(cardo_result_as_texts(array)[k]);
    default:
        return cardo_result_to_json(cardo_result_as_parts(array)[k]);
    }
}

/* The elements of an array that have this index along its first axis. */
static cardo_json *slice_json(const cardo_result *array, long long k)
{
    long long width = 1;
    for (int axis = 1; axis < cardo_result_naxis(array); ++axis)
        width *= cardo_result_axis(array, axis).n;
    return elements_json(array, 1, k * width);
}

static cardo_json *row_json(const cardo_result *table, long long row)
{
    cardo_json *one = cardo_json_object();
    for (int c = 0; c < cardo_result_count(table); ++c) {
        const cardo_result *column = cardo_result_part(table, c);
        if (!cardo_result_is_absent(column, row))
            cardo_json_put(one, cardo_result_quantity(column)->name, slice_json(column, row));
    }
    return one;
}

static cardo_json *table_json(const cardo_result *table)
{
    cardo_json *rows = cardo_json_array();
    for (long long row = 0; row < cardo_result_rows(table); ++row)
        cardo_json_put(rows, NULL, row_json(table, row));
    return rows;
}

static cardo_json *remark_json(const cardo_result *remark, const char *place)
{
    cardo_json *json = cardo_json_object();
    cardo_json_string(json, "text", cardo_result_as_texts(remark)[0]);
    cardo_json_string(json, "place", place);
    return json;
}

static cardo_json *file_json(const char *file)
{
    cardo_json *json = cardo_json_object();
    cardo_json_string(json, "file", file);
    return json;
}

cardo_json *cardo_result_to_json(const cardo_result *part)
{
    const cardo_result_kind kind = cardo_result_kind_of(part);
    const char *place;
    bool aside;
    const char *file = cardo_result_file_of(part, &aside);
    if (file && aside)
        return file_json(file);
    if (kind == CARDO_RESULT_TABLE)
        return table_json(part);
    if (kind == CARDO_RESULT_ARRAY) {
        cardo_result_severity_of(part, &place);
        return place ? remark_json(part, place) : elements_json(part, 0, 0);
    }
    cardo_json *json = kind == CARDO_RESULT_LIST ? cardo_json_array() : cardo_json_object();
    for (int k = 0; k < cardo_result_count(part); ++k) {
        const cardo_result *one = cardo_result_part(part, k);
        if (cardo_result_is_for_people(one))
            continue;
        cardo_json_put(json, kind == CARDO_RESULT_LIST ? NULL : cardo_result_quantity(one)->name,
                       cardo_result_to_json(one));
    }
    return json;
}

static bool takes(const cardo_result *part)
{
    (void)part;
    return true;
}

/* Does it stand in a file of its own? */
static bool is_aside(const cardo_result *part)
{
    bool aside;
    return cardo_result_file_of(part, &aside) && aside;
}

/* An object of parts that have names. */
static bool is_group(const cardo_result *part)
{
    const cardo_result_kind kind = cardo_result_kind_of(part);
    return kind != CARDO_RESULT_TABLE && kind != CARDO_RESULT_ARRAY && kind != CARDO_RESULT_LIST &&
           !is_aside(part);
}

/* Elements that have no names, neither remarks nor numbers that stand alone. */
static bool is_plain_array(const cardo_result *part)
{
    const char *place;
    if (cardo_result_kind_of(part) != CARDO_RESULT_ARRAY || is_aside(part))
        return false;
    cardo_result_severity_of(part, &place);
    const int naxis = cardo_result_naxis(part);
    const bool labelled =
        naxis == 1 && cardo_result_axis(part, 0).n > 0 && cardo_result_label_of(part, 0, 0);
    return !place && naxis > 0 && !labelled;
}

static void print_elements(const cardo_result *part, long long n,
                           cardo_json *(*element)(const cardo_result *, long long), int depth,
                           FILE *stream)
{
    fputc('[', stream);
    for (long long k = 0; k < n; ++k) {
        fprintf(stream, "%s\n%*s", k > 0 ? "," : "", 2 * depth + 2, "");
        cardo_json_print_within(element(part, k), depth + 1, stream);
    }
    if (n > 0)
        fprintf(stream, "\n%*s", 2 * depth, "");
    fputc(']', stream);
}

/* Part by part, and of tables and arrays one after the other, since all of a large molecule's numbers as JSON take more
 * memory than its model. */
static void print_within(const cardo_result *part, int depth, FILE *stream)
{
    bool first = true;
    if (cardo_result_kind_of(part) == CARDO_RESULT_TABLE && !is_aside(part)) {
        print_elements(part, cardo_result_rows(part), row_json, depth, stream);
        return;
    }
    if (is_plain_array(part)) {
        print_elements(part, cardo_result_axis(part, 0).n, slice_json, depth, stream);
        return;
    }
    if (!is_group(part)) {
        cardo_json_print_within(cardo_result_to_json(part), depth, stream);
        return;
    }
    fputc('{', stream);
    for (int k = 0; k < cardo_result_count(part); ++k) {
        const cardo_result *one = cardo_result_part(part, k);
        if (cardo_result_is_for_people(one))
            continue;
        fprintf(stream, "%s\n%*s", first ? "" : ",", 2 * depth + 2, "");
        cardo_json_print_within(cardo_json_of_string(cardo_result_quantity(one)->name), 0, stream);
        fputs(": ", stream);
        print_within(one, depth + 1, stream);
        first = false;
    }
    if (!first)
        fprintf(stream, "\n%*s", 2 * depth, "");
    fputc('}', stream);
}

static cardo_status print(const cardo_result *part, FILE *stream, cardo_error *error)
{
    (void)error;
    print_within(part, 0, stream);
    fputc('\n', stream);
    return CARDO_OK;
}

const cardo_result_printer cardo_printer_json = {
    .name = "json",
    .extension = "json",
    .doc = "the whole result, for programs",
    .takes = takes,
    .print = print,
};
