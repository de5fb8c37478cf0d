/* The report of study "modes". */
#include "io/report/report.h"

#include "cardo/result_text.h"
#include "io/run/folder_writer.h"

#include <limits.h>
#include <stdbool.h>

static void say_source(FILE *stream, const cardo_result *result)
{
    const long long rigid = cardo_result_as_integers(cardo_result_find(result, "rigid_motions"))[0];
    cardo_result_say(
        stream, result,
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
        cardo_result_say(stream, result, "{held_speeds} speeds meet no resistance and are held\n");
    cardo_result_say(stream, result, "{rigid_motions} motions without stiffness");
    fputs(rigid == 6   ? ": those of the whole\n"
          : rigid == 0 ? ", since the base is fixed\n"
                       : "\n",
          stream);
}

/* Hinges of the softest modes; hinges.csv has all. */
static void say_hinges(FILE *stream, const cardo_result *modes)
{
    enum { MODES = 5, HINGES = 6 };
    const cardo_result *hinges = cardo_result_find(modes, "hinges");
    bool begun = false;
    for (long long m = 0; m < cardo_result_rows(modes) && m < MODES; ++m) {
        const cardo_result *of = cardo_result_as_parts(hinges)[m];
        if (cardo_result_rows(of) == 0)
            continue;
        fputs(begun ? "" : "\nhinges (thermal turn)\n", stream);
        begun = true;
        cardo_result_say_row(stream, modes, m, "{mode} ");
        cardo_result_say_rows(stream, of, " {before}|{after} ({thermal_turn_degree}°)", HINGES);
        fputs(cardo_result_rows(of) > HINGES ? " ...\n" : "\n", stream);
    }
}

static void say_comparison(FILE *stream, const cardo_result *result)
{
    static const char line[] =
        "  {method:-6s} {modes:5d}[ {softest_overlap} {best_overlap} ({best_rank:2d}) "
        "{cumulative_overlap}]  "
        "[{shared_span} (first {shared_of_model} of the model's, {shared_of_method} here)]\n";
    const cardo_result *comparison = cardo_result_find(result, "comparison");
    const bool compared = cardo_result_find(result, "observed_rmsd_A");
    if (cardo_result_rows(comparison) == 0)
        return;
    fprintf(stream,
            "\nbeside other methods on the same structure%s\n  method modes%s  span shared with "
            "the model\n",
            compared ? ": overlaps" : "", compared ? "   softest  best (rank)  cumulative" : "");
    cardo_result_say(stream, cardo_result_find(result, "overlaps_of_model"), line);
    cardo_result_say_rows(stream, comparison, line, LLONG_MAX);
}

static void say_animations(FILE *stream, const cardo_result *result)
{
    char stem[32];
    const cardo_result *change = cardo_result_find(result, "animated_cut_bonds_change_A"),
                       *modes = cardo_result_find(result, "modes");
    const char *const *folder = cardo_result_as_texts(cardo_result_find(result, "folder"));
    if (!change || !folder)
        return;
    snprintf(stem, sizeof stem, "mode_%lld",
             cardo_result_as_integers(cardo_result_find(modes, "mode"))[0]);
    fprintf(stream, "\nswings along modes, bodies rigid and joints kept\n  %s.%s%s", stem,
            cardo_folder_structure(*folder, stem), cardo_result_rows(modes) > 1 ? " ..." : "");
    cardo_result_say(stream, result, "  {animated_amplitude_A} A");
    if (cardo_result_as_doubles(change)[0] > 0)
        cardo_result_say(stream, result,
                         " (bonds cut between bodies change by up to "
                         "{animated_cut_bonds_change_A} A in them)");
    fputc('\n', stream);
}

static void say(FILE *stream, const cardo_result *result)
{
    const cardo_result *modes = cardo_result_find(result, "modes");
    say_source(stream, result);
    fputc('\n', stream);
    cardo_result_print_table(stream, modes, "", LLONG_MAX);
    cardo_result_say(stream, result,
                     "[overlaps are with the {observed_rmsd_A} A that {observed_residues} C-alpha "
                     "atoms are apart in the two structures\n]"
                     "[B factors of the modes and of the file correlate by "
                     "{b_factor_correlation}\n]");
    say_hinges(stream, modes);
    say_comparison(stream, result);
    say_animations(stream, result);
    fputc('\n', stream);
}

const cardo_report cardo_report_modes = {"modes", say};
