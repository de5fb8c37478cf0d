#include "cli/mode_report.h"

#include "base/number.h"
#include "base/units.h"
#include "io/results/result_printer.h"
#include "io/results/result_text.h"
#include "structure/pdb/pdb.h"

#include <limits.h>
#include <stdio.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

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
        cardo_result_say_rows(stream, of, " {before}|{behind} ({thermal_turn_degree}°)", HINGES);
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

static void print_files(const cardo_mode_run *r)
{
    const bool compared = r->set.compared && r->comparison.nmethod > 0;
    printf("\n%s/\n  modes.csv         frequencies, amplitudes, overlaps\n"
           "  speeds.csv        the modes in the model's own speeds\n"
           "  residues.csv      B factors\n"
           "  hinges.csv        where modes bend the chain\n%s%s"
           "  modes.nmd         for NMWiz in VMD\n",
           r->folder, r->files.correlations ? "  correlations.csv  of all pairs of residues\n" : "",
           compared ? "  comparison.csv    overlaps of other methods\n" : "");
    if (r->files.nanimated > 0)
        cardo_print(stdout, "  mode_%d.%s%s  swings of %.3g A, bodies rigid and joints kept\n",
                    r->set.line[0].number,
                    cardo_structure_extension(r->session->model->structure[0].structure, NULL),
                    r->files.nanimated > 1 ? " ..." : "    ", angstroms * r->options.amplitude);
    if (r->files.nanimated > 0 && r->session->model->ncut > 0)
        cardo_print(
            stdout,
            "                    (bonds cut between bodies change by up to %.2f A in them)\n",
            angstroms * r->files.stretch);
    printf("%s", r->files.drawn
                     ? "  spectrum.png, b-factors.png ...  pictures (also .svg; drawn by plot.gp)\n"
                     : "  plot.gp           makes the pictures where gnuplot is installed\n");
}

static void say(FILE *stream, const cardo_mode_run *r)
{
    const cardo_result *modes = cardo_result_find(r->result, "modes");
    say_source(stream, r->result);
    fputc('\n', stream);
    cardo_result_print_table(stream, modes, "", LLONG_MAX);
    cardo_result_say(stream, r->result,
                     "[overlaps are with the {observed_rmsd_A} A that {observed_residues} C-alpha "
                     "atoms are apart in the two structures\n]"
                     "[B factors of the modes and of the file correlate by "
                     "{b_factor_correlation}\n]");
    say_hinges(stream, modes);
    say_comparison(stream, r->result);
    print_files(r);
}

cardo_status cardo_mode_report(const cardo_mode_run *r, cardo_error *error)
{
    if (cardo_command_has(r->command, "json"))
        return cardo_printer_json.print(r->result, stdout, error);
    if (!cardo_command_has(r->command, "quiet"))
        say(stdout, r);
    return CARDO_OK;
}
