/* Study "sample": free energies along a variable, by walkers on a communicator. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "sampling/methods/method.h"
#include "sampling/variables/response.h"
#include "sampling/walkers/steer.h"
#include "study/ligands/ligands.h"
#include "study/sample/checkpoint.h"
#include "study/sample/mixed.h"
#include "study/sample/results.h"
#include "study/session/facts.h"
#include "study/session/forces.h"
#include "study/session/judge.h"
#include "study/session/strain.h"
#include "study/session/study.h"
#include "study/session/study_options.h"
#include "study/session/table.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* What is going to be done, in lines. */
static void announce(const sample_run *run)
{
    char engine[CARDO_ENGINE_TEXT], members[64], text[512], judged[CARDO_JUDGEMENT_TEXT];
    const cardo_session *session = run->session;
    const cardo_sample_options *o = run->options;
    const char *unit = cardo_variable_unit(run->variable);
    char steps[128] = "", seed[32] = "", density[64] = "";
    if (!o->method->stands) {
        cardo_format(steps, sizeof steps, "%s, step %g ps, ", o->integrator->name,
                     o->simulation.timestep);
        snprintf(seed, sizeof seed, ", seed %lld", o->simulation.seed);
    }
    if (o->simulation.ensemble != CARDO_ENSEMBLE_RIGID || cardo_is_constrained(session->system))
        snprintf(density, sizeof density, ", ensemble %s",
                 cardo_ensemble_name(o->simulation.ensemble));
    cardo_session_tell_size(session, "sample");
    cardo_format(text, sizeof text, "along %s%s%s%s from %g to %g by %s; %s; %s%g K%s%s; %s",
                 cardo_variable_name(run->variable), *unit ? " (" : "", unit, *unit ? ")" : "",
                 o->sampling.from, o->sampling.to, cardo_sampling_method_name(o->method),
                 cardo_session_engine(session, engine), steps, o->simulation.temperature, density,
                 seed, cardo_communicator_describe(run->communicator, members));
    cardo_tell(&session->listener, CARDO_SAID_NOTE, "sample", "%s", text);
    if (run->writer)
        cardo_tell(&session->listener, CARDO_SAID_NOTE, "sample", "results go to %s/",
                   run->writer->place);
    cardo_ligands_tell(session, o->simulation.temperature, "sample");
    cardo_session_tell_salt(session, o->simulation.temperature, "sample");
    if (cardo_judgement_text(session, judged)[0])
        cardo_tell(&session->listener, CARDO_SAID_NOTE, "sample", "%s", judged);
}

static cardo_status tabulate(sample_run *run, bool continues, cardo_error *error)
{
    const cardo_table_store *store = run->writer ? run->writer->force_tables : NULL;
    return cardo_session_tabulate(run->session, run->forces, store && continues, store, error);
}

/* The first member makes place and table; the others find them there. */
static cardo_status claim(sample_run *run, cardo_error *error)
{
    cardo_status status = run->first ? cardo_judge(run->session, error) : CARDO_OK;
    if (status == CARDO_OK)
        status = cardo_writer_claim(run->writer, error);
    if (status == CARDO_OK)
        status = cardo_describe_forces(run->session, &run->forces, error);
    if (status == CARDO_OK && run->first)
        announce(run);
    if (status == CARDO_OK && run->first)
        status = tabulate(run, run->goes_on, error);
    status = cardo_communicator_agree(run->communicator, status, error);
    if (status == CARDO_OK && !run->first)
        status = tabulate(run, true, error);
    return status;
}

static void tell_note(void *user, const char *line)
{
    const sample_run *run = user;
    if (run->first)
        cardo_tell(&run->session->listener, CARDO_SAID_NOTE, "sample", "%.*s",
                   (int)strcspn(line, "\n"), line);
}

/* Of what comes before the first round that counts. */
static void tell_preparation(void *user, const char *about, long long done, long long of)
{
    const sample_run *run = user;
    const cardo_listener *listener = &run->session->listener;
    char text[64];
    snprintf(text, sizeof text, "%s%s", about, run->options->method->stands ? "" : ", step");
    if (run->first && listener->progress)
        listener->progress(listener->user, text, done, of);
}

static cardo_status save_when_due(void *user, cardo_error *error)
{
    sample_run *run = user;
    const bool due = run->first && cardo_clock() - run->written >= run->options->profile.checkpoint;
    return due ? cardo_sample_save(run, error) : CARDO_OK;
}

/* What is strained where the variable has a value, all else as at the start. */
static void describe_strain(void *user, double place, char *text, size_t size)
{
    const sample_run *run = user;
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

static void advise_start(void *user, const char *coordinate, char *text, size_t size)
{
    const cardo_listener *listener = &((const sample_run *)user)->session->listener;
    if (listener->advise)
        listener->advise(listener->user,
                         coordinate ? CARDO_ADVISE_START_AT : CARDO_ADVISE_START_MINIMIZED,
                         coordinate, text, size);
}

static cardo_sampling_plan plan_of(sample_run *run)
{
    const cardo_sample_options *o = run->options;
    return (cardo_sampling_plan){
        .system = run->session->system,
        .start = run->session->state,
        .other_start = run->other_start,
        .variable = run->variable,
        .integrator = o->integrator,
        .integrator_options = o->integrator_options.bytes,
        .simulation = &o->simulation,
        .method = o->method,
        .method_options = o->method_options.bytes,
        .options = &o->sampling,
        .communicator = run->communicator,
        .listener = &run->listener,
        .describe_strain = describe_strain,
        .advise_start = advise_start,
        .words_user = run,
    };
}

static cardo_status check_states(const sample_run *run, cardo_error *error)
{
    if (run->request.nbasin != 1)
        return CARDO_OK;
    CARDO_FAIL(error, CARDO_ERROR_INPUT,
               "states=\"%s\": one state is compared with nothing; give two or more, or none",
               run->options->profile.states);
    return cardo_study_blame(run->session->model, "sample", "states", error);
}

/* By stiffnesses all along the range: what is sampled is not only what is near the start. */
static cardo_status equalize(sample_run *run, cardo_result *into, cardo_error *error)
{
    const cardo_sample_options *o = run->options;
    if (o->method->stands)
        return CARDO_OK;
    const cardo_masses_use use = {.options = &o->masses,
                                  .simulation = &o->simulation,
                                  .integrator = o->integrator,
                                  .about = "sample",
                                  .variable = run->variable,
                                  .from = o->sampling.from,
                                  .to = o->sampling.to,
                                  .writer = run->writer};
    return cardo_masses_choose(run->session, &use, into, error);
}

/* Everything that can refuse the study before a force is computed, and then the study. */
static cardo_status create(sample_run *run, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    int speed = -1;
    CARDO_TRY(cardo_sample_request(run->options, run->session->model, run->goes_on, &run->request,
                                   error));
    CARDO_TRY(
        cardo_variable_from_options(run->session, &run->options->variable, &run->variable, error));
    if (cardo_variable_kind_of(run->variable) == &cardo_variable_coordinate)
        cardo_variable_speed(run->variable, &speed);
    CARDO_TRY(cardo_session_last_structures(run->session, speed, &run->other_start, error));
    CARDO_TRY(cardo_sample_record(run, cardo_writer_check, error));
    if (!run->goes_on && run->first)
        CARDO_TRY(cardo_strain_tell(run->session, "the start", false, error));
    run->listener = (cardo_sampling_listener){
        .user = run, .note = tell_note, .round = save_when_due, .progress = tell_preparation};
    cardo_sampling_plan plan = plan_of(run);
    CARDO_TRY(cardo_sampling_check(&plan, error));
    CARDO_TRY(cardo_estimate_check(&run->request, &plan, error));
    CARDO_TRY(check_states(run, error));
    CARDO_TRY(claim(run, error));
    CARDO_TRY(equalize(run, into, error));
    plan.provider = cardo_session_forces(run->session);
    CARDO_TRY(cardo_replicas_create(&plan, &run->replicas, error));
    run->sampling = cardo_replicas_study(run->replicas, 0);
    status = cardo_sample_identify(run, error);
done:
    return status;
}

static cardo_status open_series(sample_run *run, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int r = 0; r < cardo_replicas_count(run->replicas) && status == CARDO_OK; ++r)
        status = cardo_sample_series_open(&run->series[r], cardo_replicas_study(run->replicas, r),
                                          r, run->writer, NULL, error);
    return status == CARDO_OK ? cardo_sample_save(run, error) : status;
}

static cardo_status prepare(sample_run *run, cardo_error *error)
{
    cardo_status status =
        cardo_replicas_prepare(run->replicas, run->session->listener.stop, &run->end, error);
    /* What was prepared is kept unless it showed that the study cannot be. */
    cardo_writer_keep(run->writer, status == CARDO_OK || status == CARDO_ERROR_LOST ||
                                       status == CARDO_ERROR_FILE || status == CARDO_ERROR_MEMORY);
    if (status == CARDO_OK && run->first)
        status =
            run->end == CARDO_END_DONE ? open_series(run, error) : cardo_sample_save(run, error);
    return status;
}

/* Walkers, from the checkpoint or by the method. */
static cardo_status begin(sample_run *run, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (run->goes_on)
        status = cardo_sample_recall(run, error);
    if (status == CARDO_OK && run->first)
        status = cardo_sample_record(run, cardo_writer_begin, error);
    if (status == CARDO_OK && run->first && !run->goes_on)
        status = cardo_masses_keep(run->session->system, run->writer, error);
    if (status == CARDO_OK && run->first && !run->goes_on)
        status = cardo_sample_save(run, error);
    status = cardo_communicator_agree(run->communicator, status, error);
    run->end = CARDO_END_DONE;
    const bool prepared = cardo_replicas_are_prepared(run->replicas);
    cardo_writer_keep(run->writer, status == CARDO_OK && prepared);
    return status != CARDO_OK || prepared ? status : prepare(run, error);
}

static void tell_progress(const sample_run *run)
{
    const cardo_listener *listener = &run->session->listener;
    const long long stride = cardo_sampling_get_plan(run->sampling)->options->round;
    if (run->first && listener->progress && cardo_sampling_rounds(run->sampling) > 0)
        listener->progress(listener->user, run->options->method->stands ? "point" : "step",
                           cardo_sampling_round(run->sampling) * stride,
                           cardo_sampling_rounds(run->sampling) * stride);
}

/* What a round has left, by the first member. */
static cardo_status keep_round(sample_run *run, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int r = 0; r < cardo_replicas_count(run->replicas) && status == CARDO_OK; ++r)
        status = cardo_sample_series_add(&run->series[r], error);
    if (status != CARDO_OK)
        return status;
    return cardo_sampling_round(run->sampling) == cardo_sampling_rounds(run->sampling)
               ? cardo_sample_save(run, error)
               : save_when_due(run, error);
}

static void tell_pace(const sample_run *run)
{
    const cardo_listener *listener = &run->session->listener;
    const cardo_sample_options *o = run->options;
    if (run->first && listener->pace && !o->method->stands &&
        !cardo_system_mass_matrix(run->session->system))
        listener->pace(listener->user, o->simulation.timestep *
                                           cardo_sampling_crew(run->sampling)->nwalker *
                                           cardo_replicas_count(run->replicas));
}

static cardo_status run_rounds(sample_run *run, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_sampling *s = run->sampling;
    tell_pace(run);
    tell_progress(run);
    while (status == CARDO_OK && run->end == CARDO_END_DONE &&
           cardo_sampling_round(s) < cardo_sampling_rounds(s)) {
        status =
            cardo_replicas_advance(run->replicas, run->session->listener.stop, &run->end, error);
        if (status == CARDO_OK && run->end == CARDO_END_DONE && run->first)
            status = keep_round(run, error);
        tell_progress(run);
    }
    /* A round that was cut short is not there: what was before it is. */
    if (status == CARDO_OK && run->end == CARDO_END_INTERRUPTED && run->first)
        status = cardo_sample_save(run, error);
    return status;
}

static cardo_status close_series(sample_run *run, cardo_error *error)
{
    cardo_status first = CARDO_OK;
    for (int r = 0; r < CARDO_MOST_REPLICAS; ++r) {
        cardo_status status =
            cardo_sample_series_close(&run->series[r], first == CARDO_OK ? error : NULL);
        first = first == CARDO_OK ? status : first;
    }
    return first;
}

static cardo_status conclude(sample_run *run, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    const bool interrupted = run->end == CARDO_END_INTERRUPTED;
    cardo_result_text(into, &(cardo_quantity){"model"}, run->session->model->name);
    cardo_result_truth(into, &(cardo_quantity){"interrupted"}, interrupted);
    cardo_result_integer(into, &(cardo_quantity){"rounds_done"},
                         cardo_sampling_round(run->sampling));
    cardo_result_integer(into, &(cardo_quantity){"rounds"}, cardo_sampling_rounds(run->sampling));
    cardo_result_number(into, &(cardo_quantity){"elapsed_s", "elapsed time", "s", ".1f"},
                        run->elapsed);
    if (interrupted)
        return cardo_result_status(into, error);
    CARDO_TRY(cardo_ligands_fill(run->session, run->options->simulation.temperature, into, error));
    CARDO_TRY(cardo_sample_fill(run, into, error));
    CARDO_TRY(cardo_writer_result(run->writer, into, NULL, error));
    status = cardo_writer_picture(run->writer, "free energy", into, error);
done:
    return status;
}

static cardo_status along_variable(sample_run *run, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(create(run, into, error));
    const double started = cardo_clock();
    CARDO_TRY(begin(run, error));
    if (run->end == CARDO_END_DONE)
        CARDO_TRY(run_rounds(run, error));
    run->elapsed = cardo_clock() - started;
    CARDO_TRY(close_series(run, error));
    if (run->first)
        status = conclude(run, into, error);
done:
    return status;
}

static void clear(sample_run *run)
{
    close_series(run, NULL);
    cardo_replicas_destroy(run->replicas);
    cardo_variable_destroy(run->variable);
    cardo_state_destroy(run->other_start);
    cardo_free(run->forces);
    cardo_free(run->identity);
}

static cardo_status run_study(cardo_session *session, const void *given, cardo_result *into,
                              cardo_error *error)
{
    cardo_status status;
    cardo_sample_options *options;
    CARDO_TRY(CARDO_ALLOCATE(&options, 1, error));
    memcpy(options, given, sizeof *options);
    sample_run run = {.session = session,
                      .options = options,
                      .communicator = session->communicator,
                      .writer = options->writer,
                      .first = cardo_communicator_rank(session->communicator) == 0,
                      .goes_on = cardo_writer_goes_on(options->writer)};
    if (options->method)
        status = along_variable(&run, into, error);
    else if (run.first)
        status = cardo_sample_mixed(&run, into, error);
    clear(&run);
done:
    cardo_free(options);
    return cardo_communicator_agree(session->communicator, status, error);
}

static const cardo_option_choice *const choices[] = {&cardo_choice_of_method,
                                                     &cardo_choice_of_integrator, NULL};

static const cardo_field *const walkers[] = {cardo_profile_fields, cardo_sampling_fields,
                                             cardo_simulation_fields, cardo_masses_fields};
enum { WALKER_TABLES = sizeof walkers / sizeof *walkers };

/* Tables of the kind of study that was not chosen, mixed or along a variable, may stand in the model file too. */
static int choose(void *given, const int *chosen, cardo_option_target *target)
{
    cardo_sample_options *options = given;
    options->method = cardo_sampling_methods[chosen[0]]; /* after the last one: mixed */
    options->integrator = cardo_integrators[chosen[1]];
    int n = cardo_sample_tables(options, target);
    if (options->method)
        target[n++] = (cardo_option_target){cardo_mixed_study_fields, NULL};
    for (int k = 0; !options->method && k < WALKER_TABLES; ++k)
        target[n++] = (cardo_option_target){walkers[k], NULL};
    return n;
}

static const cardo_option_group groups[] = {
    {"<sample> options", cardo_profile_fields},
    {"<sample> options for the variable", cardo_variable_fields},
    {"<sample> options of all methods", cardo_sampling_fields},
    {"<sample> options for the walkers", cardo_simulation_fields},
    {"<sample> options for the walkers' masses", cardo_masses_fields},
    {"<sample> options of method=\"umbrella\"", cardo_umbrella_fields},
    {"<sample> options of method=\"metadynamics\"", cardo_metadynamics_fields},
    {"<sample> options of method=\"adaptive-force\"", cardo_adaptive_force_fields},
    {"<sample> options of method=\"mixed\"", cardo_mixed_study_fields},
    {"<sample> options for the moves of method=\"mixed\"", cardo_mixed_fields},
    {"<sample> options of method=\"scan\"", cardo_scan_fields},
    {NULL, NULL},
};

const cardo_study cardo_study_sample = {
    .name = "sample",
    .doc = "free energy along a coordinate, distance, angle or RMSD, with error bars",
    .needs = CARDO_STUDY_NEEDS_FORCES,
    .options_size = sizeof(cardo_sample_options),
    .groups = groups,
    .checkpoint = CARDO_SAMPLE_CHECKPOINT,
    .choices = choices,
    .choose = choose,
    .writer = offsetof(cardo_sample_options, writer),
    .run = run_study,
};
