#include "cli/study.h"

#include "base/text.h"

#include <string.h>

static const cardo_model_study *find_study(const cardo_model *model, const char *verb)
{
    for (int k = 0; k < model->nstudy; ++k)
        if (strcmp(model->study[k].verb, verb) == 0)
            return &model->study[k];
    return NULL;
}

const char *cardo_study_value(const cardo_model *model, const char *verb, const char *option)
{
    const cardo_model_study *study = find_study(model, verb);
    const char *value = NULL;
    for (int k = 0; study && k < study->noption; ++k)
        if (strcmp(study->option[k], option) == 0)
            value = study->value[k];
    return value;
}

static bool is_listed(const char *const *names, const char *name)
{
    for (int k = 0; names && names[k]; ++k)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

static cardo_status unknown_option(const cardo_model *model, const cardo_model_study *study,
                                   const char *option, int ntarget,
                                   const cardo_option_target *targets, const char *const *skip,
                                   cardo_error *error)
{
    enum { MOST = 128 };
    const char *names[MOST + 1];
    int n = 0;
    for (int k = 0; skip && skip[k] && n < MOST; ++k)
        names[n++] = skip[k];
    for (int t = 0; t < ntarget; ++t)
        for (const cardo_field *field = targets[t].fields; field->name && n < MOST; ++field)
            names[n++] = field->name;
    names[n] = NULL;
    const char *near = cardo_nearest_name(option, names);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s:%d: <%s> has no option '%s'%s%s%s; see cardo help %s", model->path,
                      study->line, study->verb, option, near ? "; did you mean '" : "",
                      near ? near : "", near ? "'?" : "", study->verb);
}

cardo_status cardo_study_options(const cardo_model *model, const char *verb, int ntarget,
                                 const cardo_option_target *targets, const char *const *skip,
                                 cardo_error *error)
{
    for (int t = 0; t < ntarget; ++t)
        cardo_fields_default(targets[t].fields, targets[t].object);
    const cardo_model_study *study = find_study(model, verb);
    for (int k = 0; study && k < study->noption; ++k) {
        const char *option = study->option[k];
        bool known = is_listed(skip, option);
        for (int t = 0; t < ntarget; ++t) {
            if (!cardo_fields_find(targets[t].fields, option))
                continue;
            known = true;
            cardo_status status = cardo_fields_set(targets[t].fields, targets[t].object, option,
                                                   study->value[k], error);
            if (status != CARDO_OK)
                return cardo_error_prefix(error, "%s:%d: <%s> ", model->path, study->line, verb);
        }
        if (!known)
            return unknown_option(model, study, option, ntarget, targets, skip, error);
    }
    return CARDO_OK;
}
