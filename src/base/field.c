#include "base/field.h"

#include "base/number.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const cardo_field *cardo_fields_find(const cardo_field *fields, const char *name)
{
    for (const cardo_field *field = fields; field->name; ++field)
        if (strcmp(field->name, name) == 0)
            return field;
    return NULL;
}

void cardo_fields_default(const cardo_field *fields, void *object)
{
    for (const cardo_field *field = fields; field->name; ++field)
        cardo_fields_set(fields, object, field->name, field->default_value, NULL);
}

static cardo_status check_range(const cardo_field *field, double value, const char *text,
                                cardo_error *error)
{
    bool limited = field->minimum != 0 || field->maximum != 0;
    if (limited && !(value >= field->minimum && value <= field->maximum))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s=\"%s\" is outside %g .. %g%s%s",
                          field->name, text, field->minimum, field->maximum,
                          field->unit && *field->unit ? " " : "", field->unit ? field->unit : "");
    return CARDO_OK;
}

static cardo_status set_number(const cardo_field *field, void *member, const char *text,
                               cardo_error *error)
{
    int length;
    double factor, value;
    long long whole;
    if (!cardo_unit_part(text, field->unit, &length, &factor))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s=\"%s\" has a unit that does not fit; it is given in %s", field->name,
                          text, field->unit && *field->unit ? field->unit : "plain numbers");
    if (field->type == CARDO_FIELD_DOUBLE) {
        if (!cardo_parse_double(text, length, &value))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s=\"%s\" is not a number", field->name,
                              text);
        value *= factor;
        cardo_status status = check_range(field, value, text, error);
        if (status == CARDO_OK)
            *(double *)member = value;
        return status;
    }
    if (!cardo_parse_long(text, length, &whole)) {
        /* "1e6" steps is what people type. */
        if (!cardo_parse_double(text, length, &value) || value < -9e15 || value > 9e15 ||
            value != (double)(long long)value)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s=\"%s\" is not a whole number",
                              field->name, text);
        whole = (long long)value;
    }
    cardo_status status = check_range(field, (double)whole, text, error);
    if (status != CARDO_OK)
        return status;
    if (field->type == CARDO_FIELD_LONG)
        *(long long *)member = whole;
    else if (whole >= -2147483647 && whole <= 2147483647)
        *(int *)member = (int)whole;
    else
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s=\"%s\" is too large", field->name, text);
    return CARDO_OK;
}

static cardo_status set_choice(const cardo_field *field, int *member, const char *text,
                               cardo_error *error)
{
    char list[512] = "";
    for (int k = 0; field->choices[k]; ++k) {
        if (strcmp(field->choices[k], text) == 0) {
            *member = k;
            return CARDO_OK;
        }
        cardo_append(list, sizeof list, "%s%s", k ? ", " : "",
                     field->choices[k][0] ? field->choices[k] : "\"\"");
    }
    const char *near = cardo_nearest_name(text, field->choices);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s=\"%s\" is none of %s%s%s%s", field->name, text,
                      list, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static cardo_status set_bool(const cardo_field *field, bool *member, const char *text,
                             cardo_error *error)
{
    static const char *const words[] = {"no", "yes", "false", "true", "0", "1", "off", "on", NULL};
    for (int k = 0; words[k]; ++k)
        if (strcmp(words[k], text) == 0) {
            *member = k % 2 == 1;
            return CARDO_OK;
        }
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s=\"%s\" is neither yes nor no", field->name,
                      text);
}

static cardo_status set_string(const cardo_field *field, char *member, const char *text,
                               cardo_error *error)
{
    const int most =
        (field->type == CARDO_FIELD_TEXT ? CARDO_FIELD_TEXT_SIZE : CARDO_FIELD_STRING_SIZE) - 1;
    const size_t n = strlen(text);
    if (n > (size_t)most)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s is longer than %d characters", field->name,
                          most);
    memcpy(member, text, n + 1);
    return CARDO_OK;
}

void cardo_fields_near(const cardo_field *fields, cardo_near *near)
{
    for (const cardo_field *field = fields; field && field->name; ++field)
        cardo_near_try(near, field->name);
}

static cardo_status unknown_name(const cardo_field *fields, const char *name, cardo_error *error)
{
    char hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = name};
    cardo_fields_near(fields, &near);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "there is no option '%s'%s", name,
                      cardo_near_hint(&near, hint));
}

cardo_status cardo_fields_set(const cardo_field *fields, void *object, const char *name,
                              const char *text, cardo_error *error)
{
    const cardo_field *field = cardo_fields_find(fields, name);
    if (!field)
        return unknown_name(fields, name, error);
    void *member = (char *)object + field->offset;
    switch (field->type) {
    case CARDO_FIELD_DOUBLE:
    case CARDO_FIELD_INT:
    case CARDO_FIELD_LONG:
        return set_number(field, member, text, error);
    case CARDO_FIELD_BOOL:
        return set_bool(field, member, text, error);
    case CARDO_FIELD_CHOICE:
        return set_choice(field, member, text, error);
    case CARDO_FIELD_STRING:
    case CARDO_FIELD_TEXT:
        return set_string(field, member, text, error);
    }
    return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "the table of '%s' has an unknown type", name);
}

void cardo_field_print(const cardo_field *field, const void *object, char *text, size_t size)
{
    const void *member = (const char *)object + field->offset;
    switch (field->type) {
    case CARDO_FIELD_DOUBLE:
        /* The shortest form that reads back to the same bits. */
        for (int digits = 6; digits <= 17; ++digits) {
            double back;
            cardo_format(text, size, "%.*g", digits, *(const double *)member);
            if (cardo_parse_double(text, (int)strlen(text), &back) &&
                back == *(const double *)member)
                return;
        }
        return;
    case CARDO_FIELD_INT:
        snprintf(text, size, "%d", *(const int *)member);
        return;
    case CARDO_FIELD_LONG:
        snprintf(text, size, "%lld", *(const long long *)member);
        return;
    case CARDO_FIELD_BOOL:
        snprintf(text, size, "%s", *(const bool *)member ? "yes" : "no");
        return;
    case CARDO_FIELD_CHOICE:
        snprintf(text, size, "%s", field->choices[*(const int *)member]);
        return;
    case CARDO_FIELD_STRING:
    case CARDO_FIELD_TEXT:
        snprintf(text, size, "%s", (const char *)member);
        return;
    }
}

void cardo_fields_identity(FILE *stream, const char *prefix, const cardo_field *fields,
                           const void *object)
{
    char text[CARDO_FIELD_TEXT_SIZE];
    for (const cardo_field *field = fields; field && field->name; ++field) {
        if (field->may_change)
            continue;
        cardo_field_print(field, object, text, sizeof text);
        fprintf(stream, "%s%s %s\n", prefix, field->name, text);
    }
}

cardo_status cardo_compare_identities(const char *path, const char *stored, const char *present,
                                      cardo_error *error)
{
    while (*stored || *present) {
        size_t n = strcspn(stored, "\n"), m = strcspn(present, "\n");
        if (n != m || memcmp(stored, present, n) != 0)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: belongs to another run. The first difference: it has '%.*s', "
                              "this run has '%.*s'; put that back as it was, or begin another run "
                              "in another folder",
                              path, n ? (int)n : 7, n ? stored : "nothing", m ? (int)m : 7,
                              m ? present : "nothing");
        stored += n + (stored[n] == '\n');
        present += m + (present[m] == '\n');
    }
    return CARDO_OK;
}
