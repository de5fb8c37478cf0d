/* cardo sample: free energy along a variable of a model. */
#include "base/number.h"
#include "base/units.h"
#include "cli/mixed_run.h"
#include "cli/opening.h"
#include "cli/parallel.h"
#include "cli/sample_files.h"
#include "cli/sample_run.h"
#include "io/results/json.h"
#include "sampling/methods/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_json(const cardo_sample_run *run, const cardo_sample_results *results)
{
    const cardo_estimate *e = &results->estimate;
    cardo_json *json = cardo_json_object(), *xi = cardo_json_array(), *F = cardo_json_array(),
               *sigma = cardo_json_array(), *states = cardo_json_array();
    for (int b = 0; b < e->bins.n; ++b) {
        cardo_json_number(xi, NULL, e->xi[b]);
        cardo_json_number(F, NULL, e->kT * e->F[b]);
        cardo_json_number(sigma, NULL, e->kT * e->sigma[b]);
    }
    for (int b = 0; !e->halves && b < e->nbasin; ++b) {
        cardo_json *state = cardo_json_object();
        cardo_json_number(state, "from", e->basin[2 * b]);
        cardo_json_number(state, "to", e->basin[2 * b + 1]);
        cardo_json_number(state, "F_kJ_per_mol", e->kT * e->basin_F[b]);
        cardo_json_number(state, "sigma_kJ_per_mol", e->kT * e->basin_sigma[b]);
        cardo_json_integer(state, "bins", e->basin_bins[b]);
        cardo_json_integer(state, "bins_not_sampled", e->basin_empty[b]);
        cardo_json_put(states, NULL, state);
    }
    cardo_json_string(json, "method", cardo_sampling_method_name(run->method));
    cardo_json_string(json, "variable", cardo_variable_name(run->variable));
    cardo_json_string(json, "unit", cardo_variable_unit(run->variable));
    cardo_json_put(json, "xi", xi);
    cardo_json_put(json, "F_kJ_per_mol", F);
    cardo_json_put(json, "sigma_kJ_per_mol", sigma);
    cardo_json_put(json, "states", states);
    if (e->remark)
        cardo_json_string(json, "remark", e->remark);
    else
        cardo_json_bool(json, "converged", results->verdict == CARDO_VERDICT_CONVERGED);
    cardo_json_integer(json, "replicas", results->nreplica);
    cardo_json_string(json, "verdict", results->words);
    cardo_json_string(json, "folder", run->folder);
    cardo_json_print(json, stdout);
}

static void print_files(const cardo_sample_run *run, const cardo_sample_results *results)
{
    const cardo_estimate *e = &results->estimate, *part = &results->part[0];
    printf("%s/\n  pmf.csv            free energy along %s with error bars\n", run->folder,
           cardo_variable_name(run->variable));
    if (results->nreplica > 1)
        printf("  replicas.csv       the same of each replica; their samples and windows have "
               "files that "
               "end in .2\n");
    if (e->nbasin > 0 && !e->halves)
        printf("  states.csv         free energies of the states\n");
    if (part->nwindow > 0)
        printf("  windows.csv        samples of each window; overlap.csv: how windows overlap\n");
    if (e->npart > 0)
        printf("  convergence.csv    the second state against the first from parts of the run\n");
    if (run->method->stands)
        printf("  scan.csv           energy by term, force, loads on hinges and worst contact by "
               "place%s\n",
               cardo_scan_options_of(run->sampling)->relaxed ? "; scan-down.csv: the way back"
                                                             : "");
    else
        printf("  COLVAR             all samples, as PLUMED writes them\n");
    if (run->method == &cardo_sampling_metadynamics)
        printf("  HILLS              all hills, as PLUMED writes them\n");
    if (results->wrote_u_kn)
        printf("  u_kn.npy           reduced energies (%d x %d) with N_k.npy, for pymbar\n",
               part->nwindow, part->nsample);
    else if (part->nwindow > 0)
        printf("  (u-kn=\"yes\" writes the reduced energies, %d x %d, for pymbar)\n", part->nwindow,
               part->nsample);
    printf("  checkpoint.cardo   %s\n",
           run->method->stands
               ? "all places: cardo sample ... --continue, with other bins or states"
               : "to go on: cardo sample ... --continue, with more steps");
    printf("  run.json           versions and options of this run\n");
    if (results->drawn)
        printf("  pmf.png            pictures (also .svg; drawn by plot.gp)\n");
    else
        printf("  plot.gp            makes the pictures where gnuplot is installed\n");
}

/* A difference, or why there is none. */
static void print_state(const cardo_estimate *e, int b)
{
    const double from = e->basin[2 * b], to = e->basin[2 * b + 1];
    if (e->basin_empty[b] > 0)
        cardo_print(
            stdout,
            "state %g to %g is not sampled: %d of its %d bins %s no samples, or a single one, so "
            "its free energy is not known\n",
            from, to, e->basin_empty[b], e->basin_bins[b], e->basin_empty[b] > 1 ? "have" : "has");
    else if (isfinite(e->basin_F[b]) && b > 0)
        cardo_print(stdout, "state %g to %g lies %+.3f +- %.*f kJ/mol from %g to %g\n", from, to,
                    e->kT * e->basin_F[b], e->kT * e->basin_sigma[b] < 5e-4 ? 9 : 3,
                    e->kT * e->basin_sigma[b], e->basin[0], e->basin[1]);
    else if (b > 0)
        cardo_print(stdout, "how far state %g to %g lies from %g to %g is not known: %s\n", from,
                    to, e->basin[0], e->basin[1],
                    e->basin_empty[0] > 0 ? "that one is not sampled"
                                          : "too few samples to know an error");
}

static void conclude(const cardo_sample_run *run, const cardo_sample_results *results)
{
    const cardo_estimate *e = &results->estimate;
    const cardo_crew *crew = cardo_sampling_crew(run->sampling);
    char report[2048];
    double place;
    const long long steps = cardo_sampling_round(run->sampling) * run->options.round;
    const int nreplica = results->nreplica;
    if (run->method->stands)
        cardo_scan_words_print(&results->scan, cardo_variable_name(run->variable));
    else if (steps > 0)
        cardo_print(stdout, "%d walker%s of %lld steps (%g ps each): %.1f s\n",
                    nreplica * crew->nwalker, nreplica * crew->nwalker > 1 ? "s" : "", steps,
                    run->simulation.timestep * (double)steps, run->seconds);
    for (int r = 0; !run->method->stands && r < nreplica; ++r) {
        cardo_sampling_report(cardo_replicas_study(run->replicas, r), report, sizeof report);
        if (nreplica > 1 && *report)
            printf("replica %d: ", r + 1);
        printf("%s", report);
    }
    double worst = cardo_sample_worst(e, 20, &place);
    if (worst > 0 && !run->method->stands)
        cardo_print(stdout,
                    "F is known to %.2f kJ/mol (%.2f kT) or better where it is within 20 kT of its "
                    "lowest (worst at %.4g)\n",
                    e->kT * worst, worst, place);
    for (int b = 0; !e->halves && b < e->nbasin; ++b)
        print_state(e, b);
    printf("%s", results->words);
    print_files(run, results);
}

static cardo_status interruption(const cardo_sample_run *run, cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                      "interrupted after %lld of %lld rounds; a checkpoint is written, --continue "
                      "goes on",
                      cardo_sampling_round(run->sampling), cardo_sampling_rounds(run->sampling));
}

/* Of a member that was lost: what there is to go on from. */
static cardo_status add_remedy(const cardo_sample_run *run, cardo_status status, cardo_error *error)
{
    if (status != CARDO_ERROR_LOST || !cardo_sample_is_first(run) || !run->home.begun)
        return status;
    char reason[CARDO_ERROR_MESSAGE_SIZE];
    snprintf(reason, sizeof reason, "%s", error->message);
    return CARDO_FAIL(error, status,
                      "%.1500s; the checkpoint is of before: --continue goes on from it", reason);
}

static cardo_status work(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    cardo_status status;
    cardo_sample_run *run = arg;
    cardo_sample_results results = {0};
    run->communicator = communicator;
    const bool first = cardo_sample_is_first(run);
    bool json = false;
    /* What the readers remark upon is told once. */
    if (!first && !freopen("/dev/null", "w", stderr))
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "/dev/null cannot be opened");
    CARDO_TRY(cardo_sample_claim(run, error));
    json = cardo_command_has(run->command, "json");
    run->quiet = !first || json || cardo_command_has(run->command, "quiet");
    CARDO_TRY(cardo_command_begin(run->command, true, run->quiet, &run->session, error));
    if (cardo_mixed_is_wanted(run->session->model, "sample")) {
        if (first)
            status = cardo_mixed_run(&run->home, run->session, "sample", error);
        status = cardo_communicator_agree(communicator, status, error);
        goto done;
    }
    CARDO_TRY(cardo_session_build(run->session, error));
    CARDO_TRY(cardo_sample_read_options(run, error));
    CARDO_TRY(cardo_sample_create(run, error));
    CARDO_TRY(cardo_sample_perform(run, error));
    if (run->end == CARDO_END_INTERRUPTED)
        status = interruption(run, error);
    else if (first)
        status = cardo_sample_write(run, &results, error);
    status = cardo_communicator_agree(communicator, status, error);
    if (status == CARDO_OK && first && json)
        print_json(run, &results);
    else if (status == CARDO_OK && !run->quiet)
        conclude(run, &results);
done:
    if (status == CARDO_ERROR_LOST)
        status = add_remedy(run, status, error);
    cardo_sample_results_clear(&results);
    cardo_sample_clear(run);
    return status;
}

static cardo_status run_verb(const cardo_command *command, cardo_error *error)
{
    cardo_sample_run run = {.command = command};
    const char *given = cardo_command_value(command, "processes");
    int nprocess = 0;
    if (given && (!cardo_parse_int(given, (int)strlen(given), &nprocess) || nprocess < 1))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--processes %s is not a number above zero",
                          given);
    return cardo_parallel_run(nprocess, work, &run, error);
}

static const cardo_option options[] = {
    {"out", 'o', "FOLDER", "run folder (default: the model file's name with .sampled)"},
    {"continue", 'c', NULL,
     "go on from the folder's checkpoint, bitwise as if never stopped, with the options that the "
     "run was begun with: only "
     "what is new is said, such as --set sample.steps=N"},
    {"force", 'f', NULL, "start over although the folder holds a run"},
    {"processes", 'n', "N",
     "processes that share the walkers (default: one a core; under mpirun or srun its ranks)"},
    CARDO_START_OPTIONS,
    CARDO_MODEL_OPTIONS,
    {"json", 'j', NULL, "print the profile as JSON"},
    {"quiet", 'q', NULL, "no progress and no summary"},
    {0},
};

static const cardo_option_group groups[] = {
    {"<sample> options", cardo_sample_fields},
    {"<sample> options for the variable", cardo_variable_fields},
    {"<sample> options of all methods", cardo_sampling_fields},
    {"<sample> options for the walkers", cardo_simulation_fields},
    {"<sample> options of method=\"umbrella\"", cardo_umbrella_fields},
    {"<sample> options of method=\"metadynamics\"", cardo_metadynamics_fields},
    {"<sample> options of method=\"adaptive-force\"", cardo_adaptive_force_fields},
    {"<sample> options of method=\"mixed\"", cardo_mixed_study_fields},
    {"<sample> options for the moves of method=\"mixed\"", cardo_mixed_fields},
    {"<sample> options of method=\"scan\"", cardo_scan_fields},
    {NULL, NULL},
};

const cardo_verb cardo_verb_sample = {
    .name = "sample",
    .synopsis = "MODEL.xml [options]",
    .summary = "free energy along a coordinate, distance, angle or RMSD, with error bars",
    .description =
        "Runs the model's <sample> study: walkers (simulations under a bias, by any integrator "
        "with "
        "a thermostat) along one variable, by method=\"umbrella\", \"metadynamics\" or "
        "\"adaptive-force\", then the free "
        "energy F along the variable and between states, with standard errors that know of "
        "correlation and, apart from that, by bootstrap. The whole study is made twice (replicas), "
        "from the start and from the far end of the range; by how much they disagree is part of "
        "the error. Walkers are shared out over processes, or "
        "over MPI ranks under mpirun or srun; results do not depend on how many. What cannot "
        "succeed (windows that do not overlap, a start in a clash or outside of the range) is "
        "refused after a short probe. method=\"mixed\" has no bias and moves all atoms: hybrid "
        "Monte "
        "Carlo of the joints and of all atoms by turns, in one process, both exact for the "
        "Boltzmann density of the atoms. Samples go to COLVAR, and hills to HILLS, while it runs. "
        "A run that was interrupted, or killed, goes on with "
        "--continue.",
    .options = options,
    .groups = groups,
    .run = run_verb,
};
