/* The report of study "domains". */
#include "cardo/result_text.h"
#include "io/report/prepare.h"
#include "io/report/report.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

static const char *text_in(const cardo_result *table, const char *name, long long row)
{
    return cardo_result_as_texts(cardo_result_find(table, name))[row];
}

static const cardo_result *part_in(const cardo_result *table, const char *name, long long row)
{
    return cardo_result_as_parts(cardo_result_find(table, name))[row];
}

static bool is_true(const cardo_result *domains, const char *name)
{
    return cardo_result_as_truths(cardo_result_find(domains, name))[0];
}

static void say_structures(FILE *stream, const cardo_result *domains)
{
    fputs("Structures\n", stream);
    cardo_result_say_rows(stream, cardo_result_find(domains, "pair"),
                          "  {role} {structure}: {residues} residues[, {matched} matched, "
                          "{identity} % of them alike]\n[           left out: {left_out}\n]",
                          LLONG_MAX);
    if (cardo_result_find(domains, "left_out") && !cardo_result_find(domains, "ligands"))
        fputs("  a model keeps ligands by hetero=\"ligands\" at its <structure> (with waters: "
              "\"keep\"), or as bodies (<ligand>), and by a force field that has them\n",
              stream);
    cardo_result_say(stream, domains,
                     "[  NOTE     {note}\n][  {copies}\n]"
                     "[  of {members} structures, these two differ most\n]"
                     "[  1 frame in {stride} was looked at, of {frames} (stride=1: all)\n]"
                     "[  PREDICTION from one structure: what its elastic network's mode {mode} "
                     "would move (its {softest?softest|first with domains}).\n"
                     "  Domains and axes are guesses; angles are not known.\n]");
}

static void say_domains(FILE *stream, const cardo_result *domains)
{
    fputs("\nDomains\n", stream);
    cardo_result_say_rows(
        stream, cardo_result_find(domains, "domains"),
        is_true(domains, "prediction")
            ? "  {name} {residues}\n           {root?the root|on }[{parent}]\n"
            : "  {name} {residues}\n           {matched} residues in both structures with the "
              "bending ones; deforms by {rmsd_A} A; {root?the root|on }[{parent}]\n",
        LLONG_MAX);
}

static void say_strands(FILE *stream, const cardo_result *crossing)
{
    if (cardo_result_rows(crossing) == 0) {
        fputs("  strands      none: the two touch, or are next to each other\n", stream);
        return;
    }
    fputs("  strands      ", stream);
    cardo_result_say_rows(stream, crossing, "{residues} ({from_axis_A} A from the axis)", 1);
    for (long long k = 1; k < cardo_result_rows(crossing); ++k)
        cardo_result_say_row(stream, crossing, k, ", {residues} ({from_axis_A} A from the axis)");
    fputc('\n', stream);
}

static void say_ligands(FILE *stream, const cardo_result *domains)
{
    const cardo_result *ligands = cardo_result_find(domains, "ligands");
    if (!ligands)
        return;
    fputs("\nLigands that the model keeps\n", stream);
    cardo_result_say_rows(stream, ligands,
                          "  {name} residues {residues}: {how}\n"
                          "           nearest: {nearest}, {least_distance_A} A\n"
                          "[  WARNING  {clash}\n]",
                          LLONG_MAX);
    cardo_result_say(stream, domains, "[  WARNING  {nothing_kept}\n]");
}

static void say_hinges(FILE *stream, const cardo_result *domains)
{
    const cardo_result *hinges = cardo_result_find(domains, "hinges");
    for (long long k = 0; k < cardo_result_rows(hinges); ++k) {
        const char *kind = text_in(hinges, "kind", k);
        fprintf(stream, "\n%s",
                strcmp(kind, "hinge") == 0    ? "Hinge"
                : strcmp(kind, "tether") == 0 ? "Flexible tether"
                                              : "Loose contact");
        cardo_result_say_row(
            stream, hinges, k,
            " of {child} on {parent}\n"
            "[  rotation     {angle_deg} degrees; translation {translation_along_axis_A} A along "
            "the axis (pitch {pitch_A_per_turn} A a turn)\n]"
            "  axis         ({axis}) through ({point_A}) A\n"
            "  character    {percent_closure} % closure, {percent_twist} % twist\n");
        say_strands(stream, part_in(hinges, "crossing", k));
        cardo_result_say_row(
            stream, hinges, k,
            "  contacts     {contacts_first} pairs of C-alpha in the first structure, "
            "{contacts_second} in the second\n"
            "  motion       {ratio} times what the two deform by\n");
    }
    cardo_result_say_rows(stream, cardo_result_find(domains, "strands"),
                          "\nStrand {residues} joins {before} and {after}, which have no hinge: "
                          "it {note}\n",
                          LLONG_MAX);
}

static void say_symmetry(FILE *stream, const cardo_result *domains)
{
    cardo_result_say(stream, domains, "[\nSymmetry\n  {symmetry}\n]");
}

static void say_methods(FILE *stream, const cardo_result *methods)
{
    fputs("\nMethods\n", stream);
    for (int k = 0; k < cardo_result_count(methods); ++k) {
        const cardo_result *found = cardo_result_part(methods, k);
        if (cardo_result_type_of(found) != CARDO_RESULT_INTEGER)
            continue;
        fprintf(stream, "  %s: ", cardo_result_quantity(found)->name);
        cardo_result_say(stream, found, "{} domain{#s}\n");
    }
    cardo_result_say(stream, methods, "  they agree on {agreement} % of residues[; {remark}]\n");
}

static void say_members(FILE *stream, const cardo_result *domains)
{
    const cardo_result *members = cardo_result_find(domains, "structures");
    if (cardo_result_rows(members) == 0 || cardo_result_rows(part_in(members, "hinges", 0)) == 0)
        return;
    fputs("\nStructures along the hinges: rotation about the axis in degrees (share), RMSD left\n",
          stream);
    for (long long k = 0; k < cardo_result_rows(members); ++k) {
        cardo_result_say_row(stream, members, k, "  {structure}");
        cardo_result_say_rows(stream, part_in(members, "hinges", k),
                              "  {child}{comparable?| not comparable}[ {about_axis_deg} "
                              "({share}) {rmsd_A} A]",
                              LLONG_MAX);
        fputc('\n', stream);
    }
}

static void say_preparation(FILE *stream, const cardo_result *prepared)
{
    if (prepared && !cardo_result_text_at(prepared, "output")) {
        cardo_prepared_say_review(stream, prepared);
    } else if (prepared) {
        fputs("Prepared ", stream);
        cardo_prepared_say(stream, prepared);
        fputc('\n', stream);
    }
}

static void say_files(FILE *stream, const cardo_result *domains)
{
    if (!cardo_result_find(domains, "model_file"))
        return;
    fputs("\nWritten\n", stream);
    cardo_result_say_rows(stream, cardo_result_find(domains, "files"), "  {file} {what}\n",
                          LLONG_MAX);
    cardo_result_say(stream, domains, "  {model_file} the model\n");
}

static void say_trial(FILE *stream, const cardo_result *domains)
{
    const cardo_result *trial = cardo_result_find(domains, "trial");
    if (!trial)
        return;
    cardo_result_say(
        stream, trial,
        "\nThe motion, tried\n  {verdict}\n"
        "[  {torsions} torsions in {residues} residues, {coordinates} coordinates; "
        "the energy rises by {rise_kJ_per_mol} kJ/mol along the whole way[, there and "
        "back differ by up to {hysteresis_kJ_per_mol}]\n]"
        "[  of these residues broke a bound or left a strand open when held by themselves: "
        "{residues_held_in_vain}\n]"
        "[  work around the cycle {cycle_work_kJ_per_mol} kJ/mol[; in other wells there than "
        "back: {leaping}]\n]"
        "[  strain over all atoms {strain_kJ_per_mol} kJ/mol\n]"
        "[  all atoms by themselves, there and back, differ by up to "
        "{reference_hysteresis_kJ_per_mol} kJ/mol{strain_unknown?, too much to tell the "
        "model's strain by}\n]"
        "[  back at the start {left_kJ_per_mol} kJ/mol are left[, any atom within "
        "{regained_A} A of where it was]\n]"
        "[  {evaluation_ms} ms an evaluation\n]");
    cardo_result_say(stream, domains,
                     "[  found in {attempts_min} minutes, of which all atoms by themselves took "
                     "{all_atoms_min}\n]");
    if (is_true(trial, "flexible"))
        cardo_result_say_rows(stream, cardo_result_find(trial, "places"),
                              "  q {q}[  {there_kJ_per_mol}][ and back {back_kJ_per_mol} "
                              "kJ/mol][  {worst}]\n",
                              LLONG_MAX);
}

/* Domains by predicted errors. */
static void say_by_errors(FILE *stream, const cardo_result *domains)
{
    cardo_result_say(
        stream, domains,
        "{predicted_errors/structure}: {predicted_errors/residues} residues, predicted errors of "
        "{predicted_errors/file} ({predicted_errors/form}), "
        "pLDDT {predicted_errors/confidence_known?known|not known: B factors are "
        "none}\n\nDomains\n");
    cardo_result_say_rows(
        stream, cardo_result_find(domains, "domains"),
        "  {name} {residues}\n           {count} residues[, pLDDT {plddt}]; error "
        "inside {error_inside_A} A; {root?the root|on }[{parent}]\n",
        LLONG_MAX);
    cardo_result_say_rows(stream, cardo_result_find(domains, "linkers"),
                          "  {kind:-8s} {residues}: {count} residues[, pLDDT {plddt}][, after "
                          "{before}][, before {after}]\n",
                          LLONG_MAX);
    cardo_result_say_rows(stream, cardo_result_find(domains, "between"),
                          "  {first} and {second}: error {error_between_A} A\n", LLONG_MAX);
    fputs("\nOther choices\n", stream);
    cardo_result_say_rows(stream, cardo_result_find(domains, "choices"),
                          "  cutoff {cutoff_A} A, resolution {resolution}: {domains} "
                          "domain{domains#s}, {agreement} % of residues alike\n",
                          LLONG_MAX);
    cardo_result_say(stream, domains,
                     "\n{verdict:96,2w}\n"
                     "[beside it: the elastic network's softest modes have "
                     "{elastic_network/domains} domain{elastic_network/domains#s}, with "
                     "{elastic_network/agreement} % of the residues alike\n]"
                     "Errors say how surely parts were placed, and not how they move.\n");
}

static void say(FILE *stream, const cardo_result *domains)
{
    if (cardo_result_find(domains, "predicted_errors")) {
        say_preparation(stream, cardo_result_find(domains, "preparation"));
        say_by_errors(stream, domains);
        say_files(stream, domains);
        return;
    }
    const bool prediction = is_true(domains, "prediction");
    say_preparation(stream, cardo_result_find(domains, "preparation"));
    say_structures(stream, domains);
    say_domains(stream, domains);
    say_hinges(stream, domains);
    say_symmetry(stream, domains);
    say_ligands(stream, domains);
    say_methods(stream, cardo_result_find(domains, "methods"));
    say_members(stream, domains);
    if (!prediction && cardo_result_rows(cardo_result_find(domains, "domains")) > 1)
        cardo_result_say(stream, domains,
                         "\nOne rigid body leaves {rmsd_before_A} A, rigid domains leave "
                         "{rmsd_left_A} A unexplained\n");
    cardo_result_say(stream, domains,
                     "\n{prediction?predicted: }{verdict}\n[{likeness}\n][{note}\n]");
    say_files(stream, domains);
    cardo_result_say(
        stream, domains,
        "[  {settled_file}: the first structure with its atoms, and domains against each other, "
        "where "
        "they are at rest at both ends of the motion; heavy atoms moved by {settled_moved_A} A "
        "(rms)\n]"
        "[  all atoms so are {settled_rise_kJ_per_mol} kJ/mol at the last end, above the "
        "first\n]");
    say_trial(stream, domains);
    cardo_result_say(stream, domains, "[\n{attempts:96,2w}\n]");
    cardo_result_say(stream, domains, "[\nThe motion was not tried: {not_tried}\n]");
}

const cardo_report cardo_report_domains = {"domains", say};
