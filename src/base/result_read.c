#include "base/memory.h"
#include "base/number.h"
#include "base/result_node.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cardo_result_kind cardo_result_kind_of(const cardo_result *part)
{
    return part->kind;
}

const cardo_quantity *cardo_result_quantity(const cardo_result *part)
{
    return &part->quantity;
}

int cardo_result_count(const cardo_result *part)
{
    return part->npart;
}

const cardo_result *cardo_result_part(const cardo_result *part, int k)
{
    return k >= 0 && k < part->npart ? part->part[k] : NULL;
}

static bool is_number(const char *text, size_t length)
{
    for (size_t k = 0; k < length; ++k)
        if (!isdigit((unsigned char)text[k]))
            return false;
    return length > 0 && length < 10;
}

const cardo_result *cardo_result_find(const cardo_result *part, const char *path)
{
    while (part && *path) {
        const size_t length = strcspn(path, "/");
        const cardo_result *next = NULL;
        if (part->kind == CARDO_RESULT_LIST && is_number(path, length))
            next = cardo_result_part(part, atoi(path));
        for (int k = 0; !next && part->kind != CARDO_RESULT_LIST && k < part->npart; ++k) {
            const char *name = part->part[k]->quantity.name;
            if (name && strncmp(name, path, length) == 0 && name[length] == '\0')
                next = part->part[k];
        }
        part = next;
        path += length;
        path += *path == '/';
    }
    return part;
}

long long cardo_result_rows(const cardo_result *part)
{
    if (part->kind == CARDO_RESULT_TABLE)
        return part->nrow;
    return part->kind == CARDO_RESULT_ARRAY && part->naxis > 0 ? part->axis[0].n : 1;
}

const char *cardo_result_rows_name(const cardo_result *part)
{
    return part->rows_name;
}

const char *cardo_result_file_of(const cardo_result *part, bool *aside)
{
    if (aside)
        *aside = part->aside;
    return part->file;
}

bool cardo_result_is_for_people(const cardo_result *part)
{
    return part->for_people;
}

cardo_result_type cardo_result_type_of(const cardo_result *array)
{
    return array->type;
}

int cardo_result_naxis(const cardo_result *array)
{
    return array->naxis;
}

cardo_axis cardo_result_axis(const cardo_result *array, int axis)
{
    return array->axis[axis];
}

const char *cardo_result_label_of(const cardo_result *array, int axis, long long k)
{
    return array->label[axis] ? array->label[axis][k] : NULL;
}

bool cardo_result_is_hidden(const cardo_result *array, long long k)
{
    return array->hidden && array->hidden[k];
}

bool cardo_result_is_absent(const cardo_result *array, long long row)
{
    return array->absent && array->absent[row];
}

static const void *as(const cardo_result *array, cardo_result_type type)
{
    return array->kind == CARDO_RESULT_ARRAY && array->type == type ? array->values : NULL;
}

const double *cardo_result_as_doubles(const cardo_result *array)
{
    return as(array, CARDO_RESULT_DOUBLE);
}

const long long *cardo_result_as_integers(const cardo_result *array)
{
    return as(array, CARDO_RESULT_INTEGER);
}

const bool *cardo_result_as_truths(const cardo_result *array)
{
    return as(array, CARDO_RESULT_TRUTH);
}

const char *const *cardo_result_as_texts(const cardo_result *array)
{
    return as(array, CARDO_RESULT_TEXT);
}

const cardo_result *const *cardo_result_as_parts(const cardo_result *array)
{
    return as(array, CARDO_RESULT_PART);
}

double cardo_result_number_at(const cardo_result *part, const char *path)
{
    const cardo_result *array = cardo_result_find(part, path);
    if (!array || array->naxis > 0)
        return NAN;
    const double *number = cardo_result_as_doubles(array);
    const long long *integer = cardo_result_as_integers(array);
    if (number)
        return *number;
    return integer ? (double)*integer : (double)NAN;
}

const char *cardo_result_text_at(const cardo_result *part, const char *path)
{
    const cardo_result *array = cardo_result_find(part, path);
    const char *const *text = array && array->naxis == 0 ? cardo_result_as_texts(array) : NULL;
    return text ? *text : NULL;
}

const double *cardo_result_doubles_at(const cardo_result *part, const char *path, long long *n)
{
    const cardo_result *array = cardo_result_find(part, path);
    const double *numbers = array ? cardo_result_as_doubles(array) : NULL;
    *n = numbers ? 1 : 0;
    for (int axis = 0; numbers && axis < array->naxis; ++axis)
        *n *= array->axis[axis].n;
    return numbers;
}

cardo_result_severity cardo_result_severity_of(const cardo_result *array, const char **place)
{
    if (place)
        *place = array->place;
    return array->severity;
}

/* "+9.4f", "-24s", ".1p" taken apart; what is wrong with it gives letter 0. */
typedef struct style {
    bool plus;
    int width, digits; /* width negative: to the left; digits -1: not said */
    char letter;
} style;

static style parse_style(const char *text)
{
    style s = {.digits = -1};
    bool left = false;
    for (; *text == '+' || *text == '-'; ++text) {
        s.plus |= *text == '+';
        left |= *text == '-';
    }
    for (; isdigit((unsigned char)*text) && s.width < 1000; ++text)
        s.width = 10 * s.width + (*text - '0');
    if (*text == '.')
        for (++text, s.digits = 0; isdigit((unsigned char)*text) && s.digits < 100; ++text)
            s.digits = 10 * s.digits + (*text - '0');
    s.width = left ? -s.width : s.width;
    s.letter = *text && (text[1] == '\0' || text[1] == ';') ? *text : '\0';
    return s;
}

/* The same number with the sign that a style asks for, and without. */
static void put_signed(style s, double value, char *text, size_t size)
{
    if (s.letter == 'f' || s.letter == 'p')
        cardo_format(text, size, "%+*.*f", s.width, s.digits, value);
    else if (s.letter == 'e')
        cardo_format(text, size, "%+*.*e", s.width, s.digits, value);
    else
        cardo_format(text, size, "%+*.*g", s.width, s.digits, value);
}

static void put_double(style s, double value, char *text, size_t size)
{
    const double shown = s.letter == 'p' ? 100 * value : value;
    if (s.plus && strchr("fpeg", s.letter) && s.letter)
        put_signed(s, shown, text, size);
    else if (s.letter == 'f' || s.letter == 'p')
        cardo_format(text, size, "%*.*f", s.width, s.digits, shown);
    else if (s.letter == 'e')
        cardo_format(text, size, "%*.*e", s.width, s.digits, shown);
    else if (s.letter == 'g')
        cardo_format(text, size, "%*.*g", s.width, s.digits, shown);
    else
        cardo_format(text, size, "%g", shown);
}

char *cardo_result_cell(const cardo_result *array, long long k, const char *style_text, char *text,
                        size_t size)
{
    const char *chosen = style_text ? style_text : array->quantity.style;
    const style s = parse_style(chosen ? chosen : "");
    const char *words = chosen ? strchr(chosen, ';') : NULL;
    text[0] = '\0';
    if (array->type == CARDO_RESULT_DOUBLE)
        put_double(s, ((const double *)array->values)[k], text, size);
    else if (array->type == CARDO_RESULT_INTEGER)
        snprintf(text, size, "%*lld", s.width, ((const long long *)array->values)[k]);
    else if (array->type == CARDO_RESULT_TRUTH && words)
        snprintf(text, size, "%s", ((const bool *)array->values)[k] ? words + 1 : "");
    else if (array->type == CARDO_RESULT_TRUTH)
        snprintf(text, size, "%*s", s.width, ((const bool *)array->values)[k] ? "yes" : "no");
    else if (array->type == CARDO_RESULT_TEXT && ((char **)array->values)[k])
        snprintf(text, size, "%*s", s.width, ((char **)array->values)[k]);
    return text;
}
