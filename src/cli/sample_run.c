#include "cli/sample_run.h"

#include "base/memory.h"
#include "base/text.h"
#include "cli/interrupt.h"
#include "cli/mixed_run.h"
#include "cli/progress.h"
#include "cli/run_folder.h"
#include "cli/tabulate.h"
#include "io/checkpoint.h"
#include "io/stored_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const u_kn_choices[] = {"auto", "yes", "no", NULL};

#define OPTION(member) offsetof(cardo_sample_options, member)
const cardo_field cardo_sample_fields[] = {
    {"states", CARDO_FIELD_STRING, OPTION(states), "", "", 0, 0, NULL,
     "ranges of the variable whose free energies are compared, as \"-0.1:0.4 0.6:1.1\""},
    {"bins", CARDO_FIELD_INT, OPTION(bins), "", "50", 2, 10000, NULL,
     "of the profile, over the range"},
    {"bootstrap", CARDO_FIELD_INT, OPTION(bootstrap), "", "50", 0, 10000, NULL,
     "replicates for the second kind of error bars; 0: none"},
    {"parts", CARDO_FIELD_INT, OPTION(parts), "", "10", 2, 1000, NULL,
     "of the run, for forward and backward convergence of the first two states"},
    {"target", CARDO_FIELD_DOUBLE, OPTION(target), "kT", "0.2", 0, 1e6, NULL,
     "standard error that is hoped for: the verdict compares with it"},
    {"checkpoint", CARDO_FIELD_DOUBLE, OPTION(checkpoint), "s", "30", 0, 1e9, NULL,
     "wall-clock time between checkpoints"},
    {"u-kn", CARDO_FIELD_CHOICE, OPTION(u_kn), "", "auto", 0, 0, u_kn_choices,
     "write the reduced energies of all samples in all windows (auto: below 100 MB)"},
    {0},
};
#undef OPTION

enum { MOST_SKIPPED = 256, TARGETS = 6 };

bool cardo_sample_is_first(const cardo_sample_run *run)
{
    return cardo_team_rank(run->team) == 0;
}

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
    const cardo_model *model = run->setup.model;
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

static void list_targets(cardo_sample_run *run, cardo_option_target targets[TARGETS])
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
                              run->setup.model->path, run->own.states, length, text,
                              CARDO_MOST_BASINS);
        ++request->nbasin;
        text += length;
    }
    return CARDO_OK;
}

cardo_status cardo_sample_read_options(cardo_sample_run *run, cardo_error *error)
{
    const char *skip[MOST_SKIPPED];
    cardo_option_target targets[TARGETS];
    cardo_status status = choose_kinds(run, error);
    if (status != CARDO_OK)
        return status;
    if (run->integrator->options_size > sizeof run->integrator_options ||
        cardo_sampling_method_options_size(run->method) > sizeof run->method_options)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "the options of %s or %s take too many bytes", run->integrator->name,
                          cardo_sampling_method_name(run->method));
    list_other_options(skip);
    list_targets(run, targets);
    status =
        cardo_study_options(run->setup.model, "sample",
                            run->integrator->fields ? TARGETS : TARGETS - 1, targets, skip, error);
    if (status != CARDO_OK)
        return status;
    run->request.nbin = run->own.bins;
    run->request.nreplicate = run->own.bootstrap;
    run->request.npart = run->own.parts;
    return read_states(run, error);
}

/* Options that may be others when a study is continued. */
static bool may_change(const char *option)
{
    static const char *const names[] = {
        "steps", "max-energy-jump", "states",     "bins", "bootstrap",
        "parts", "target",          "checkpoint", "u-kn", NULL};
    for (int k = 0; names[k]; ++k)
        if (strcmp(option, names[k]) == 0)
            return true;
    return false;
}

/* What a checkpoint must agree with. */
static cardo_status describe(cardo_sample_run *run, cardo_error *error)
{
    char *model = NULL, *text = NULL, value[CARDO_FIELD_STRING_SIZE];
    size_t length = 0;
    cardo_option_target targets[TARGETS];
    cardo_status status =
        cardo_model_description(run->setup.system, run->setup.provider, &model, error);
    FILE *stream = status == CARDO_OK ? open_memstream(&text, &length) : NULL;
    if (status == CARDO_OK && !stream)
        status = CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for the study's description");
    if (status != CARDO_OK)
        goto done;
    fprintf(stream, "study sample\n%s%smethod %s\nintegrator %s\n", model, run->extra,
            cardo_sampling_method_name(run->method), run->integrator->name);
    list_targets(run, targets);
    for (int t = 0; t < TARGETS; ++t)
        for (const cardo_field *f = targets[t].fields; f && f->name; ++f)
            if (!may_change(f->name)) {
                cardo_field_print(f, targets[t].object, value, sizeof value);
                fprintf(stream, "sample.%s %s\n", f->name, value);
            }
    if (fclose(stream) != 0)
        status = CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for the study's description");
    else
        status = cardo_copy_string(&run->identity, text, error);
done:
    cardo_free(model);
    free(text);
    return status;
}

static cardo_status write_manifest(cardo_sample_run *run, cardo_error *error)
{
    char members[64];
    cardo_option_target targets[TARGETS];
    cardo_json *json = cardo_manifest_begin(run->command, &run->setup);
    cardo_json *options = cardo_json_object();
    cardo_json_string(json, "method", cardo_sampling_method_name(run->method));
    cardo_json_string(json, "integrator", run->integrator->name);
    cardo_json_integer(json, "seed", run->simulation.seed);
    cardo_json_string(json, "team", cardo_team_describe(run->team, members));
    list_targets(run, targets);
    for (int t = 0; t < TARGETS; ++t)
        cardo_manifest_options(options, targets[t].fields, targets[t].object);
    cardo_json_put(json, "options", options);
    return cardo_manifest_write(run->folder, json, error);
}

static void announce(const cardo_sample_run *run)
{
    char engine[64], members[64];
    const cardo_setup *setup = &run->setup;
    const char *unit = cardo_variable_unit(run->variable);
    printf("%s: %d atoms in %d bodies, %d degrees of freedom\n", setup->model->name,
           cardo_system_nstation(setup->system), setup->model->nbody,
           cardo_system_nu(setup->system));
    printf("along %s%s%s%s from %g to %g by %s; %s; %s, step %g ps, %g K, seed %lld; %s\n",
           cardo_variable_name(run->variable), *unit ? " (" : "", unit, *unit ? ")" : "",
           run->options.from, run->options.to, cardo_sampling_method_name(run->method),
           cardo_setup_engine(setup, engine), run->integrator->name, run->simulation.timestep,
           run->simulation.temperature, run->simulation.seed,
           cardo_team_describe(run->team, members));
    printf("results go to %s/\n", run->folder);
    fflush(stdout);
}

/* The first member makes folder and table; the others find them there. */
static cardo_status make_folder(cardo_sample_run *run, cardo_error *error)
{
    const bool first = cardo_sample_is_first(run);
    const bool go_on = cardo_command_has(run->command, "continue");
    cardo_status status;
    if (first)
        status = cardo_run_folder_open(run->command, run->setup.model, ".sampled", "pmf.csv",
                                       CARDO_SAMPLE_CHECKPOINT, &run->folder, error);
    else
        status =
            cardo_run_folder_name(run->command, run->setup.model, ".sampled", &run->folder, error);
    if (status == CARDO_OK)
        status =
            cardo_run_folder_path(run->folder, CARDO_SAMPLE_CHECKPOINT, &run->checkpoint, error);
    if (status == CARDO_OK)
        status = cardo_describe_forces(&run->setup, &run->extra, error);
    if (status == CARDO_OK && !run->quiet)
        announce(run);
    if (status == CARDO_OK && first)
        status = cardo_setup_tabulate(&run->setup, run->folder, run->extra, go_on,
                                      &cardo_interrupted, run->quiet, error);
    status = cardo_team_agree(run->team, status, error);
    if (status == CARDO_OK && !first)
        status = cardo_setup_tabulate(&run->setup, run->folder, run->extra, true,
                                      &cardo_interrupted, true, error);
    return status;
}

cardo_status cardo_sample_create(cardo_sample_run *run, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_variable_from_options(&run->setup, &run->chosen, &run->variable, error));
    CARDO_TRY(cardo_start_place(run->command, &run->setup, error));
    cardo_interrupt_catch();
    CARDO_TRY(make_folder(run, error));
    const cardo_sampling_plan plan = {
        .system = run->setup.system,
        .start = run->setup.state,
        .provider = cardo_setup_forces(&run->setup),
        .variable = run->variable,
        .integrator = run->integrator,
        .integrator_options = run->integrator_options.bytes,
        .simulation = &run->simulation,
        .method = run->method,
        .method_options = run->method_options.bytes,
        .options = &run->options,
        .team = run->team,
    };
    CARDO_TRY(cardo_sampling_create(&plan, &run->sampling, error));
    CARDO_TRY(describe(run, error));
    if (cardo_sample_is_first(run))
        CARDO_TRY(write_manifest(run, error));
done:
    return status;
}

static cardo_status write_checkpoint(const cardo_sample_run *run, cardo_error *error)
{
    double *values = NULL;
    /* Before the first round there is nothing but the study itself. */
    bool begun = cardo_sampling_crew(run->sampling)->nwalker > 0;
    size_t n = begun ? cardo_sampling_value_count(run->sampling) : 0;
    cardo_status status = CARDO_ALLOCATE(&values, n, error);
    if (status != CARDO_OK)
        return status;
    if (begun)
        cardo_sampling_save(run->sampling, values);
    status = cardo_stored_numbers_write(run->checkpoint, run->identity, strlen(run->identity),
                                        values, n, error);
    cardo_free(values);
    return status;
}

static cardo_status read_checkpoint(cardo_sample_run *run, cardo_error *error)
{
    cardo_status status;
    char *text = NULL;
    double *values = NULL;
    size_t n;
    CARDO_TRY(cardo_stored_numbers_read(run->checkpoint, &text, &values, &n, error));
    CARDO_TRY(cardo_compare_identities(run->checkpoint, text, run->identity, error));
    if (n > 0)
        CARDO_TRY(cardo_sampling_restore(run->sampling, values, n, error));
done:
    cardo_free(text);
    cardo_free(values);
    return status;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Walkers, from the checkpoint or by the method. */
static cardo_status begin(cardo_sample_run *run, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const bool first = cardo_sample_is_first(run);
    if (cardo_command_has(run->command, "continue"))
        status = read_checkpoint(run, error);
    else if (first)
        status = write_checkpoint(run, error);
    status = cardo_team_agree(run->team, status, error);
    run->end = CARDO_END_DONE;
    if (status == CARDO_OK && cardo_sampling_crew(run->sampling)->nwalker == 0) {
        status = cardo_sampling_prepare(run->sampling, &cardo_interrupted, &run->end, error);
        if (status == CARDO_OK && run->end == CARDO_END_DONE && first)
            status = write_checkpoint(run, error);
    }
    if (status == CARDO_OK && !run->quiet) {
        printf("%s", cardo_sampling_notes(run->sampling));
        fflush(stdout);
    }
    return status;
}

static cardo_status run_rounds(cardo_sample_run *run, cardo_progress *progress, double *written,
                               cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_sampling *s = run->sampling;
    while (status == CARDO_OK && run->end == CARDO_END_DONE &&
           cardo_sampling_round(s) < cardo_sampling_rounds(s)) {
        status = cardo_sampling_advance(s, &cardo_interrupted, &run->end, error);
        cardo_progress_tell(progress, cardo_sampling_round(s) * run->options.round, "step");
        bool due = now() - *written >= run->own.checkpoint ||
                   cardo_sampling_round(s) == cardo_sampling_rounds(s);
        if (status == CARDO_OK && run->end == CARDO_END_DONE && due && cardo_sample_is_first(run)) {
            status = write_checkpoint(run, error);
            *written = now();
        }
    }
    return status;
}

cardo_status cardo_sample_perform(cardo_sample_run *run, cardo_error *error)
{
    cardo_progress progress;
    double started = now(), written;
    cardo_status status = begin(run, error);
    if (status != CARDO_OK || run->end != CARDO_END_DONE)
        return status;
    cardo_sampling *s = run->sampling;
    const double all = run->simulation.timestep * cardo_sampling_crew(s)->nwalker;
    written = now();
    cardo_progress_start(&progress, cardo_sampling_round(s) * run->options.round,
                         cardo_sampling_rounds(s) * run->options.round, all, run->quiet);
    status = run_rounds(run, &progress, &written, error);
    cardo_progress_finish(&progress);
    run->seconds = now() - started;
    /* A round that was cut short is not there: what was before it is. */
    if (status == CARDO_OK && run->end == CARDO_END_INTERRUPTED && cardo_sample_is_first(run))
        status = write_checkpoint(run, error);
    return status;
}

void cardo_sample_clear(cardo_sample_run *run)
{
    cardo_sampling_destroy(run->sampling);
    cardo_variable_destroy(run->variable);
    cardo_setup_clear(&run->setup);
    cardo_free(run->folder);
    cardo_free(run->checkpoint);
    cardo_free(run->extra);
    cardo_free(run->identity);
}
