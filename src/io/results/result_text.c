#include "cardo/result_text.h"

#include "io/results/result_printer.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 512, PATH = 256 };

/* What a sentence is about: a part, a row of a table, or a place of a labelled array. */
typedef struct topic {
    const cardo_result *part;
    long long row; /* -1: none */
} topic;

/* Elements of an array that are one value. */
typedef struct value {
    const cardo_result *array; /* NULL: not there */
    long long first, count;
    const char *label; /* instead: a name */
} value;

static value value_of(const cardo_result *array, long long row)
{
    value v = {.array = array, .count = 1};
    for (int axis = row >= 0; axis < cardo_result_naxis(array); ++axis)
        v.count *= cardo_result_axis(array, axis).n;
    v.first = row >= 0 ? row * v.count : 0;
    if (row >= 0 && cardo_result_is_absent(array, row))
        v.array = NULL;
    return v;
}

static value value_below(const cardo_result *part, const char *path)
{
    const cardo_result *found = part ? cardo_result_find(part, path) : NULL;
    bool is_value = found && cardo_result_kind_of(found) == CARDO_RESULT_ARRAY;
    return is_value ? value_of(found, -1) : (value){0};
}

/* A path that begins at the row of a table: a column's cell, or what is in the part that the cell holds. */
static value value_in_row(const topic *about, const char *path)
{
    char name[PATH];
    const size_t length = strcspn(path, "/");
    snprintf(name, sizeof name, "%.*s", (int)length, path);
    const cardo_result *column = cardo_result_find(about->part, name);
    if (!column)
        return (value){0};
    const cardo_result *const *parts = cardo_result_as_parts(column);
    if (!parts)
        return value_of(column, about->row);
    bool there = !cardo_result_is_absent(column, about->row);
    return there ? value_below(parts[about->row], path[length] ? path + length + 1 : "")
                 : (value){0};
}

static value find_value(const topic *about, const char *path)
{
    if (about->row < 0)
        return value_below(about->part, path);
    if (cardo_result_kind_of(about->part) == CARDO_RESULT_TABLE)
        return value_in_row(about, path);
    value v = value_of(about->part, about->row);
    if (strcmp(path, "label") == 0)
        v.label = cardo_result_label_of(about->part, 0, about->row);
    return v;
}

/* "98,4w": where a word does not begin any more, and where the lines after the first begin. */
static bool is_in_lines(const char *style)
{
    return style && *style && style[strlen(style) - 1] == 'w' && strchr(style, ',');
}

static void put_words(FILE *stream, const char *text, const char *style)
{
    const int last = atoi(style), indent = atoi(strchr(style, ',') + 1);
    int column = indent - 1;
    for (const char *word = text; *word;) {
        const int n = (int)strcspn(word, " ");
        if (column > last)
            column = fprintf(stream, "\n%*s", indent, "") - 2;
        else if (word > text)
            fputc(' ', stream);
        column += fprintf(stream, "%.*s", n, word) + 1;
        word += n + (word[n] == ' ');
    }
}

static void put_value(FILE *stream, const value *v, const char *style)
{
    char text[CELL];
    const char *const *texts = cardo_result_as_texts(v->array);
    const bool whole = texts && !style && !cardo_result_quantity(v->array)->style;
    if (texts && is_in_lines(style) && texts[v->first]) {
        put_words(stream, texts[v->first], style);
        return;
    }
    for (long long k = 0; k < v->count; ++k) {
        fputs(k ? ", " : "", stream);
        if (whole && texts[v->first + k])
            fputs(texts[v->first + k], stream);
        else
            fputs(cardo_result_cell(v->array, v->first + k, style, text, sizeof text), stream);
    }
}

static void put_label(FILE *stream, const char *label, const char *style)
{
    int width = style ? atoi(style) : 0;
    fprintf(stream, "%*s", width, label);
}

static bool is_one(const value *v)
{
    const long long *integer = cardo_result_as_integers(v->array);
    return integer && integer[v->first] == 1;
}

static bool is_true(const value *v)
{
    const bool *truth = cardo_result_as_truths(v->array);
    return truth && truth[v->first];
}

/* One {...}: false where its value is not there. stream NULL: only looks. */
static bool put_field(FILE *stream, const topic *about, const char *field, size_t length)
{
    char path[PATH];
    snprintf(path, sizeof path, "%.*s", (int)length, field);
    char *mark = path + strcspn(path, ":#?"), kind = *mark;
    char *rest = kind ? mark + 1 : NULL;
    *mark = '\0';
    const value v = find_value(about, path);
    if (!v.array || !stream)
        return v.array != NULL;
    if (kind == '#') {
        fputs(is_one(&v) ? "" : rest, stream);
    } else if (kind == '?') {
        char *no = strchr(rest, '|');
        if (no)
            *no++ = '\0';
        fputs(is_true(&v) ? rest : no ? no : "", stream);
    } else if (v.label) {
        put_label(stream, v.label, rest);
    } else {
        put_value(stream, &v, rest);
    }
    return true;
}

/* Prints text up to its end or the bracket that closes it, or only looks (stream NULL): false where a value
 * is missing. *end: after it. */
static bool put_text(FILE *stream, const topic *about, const char *text, const char **end)
{
    bool complete = true;
    while (*text && *text != ']') {
        if (*text == '{') {
            const size_t length = strcspn(text + 1, "}");
            complete = put_field(stream, about, text + 1, length) && complete;
            text += length + 1;
            text += *text == '}';
        } else if (*text == '[') {
            const char *after;
            bool there = put_text(NULL, about, text + 1, &after);
            if (there && stream)
                put_text(stream, about, text + 1, &after);
            text = after;
        } else {
            if (stream)
                fputc(*text, stream);
            ++text;
        }
    }
    *end = *text ? text + 1 : text;
    return complete;
}

static void say(FILE *stream, const topic *about, const char *sentence)
{
    const char *end;
    if (put_text(NULL, about, sentence, &end))
        put_text(stream, about, sentence, &end);
}

void cardo_result_say(FILE *stream, const cardo_result *part, const char *sentence)
{
    const topic about = {part, -1};
    if (part)
        say(stream, &about, sentence);
}

void cardo_result_say_rows(FILE *stream, const cardo_result *part, const char *sentence,
                           long long most)
{
    if (!part)
        return;
    const bool table = cardo_result_kind_of(part) == CARDO_RESULT_TABLE;
    const long long n = table ? cardo_result_rows(part) : cardo_result_count(part);
    for (long long k = 0; k < n && k < most; ++k) {
        const topic about = {table ? part : cardo_result_part(part, (int)k), table ? k : -1};
        say(stream, &about, sentence);
    }
}

void cardo_result_say_row(FILE *stream, const cardo_result *table, long long row,
                          const char *sentence)
{
    const topic about = {table, row};
    if (table && row < cardo_result_rows(table))
        say(stream, &about, sentence);
}

void cardo_result_say_places(FILE *stream, const cardo_result *array, const char *sentence)
{
    for (long long k = 0; array && k < cardo_result_rows(array); ++k) {
        const topic about = {array, k};
        if (!cardo_result_is_hidden(array, k))
            say(stream, &about, sentence);
    }
}

/* The width that a style gives a cell; to the left: negative. */
static int width_of(const char *style)
{
    while (style && *style == '+')
        ++style;
    return style ? atoi(style) : 0;
}

static int width_of_column(const cardo_quantity *what)
{
    const int width = width_of(what->style), heading = (int)strlen(what->heading);
    if (abs(width) >= heading)
        return width;
    return width < 0 ? -heading : heading;
}

static void put_cell(char *line, size_t size, const char *cell, int width)
{
    const size_t used = strlen(line);
    snprintf(line + used, size - used, "%*s", width, cell);
}

static void end_line(FILE *stream, char *line)
{
    size_t n = strlen(line);
    while (n > 0 && line[n - 1] == ' ')
        --n;
    fprintf(stream, "%.*s\n", (int)n, line);
}

void cardo_result_print_table(FILE *stream, const cardo_result *table, const char *indent,
                              long long most)
{
    enum { LINE = 4096 };
    for (long long row = -1; table && row < cardo_result_rows(table) && row < most; ++row) {
        char line[LINE], cell[CELL];
        snprintf(line, sizeof line, "%s", indent);
        bool first = true;
        for (int c = 0; c < cardo_result_count(table); ++c) {
            const cardo_result *column = cardo_result_part(table, c);
            const cardo_quantity *what = cardo_result_quantity(column);
            if (!what->heading || cardo_result_naxis(column) > 1)
                continue;
            cell[0] = '\0';
            if (row >= 0 && !cardo_result_is_absent(column, row))
                cardo_result_cell(column, row, NULL, cell, sizeof cell);
            put_cell(line, sizeof line, "", first ? 0 : 1);
            put_cell(line, sizeof line, row < 0 ? what->heading : cell, width_of_column(what));
            first = false;
        }
        end_line(stream, line);
    }
}

/* A part with all below it, plainly. */
static void put_part(FILE *stream, const cardo_result *part, int depth);

static void put_array(FILE *stream, const cardo_result *array, int depth)
{
    const cardo_quantity *what = cardo_result_quantity(array);
    const char *name = what->label ? what->label : what->name ? what->name : "";
    const char *unit = what->unit ? what->unit : "";
    const value v = value_of(array, -1);
    if (v.count == 1 || cardo_result_naxis(array) == 0) {
        fprintf(stream, "%*s%-24s ", 2 * depth, "", name);
        put_value(stream, &v, NULL);
        fprintf(stream, "%s%s\n", *unit ? " " : "", unit);
        return;
    }
    fprintf(stream, "%*s%s%s%s%s\n", 2 * depth, "", name, *unit ? " (" : "", unit,
            *unit ? ")" : "");
    if (cardo_result_label_of(array, 0, 0)) {
        char sentence[64];
        snprintf(sentence, sizeof sentence, "%*s{label:-24} {value}\n", 2 * depth + 2, "");
        cardo_result_say_places(stream, array, sentence);
        return;
    }
    fprintf(stream, "%*s", 2 * depth + 2, "");
    put_value(stream, &v, NULL);
    fputc('\n', stream);
}

static void put_part(FILE *stream, const cardo_result *part, int depth)
{
    char indent[64];
    if (cardo_result_kind_of(part) == CARDO_RESULT_ARRAY) {
        put_array(stream, part, depth);
        return;
    }
    const char *name = cardo_result_quantity(part)->name;
    if (name)
        fprintf(stream, "%*s%s\n", 2 * depth, "", name);
    depth += name != NULL;
    snprintf(indent, sizeof indent, "%*s", 2 * depth, "");
    if (cardo_result_kind_of(part) == CARDO_RESULT_TABLE)
        cardo_result_print_table(stream, part, indent, LLONG_MAX);
    else
        for (int k = 0; k < cardo_result_count(part); ++k)
            put_part(stream, cardo_result_part(part, k), depth);
}

static bool takes(const cardo_result *part)
{
    (void)part;
    return true;
}

static cardo_status print(const cardo_result *part, FILE *stream, cardo_error *error)
{
    (void)error;
    put_part(stream, part, 0);
    return CARDO_OK;
}

const cardo_result_printer cardo_printer_text = {
    .name = "text",
    .extension = "txt",
    .doc = "the whole result, for people",
    .takes = takes,
    .print = print,
};
