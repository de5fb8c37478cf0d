/* cardo simulate: dynamics of a model, with its files in a run folder. */
#include "cli/dynamics_run.h"
#include "cli/events.h"
#include "cli/gnuplot.h"
#include "cli/opening.h"
#include "cli/start.h"
#include "io/plots/plot.h"

/* A run and what it watches for. */
typedef struct watched_run {
    cardo_dynamics_run run;
    cardo_events_options events;
    cardo_watch watch;
} watched_run;

static cardo_status simulate(const cardo_command *command, watched_run *watched, cardo_error *error)
{
    cardo_status status;
    cardo_dynamics_run *run = &watched->run;
    const cardo_option_target own = {cardo_events_fields, &watched->events};
    bool quiet = cardo_command_has(command, "quiet"), drawn = false;
    CARDO_TRY(cardo_dynamics_claim(command, run, ".run", error));
    CARDO_TRY(cardo_command_open(run->command, true, &run->session, error));
    CARDO_TRY(cardo_dynamics_options(run, 1, &own, error));
    CARDO_TRY(cardo_dynamics_create(run, 1, &own, error));
    CARDO_TRY(cardo_watch_add(&watched->events, run->simulation, &watched->watch, error));
    CARDO_TRY(cardo_dynamics_perform(run, 1, &own, error));
    CARDO_TRY(cardo_plot_write(run->folder, run->session->model->name, error));
    CARDO_TRY(cardo_gnuplot_run(run->folder, &drawn, error));
    if (!quiet)
        cardo_dynamics_conclude(run, drawn);
    CARDO_TRY(cardo_dynamics_interruption(run, error));
done:
    return status;
}

static cardo_status run_verb(const cardo_command *command, cardo_error *error)
{
    watched_run watched = {.run = {.verb = "simulate"}};
    cardo_status status = simulate(command, &watched, error);
    cardo_dynamics_clear(&watched.run);
    return status;
}

static const cardo_option options[] = {
    CARDO_DYNAMICS_OPTIONS(".run"),
    {0},
};

static const cardo_option_group groups[] = {
    {"<simulate> options", cardo_simulation_fields},
    {"<simulate> options for output", cardo_recorder_fields},
    {"<simulate> options for what is impossible", cardo_strain_fields},
    {"<simulate> options for events", cardo_events_fields},
    {NULL, NULL},
};

const cardo_verb cardo_verb_simulate = {
    .name = "simulate",
    .synopsis = "MODEL.xml [options]",
    .summary = "run dynamics of a model under atomistic forces",
    .description = "Runs the model's <simulate> study: one evaluation of the atomistic forces a "
                   "step, mapped to the "
                   "generalized coordinates. The run folder receives trajectory.csv (time, "
                   "energies by term, temperature, every q and u, "
                   "generalized forces on path coordinates), the trajectory with topology.pdb "
                   "(.cif where a PDB file has no room for the structure), a "
                   "checkpoint, run.json and the pictures. "
                   "integrator=\"...\" chooses the integrator (cardo list integrators).",
    .options = options,
    .groups = groups,
    .run = run_verb,
};
