#include "study/session/study.h"

#include "base/memory.h"
#include "study/session/study_options.h"

#include <stdio.h>
#include <string.h>

static int list_targets(const cardo_study *study, void *options,
                        cardo_option_target targets[CARDO_STUDY_MOST_TABLES])
{
    int n = 0;
    for (; n < CARDO_STUDY_MOST_TABLES && study->options[n].fields; ++n)
        targets[n] = (cardo_option_target){study->options[n].fields,
                                           (char *)options + study->options[n].offset};
    return n;
}

static cardo_status unknown(const cardo_study *study, const char *text, const char *name,
                            cardo_error *error)
{
    char hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = name};
    for (int t = 0; t < CARDO_STUDY_MOST_TABLES && study->options[t].fields; ++t)
        cardo_fields_near(study->options[t].fields, &near);
    return CARDO_FAIL(error, CARDO_ERROR_USAGE, "%s: %s has no option '%s'%s", text, study->name,
                      name, cardo_near_hint(&near, hint));
}

static cardo_status set_option(const cardo_study *study, int ntarget,
                               const cardo_option_target *targets, const char *text,
                               cardo_error *error)
{
    const char *equals = strchr(text, '=');
    char name[64];
    if (!equals)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "%s: an option of %s is NAME=VALUE", text,
                          study->name);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    for (int t = 0; t < ntarget; ++t)
        if (cardo_fields_find(targets[t].fields, name))
            return cardo_fields_set(targets[t].fields, targets[t].object, name, equals + 1, error);
    return unknown(study, text, name, error);
}

cardo_status cardo_study_read_options(const cardo_study *study, const cardo_session *session,
                                      int noption, const char *const *option, void *options,
                                      cardo_error *error)
{
    cardo_option_target targets[CARDO_STUDY_MOST_TABLES];
    const int n = list_targets(study, options, targets);
    cardo_status status =
        cardo_study_fill_options(session->model, study->name, n, targets, NULL, error);
    for (int k = 0; k < noption && status == CARDO_OK; ++k)
        status = set_option(study, n, targets, option[k], error);
    return status;
}

static cardo_status check_needs(const cardo_study *study, const cardo_session *session,
                                cardo_error *error)
{
    if (!(study->needs & CARDO_STUDY_NEEDS_FORCES) || session->provider)
        return CARDO_OK;
    if (error)
        *error = session->no_forces;
    return cardo_error_prefix(error, "%s needs forces: ", study->name);
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
        status = study->run(session, options, into, error);
    if (status == CARDO_OK)
        status = cardo_result_status(into, error);
    cardo_free(own);
    return status;
}
