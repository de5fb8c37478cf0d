/* The options of <sample>: which study it is. */
#include "base/number.h"
#include "base/text.h"
#include "cli/mixed_run.h"
#include "cli/sample_run.h"
#include "sampling/methods/method.h"

#include <stddef.h>
#include <string.h>

static const char *const u_kn_choices[] = {"auto", "yes", "no", NULL};

#define OPTION(member) offsetof(cardo_sample_options, member)
const cardo_field cardo_sample_fields[] = {
    {"states", CARDO_FIELD_STRING, OPTION(states), "", "", 0, 0, NULL,
     "ranges of the variable whose free energies are compared, as \"-0.1:0.4 0.6:1.1\"",
     CARDO_MAY_CHANGE},
    {"bins", CARDO_FIELD_INT, OPTION(bins), "", "50", 2, 10000, NULL,
     "of the profile, over the range", CARDO_MAY_CHANGE},
    {"bootstrap", CARDO_FIELD_INT, OPTION(bootstrap), "", "50", 0, 10000, NULL,
     "replicates for the second kind of error bars; 0: none", CARDO_MAY_CHANGE},
    {"parts", CARDO_FIELD_INT, OPTION(parts), "", "10", 2, 1000, NULL,
     "of the run, for forward and backward convergence of the first two states", CARDO_MAY_CHANGE},
    {"target", CARDO_FIELD_DOUBLE, OPTION(target), "kT", "0.2", 0, 1e6, NULL,
     "standard error that is hoped for: the verdict compares with it; 0: with none",
     CARDO_MAY_CHANGE},
    {"checkpoint", CARDO_FIELD_DOUBLE, OPTION(checkpoint), "s", "30", 0, 1e9, NULL,
     "wall-clock time between checkpoints", CARDO_MAY_CHANGE},
    {"u-kn", CARDO_FIELD_CHOICE, OPTION(u_kn), "", "auto", 0, 0, u_kn_choices,
     "write the reduced energies of all samples in all windows (auto: below 100 MB)",
     CARDO_MAY_CHANGE},
    {0},
};
#undef OPTION

enum { MOST_SKIPPED = 256 };

/* Options of integrators and methods that were not chosen may stay in the model file. */
static void list_other_options(const char **names)
{
    int n = 0;
    names[n++] = "integrator";
    names[n++] = "method";
    for (const cardo_integrator *const *i = cardo_integrators; *i; ++i)
        for (const cardo_field *f = (*i)->fields; f && f->name && n < MOST_SKIPPED - 1; ++f)
            names[n++] = f->name;
    for (const cardo_sampling_method *const *m = cardo_sampling_methods; *m; ++m)
        for (const cardo_field *f = cardo_sampling_method_fields(*m);
             f && f->name && n < MOST_SKIPPED - 1; ++f)
            names[n++] = f->name;
    for (const cardo_field *f = cardo_mixed_fields; f->name && n < MOST_SKIPPED - 1; ++f)
        names[n++] = f->name;
    for (const cardo_field *f = cardo_mixed_study_fields; f->name && n < MOST_SKIPPED - 1; ++f)
        names[n++] = f->name;
    names[n] = NULL;
}

static cardo_status choose_kinds(cardo_sample_run *run, cardo_error *error)
{
    const cardo_model *model = run->session->model;
    const char *integrator = cardo_study_value(model, "sample", "integrator");
    const char *method = cardo_study_value(model, "sample", "method");
    run->integrator = cardo_integrator_find(integrator ? integrator : "langevin");
    if (!run->integrator)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: <sample> there is no integrator '%s'; cardo list integrators shows "
                          "them",
                          model->path, integrator);
    run->method = cardo_sampling_method_find(method ? method : "umbrella");
    if (run->method)
        return CARDO_OK;
    const char *names[32];
    int n = 0;
    for (const cardo_sampling_method *const *m = cardo_sampling_methods; *m && n < 30; ++m)
        names[n++] = cardo_sampling_method_name(*m);
    names[n++] = CARDO_MIXED_METHOD;
    names[n] = NULL;
    const char *near = cardo_nearest_name(method, names);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: <sample> there is no method '%s'%s%s%s; cardo help sample shows them",
                      model->path, method, near ? "; did you mean '" : "", near ? near : "",
                      near ? "'?" : "");
}

void cardo_sample_targets(cardo_sample_run *run, cardo_option_target targets[CARDO_SAMPLE_TARGETS])
{
    targets[0] = (cardo_option_target){cardo_sample_fields, &run->own};
    targets[1] = (cardo_option_target){cardo_variable_fields, &run->chosen};
    targets[2] = (cardo_option_target){cardo_sampling_fields, &run->options};
    targets[3] =
        (cardo_option_target){cardo_sampling_method_fields(run->method), run->method_options.bytes};
    targets[4] = (cardo_option_target){cardo_simulation_fields, &run->simulation};
    targets[5] = (cardo_option_target){run->integrator->fields, run->integrator_options.bytes};
}

/* "from:to from:to ..." */
static cardo_status read_states(cardo_sample_run *run, cardo_error *error)
{
    const char *text = run->own.states;
    cardo_estimate_request *request = &run->request;
    while (*(text += strspn(text, " ,"))) {
        int length = (int)strcspn(text, " ,");
        const char *colon = memchr(text, ':', (size_t)length);
        double *basin = &request->basin[2 * request->nbasin];
        if (request->nbasin == CARDO_MOST_BASINS || !colon ||
            !cardo_parse_double(text, (int)(colon - text), &basin[0]) ||
            !cardo_parse_double(colon + 1, length - (int)(colon - text) - 1, &basin[1]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: <sample> states=\"%s\": '%.*s' is not FROM:TO, or one of more "
                              "than %d",
                              run->session->model->path, run->own.states, length, text,
                              CARDO_MOST_BASINS);
        ++request->nbasin;
        text += length;
    }
    return CARDO_OK;
}

cardo_status cardo_sample_read_options(cardo_sample_run *run, cardo_error *error)
{
    const char *skip[MOST_SKIPPED];
    cardo_option_target targets[CARDO_SAMPLE_TARGETS];
    cardo_status status = choose_kinds(run, error);
    if (status != CARDO_OK)
        return status;
    if (run->integrator->options_size > sizeof run->integrator_options ||
        cardo_sampling_method_options_size(run->method) > sizeof run->method_options)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "the options of %s or %s take too many bytes", run->integrator->name,
                          cardo_sampling_method_name(run->method));
    list_other_options(skip);
    cardo_sample_targets(run, targets);
    status = cardo_study_options(run->session->model, "sample",
                                 run->integrator->fields ? CARDO_SAMPLE_TARGETS
                                                         : CARDO_SAMPLE_TARGETS - 1,
                                 targets, skip, error);
    if (status != CARDO_OK)
        return status;
    if (run->simulation.steps == 0 && !run->method->stands && !run->home.go_on)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s: <sample> steps=\"0\" samples nothing: say how many steps each walker "
            "makes",
            run->session->model->path);
    run->request.nbin = run->own.bins;
    run->request.nreplicate = run->own.bootstrap;
    run->request.npart = run->own.parts;
    return read_states(run, error);
}
