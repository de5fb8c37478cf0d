/* A result as result.json has it: what --json prints, and beside it under "quantities" what each value means. Paths there are
 * names with slashes between; '*' stands for the rows of a table and for the parts of a list, of which the first that has a value
 * tells. A part of a list that is to be told as a verdict, a warning or a note has a path of its own with its number. */
#include "io/results/result_printer.h"

#include <stdio.h>

enum { PATH = 1024 };

static void put_word(cardo_json *into, const char *key, const char *text)
{
    if (text)
        cardo_json_string(into, key, text);
}

static void put_array(const cardo_result *array, const char *path, cardo_json *into)
{
    static const char *const severities[] = {NULL, "note", "warning", "verdict"};
    const cardo_quantity *what = cardo_result_quantity(array);
    const char *severity = severities[cardo_result_severity_of(array, NULL)];
    if (cardo_json_member(into, path))
        return;
    cardo_json *one = cardo_json_object();
    put_word(one, "label", what->label);
    put_word(one, "unit", what->unit);
    put_word(one, "style", what->style);
    put_word(one, "meaning", what->meaning);
    put_word(one, "severity", severity);
    cardo_json_put(into, path, one);
}

static void put_part(const cardo_result *part, const char *path, cardo_json *into);

/* The part that the first row with one has in a column of parts. */
static void put_column(const cardo_result *column, const char *path, cardo_json *into)
{
    const cardo_result *const *parts = cardo_result_as_parts(column);
    if (!parts) {
        put_array(column, path, into);
        return;
    }
    for (long long row = 0; row < cardo_result_rows(column); ++row)
        if (!cardo_result_is_absent(column, row) && parts[row])
            put_part(parts[row], path, into);
}

/* Below a group, a list or a table. */
static void put_below(const cardo_result *part, int k, const char *path, cardo_json *into)
{
    char below[PATH];
    const cardo_result *one = cardo_result_part(part, k);
    const cardo_result_kind kind = cardo_result_kind_of(part);
    const char *name = cardo_result_quantity(one)->name;
    const char *between = *path ? "/" : "";
    if (cardo_result_is_for_people(one))
        return;
    if (kind == CARDO_RESULT_TABLE) {
        snprintf(below, sizeof below, "%s%s*/%s", path, between, name ? name : "");
        put_column(one, below, into);
        return;
    }
    const bool told = cardo_result_kind_of(one) == CARDO_RESULT_ARRAY &&
                      cardo_result_severity_of(one, NULL) != CARDO_RESULT_PLAIN;
    if (kind == CARDO_RESULT_LIST && told)
        snprintf(below, sizeof below, "%s%s%d", path, between, k);
    else
        snprintf(below, sizeof below, "%s%s%s", path, between,
                 kind == CARDO_RESULT_LIST ? "*"
                 : name                    ? name
                                           : "");
    put_part(one, below, into);
}

static void put_part(const cardo_result *part, const char *path, cardo_json *into)
{
    if (cardo_result_kind_of(part) == CARDO_RESULT_ARRAY)
        put_array(part, path, into);
    for (int k = 0; k < cardo_result_count(part); ++k)
        put_below(part, k, path, into);
}

static bool takes(const cardo_result *part)
{
    return cardo_result_kind_of(part) == CARDO_RESULT_GROUP;
}

static cardo_status print(const cardo_result *part, FILE *stream, cardo_error *error)
{
    if (!takes(part))
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED, "only a group is described");
    cardo_json *json = cardo_result_to_json(part), *quantities = cardo_json_object();
    put_part(part, "", quantities);
    cardo_json_put(json, "quantities", quantities);
    cardo_json_print(json, stream);
    return CARDO_OK;
}

const cardo_result_printer cardo_printer_described = {
    .name = "described",
    .extension = "result.json",
    .doc = "the whole result with what its values mean",
    .takes = takes,
    .print = print,
};
