#include "cli/sample_run.h"

#include "base/memory.h"
#include "base/number.h"
#include "cli/interrupt.h"
#include "cli/manifest.h"
#include "cli/progress.h"
#include "cli/session_report.h"
#include "cli/tabulate.h"
#include "io/checkpoint/snapshot_file.h"
#include "multibody/quantities/description.h"
#include "sampling/methods/method.h"
#include "sampling/walkers/steer.h"
#include "study/session/forces.h"
#include "study/session/judge.h"
#include "study/session/strain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cardo_sample_is_first(const cardo_sample_run *run)
{
    return cardo_communicator_rank(run->communicator) == 0;
}

cardo_status cardo_sample_claim(cardo_sample_run *run, cardo_error *error)
{
    char *path;
    cardo_status status = cardo_run_folder_name(run->command, ".sampled", &path, error);
    if (status == CARDO_OK) {
        status = cardo_run_folder_claim(&run->home, run->command, path, CARDO_SAMPLE_CHECKPOINT,
                                        cardo_sample_is_first(run), error);
        run->command = run->home.command;
        run->folder = run->home.path;
    }
    /* Nobody changes the folder before all have looked at it. */
    return cardo_communicator_agree(run->communicator, status, error);
}

/* What a checkpoint must agree with. */
static cardo_status describe(cardo_sample_run *run, cardo_error *error)
{
    char *model = NULL, *text = NULL, value[CARDO_FIELD_STRING_SIZE];
    size_t length = 0;
    cardo_option_target targets[CARDO_SAMPLE_TARGETS];
    cardo_status status =
        cardo_model_description(run->session->system, run->session->provider, &model, error);
    FILE *stream = status == CARDO_OK ? open_memstream(&text, &length) : NULL;
    if (status == CARDO_OK && !stream)
        status = CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for the study's description");
    if (status != CARDO_OK)
        goto done;
    fprintf(stream, "study sample\n%s%smethod %s\nintegrator %s\n", model, run->extra,
            cardo_sampling_method_name(run->method), run->integrator->name);
    cardo_sample_targets(run, targets);
    for (int t = 0; t < CARDO_SAMPLE_TARGETS; ++t)
        for (const cardo_field *f = targets[t].fields; f && f->name; ++f)
            if (!f->may_change) {
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
    cardo_option_target targets[CARDO_SAMPLE_TARGETS];
    cardo_json *json = cardo_manifest_begin(&run->home, run->session);
    cardo_json *options = cardo_json_object();
    cardo_json_string(json, "method", cardo_sampling_method_name(run->method));
    cardo_json_string(json, "integrator", run->integrator->name);
    cardo_json_integer(json, "seed", run->simulation.seed);
    cardo_json_string(json, "team", cardo_communicator_describe(run->communicator, members));
    cardo_sample_targets(run, targets);
    for (int t = 0; t < CARDO_SAMPLE_TARGETS; ++t)
        cardo_manifest_options(options, targets[t].fields, targets[t].object);
    cardo_json_put(json, "options", options);
    cardo_manifest_start(json, &run->home, run->session);
    return cardo_manifest_write(&run->home, json, error);
}

/* Of a run that goes on: whether its options are those of before, but for what may change. */
static cardo_status check_continued(cardo_sample_run *run, cardo_error *error)
{
    cardo_status status;
    cardo_option_target targets[CARDO_SAMPLE_TARGETS];
    const cardo_continuation *before = &run->home.continuation;
    if (!run->home.go_on)
        return CARDO_OK;
    CARDO_TRY(cardo_continuation_check_word(before, "method",
                                            cardo_sampling_method_name(run->method), error));
    CARDO_TRY(cardo_continuation_check_word(before, "integrator", run->integrator->name, error));
    cardo_sample_targets(run, targets);
    status = cardo_continuation_check(before, run->session, CARDO_SAMPLE_TARGETS, targets, error);
done:
    return status;
}

static void announce(const cardo_sample_run *run)
{
    char engine[64], members[64];
    const cardo_session *session = run->session;
    const char *unit = cardo_variable_unit(run->variable);
    cardo_print_size(session);
    cardo_print(stdout,
                "along %s%s%s%s from %g to %g by %s; %s; %s, step %g ps, %g K, seed %lld; %s\n",
                cardo_variable_name(run->variable), *unit ? " (" : "", unit, *unit ? ")" : "",
                run->options.from, run->options.to, cardo_sampling_method_name(run->method),
                cardo_session_engine(session, engine), run->integrator->name,
                run->simulation.timestep, run->simulation.temperature, run->simulation.seed,
                cardo_communicator_describe(run->communicator, members));
    printf("results go to %s/\n", run->folder);
    cardo_judgement_print(session);
    fflush(stdout);
}

/* The first member makes folder and table; the others find them there. */
static cardo_status make_folder(cardo_sample_run *run, cardo_error *error)
{
    const bool first = cardo_sample_is_first(run), go_on = run->home.go_on;
    cardo_status status = first ? cardo_judge(run->session, error) : CARDO_OK;
    if (status == CARDO_OK || !first)
        status = cardo_run_folder_open(&run->home, error);
    if (status == CARDO_OK)
        status =
            cardo_run_folder_path(run->folder, CARDO_SAMPLE_CHECKPOINT, &run->checkpoint, error);
    if (status == CARDO_OK)
        status = cardo_describe_forces(run->session, &run->extra, error);
    if (status == CARDO_OK && !run->quiet)
        announce(run);
    if (status == CARDO_OK && first)
        status = cardo_run_tabulate(run->session, run->folder, run->extra, go_on, error);
    status = cardo_communicator_agree(run->communicator, status, error);
    if (status == CARDO_OK && !first)
        status = cardo_run_tabulate(run->session, run->folder, run->extra, true, error);
    return status;
}

/* Numbers before the study's own: lengths of the tables that grow, of each replica. */
static size_t length_count(const cardo_sample_run *run)
{
    return (size_t)cardo_replicas_count(run->replicas) * CARDO_SERIES_LENGTHS;
}

/* Lengths of the tables, none before the study is prepared, then the study. */
static cardo_status write_checkpoint(cardo_sample_run *run, cardo_error *error)
{
    cardo_status status;
    double *values = NULL;
    const size_t nlength = length_count(run);
    const size_t n = nlength + cardo_replicas_value_count(run->replicas);
    CARDO_TRY(CARDO_ALLOCATE(&values, n, error));
    for (int r = 0; r < cardo_replicas_count(run->replicas); ++r)
        if (cardo_replicas_are_prepared(run->replicas))
            CARDO_TRY(cardo_sample_series_save(&run->series[r], values + r * CARDO_SERIES_LENGTHS,
                                               error));
    cardo_replicas_save(run->replicas, values + nlength);
    status = cardo_snapshot_write(run->checkpoint, run->identity, strlen(run->identity), values, n,
                                  error);
    run->written = cardo_clock();
done:
    cardo_free(values);
    return status;
}

static void print_note(void *user, const char *line)
{
    const cardo_sample_run *run = user;
    if (run->quiet)
        return;
    fputs(line, stdout);
    fflush(stdout);
}

static cardo_status write_when_due(void *user, cardo_error *error)
{
    cardo_sample_run *run = user;
    bool due = cardo_sample_is_first(run) && cardo_clock() - run->written >= run->own.checkpoint;
    return due ? write_checkpoint(run, error) : CARDO_OK;
}

/* What is strained where the variable has a value, all else as at the start. */
static void describe_strain(void *user, double place, char *text, size_t size)
{
    const cardo_sample_run *run = user;
    const cardo_session *session = run->session;
    cardo_state *state = NULL;
    cardo_strain strain;
    char words[CARDO_STRAIN_TEXT] = "";
    if (cardo_state_create(session->system, &state, NULL) == CARDO_OK) {
        cardo_state_copy(state, session->state);
        if (cardo_steer(run->variable, session->system, state, place, NULL) == CARDO_OK &&
            cardo_realize(session->system, state, CARDO_STAGE_POSITION, NULL) == CARDO_OK &&
            cardo_session_strain_at(session, state, &strain, NULL) == CARDO_OK &&
            strain.nimpossible > 0)
            cardo_strain_worst_text(session, &strain, words);
    }
    cardo_state_destroy(state);
    snprintf(text, size, "%.*s", (int)size - 1, words);
}

static cardo_status check_states(const cardo_sample_run *run, cardo_error *error)
{
    if (run->request.nbasin != 1)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: <sample> states=\"%s\": one state is compared with nothing; give two or "
                      "more, or none",
                      run->session->model->path, run->own.states);
}

cardo_status cardo_sample_create(cardo_sample_run *run, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_variable_from_options(run->session, &run->chosen, &run->variable, error));
    int speed = -1;
    if (cardo_variable_kind_of(run->variable) == &cardo_variable_coordinate)
        cardo_variable_speed(run->variable, &speed);
    CARDO_TRY(cardo_session_last_structures(run->session, speed, &run->other_start, error));
    CARDO_TRY(check_continued(run, error));
    CARDO_TRY(cardo_run_folder_place(&run->home, run->session, error));
    if (!run->home.go_on)
        CARDO_TRY(cardo_strain_tell(run->session, "the start", false, error));
    cardo_interrupt_catch();
    run->listener =
        (cardo_sampling_listener){.user = run, .note = print_note, .round = write_when_due};
    cardo_sampling_plan plan = {
        .system = run->session->system,
        .start = run->session->state,
        .other_start = run->other_start,
        .variable = run->variable,
        .integrator = run->integrator,
        .integrator_options = run->integrator_options.bytes,
        .simulation = &run->simulation,
        .method = run->method,
        .method_options = run->method_options.bytes,
        .options = &run->options,
        .communicator = run->communicator,
        .listener = &run->listener,
        .describe_strain = describe_strain,
        .strain_user = run,
    };
    CARDO_TRY(cardo_sampling_check(&plan, error));
    CARDO_TRY(cardo_estimate_check(&run->request, &plan, error));
    CARDO_TRY(check_states(run, error));
    CARDO_TRY(make_folder(run, error));
    plan.provider = cardo_session_forces(run->session);
    CARDO_TRY(cardo_replicas_create(&plan, &run->replicas, error));
    run->sampling = cardo_replicas_study(run->replicas, 0);
    status = describe(run, error);
done:
    return status;
}

/* lengths: of all replicas' tables, NULL: they begin. */
static cardo_status open_tables(cardo_sample_run *run, const double *lengths, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int r = 0; r < cardo_replicas_count(run->replicas) && status == CARDO_OK; ++r)
        status = cardo_sample_series_open(
            &run->series[r], cardo_replicas_study(run->replicas, r), r, run->folder,
            lengths ? lengths + r * CARDO_SERIES_LENGTHS : NULL, error);
    return status;
}

static cardo_status read_checkpoint(cardo_sample_run *run, cardo_error *error)
{
    cardo_status status;
    char *text = NULL;
    double *values = NULL;
    size_t n;
    const size_t nlength = length_count(run);
    CARDO_TRY(cardo_snapshot_read(run->checkpoint, &text, &values, &n, error));
    CARDO_TRY(cardo_compare_identities(run->checkpoint, text, run->identity, error));
    CARDO_TRY(cardo_replicas_restore(run->replicas, values + nlength, n > nlength ? n - nlength : 0,
                                     error));
    if (cardo_sample_is_first(run) && cardo_replicas_are_prepared(run->replicas))
        status = open_tables(run, values, error);
done:
    cardo_free(text);
    cardo_free(values);
    return status;
}

static cardo_status open_series(cardo_sample_run *run, cardo_error *error)
{
    cardo_status status = open_tables(run, NULL, error);
    return status == CARDO_OK ? write_checkpoint(run, error) : status;
}

/* Walkers, from the checkpoint or by the method. */
static cardo_status begin(cardo_sample_run *run, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const bool first = cardo_sample_is_first(run);
    if (run->home.go_on)
        status = read_checkpoint(run, error);
    if (status == CARDO_OK)
        status = cardo_run_folder_begin(&run->home, run->session->table != NULL, error);
    if (status == CARDO_OK && first)
        status = write_manifest(run, error);
    if (status == CARDO_OK && first && !run->home.go_on)
        status = write_checkpoint(run, error);
    status = cardo_communicator_agree(run->communicator, status, error);
    run->end = CARDO_END_DONE;
    run->home.begun = status == CARDO_OK && cardo_replicas_are_prepared(run->replicas);
    if (status != CARDO_OK || cardo_replicas_are_prepared(run->replicas))
        return status;
    status = cardo_replicas_prepare(run->replicas, &cardo_interrupted, &run->end, error);
    /* What was prepared is kept unless it showed that the study cannot be. */
    run->home.begun = status == CARDO_OK || status == CARDO_ERROR_LOST ||
                      status == CARDO_ERROR_FILE || status == CARDO_ERROR_MEMORY;
    if (status == CARDO_OK && first)
        status =
            run->end == CARDO_END_DONE ? open_series(run, error) : write_checkpoint(run, error);
    return status;
}

static cardo_status run_rounds(cardo_sample_run *run, cardo_progress *progress, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_sampling *s = run->sampling;
    const int stride = cardo_sampling_get_plan(s)->options->round;
    while (status == CARDO_OK && run->end == CARDO_END_DONE &&
           cardo_sampling_round(s) < cardo_sampling_rounds(s)) {
        status = cardo_replicas_advance(run->replicas, &cardo_interrupted, &run->end, error);
        cardo_progress_tell(progress, cardo_sampling_round(s) * stride,
                            run->method->stands ? "place" : "step");
        if (status != CARDO_OK || run->end != CARDO_END_DONE || !cardo_sample_is_first(run))
            continue;
        for (int r = 0; r < cardo_replicas_count(run->replicas) && status == CARDO_OK; ++r)
            status = cardo_sample_series_add(&run->series[r], error);
        if (status == CARDO_OK)
            status = cardo_sampling_round(s) == cardo_sampling_rounds(s)
                         ? write_checkpoint(run, error)
                         : write_when_due(run, error);
    }
    return status;
}

static cardo_status close_series(cardo_sample_run *run, cardo_error *error)
{
    cardo_status first = CARDO_OK;
    for (int r = 0; r < CARDO_MOST_REPLICAS; ++r) {
        cardo_status status =
            cardo_sample_series_close(&run->series[r], first == CARDO_OK ? error : NULL);
        first = first == CARDO_OK ? status : first;
    }
    return first;
}

cardo_status cardo_sample_perform(cardo_sample_run *run, cardo_error *error)
{
    cardo_progress progress;
    double started = cardo_clock();
    cardo_status status = begin(run, error);
    if (status != CARDO_OK || run->end != CARDO_END_DONE)
        return status;
    cardo_sampling *s = run->sampling;
    const int stride = cardo_sampling_get_plan(s)->options->round;
    const double all = run->method->stands
                           ? 0
                           : run->simulation.timestep * cardo_sampling_crew(s)->nwalker *
                                 cardo_replicas_count(run->replicas);
    cardo_progress_start(&progress, cardo_sampling_round(s) * stride,
                         cardo_sampling_rounds(s) * stride, all, run->quiet);
    status = run_rounds(run, &progress, error);
    cardo_progress_finish(&progress);
    run->seconds = cardo_clock() - started;
    /* A round that was cut short is not there: what was before it is. */
    if (status == CARDO_OK && run->end == CARDO_END_INTERRUPTED && cardo_sample_is_first(run))
        status = write_checkpoint(run, error);
    return status == CARDO_OK ? close_series(run, error) : status;
}

void cardo_sample_clear(cardo_sample_run *run)
{
    close_series(run, NULL);
    cardo_replicas_destroy(run->replicas);
    cardo_variable_destroy(run->variable);
    cardo_state_destroy(run->other_start);
    cardo_session_close(run->session);
    cardo_run_folder_close(&run->home);
    cardo_free(run->checkpoint);
    cardo_free(run->extra);
    cardo_free(run->identity);
}
