/* cardo simulate: dynamics of a model, with its files in a run folder. */
#include "cli/dynamics_report.h"
#include "cli/frame/opening.h"
#include "cli/frame/start.h"
#include "cli/frame/study_verb.h"

static const cardo_option options[] = {
    CARDO_DYNAMICS_OPTIONS(".run"),
    {0},
};

static const cardo_study_file files[] = {
    CARDO_DYNAMICS_FILES("simulate", "trajectory.png"),
    {NULL, NULL},
};

static const cardo_study_verb of_study = {
    .study = "simulate",
    .suffix = ".run",
    .opening = CARDO_DYNAMICS_OPENING,
    .say = cardo_dynamics_say,
    .files = files,
    .judge = cardo_dynamics_judge,
};

const cardo_verb cardo_verb_simulate = {
    .name = "simulate",
    .synopsis = "MODEL.xml [options]",
    .summary = "run dynamics of a model under atomistic forces",
    .description =
        "Runs the model's <simulate> study: one evaluation of the atomistic forces a step, mapped "
        "to the generalized coordinates. The run folder receives trajectory.csv (time, energies by "
        "term, temperature, every q and u, generalized forces on path coordinates), the trajectory "
        "with topology.pdb (.cif where a PDB file has no room for the structure), a checkpoint, "
        "run.json and the pictures. --set simulate.integrator=NAME chooses the integrator (cardo "
        "list integrators).",
    .options = options,
    .tables = "simulate",
    .study = &of_study,
    .run = cardo_study_verb_run,
};
