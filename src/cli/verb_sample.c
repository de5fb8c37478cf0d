/* cardo sample: free energy along a variable of a model. */
#include "cli/frame/home.h"
#include "cli/frame/opening.h"
#include "cli/frame/start.h"
#include "cli/frame/study_verb.h"
#include <cardo/result_text.h>

#include <limits.h>
#include <stdio.h>

/* States one by one, and the verdict. */
static void say(const cardo_command *command, const cardo_result *result)
{
    (void)command;
    cardo_result_say_rows(stdout, cardo_result_find(result, "states"), "[{verdict}\n]", LLONG_MAX);
    const cardo_result *verdict = cardo_result_find(result, "verdict");
    if (verdict) {
        char typed[8192];
        snprintf(typed, sizeof typed, "%s", cardo_result_as_texts(verdict)[0]);
        cardo_spell_settings(typed, sizeof typed);
        fputs(typed, stdout);
    }
    if (!cardo_result_find(result, "u_kn"))
        cardo_result_say(stdout, result,
                         "[--set sample.u-kn=yes writes the reduced energies, {window_count} x "
                         "{sample_count}, for pymbar\n]");
}

static cardo_status judge(const cardo_result *result, cardo_error *error)
{
    const cardo_result *rounds = cardo_result_find(result, "rounds"),
                       *done = cardo_result_find(result, rounds ? "rounds_done" : "cycles_done");
    if (!cardo_result_as_truths(cardo_result_find(result, "interrupted"))[0])
        return CARDO_OK;
    const long long reached = cardo_result_as_integers(done)[0];
    return rounds
               ? CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                            "interrupted after %.3g %% of the run; a checkpoint is written, "
                            "--continue goes on",
                            100.0 * (double)reached / (double)cardo_result_as_integers(rounds)[0])
               : CARDO_FAIL(
                     error, CARDO_ERROR_INTERRUPTED,
                     "interrupted at cycle %lld; a checkpoint is written, --continue goes on",
                     reached);
}

static const cardo_study_file files[] = {
    {"pmf.csv", "free energy along {variable} with error bars"},
    {"replicas.csv",
     "the same of each replica; their samples and windows have files that end in .2"},
    {"states.csv", "free energies of the states"},
    {"windows.csv", "samples of each window; overlap.csv: how windows overlap"},
    {"convergence.csv", "the second state against the first from parts of the run"},
    {"scan.csv", "energy by term, force, loads on hinges and worst contact by point"},
    {"scan-down.csv", "the same of the way back"},
    {"COLVAR", "all samples, as PLUMED writes them"},
    {"HILLS", "all hills, as PLUMED writes them"},
    {"u_kn.npy", "reduced energies ({window_count} x {sample_count}) with N_k.npy, for pymbar"},
    {"trajectory.nc", "the motion; open it with the topology in VMD, PyMOL or ChimeraX"},
    {"topology.*", "the atoms of the motion"},
    {"checkpoint.cardo",
     "[all {places} points: cardo sample ... --continue, with other bins or states][to go on: "
     "cardo sample ... --continue, with more than {steps} steps][to go on: cardo sample ... "
     "--continue, with more than {cycles_done} cycles]"},
    {"run.json", "versions and options of this run"},
    {"pmf.png", "pictures (also .svg; drawn by plot.gp)"},
    {"plot.gp", "makes the pictures where gnuplot is installed"},
    {NULL, NULL},
};

static const cardo_study_verb of_study = {
    .study = "sample",
    .suffix = ".sampled",
    .processes = CARDO_ONE_A_CORE,
    .sentence = "[{interrupted?interrupted|done} after {cycles_done} cycles and {evaluations} "
                "evaluations of the forces: {elapsed_s} s\n][{walkers} walker{walkers#s} of "
                "{steps} steps ({time_ps} ps each): {elapsed_s} s\n][{report}][the ways up and "
                "down differ by {hysteresis_kJ_per_mol} kJ/mol at most, at {variable} = "
                "{hysteresis_at}\n][{minima_not_found} minima were not found within "
                "relax-iterations: there U is an upper bound\n][worst of all: {worst_contact}\n][F "
                "is known to {worst_sigma_kJ_per_mol} kJ/mol ({worst_sigma_kT} kT) or better where "
                "it is within 20 kT of its lowest (worst at {worst_sigma_at})\n][{samples} "
                "samples, worth {independent_samples} independent ones\n]",
    .say = say,
    .files = files,
    .judge = judge,
};

static const cardo_option options[] = {
    CARDO_RUN_OPTIONS(".sampled"),
    {"processes", 'j', "N",
     "processes that share the walkers (default: one a core; under mpirun or srun its ranks)"},
    CARDO_MOTION_OPTIONS,
    CARDO_START_OPTIONS,
    CARDO_MODEL_OPTIONS,
    {"json", 0, NULL, "print the profile as JSON"},
    {"quiet", 'q', NULL, "no progress and no summary"},
    {0},
};

const cardo_verb cardo_verb_sample = {
    .name = "sample",
    .synopsis = "MODEL.xml [options]",
    .summary = "free energy along a coordinate, distance, angle or RMSD, with error bars",
    .description =
        "The quickest ways first: --set sample.method=scan computes the free energy along one "
        "hinge of a model without other motions from energies at points along it, in seconds, and "
        "--set forcefield.table=-0.1:1.1 tabulates the forces over that range of the coordinate, "
        "after which steps of all methods cost microseconds. In general: runs the model's <sample> "
        "study: walkers (simulations under a bias, by any integrator with a thermostat) along one "
        "variable, by method=\"umbrella\", \"metadynamics\" or \"adaptive-force\", then the free "
        "energy F along the variable and between states, with standard errors that know of "
        "correlation and, apart from that, by bootstrap. The whole study is made twice (replicas), "
        "from the start and from the far end of the range; by how much they disagree is part of "
        "the error. Walkers are shared out over processes, or over MPI ranks under mpirun or srun; "
        "results do not depend on how many. What cannot succeed (windows that do not overlap, a "
        "start in a clash or outside of the range) is refused after a short probe. "
        "method=\"mixed\" has no bias and moves all atoms: hybrid Monte Carlo of the joints and of "
        "all atoms by turns, in one process, both exact for the Boltzmann density of the atoms. "
        "Samples go to COLVAR, and hills to HILLS, while it runs. A run that was interrupted, or "
        "killed, goes on with --continue.",
    .options = options,
    .tables = "sample",
    .study = &of_study,
    .run = cardo_study_verb_run,
};
