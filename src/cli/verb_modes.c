/* cardo modes: normal modes of a model in its own coordinates. */
#include "cli/home.h"
#include "cli/opening.h"
#include "cli/start.h"
#include "cli/study_verb.h"
#include <cardo/result_text.h>

#include <limits.h>
#include <stdio.h>

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

static void say_animations(const cardo_result *result)
{
    char name[32], found[64];
    const cardo_result *change = cardo_result_find(result, "animated_cut_bonds_change_A"),
                       *modes = cardo_result_find(result, "modes");
    const char *const *folder = cardo_result_as_texts(cardo_result_find(result, "folder"));
    if (!change || !folder)
        return;
    snprintf(name, sizeof name, "mode_%lld.*",
             cardo_result_as_integers(cardo_result_find(modes, "mode"))[0]);
    cardo_study_file_find(*folder, name, found);
    printf("\nswings along modes, bodies rigid and joints kept\n  %s%s", found,
           cardo_result_rows(modes) > 1 ? " ..." : "");
    cardo_result_say(stdout, result, "  {animated_amplitude_A} A");
    if (cardo_result_as_doubles(change)[0] > 0)
        cardo_result_say(stdout, result,
                         " (bonds cut between bodies change by up to "
                         "{animated_cut_bonds_change_A} A in them)");
    fputc('\n', stdout);
}

static void say(const cardo_command *command, const cardo_result *result)
{
    const cardo_result *modes = cardo_result_find(result, "modes");
    (void)command;
    say_source(result);
    fputc('\n', stdout);
    cardo_result_print_table(stdout, modes, "", LLONG_MAX);
    cardo_result_say(stdout, result,
                     "[overlaps are with the {observed_rmsd_A} A that {observed_residues} C-alpha "
                     "atoms are apart in the two structures\n]"
                     "[B factors of the modes and of the file correlate by "
                     "{b_factor_correlation}\n]");
    say_hinges(modes);
    say_comparison(result);
    say_animations(result);
    fputc('\n', stdout);
}

static const cardo_study_file files[] = {
    {"modes.csv", "frequencies, amplitudes, overlaps"},
    {"speeds.csv", "the modes in the model's own speeds"},
    {"residues.csv", "B factors"},
    {"hinges.csv", "where modes bend the chain"},
    {"correlations.csv", "of all pairs of residues"},
    {"comparison.csv", "overlaps of other methods"},
    {"modes.nmd", "for NMWiz in VMD"},
    {"spectrum.png", "pictures: b-factors.png, correlations.png (also .svg; drawn by plot.gp)"},
    {"plot.gp", "makes the pictures where gnuplot is installed"},
    {0},
};

static const cardo_study_verb of_study = {
    .study = "modes", .suffix = ".modes", .processes = 1, .say = say, .files = files};

static const cardo_option options[] = {
    {"out", 'o', "FOLDER",
     "folder for tables and animations (default: the model file's name with "
     ".modes)"},
    {"force", 'f', NULL, "replace what the folder holds"},
    {"processes", 'j', "N",
     "share differences of forces out over N processes (default 1; 0: one a core); under mpirun or "
     "srun its ranks do it. The bits of the result do not depend on it"},
    {"temperature", 0, "KELVIN", "of thermal amplitudes, such as 310 or 310K", ".temperature"},
    CARDO_START_OPTIONS,
    CARDO_MODEL_OPTIONS,
    {"json", 0, NULL, "the table as JSON on standard output"},
    {"quiet", 'q', NULL, "print nothing"},
    {0},
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
    .tables = "modes",
    .study = &of_study,
    .run = cardo_study_verb_run,
};
