#include "study/session/study.h"

#include "base/memory.h"
#include "study/session/study_options.h"

#include <stdio.h>
#include <string.h>

const char *cardo_study_name(const cardo_study *study)
{
    return study->name;
}

const char *cardo_study_doc(const cardo_study *study)
{
    return study->doc;
}

bool cardo_study_needs_forces(const cardo_study *study)
{
    return study->needs & CARDO_STUDY_NEEDS_FORCES;
}

bool cardo_study_takes_files(const cardo_study *study)
{
    return study->needs & CARDO_STUDY_TAKES_FILES;
}

bool cardo_study_takes_model(const cardo_study *study)
{
    return study->needs & CARDO_STUDY_TAKES_MODEL;
}

bool cardo_study_takes(const cardo_study *study, int nfile)
{
    return !study->inputs || (nfile > 0 && (!study->most_inputs || nfile <= study->most_inputs));
}

const char *cardo_study_checkpoint(const cardo_study *study)
{
    return study->checkpoint;
}

const cardo_option_group *cardo_study_option_groups(const cardo_study *study)
{
    return study->groups;
}

enum { MOST_CHOICES = 4 };

const char *cardo_study_choice_name(const cardo_study *study, int c)
{
    int n = 0;
    while (study->choices && study->choices[n])
        ++n;
    return c >= 0 && c < n ? study->choices[c]->name : NULL;
}

const char *cardo_study_choice_word(const cardo_study *study, int c, int k)
{
    const cardo_option_choice *choice = study->choices[c];
    return k < 0 ? choice->default_word : choice->word(k);
}

/* What follows "name=" in the last text that begins so, or NULL. */
static const char *given_value(int noption, const char *const *option, const char *name)
{
    const size_t length = strlen(name);
    for (int k = noption - 1; k >= 0; --k)
        if (strncmp(option[k], name, length) == 0 && option[k][length] == '=')
            return option[k] + length + 1;
    return NULL;
}

struct cardo_study_said {
    const cardo_study *study;
    const cardo_model *model;
    int noption;
    const char *const *option;
};

bool cardo_study_is_said(const cardo_study_said *said, const char *name)
{
    return given_value(said->noption, said->option, name) ||
           cardo_study_value(said->model, said->study->name, name);
}

/* The tables of a study with what they fill, chosen by the texts, by the model file where they say nothing. */
static cardo_status list_targets(const cardo_study *study, const cardo_model *model, int noption,
                                 const char *const *option, void *options, int *n,
                                 cardo_option_target target[CARDO_STUDY_MOST_TABLES],
                                 cardo_error *error)
{
    int chosen[MOST_CHOICES] = {0};
    *n = 0;
    for (int c = 0; study->choices && study->choices[c]; ++c) {
        const char *word = given_value(noption, option, study->choices[c]->name);
        cardo_status status =
            word     ? cardo_choice_find(study->choices[c], word, &chosen[c], error)
            : !model ? cardo_choice_find(study->choices[c], study->choices[c]->default_word,
                                         &chosen[c], error)
                     : cardo_study_choose(model, study->name, study->choices[c], &chosen[c], error);
        if (status != CARDO_OK)
            return status;
    }
    if (study->choose)
        *n = study->choose(options, chosen, target);
    for (; !study->choose && *n < CARDO_STUDY_MOST_TABLES && study->options[*n].fields; ++*n)
        target[*n] = (cardo_option_target){study->options[*n].fields,
                                           (char *)options + study->options[*n].offset};
    return CARDO_OK;
}

cardo_status cardo_study_option_tables(const cardo_study *study, int noption,
                                       const char *const *option, int *ntable,
                                       const cardo_field *table[CARDO_STUDY_MOST_TABLES],
                                       cardo_error *error)
{
    cardo_option_target target[CARDO_STUDY_MOST_TABLES];
    void *scratch;
    int n;
    cardo_status status = cardo_allocate(&scratch, study->options_size + 1, 1, error);
    if (status == CARDO_OK)
        status = list_targets(study, NULL, noption, option, scratch, &n, target, error);
    *ntable = 0;
    for (int t = 0; status == CARDO_OK && t < n; ++t)
        if (target[t].fields && target[t].object)
            table[(*ntable)++] = target[t].fields;
    cardo_free(scratch);
    return status;
}

static cardo_status unknown(const cardo_study *study, const char *text, const char *name,
                            int ntarget, const cardo_option_target *target, cardo_error *error)
{
    char hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = name};
    for (int c = 0; study->choices && study->choices[c]; ++c)
        cardo_near_try(&near, study->choices[c]->name);
    for (int t = 0; t < ntarget; ++t)
        if (target[t].object)
            cardo_fields_near(target[t].fields, &near);
    return CARDO_FAIL(error, CARDO_ERROR_USAGE, "%s: %s has no option '%s'%s", text, study->name,
                      name, cardo_near_hint(&near, hint));
}

static bool is_choice(const cardo_study *study, const char *name)
{
    for (int c = 0; study->choices && study->choices[c]; ++c)
        if (strcmp(study->choices[c]->name, name) == 0)
            return true;
    return false;
}

/* A wrong value is whose text it is in. */
static cardo_status blame_caller(cardo_status status, cardo_error *error)
{
    if (status != CARDO_ERROR_INPUT)
        return status;
    if (error)
        error->code = CARDO_ERROR_USAGE;
    return CARDO_ERROR_USAGE;
}

static cardo_status set_option(const cardo_study *study, int ntarget,
                               const cardo_option_target *target, const char *text,
                               cardo_error *error)
{
    const char *equals = strchr(text, '=');
    char name[64];
    if (!equals)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "%s: an option of %s is NAME=VALUE", text,
                          study->name);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    if (is_choice(study, name))
        return CARDO_OK;
    for (int t = 0; t < ntarget; ++t)
        if (target[t].fields && target[t].object && cardo_fields_find(target[t].fields, name))
            return blame_caller(
                cardo_fields_set(target[t].fields, target[t].object, name, equals + 1, error),
                error);
    return unknown(study, text, name, ntarget, target, error);
}

cardo_status cardo_study_read_options(const cardo_study *study, const cardo_session *session,
                                      int noption, const char *const *option, void *options,
                                      cardo_error *error)
{
    cardo_option_target target[CARDO_STUDY_MOST_TABLES];
    const cardo_model *model = session ? session->model : NULL;
    int n;
    cardo_status status = list_targets(study, model, noption, option, options, &n, target, error);
    for (int t = 0; t < n && !model; ++t)
        cardo_fields_default(target[t].fields, target[t].object);
    if (status == CARDO_OK && model)
        status = cardo_study_fill_options(model, study->name, n, target, study->choices, error);
    for (int k = 0; k < noption && status == CARDO_OK; ++k)
        status = set_option(study, n, target, option[k], error);
    const cardo_study_said said = {study, model, noption, option};
    if (status == CARDO_OK && study->take_unsaid)
        study->take_unsaid(&said, options);
    return status;
}

static cardo_status check_needs(const cardo_study *study, const cardo_session *session,
                                cardo_error *error)
{
    if (!session->model && !(study->needs & CARDO_STUDY_TAKES_FILES))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s needs a session with a model",
                          study->name);
    if (!(study->needs & CARDO_STUDY_NEEDS_FORCES) || session->provider)
        return CARDO_OK;
    if (error)
        *error = session->no_forces;
    return cardo_error_prefix(error, "%s needs forces: ", study->name);
}

static cardo_status check_inputs(const cardo_study *study, const void *options, cardo_error *error)
{
    const cardo_study_inputs *inputs = (const void *)((const char *)options + study->inputs);
    if (!study->inputs || cardo_study_takes(study, inputs->count))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s needs %s, not %d", study->name,
                      study->most_inputs == 1 ? "one file" : "files", inputs->count);
}

cardo_status cardo_study_run(const cardo_study *study, cardo_session *session, const void *options,
                             cardo_result *into, cardo_error *error)
{
    cardo_status status = check_needs(study, session, error);
    void *own = NULL;
    if (status == CARDO_OK && !options) {
        status = cardo_allocate(&own, study->options_size + 1, 1, error);
        if (status == CARDO_OK)
            status = cardo_study_read_options(study, session, 0, NULL, own, error);
        options = own;
    }
    if (status == CARDO_OK)
        status = check_inputs(study, options, error);
    if (status == CARDO_OK && study->prepare)
        status = study->prepare(session, options, error);
    if (status == CARDO_OK)
        status = study->run(session, options, into, error);
    if (status == CARDO_OK)
        status = cardo_result_status(into, error);
    cardo_free(own);
    return status;
}
