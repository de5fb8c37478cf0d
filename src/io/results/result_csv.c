/* Results as CSV: one header line with units, a line a row. */
#include "base/output.h"
#include "io/results/result_printer.h"

#include <math.h>
#include <string.h>

enum { CELL = 512 };

/* Text between quotes where a comma, a quote or an end of line stands in it. */
static void put_text(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; ++text)
        fputs((const char[]){*text, *text == '"' ? '"' : '\0', '\0'}, stream);
    fputc('"', stream);
}

static void put_heading(FILE *stream, const cardo_quantity *what, const char *component)
{
    char text[CELL];
    const bool unit = what->unit && *what->unit;
    snprintf(text, sizeof text, "%s%s%s%s%s%s",
             what->label  ? what->label
             : what->name ? what->name
                          : "value",
             *component ? " " : "", component, unit ? " (" : "", unit ? what->unit : "",
             unit ? ")" : "");
    put_text(stream, text);
}

/* An element as the file keeps it. Texts and truths are no matter of digits. */
static void put_element(FILE *stream, const cardo_result *array, long long k)
{
    char text[CELL];
    const char *stored = cardo_result_quantity(array)->stored;
    const double *number = cardo_result_as_doubles(array);
    const char *const *texts = cardo_result_as_texts(array);
    if (texts)
        put_text(stream, texts[k] ? texts[k] : "");
    else if (number && isnan(number[k]))
        fputs("nan", stream);
    else
        fputs(cardo_result_cell(array, k,
                                stored   ? stored
                                : number ? ".17g"
                                         : "",
                                text, sizeof text),
              stream);
}

static long long width_of(const cardo_result *array)
{
    long long width = 1;
    for (int axis = 1; axis < cardo_result_naxis(array); ++axis)
        width *= cardo_result_axis(array, axis).n;
    return width;
}

static bool is_shown(const cardo_result *column)
{
    const char *stored = cardo_result_quantity(column)->stored;
    return cardo_result_type_of(column) != CARDO_RESULT_PART && (!stored || *stored);
}

/* Headings or, from row 0 on, cells of a table; comma: what stands in front of the first. */
static void put_line(FILE *stream, const cardo_result *table, long long row, const char *comma)
{
    for (int c = 0; c < cardo_result_count(table); ++c) {
        const cardo_result *column = cardo_result_part(table, c);
        const long long width = width_of(column);
        for (long long i = 0; is_shown(column) && i < width; ++i, comma = ",") {
            char component[24] = "";
            fputs(comma, stream);
            if (width == 3)
                snprintf(component, sizeof component, "%c", "xyz"[i]);
            else if (width > 1)
                snprintf(component, sizeof component, "%lld", i + 1);
            if (row < 0)
                put_heading(stream, cardo_result_quantity(column), component);
            else if (!cardo_result_is_absent(column, row))
                put_element(stream, column, row * width + i);
        }
    }
}

static void put_table(FILE *stream, const cardo_result *table)
{
    for (long long row = -1; row < cardo_result_rows(table); ++row) {
        put_line(stream, table, row, "");
        fputc('\n', stream);
    }
}

/* The name of a place, or its number from 1. */
static void put_label(FILE *stream, const cardo_result *array, int axis, long long k)
{
    const char *label = cardo_result_label_of(array, axis, k);
    if (label)
        put_text(stream, label);
    else
        fprintf(stream, "%lld", k + 1);
}

static void put_corner(FILE *stream, const cardo_result *array)
{
    const cardo_axis rows = cardo_result_axis(array, 0);
    put_text(stream, rows.name ? rows.name : "");
}

/* Places along the first axis below each other, those along the second one beside each other. */
static void put_array(FILE *stream, const cardo_result *array)
{
    const int naxis = cardo_result_naxis(array);
    const long long n = naxis > 0 ? cardo_result_axis(array, 0).n : 1;
    const long long width = naxis > 1 ? cardo_result_axis(array, 1).n : 1;
    if (naxis > 0)
        put_corner(stream, array);
    for (long long k = 0; naxis > 1 && k < width; ++k) {
        fputc(',', stream);
        put_label(stream, array, 1, k);
    }
    if (naxis < 2) {
        fputs(naxis ? "," : "", stream);
        put_heading(stream, cardo_result_quantity(array), "");
    }
    for (long long row = 0; row < n; ++row) {
        fputc('\n', stream);
        if (naxis > 0)
            put_label(stream, array, 0, row);
        for (long long k = 0; k < width; ++k) {
            fputs(naxis > 0 ? "," : "", stream);
            put_element(stream, array, row * width + k);
        }
    }
    fputc('\n', stream);
}

static bool takes(const cardo_result *part)
{
    const cardo_result_kind kind = cardo_result_kind_of(part);
    return kind == CARDO_RESULT_TABLE ||
           (kind == CARDO_RESULT_ARRAY && cardo_result_naxis(part) <= 2 &&
            cardo_result_type_of(part) != CARDO_RESULT_PART);
}

static cardo_status print(const cardo_result *part, FILE *stream, cardo_error *error)
{
    if (!takes(part))
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "CSV takes tables and arrays of at most two axes");
    if (cardo_result_kind_of(part) == CARDO_RESULT_TABLE)
        put_table(stream, part);
    else
        put_array(stream, part);
    return CARDO_OK;
}

const cardo_result_printer cardo_printer_csv = {
    .name = "csv",
    .extension = "csv",
    .doc = "tables and arrays, with units in the header",
    .takes = takes,
    .print = print,
};

/* The table that a row holds, or NULL. */
static const cardo_result *inner_table(const cardo_result *column, long long row)
{
    const cardo_result *const *part = column ? cardo_result_as_parts(column) : NULL;
    const cardo_result *table = part && !cardo_result_is_absent(column, row) ? part[row] : NULL;
    return table && cardo_result_kind_of(table) == CARDO_RESULT_TABLE ? table : NULL;
}

int cardo_result_csv_column(const cardo_result *table, const char *name)
{
    long long number = 1;
    for (int c = 0; c < cardo_result_count(table); ++c) {
        const cardo_result *column = cardo_result_part(table, c);
        if (!is_shown(column))
            continue;
        if (strcmp(cardo_result_quantity(column)->name, name) == 0)
            return (int)number;
        number += width_of(column);
    }
    return 0;
}

cardo_status cardo_result_write_nested(const cardo_result *table, const char *name,
                                       const char *path, cardo_error *error)
{
    cardo_output output = {0};
    const cardo_result *column = cardo_result_find(table, name), *key = cardo_result_part(table, 0);
    bool begun = false;
    cardo_status status = cardo_output_open(&output, path, error);
    for (long long row = 0; status == CARDO_OK && row < cardo_result_rows(table); ++row) {
        const cardo_result *inner = inner_table(column, row);
        const long long n = inner && cardo_result_count(inner) ? cardo_result_rows(inner) : -1;
        for (long long k = begun ? 0 : -1; k < n; ++k, begun = true) {
            if (k < 0)
                put_heading(output.stream, cardo_result_quantity(key), "");
            else
                put_element(output.stream, key, row);
            put_line(output.stream, inner, k, ",");
            fputc('\n', output.stream);
        }
    }
    return status == CARDO_OK ? cardo_output_commit(&output, error) : status;
}
