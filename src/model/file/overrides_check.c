#include "base/text.h"
#include "model/file/options.h"
#include "model/file/overrides.h"
#include "model/file/schema.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What can be set beside the options of studies. */
typedef struct settable {
    const char *element;
    const char *attributes[7];
    const cardo_field *fields; /* further ones; NULL: none */
} settable;

static const settable settables[] = {
    {"model", {"base", "closure", "constraints", "name", "ligands", "start", NULL}, NULL},
    {"structure", {"numbering", NULL}, NULL},
    {"path", {"interpolation", "start", NULL}, NULL},
    {"forcefield", {"files", "system", NULL}, cardo_model_forcefield_fields},
};

enum { SETTABLES = sizeof settables / sizeof *settables, NAME_SIZE = 64 };

static const settable *find_settable(const char *element)
{
    for (int k = 0; k < SETTABLES; ++k)
        if (strcmp(settables[k].element, element) == 0)
            return &settables[k];
    return NULL;
}

static const char *nearest_element(const char *element)
{
    cardo_near near = {.name = element};
    for (int k = 0; k < SETTABLES; ++k)
        cardo_near_try(&near, settables[k].element);
    for (int k = 0; cardo_model_studies[k]; ++k)
        cardo_near_try(&near, cardo_model_studies[k]);
    return near.nearest;
}

static cardo_status fail_unknown(const char *text, const char *what, const char *name,
                                 const char *near, cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_USAGE, "%s: '%s' is no %s%s%s%s", text, name, what,
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static cardo_status check_one(const char *text, cardo_error *error)
{
    const char *dot = strchr(text, '.'), *equals = strchr(text, '=');
    char element[NAME_SIZE], attribute[NAME_SIZE];
    if (!dot || !equals || equals < dot || dot == text || equals == dot + 1)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "%s: write element.attribute=value, such as simulate.steps=1000", text);
    snprintf(element, sizeof element, "%.*s", (int)(dot - text), text);
    snprintf(attribute, sizeof attribute, "%.*s", (int)(equals - dot - 1), dot + 1);
    if (cardo_model_is_study(element))
        return CARDO_OK;
    const settable *known = find_settable(element);
    if (!known)
        return fail_unknown(text, "element that can be set", element, nearest_element(element),
                            error);
    cardo_near near = {.name = attribute};
    for (int k = 0; known->attributes[k]; ++k)
        cardo_near_try(&near, known->attributes[k]);
    cardo_fields_near(known->fields, &near);
    if (near.nearest && near.distance == 0)
        return CARDO_OK;
    return fail_unknown(text, "option of that element", attribute, near.nearest, error);
}

cardo_status cardo_overrides_check(const cardo_overrides *overrides, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < overrides->count && status == CARDO_OK; ++k)
        status = check_one(overrides->text[k], error);
    return status;
}
