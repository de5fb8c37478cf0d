/* cardo modes: normal modes of a model in its own coordinates. */
#include "base/number.h"
#include "base/units.h"
#include "cli/gnuplot.h"
#include "cli/home.h"
#include "cli/interrupt.h"
#include "cli/opening.h"
#include "cli/parallel.h"
#include "cli/start.h"
#include "io/results/result_printer.h"
#include "io/results/result_text.h"
#include "study/modes/modes.h"
#include "study/session/study.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct run {
    const cardo_command *command;
    cardo_session *session;
    cardo_home home;
    cardo_modes_options options;
    cardo_result *result;
    bool drawn;
} run;

static void say_source(const cardo_result *result)
{
    const long long rigid = cardo_result_as_integers(cardo_result_find(result, "rigid_motions"))[0];
    cardo_result_say(
        stdout, result,
        "{model}: {atoms} atoms in {bodies} bodies, {degrees_of_freedom} degrees of "
        "freedom{every_body_free?, every body free}\n"
        "[elastic network of {network/nodes}: springs up to {network/cutoff_A} A, "
        "{network/spring} kJ/mol/nm^2{network/weaker_with_length?, weaker with length}\n]"
        "[forces: {engine}, {members}\n][{forces_judged/verdict}\n]"
        "[minimized: {minimization/first_potential_kJ_per_mol} to "
        "{minimization/potential_kJ_per_mol} kJ/mol in {minimization/iterations} iterations"
        "{minimization/converged?|; the tolerance was not reached}\n]"
        "[largest generalized force where modes are made: {largest_generalized_force} kJ/mol, on "
        "{largest_generalized_force_on}"
        "{minimized?| (no minimum was looked for: modes.minimize=no)}\n]"
        "[second derivatives by {force_evaluations} evaluations of forces, step {step}: |K - K^T| "
        "is {asymmetry} of the largest entry,\n  of which rounding of the forces explains "
        "{asymmetry_of_rounding} and the step's width {asymmetry_of_step}"
        "[; {asymmetry_remark}]\n]");
    if (cardo_result_as_integers(cardo_result_find(result, "held_speeds"))[0] > 0)
        cardo_result_say(stdout, result, "{held_speeds} speeds meet no resistance and are held\n");
    cardo_result_say(stdout, result, "{rigid_motions} motions without stiffness");
    fputs(rigid == 6   ? ": those of the whole\n"
          : rigid == 0 ? ", since the base is fixed\n"
                       : "\n",
          stdout);
}

/* Hinges of the softest modes; hinges.csv has all. */
static void say_hinges(const cardo_result *modes)
{
    enum { MODES = 5, HINGES = 6 };
    const cardo_result *hinges = cardo_result_find(modes, "hinges");
    bool begun = false;
    for (long long m = 0; m < cardo_result_rows(modes) && m < MODES; ++m) {
        const cardo_result *of = cardo_result_as_parts(hinges)[m];
        if (cardo_result_rows(of) == 0)
            continue;
        fputs(begun ? "" : "\nhinges (thermal turn)\n", stdout);
        begun = true;
        cardo_result_say_row(stdout, modes, m, "{mode} ");
        cardo_result_say_rows(stdout, of, " {before}|{after} ({thermal_turn_degree}°)", HINGES);
        fputs(cardo_result_rows(of) > HINGES ? " ...\n" : "\n", stdout);
    }
}

static void say_comparison(const cardo_result *result)
{
    static const char line[] =
        "  {method:-6s} {modes:5d}[ {softest_overlap} {best_overlap} ({best_rank:2d}) "
        "{cumulative_overlap}]  "
        "[{shared_span} (first {shared_of_model} of the model's, {shared_of_method} here)]\n";
    const cardo_result *comparison = cardo_result_find(result, "comparison");
    const bool compared = cardo_result_find(result, "observed_rmsd_A");
    if (cardo_result_rows(comparison) == 0)
        return;
    printf("\nbeside other methods on the same structure%s\n  method modes%s  span shared with "
           "the model\n",
           compared ? ": overlaps" : "", compared ? "   softest  best (rank)  cumulative" : "");
    cardo_result_say(stdout, cardo_result_find(result, "overlaps_of_model"), line);
    cardo_result_say_rows(stdout, comparison, line, LLONG_MAX);
}

static void say_animations(const run *r)
{
    char stem[32];
    const cardo_mode_options *options = &r->options.modes;
    const cardo_result *modes = cardo_result_find(r->result, "modes");
    if (!cardo_result_find(r->result, "animated_cut_bonds_change_A"))
        return;
    snprintf(stem, sizeof stem, "mode_%lld",
             cardo_result_as_integers(cardo_result_find(modes, "mode"))[0]);
    cardo_print(stdout, "  %s.%s%s  swings of %.3g A, bodies rigid and joints kept\n", stem,
                cardo_folder_structure(r->home.run.folder.path, stem),
                options->animate > 1 && cardo_result_rows(modes) > 1 ? " ..." : "    ",
                options->amplitude / CARDO_ANGSTROM);
    if (r->session->model->ncut > 0)
        cardo_result_say(stdout, r->result,
                         "                    (bonds cut between bodies change by up to "
                         "{animated_cut_bonds_change_A} A in them)\n");
}

static void say_files(const run *r)
{
    printf("\n%s/\n  modes.csv         frequencies, amplitudes, overlaps\n"
           "  speeds.csv        the modes in the model's own speeds\n"
           "  residues.csv      B factors\n"
           "  hinges.csv        where modes bend the chain\n%s%s"
           "  modes.nmd         for NMWiz in VMD\n",
           r->home.run.folder.path,
           cardo_result_find(r->result, "correlations")
               ? "  correlations.csv  of all pairs of residues\n"
               : "",
           cardo_result_find(r->result, "overlaps_by_rank")
               ? "  comparison.csv    overlaps of other methods\n"
               : "");
    say_animations(r);
    fputs(r->drawn ? "  spectrum.png, b-factors.png ...  pictures (also .svg; drawn by plot.gp)\n"
                   : "  plot.gp           makes the pictures where gnuplot is installed\n",
          stdout);
}

static void say(const run *r)
{
    const cardo_result *modes = cardo_result_find(r->result, "modes");
    say_source(r->result);
    fputc('\n', stdout);
    cardo_result_print_table(stdout, modes, "", LLONG_MAX);
    cardo_result_say(stdout, r->result,
                     "[overlaps are with the {observed_rmsd_A} A that {observed_residues} C-alpha "
                     "atoms are apart in the two structures\n]"
                     "[B factors of the modes and of the file correlate by "
                     "{b_factor_correlation}\n]");
    say_hinges(modes);
    say_comparison(r->result);
    say_files(r);
}

static cardo_status report(const run *r, cardo_error *error)
{
    if (cardo_command_has(r->command, "json"))
        return cardo_printer_json.print(r->result, stdout, error);
    if (!cardo_command_has(r->command, "quiet"))
        say(r);
    return CARDO_OK;
}

static cardo_status prepare(run *r, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_command_open(r->home.command, false, &r->session, error));
    CARDO_TRY(
        cardo_study_read_options(&cardo_study_modes, r->session, 0, NULL, &r->options, error));
    if (r->options.modes.joints)
        CARDO_TRY(cardo_session_free_joints(r->session, error));
    CARDO_TRY(cardo_home_place(&r->home, r->session, error));
    status = cardo_result_create(&r->result, error);
done:
    return status;
}

/* What every member does. */
static cardo_status find_modes(cardo_communicator *communicator, void *user, cardo_error *error)
{
    cardo_status status;
    run *r = user;
    const bool first = cardo_communicator_rank(communicator) == 0;
    CARDO_TRY(cardo_home_claim(&r->home, r->command, ".modes", NULL, first, error));
    CARDO_TRY(prepare(r, error));
    r->options.communicator = communicator;
    r->options.writer = first ? &r->home.run.writer : NULL;
    if (r->options.modes.stiffness == CARDO_MODES_FORCES && r->options.modes.minimize)
        cardo_interrupt_catch();
    CARDO_TRY(cardo_study_run(&cardo_study_modes, r->session, &r->options, r->result, error));
    if (!first)
        goto done;
    cardo_result_text(r->result, &(cardo_quantity){"folder"}, r->home.run.folder.path);
    CARDO_TRY(cardo_result_status(r->result, error));
    CARDO_TRY(cardo_gnuplot_run(r->home.run.folder.path, &r->drawn, error));
    status = report(r, error);
done:
    return status;
}

static cardo_status count_processes(const cardo_command *command, int *n, cardo_error *error)
{
    const char *text = cardo_command_value(command, "processes");
    *n = 1;
    if (text && (!cardo_parse_int(text, (int)strlen(text), n) || *n < 0))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "--processes takes a number of processes, 0 for one a core, not '%s'",
                          text);
    return CARDO_OK;
}

static cardo_status run_verb(const cardo_command *command, cardo_error *error)
{
    int processes;
    run r = {.command = command};
    cardo_status status = count_processes(command, &processes, error);
    if (status == CARDO_OK)
        status = cardo_parallel_run(processes, find_modes, &r, error);
    cardo_result_destroy(r.result);
    cardo_session_close(r.session);
    cardo_home_close(&r.home);
    return status;
}

static const cardo_option options[] = {
    {"out", 'o', "FOLDER",
     "folder for tables and animations (default: the model file's name with "
     ".modes)"},
    {"force", 'f', NULL, "replace what the folder holds"},
    {"processes", 'n', "N",
     "share differences of forces out over N processes (default 1; 0: one a core); under mpirun or "
     "srun its ranks do it. The bits of the result do not depend on it"},
    CARDO_START_OPTIONS,
    CARDO_MODEL_OPTIONS,
    {"json", 'j', NULL, "the table as JSON on standard output"},
    {"quiet", 'q', NULL, "print nothing"},
    {0},
};

static const cardo_option_group groups[] = {
    {"<modes> options", cardo_mode_fields},
    {NULL, NULL},
};

const cardo_verb cardo_verb_modes = {
    .name = "modes",
    .synopsis = "MODEL.xml [options]",
    .summary = "normal modes in the model's coordinates",
    .description =
        "Solves K v = lambda M v in the speeds of the model's joints, with K from an elastic "
        "network at rest where the model stands, or from the force field by differences of "
        "generalized forces, at the nearest minimum. Prints frequencies, thermal amplitudes, "
        "collectivities, hinge residues and, where the model has a second structure, overlaps with "
        "the displacement to it, beside those of other methods (modes.against=anm,rtb); writes "
        "tables, pictures, an .nmd file and animations along the joints.",
    .options = options,
    .groups = groups,
    .run = run_verb,
};
