/* The reports of studies "info" and "energy". */
#include "io/report/report.h"

#include "cardo/result_text.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { PAIRS_SHOWN = 8 };

static void say_bodies(FILE *stream, const cardo_result *info)
{
    fputs("\nBodies\n", stream);
    cardo_result_say_rows(
        stream, cardo_result_find(info, "bodies"),
        "  {name} {atoms} atoms, {mass_Da} Da[ (times {mass_was_multiplied_by})]: residues "
        "{residues_but_water}"
        "[ and {waters} water{waters#s}]\n"
        "               joined to {parent} by {mobilizer}: {nu} degree{nu#s} of freedom\n",
        LLONG_MAX);
    cardo_result_say(stream, info,
                     "[  torsions     {backbone_torsions} of the backbone, {side_chain_torsions} "
                     "of side chains: residues {torsion_residues}\n]"
                     "  together     {number_of_bodies} bodies, {degrees_of_freedom} degrees of "
                     "freedom\n"
                     "[  {residues_adopted} residues that no domain names ride with their "
                     "neighbours\n]");
}

static void say_ligands(FILE *stream, const cardo_result *info)
{
    const cardo_result *ligands = cardo_result_find(info, "ligands");
    if (!ligands)
        return;
    fputs("\nLigands\n", stream);
    cardo_result_say_rows(
        stream, ligands,
        "  {name} residues {residues}: {moves} on {on}, {why}\n"
        "               contacts below 4.5 A: {contacts_in_words}[; at residues {site}]\n"
        "[               nearest: {nearest}, {least_distance_A} A\n]"
        "[               {hold_in_words}\n]",
        LLONG_MAX);
}

static void say_fits(FILE *stream, const cardo_result *bodies)
{
    const cardo_result *paths = cardo_result_find(bodies, "path");
    for (long long b = 0; paths && b < cardo_result_rows(bodies); ++b) {
        const cardo_result *path = cardo_result_as_parts(paths)[b];
        if (cardo_result_is_absent(paths, b))
            continue;
        const cardo_result *fitted = cardo_result_find(path, "structures");
        cardo_result_say_row(stream, bodies, b, "\nPath of '{name:s}'");
        cardo_result_say(stream, path,
                         " ({interpolation}), q = 0 to {last_q}{beside}\n"
                         "  rotation     {angle_deg} degrees about ({axis})\n"
                         "  axis through ({point_A}) A; hinge point ({hinge_A}) A\n"
                         "  translation  {translation_along_axis_A} A along the axis\n"
                         "  character    {percent_closure} % closure, {percent_twist} % twist\n"
                         "  Euler angles ({euler_xyz_body_deg}) degrees; displacement "
                         "({displacement_of_hinge_A}) A\n");
        for (long long k = 1; k < cardo_result_rows(fitted); ++k)
            cardo_result_say_row(stream, fitted, k,
                                 "  fit at q = {q} stationary {rmsd_stationary_A} A, mobile "
                                 "{rmsd_mobile_A} A\n");
        cardo_result_say(stream, path,
                         "  C-alpha      {n_stationary} stationary, {n_mobile} mobile; together "
                         "{rmsd_moved_A} A from the last structure, where one rigid body leaves "
                         "{rmsd_global_A} A\n");
    }
}

/* The values of one place after the other, each with words in front. */
static void put_places(FILE *stream, const cardo_result *array, long long first, long long n,
                       const char *before)
{
    char text[64];
    for (long long k = first; k < first + n; ++k)
        fprintf(stream, "%s%s", before, cardo_result_cell(array, k, NULL, text, sizeof text));
}

static void say_cuts(FILE *stream, const cardo_result *info)
{
    const cardo_result *cuts = cardo_result_find(info, "cuts");
    const cardo_result *at = cardo_result_find(info, "cuts_at_q");
    if (!at)
        return;
    const long long n = cardo_result_rows(at);
    fprintf(stream, "\nStrands cut between bodies: bond length (A) along the path\n  %-28s", "");
    put_places(stream, at, 0, n, "  q=");
    fputc('\n', stream);
    for (long long c = 0; c < cardo_result_rows(cuts); ++c) {
        char pair[100];
        snprintf(pair, sizeof pair, "%s-%s",
                 cardo_result_as_texts(cardo_result_find(cuts, "first"))[c],
                 cardo_result_as_texts(cardo_result_find(cuts, "second"))[c]);
        fprintf(stream, "  %-28s", pair);
        put_places(stream, cardo_result_find(cuts, "length_A"), c * n, n, "  ");
        cardo_result_say_row(stream, cuts, c, "[  ({note})]\n");
    }
}

static void say_constraints(FILE *stream, const cardo_result *info)
{
    const cardo_result *constraints = cardo_result_find(info, "constraints");
    const cardo_result *redundant = cardo_result_find(info, "constraints/redundant_rows");
    if (!constraints)
        return;
    fputs("\nConstraints\n", stream);
    cardo_result_say_rows(stream, cardo_result_find(constraints, "each"),
                          "  [{name} ]{kind}: {rows} row{rows#s}[ of {of}][, {switched}]\n",
                          LLONG_MAX);
    cardo_result_say_rows(
        stream, cardo_result_find(info, "loops"),
        "  {loop}: {torsions} torsion{torsions#s} of which rows of rank {rank} leave "
        "{freedoms} freedom{freedoms#s}[ beside {beside}]\n",
        LLONG_MAX);
    cardo_result_say(stream, constraints,
                     "  together     {rows} row{rows#s}, rank {rank}: {degrees_of_freedom} "
                     "degree{degrees_of_freedom#s} of freedom\n");
    cardo_result_say_rows(stream, redundant, "  redundant    {row}\n", LLONG_MAX);
    cardo_result_say(stream, constraints,
                     "  at the start largest error {violation_at_start}[ ({worst_row})]; atoms "
                     "moved by {moved_A} A (rms) to meet the constraints\n");
}

static void say_clashes(FILE *stream, const cardo_result *info)
{
    const cardo_result *clashes = cardo_result_find(info, "clashes");
    const cardo_result *at = cardo_result_find(info, "clashes_at_q");
    if (!clashes)
        return;
    const cardo_result *least = cardo_result_find(clashes, "least_distance_A");
    const cardo_result *pairs = cardo_result_find(clashes, "pairs");
    const long long n = cardo_result_rows(at);
    fprintf(stream,
            "\nLeast distance (A) between heavy atoms of different bodies along the paths, by "
            "whose side chains\n  %-14s",
            "");
    put_places(stream, at, 0, n, " q=");
    fputc('\n', stream);
    for (long long c = 0; c < cardo_result_rows(clashes); ++c) {
        cardo_result_say_row(stream, clashes, c, "  {side_chains}");
        for (long long k = c * n; k < (c + 1) * n; ++k)
            if (isfinite(cardo_result_as_doubles(least)[k]))
                put_places(stream, least, k, 1, " ");
            else
                fputs("    >5", stream);
        fputc('\n', stream);
    }
    for (long long c = 0; c < cardo_result_rows(clashes); ++c) {
        const cardo_result *near = cardo_result_as_parts(pairs)[c];
        cardo_result_say_row(stream, clashes, c, "  {side_chains:s}: ");
        fprintf(stream, "%lld pairs of residues come nearer than 3 A%s\n", cardo_result_rows(near),
                cardo_result_rows(near) > PAIRS_SHOWN ? ", of them the nearest" : "");
        cardo_result_say_rows(stream, near, "    {distance_A} A at {q}  {atoms}\n", PAIRS_SHOWN);
    }
}

static void say_coarse(FILE *stream, const cardo_result *coarse)
{
    if (!coarse)
        return;
    cardo_result_say(stream, coarse, "\nCoarse-grained energy ({kind}), {sites} sites\n");
    for (const char *line = cardo_result_as_texts(cardo_result_find(coarse, "summary"))[0];
         *line;) {
        int length = (int)strcspn(line, "\n");
        fprintf(stream, "  %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

static void say_energy_terms(FILE *stream, const cardo_result *energies)
{
    cardo_result_say_places(stream, cardo_result_find(energies, "energies_kJ_per_mol"),
                            "  {label:-24s} {value} kJ/mol\n");
    cardo_result_say(stream, energies,
                     "  potential                {potential_kJ_per_mol} kJ/mol   ({engine}[, "
                     "{ionic_strength_mol_per_L} mol/L of salt at 300 K]"
                     "[, kappa {kappa_per_nm}/nm])\n"
                     "[  note: {cost_warning}\n]  generalized forces\n");
    cardo_result_say_places(stream, cardo_result_find(energies, "generalized_forces"),
                            "    {label:-22s} {value}\n");
}

static void say_energies(FILE *stream, const cardo_result *info)
{
    fputs("\nEnergy where the model starts\n", stream);
    if (!cardo_result_find(info, "potential_kJ_per_mol")) {
        if (cardo_result_find(info, "no_energies"))
            cardo_result_say(stream, info, "  none: {no_energies}\n");
        else
            fputs("  none: the model has no force field\n", stream);
        return;
    }
    say_energy_terms(stream, info);
    if (cardo_result_find(info, "coarse_grained"))
        return;
    if (!cardo_result_find(info, "strain"))
        fputs("\nStrain: not looked at, as a serialized System does not tell which atoms are "
              "whose\n",
              stream);
    cardo_result_say(stream, info,
                     "\nStrain where the model starts\n{strain_in_words}"
                     "[Strain along the paths\n{strain_along_paths_in_words}]");
}

static void say_all_atoms(FILE *stream, const cardo_result *all)
{
    if (!all)
        return;
    cardo_result_say(
        stream, all,
        "\nAll atoms along the paths, {domains_held} domains' poses held ({engine})\n");
    if (!cardo_result_find(all, "places")) {
        fputs("  stopped before its end\n", stream);
        return;
    }
    fputs(
        "  energies of the model and of all atoms on the way there and back, each with the largest "
        "gradient left\n  (kJ/mol/nm) and what it fell by in the last quarter; strain, in all and "
        "by term (kJ/mol)\n",
        stream);
    cardo_result_print_table(stream, cardo_result_find(all, "places"), "  ", LLONG_MAX);
    cardo_result_say(
        stream, all,
        "  the model was minimized in {model_freedoms} freedom{model_freedoms#s} beside "
        "the paths, {model_hysteresis_kJ_per_mol} kJ/mol apart there and back\n"
        "  {in_words:98,4w}\n");
}

static void say(FILE *stream, const cardo_result *info)
{
    const char *model = cardo_result_as_texts(cardo_result_find(info, "model"))[0];
    if (model && *model)
        fprintf(stream, "%s\n\n", model);
    fputs("Structures\n", stream);
    cardo_result_say_rows(
        stream, cardo_result_find(info, "structures"),
        "  {id} {name}: {residues} residues, {atoms} atoms[; the {role}]"
        "[; {matched} residues matched, {identity} % of them alike]\n"
        "[               left out: {left_out}\n][               NOTE: {note}\n]"
        "[               not in their usual protonation states: {unusual_states}\n]",
        LLONG_MAX);
    say_bodies(stream, info);
    say_ligands(stream, info);
    say_fits(stream, cardo_result_find(info, "bodies"));
    say_cuts(stream, info);
    say_constraints(stream, info);
    say_clashes(stream, info);
    say_coarse(stream, cardo_result_find(info, "coarse_grained"));
    say_energies(stream, info);
    say_all_atoms(stream, cardo_result_find(info, "all_atoms"));
}

const cardo_report cardo_report_info = {"info", say};

static void say_energy(FILE *stream, const cardo_result *energies)
{
    cardo_result_say(stream, energies, "{model}\n[{forces_judged/verdict}\n]");
    say_energy_terms(stream, energies);
}

const cardo_report cardo_report_energy = {"energy", say_energy};
