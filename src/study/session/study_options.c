#include "study/session/study_options.h"

#include "base/number.h"

#include <stdio.h>
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

/* The tables of options, read and left alone. */
typedef struct option_tables {
    int ntarget;
    const cardo_option_target *target;
    const cardo_option_choice *const *choice; /* NULL-terminated, or NULL */
} option_tables;

static bool has_choice(const cardo_option_choice *choice, const char *option)
{
    bool found = strcmp(choice->name, option) == 0;
    for (int k = 0; !found && choice->word(k); ++k)
        found = choice->fields(k) && cardo_fields_find(choice->fields(k), option);
    return found;
}

/* Whether an option may stand in the model file unread. */
static bool is_left_alone(const option_tables *tables, const char *option)
{
    bool found = false;
    for (int c = 0; !found && tables->choice && tables->choice[c]; ++c)
        found = has_choice(tables->choice[c], option);
    return found;
}

static void look_for_near(const option_tables *tables, cardo_near *near)
{
    for (int t = 0; t < tables->ntarget; ++t)
        cardo_fields_near(tables->target[t].fields, near);
    for (int c = 0; tables->choice && tables->choice[c]; ++c) {
        const cardo_option_choice *choice = tables->choice[c];
        cardo_near_try(near, choice->name);
        for (int k = 0; choice->word(k); ++k)
            cardo_fields_near(choice->fields(k), near);
    }
}

/* The k-th option of a study: by whom it was given. */
static cardo_status blame(const cardo_model *model, const cardo_model_study *study, int k,
                          cardo_error *error)
{
    return study->set[k]
               ? cardo_error_prefix(error, "%s.", study->verb)
               : cardo_error_prefix(error, "%s:%d: <%s> ", model->path, study->line, study->verb);
}

cardo_status cardo_study_blame(const cardo_model *model, const char *verb, const char *option,
                               cardo_error *error)
{
    const cardo_model_study *study = find_study(model, verb);
    for (int k = study ? study->noption - 1 : -1; k >= 0; --k)
        if (strcmp(study->option[k], option) == 0)
            return blame(model, study, k, error);
    return error ? error->code : CARDO_ERROR_INPUT;
}

static cardo_status unknown_option(const cardo_model *model, const cardo_model_study *study, int k,
                                   const option_tables *tables, cardo_error *error)
{
    const char *option = study->option[k];
    char hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = option};
    const int old = find_retired(option);
    look_for_near(tables, &near);
    if (old >= 0)
        CARDO_FAIL(error, CARDO_ERROR_INPUT, "<%s> has no option '%s' any more: %s", study->verb,
                   option, retired[old].instead);
    else
        CARDO_FAIL(error, CARDO_ERROR_INPUT, "<%s> has no option '%s'%s", study->verb, option,
                   cardo_near_hint(&near, hint));
    if (study->set[k])
        cardo_error_prefix(error, "%s.%s: ", study->verb, option);
    else
        cardo_error_prefix(error, "%s:%d: ", model->path, study->line);
    return CARDO_ERROR_INPUT;
}

/* Sets an option in all tables that know it. */
static cardo_status set_option(const option_tables *tables, const char *option, const char *value,
                               bool *known, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int t = 0; t < tables->ntarget && status == CARDO_OK; ++t) {
        const cardo_option_target *target = &tables->target[t];
        if (!target->fields || !cardo_fields_find(target->fields, option))
            continue;
        *known = true;
        if (target->object)
            status = cardo_fields_set(target->fields, target->object, option, value, error);
    }
    return status;
}

static cardo_status fill(const cardo_model *model, const char *verb, const option_tables *tables,
                         cardo_error *error)
{
    const cardo_model_study *study = find_study(model, verb);
    for (int t = 0; t < tables->ntarget; ++t)
        if (tables->target[t].fields && tables->target[t].object)
            cardo_fields_default(tables->target[t].fields, tables->target[t].object);
    for (int k = 0; study && k < study->noption; ++k) {
        const char *option = study->option[k], *value = study->value[k];
        const int old = find_retired(option);
        bool known = is_left_alone(tables, option) ||
                     (old >= 0 && strcmp(value, retired[old].harmless) == 0);
        cardo_status status = set_option(tables, option, value, &known, error);
        if (status != CARDO_OK)
            return blame(model, study, k, error);
        if (!known)
            return unknown_option(model, study, k, tables, error);
    }
    return CARDO_OK;
}

cardo_status cardo_study_fill_options(const cardo_model *model, const char *verb, int ntarget,
                                      const cardo_option_target *targets,
                                      const cardo_option_choice *const *choices, cardo_error *error)
{
    const option_tables tables = {.ntarget = ntarget, .target = targets, .choice = choices};
    return fill(model, verb, &tables, error);
}

cardo_status cardo_choice_find(const cardo_option_choice *choice, const char *word, int *chosen,
                               cardo_error *error)
{
    char list[512] = "", hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = word};
    for (int k = 0; choice->word(k); ++k) {
        *chosen = k;
        if (strcmp(word, choice->word(k)) == 0)
            return CARDO_OK;
        cardo_near_try(&near, choice->word(k));
        cardo_append(list, sizeof list, "%s%s", k ? ", " : "", choice->word(k));
    }
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "there is no %s '%s'%s those there are: %s",
                      choice->name, word, near.nearest ? cardo_near_hint(&near, hint) : ";", list);
}

cardo_status cardo_study_choose(const cardo_model *model, const char *verb,
                                const cardo_option_choice *choice, int *chosen, cardo_error *error)
{
    const char *given = cardo_study_value(model, verb, choice->name);
    cardo_status status =
        cardo_choice_find(choice, given ? given : choice->default_word, chosen, error);
    return status == CARDO_OK ? status : cardo_error_prefix(error, "%s: <%s> ", model->path, verb);
}
