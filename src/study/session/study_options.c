#include "study/session/study_options.h"

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

/* Options of earlier versions: set to anything but what is so anyhow they are refused with what to do
 * in their place. */
static const struct {
    const char *name, *harmless, *instead;
} retired[] = {
    {"remove-drift", "no",
     "without overall motion coordinates have another density than with it: take the option out. "
     "Every bath now keeps overall motion at the temperature; to hold the molecule in place weld "
     "its base (base=\"welded\"), to look at internal motion superpose the trajectory's frames"},
};

static int find_retired(const char *option)
{
    for (int k = 0; k < (int)(sizeof retired / sizeof *retired); ++k)
        if (strcmp(retired[k].name, option) == 0)
            return k;
    return -1;
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
    const int old = find_retired(option);
    if (old >= 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: <%s> has no option '%s' any more: %s",
                          model->path, study->line, study->verb, option, retired[old].instead);
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
        const int old = find_retired(option);
        bool known = is_listed(skip, option) ||
                     (old >= 0 && strcmp(study->value[k], retired[old].harmless) == 0);
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
