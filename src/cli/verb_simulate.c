/* cardo simulate: dynamics of a model, with its files in a run folder. */
#include "cli/dynamics_verb.h"
#include "cli/opening.h"
#include "cli/start.h"
#include "study/dynamics/simulate.h"

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    static const cardo_dynamics_verb simulate = {
        .study = &cardo_study_simulate,
        .dynamics = offsetof(cardo_simulate_options, dynamics),
        .suffix = ".run",
        .picture = "trajectory.png",
    };
    return cardo_dynamics_verb_run(command, &simulate, error);
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
    .run = run,
};
