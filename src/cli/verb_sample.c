/* cardo sample: free energy along a variable of a model. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "cli/gnuplot.h"
#include "cli/home.h"
#include "cli/interrupt.h"
#include "cli/opening.h"
#include "cli/parallel.h"
#include "cli/start.h"
#include "io/results/result_printer.h"
#include "io/results/result_text.h"
#include "study/sample/options.h"
#include "study/session/study.h"

#include <stdio.h>
#include <string.h>

/* What a member of the team has, with one owner. */
typedef struct errand {
    const cardo_command *command; /* to be obeyed: the run's own and what is said anew */
    cardo_communicator *communicator;
    bool first; /* the member that speaks and writes */
    cardo_home home;
    cardo_session *session;
    cardo_sample_options options;
    cardo_result *result;
    double seconds; /* of the study */
    bool drawn;
} errand;

/* Files, as the parts of the result that are in them. */
static const struct {
    const char *part, *line;
} files[] = {
    {"profile", "pmf.csv            free energy along {variable} with error bars"},
    {"replica_profiles", "replicas.csv       the same of each replica; their samples and windows "
                         "have files that end in .2"},
    {"states/F_kJ_per_mol", "states.csv         free energies of the states"},
    {"windows", "windows.csv        samples of each window; overlap.csv: how windows overlap"},
    {"convergence", "convergence.csv    the second state against the first from parts of the run"},
    {"scan",
     "scan.csv           energy by term, force, loads on hinges and worst contact by place"},
    {"scan_down", "scan-down.csv      the same of the way back"},
};

static bool has(const errand *e, const char *part)
{
    return cardo_result_find(e->result, part) != NULL;
}

static bool is_method(const errand *e, const char *name)
{
    return strcmp(cardo_result_as_texts(cardo_result_find(e->result, "method"))[0], name) == 0;
}

static void say_files(const errand *e)
{
    char line[160];
    const bool mixed = is_method(e, CARDO_MIXED_METHOD), scan = has(e, "scan");
    printf("%s/\n", e->home.run.folder.path);
    for (int k = 0; k < (int)(sizeof files / sizeof *files); ++k) {
        snprintf(line, sizeof line, "  %s\n", files[k].line);
        if (has(e, files[k].part))
            cardo_result_say(stdout, e->result, line);
    }
    if (!scan)
        printf("  COLVAR             all samples, as PLUMED writes them\n");
    if (is_method(e, "metadynamics"))
        printf("  HILLS              all hills, as PLUMED writes them\n");
    cardo_result_say(stdout, e->result,
                     has(e, "u_kn")
                         ? "  u_kn.npy           reduced energies ({window_count} x "
                           "{sample_count}) with N_k.npy, for pymbar\n"
                         : "  (u-kn=\"yes\" writes the reduced energies, {window_count} x "
                           "{sample_count}, for pymbar)\n");
    if (mixed)
        printf("  trajectory.nc      the motion; open it with topology.%s in VMD, PyMOL or "
               "ChimeraX\n",
               cardo_folder_structure(e->home.run.folder.path, "topology"));
    printf("  checkpoint.cardo   %s\n  run.json           versions and options of this run\n%s",
           scan    ? "all places: cardo sample ... --continue, with other bins or states"
           : mixed ? "to go on: cardo sample ... --continue, with more cycles"
                   : "to go on: cardo sample ... --continue, with more steps",
           e->drawn ? "  pmf.png            pictures (also .svg; drawn by plot.gp)\n"
                    : "  plot.gp            makes the pictures where gnuplot is installed\n");
}

/* How far it came, in how long. */
static void say_course(const errand *e)
{
    const bool done = !cardo_result_as_truths(cardo_result_find(e->result, "interrupted"))[0];
    if (has(e, "cycles_done")) {
        fputs(done ? "done" : "interrupted", stdout);
        cardo_result_say(stdout, e->result,
                         " after {cycles_done} cycles and {evaluations} evaluations of the forces");
    } else {
        cardo_result_say(stdout, e->result,
                         "{walkers} walker{walkers#s} of {steps} steps ({time_ps} ps each)");
    }
    if (has(e, "cycles_done") || has(e, "walkers"))
        cardo_print(stdout, ": %.1f s\n", e->seconds);
    cardo_result_say(stdout, e->result, "{report}");
}

static void say(const errand *e)
{
    say_course(e);
    cardo_result_say(
        stdout, e->result,
        "[the ways up and down differ by {hysteresis_kJ_per_mol} kJ/mol at most, at {variable} = "
        "{hysteresis_at}\n]"
        "[{minima_not_found} minima were not found within relax-iterations: there U is an upper "
        "bound\n]"
        "[worst contact: {worst_contact}\n]"
        "[F is known to {worst_sigma_kJ_per_mol} kJ/mol ({worst_sigma_kT} kT) or better where it "
        "is within 20 kT of its lowest (worst at {worst_sigma_at})\n]"
        "[{samples} samples, worth {independent_samples} independent ones\n]");
    cardo_result_say_rows(stdout, cardo_result_find(e->result, "states"), "[{verdict}\n]", 1000);
    cardo_result_say(stdout, e->result, "{verdict}");
    say_files(e);
}

static cardo_status report(errand *e, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_gnuplot_run(e->home.run.folder.path, &e->drawn, error));
    cardo_result_text(e->result, &(cardo_quantity){"folder"}, e->home.run.folder.path);
    CARDO_TRY(cardo_result_status(e->result, error));
    if (cardo_command_has(e->command, "json"))
        status = cardo_printer_json.print(e->result, stdout, error);
    else if (!cardo_command_has(e->command, "quiet"))
        say(e);
done:
    return status;
}

static cardo_status interruption(const errand *e, cardo_error *error)
{
    cardo_text_stream out;
    char *text = NULL;
    cardo_status status = cardo_text_stream_open(&out, error);
    if (status != CARDO_OK)
        return status;
    cardo_result_say(out.stream, e->result,
                     "[interrupted after {rounds_done} of {rounds} rounds]"
                     "[interrupted at cycle {cycles_done}]");
    status = cardo_text_stream_close(&out, CARDO_OK, &text, error);
    if (status == CARDO_OK)
        status = CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                            "%s; a checkpoint is written, --continue goes on", text);
    cardo_free(text);
    return status;
}

/* Of a member that was lost: what there is to go on from. */
static cardo_status add_remedy(const errand *e, cardo_status status, cardo_error *error)
{
    char reason[CARDO_ERROR_MESSAGE_SIZE];
    if (status != CARDO_ERROR_LOST || !e->first || !e->home.run.worth)
        return status;
    snprintf(reason, sizeof reason, "%s", error->message);
    return CARDO_FAIL(error, status,
                      "%.1500s; the checkpoint is of before: --continue goes on from it", reason);
}

/* Folder, session, options and start. */
static cardo_status prepare(errand *e, cardo_error *error)
{
    cardo_status status =
        cardo_home_claim(&e->home, e->command, ".sampled", "checkpoint.cardo", e->first, error);
    /* Nobody changes the folder before all have looked at it. */
    CARDO_TRY(cardo_communicator_agree(e->communicator, status, error));
    e->command = e->home.command;
    CARDO_TRY(cardo_command_open(e->command, true, &e->session, error));
    CARDO_TRY(
        cardo_study_read_options(&cardo_study_sample, e->session, 0, NULL, &e->options, error));
    CARDO_TRY(cardo_home_place(&e->home, e->session, error));
    e->options.writer = &e->home.run.writer;
    status = cardo_result_create(&e->result, error);
done:
    return status;
}

static cardo_status perform(errand *e, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(prepare(e, error));
    cardo_interrupt_catch();
    e->seconds = cardo_clock();
    CARDO_TRY(cardo_study_run(&cardo_study_sample, e->session, &e->options, e->result, error));
    e->seconds = cardo_clock() - e->seconds;
    if (!e->first)
        goto done;
    if (cardo_result_as_truths(cardo_result_find(e->result, "interrupted"))[0])
        status = interruption(e, error);
    else
        status = report(e, error);
done:
    return status;
}

static cardo_status work(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    const cardo_command *command = arg;
    errand e = {.command = command,
                .communicator = communicator,
                .first = cardo_communicator_rank(communicator) == 0};
    /* What the readers remark upon is told once. */
    if (!e.first && !freopen("/dev/null", "w", stderr))
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "/dev/null cannot be opened");
    command->ear->study = "sample";
    command->ear->communicator = communicator;
    cardo_status status = perform(&e, error);
    status = add_remedy(&e, status, error);
    cardo_result_destroy(e.result);
    cardo_session_close(e.session);
    cardo_home_close(&e.home);
    return status;
}

static cardo_status run_verb(const cardo_command *command, cardo_error *error)
{
    const char *given = cardo_command_value(command, "processes");
    union {
        const cardo_command *command;
        void *arg;
    } same = {command};
    int nprocess = 0;
    if (given && (!cardo_parse_int(given, (int)strlen(given), &nprocess) || nprocess < 1))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--processes %s is not a number above zero",
                          given);
    return cardo_parallel_run(nprocess, work, same.arg, error);
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
    {"<sample> options", cardo_profile_fields},
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
