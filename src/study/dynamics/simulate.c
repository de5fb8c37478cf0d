#include "study/dynamics/simulate.h"

#include "study/session/study.h"

static int choose(void *given, const int *chosen, cardo_option_target *target)
{
    cardo_simulate_options *options = given;
    options->dynamics.integrator = cardo_integrators[chosen[0]];
    target[0] = (cardo_option_target){cardo_events_fields, &options->events};
    target[1] = (cardo_option_target){cardo_masses_fields, &options->masses};
    return cardo_dynamics_targets(&options->dynamics, 2, target);
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    cardo_status status;
    cardo_watch watch = {0};
    const cardo_simulate_options *options = given;
    const cardo_record_options own[] = {{cardo_events_fields, &options->events},
                                        {cardo_masses_fields, &options->masses}};
    cardo_dynamics d = {.session = session,
                        .study = "simulate",
                        .options = &options->dynamics,
                        .nown = 2,
                        .own = own,
                        .masses = &options->masses};
    CARDO_TRY(cardo_dynamics_create(&d, into, error));
    CARDO_TRY(cardo_watch_add(&options->events, d.simulation, &watch, error));
    CARDO_TRY(cardo_dynamics_perform(&d, error));
    cardo_dynamics_fill(&d, NULL, into);
    CARDO_TRY(cardo_result_status(into, error));
    status = cardo_writer_picture(options->dynamics.writer, "trajectory", into, error);
done:
    cardo_dynamics_clear(&d);
    return status;
}

static const cardo_option_choice *const choices[] = {&cardo_choice_of_integrator, NULL};

static const cardo_option_group groups[] = {
    {"<simulate> options", cardo_simulation_fields},
    {"<simulate> options for output", cardo_recorder_fields},
    {"<simulate> options for clashes and torn bonds", cardo_strain_fields},
    {"<simulate> options for events", cardo_events_fields},
    {"<simulate> options for masses", cardo_masses_fields},
    {NULL, NULL},
};

const cardo_study cardo_study_simulate = {
    .name = "simulate",
    .doc = "run dynamics of a model under its forces",
    .needs = CARDO_STUDY_NEEDS_FORCES,
    .options_size = sizeof(cardo_simulate_options),
    .groups = groups,
    .options = {{cardo_simulation_fields, offsetof(cardo_simulate_options, dynamics) +
                                              offsetof(cardo_dynamics_options, simulation)},
                {cardo_recorder_fields, offsetof(cardo_simulate_options, dynamics) +
                                            offsetof(cardo_dynamics_options, files)},
                {cardo_strain_fields, offsetof(cardo_simulate_options, dynamics) +
                                          offsetof(cardo_dynamics_options, strain)},
                {cardo_events_fields, offsetof(cardo_simulate_options, events)},
                {cardo_masses_fields, offsetof(cardo_simulate_options, masses)}},
    .writer = offsetof(cardo_simulate_options, dynamics) + offsetof(cardo_dynamics_options, writer),
    .checkpoint = CARDO_CHECKPOINT_NAME,
    .choices = choices,
    .choose = choose,
    .run = run,
};
