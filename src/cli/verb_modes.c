/* cardo modes: normal modes of a model in its own coordinates. */
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/json.h"
#include "cli/mode_files.h"
#include "cli/mode_stiffness.h"
#include "cli/run_folder.h"
#include "cli/start.h"
#include "cli/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

typedef struct mode_run {
    const cardo_command *command;
    cardo_setup setup;
    cardo_mode_options options;
    cardo_mode_set set;
    cardo_mode_comparison comparison;
    cardo_mode_files files;
    char *folder;
    const char *team; /* who made K */
    char team_text[64];
} mode_run;

static cardo_status write_manifest(const mode_run *r, cardo_error *error)
{
    cardo_json *manifest = cardo_manifest_begin(r->command, &r->setup),
               *chosen = cardo_json_object();
    cardo_manifest_options(chosen, cardo_mode_fields, &r->options);
    cardo_json_put(manifest, "options", chosen);
    return cardo_manifest_write(r->folder, manifest, error);
}

static void print_network(const mode_run *r)
{
    static const char *const nodes[] = {"", "C-alpha atoms", "heavy atoms", "all atoms"};
    const cardo_mode_options *o = &r->options;
    printf("elastic network of %s: springs up to %.3g A, %.4g kJ/mol/nm^2%s\n", nodes[o->nodes],
           angstroms * o->cutoff, o->spring, o->power ? ", weaker with length" : "");
}

/* Whether more than rounding and the step's width is in the asymmetry. */
static bool is_unexplained(const cardo_stiffness_quality *quality)
{
    return quality->asymmetry > 2 * (quality->rounding + quality->truncation);
}

static void print_forces(const mode_run *r)
{
    char engine[64], name[96];
    const cardo_stiffness_quality *quality = &r->set.quality;
    const cardo_minimization_result *m = &r->set.minimization;
    printf("forces: %s, %s\n", cardo_setup_engine(&r->setup, engine), r->team);
    if (r->set.minimized)
        printf("minimized: %.4f to %.4f kJ/mol in %d iterations%s\n", m->first.potential,
               m->last.potential, m->last.iteration,
               m->converged ? "" : "; the tolerance was not reached");
    printf("largest generalized force where modes are made: %.3g kJ/mol, on %s%s\n",
           quality->residual,
           cardo_setup_mobility_name(r->setup.system, quality->residual_speed, name),
           r->set.minimized ? "" : " (no minimum was looked for: modes.minimize=no)");
    printf("second derivatives by %lld evaluations of forces, step %.0e: |K - K^T| is %.1e of the "
           "largest entry,\n  of which rounding of the forces explains %.1e and the step's width "
           "%.1e%s\n",
           quality->evaluations, quality->step, quality->asymmetry, quality->rounding,
           quality->truncation,
           !is_unexplained(quality) ? ""
           : quality->residual > 1
               ? "; forces that are left turn with the bodies and make the rest"
               : "; the rest is unexplained: do forces depend on more than places?");
}

static void print_source(const mode_run *r)
{
    printf("%s: %d atoms in %d bodies, %d degrees of freedom%s\n", r->setup.model->name,
           cardo_system_nstation(r->setup.system), r->setup.model->nbody, r->set.modes->nu,
           r->options.joints ? ", every body free" : "");
    if (r->options.stiffness == CARDO_MODES_NETWORK)
        print_network(r);
    else
        print_forces(r);
    if (r->set.modes->nheld > 0)
        printf("%d speeds meet no resistance and are held\n", r->set.modes->nheld);
    printf("%d motions without stiffness%s\n", r->set.nrigid,
           r->set.nrigid == 6   ? ": those of the whole"
           : r->set.nrigid == 0 ? ", since the base is fixed"
                                : "");
}

static void print_modes(const mode_run *r)
{
    const cardo_mode_set *set = &r->set;
    printf("\n mode      1/ps      1/cm  amplitude (A)  collectivity%s\n",
           set->compared ? "  overlap  cumulative" : "");
    for (int m = 0; m < set->nmode; ++m) {
        const cardo_mode_line *line = &set->line[m];
        printf("%5d %9.4f %9.3f %14.3f %13.3f", line->number,
               cardo_mode_frequency(line->eigenvalue), cardo_mode_wavenumber(line->eigenvalue),
               angstroms * line->amplitude, line->collectivity);
        if (set->compared)
            printf(" %8.3f %11.3f", line->overlap, line->cumulative);
        printf("%s\n", line->eigenvalue < 0 ? "  imaginary" : "");
    }
    if (set->compared)
        printf(
            "overlaps are with the %.2f A that %d C-alpha atoms are apart in the two structures\n",
            angstroms * set->observed.rmsd, set->observed.n);
    if (set->b_known)
        printf("B factors of the modes and of the file correlate by %.2f\n", set->b_correlation);
}

/* Hinges of the softest modes; hinges.csv has all. */
static void print_hinges(const mode_run *r)
{
    enum { MODES = 5, HINGES = 6 };
    int shown = 0;
    for (int m = 0; m < r->set.nmode && m < MODES; ++m) {
        const cardo_mode_line *line = &r->set.line[m];
        if (line->nhinge == 0)
            continue;
        printf("%s%5d ", shown++ ? "" : "\nhinges (thermal turn)\n", line->number);
        for (int h = 0; h < line->nhinge && h < HINGES; ++h)
            printf(" %s|%s (%.2g°)", r->files.label[line->hinge[h].before],
                   r->files.label[line->hinge[h].before + 1],
                   sqrt(line->variance) * line->hinge[h].turn / CARDO_DEGREE);
        printf("%s\n", line->nhinge > HINGES ? " ..." : "");
    }
}

static int best_of(int n, const double *overlap)
{
    int best = 0;
    for (int m = 1; m < n; ++m)
        best = overlap[m] > overlap[best] ? m : best;
    return best;
}

/* One line of the comparison with other methods; shared: text. */
static void print_method(const char *name, int n, const double *overlap, const double *cumulative,
                         const char *shared)
{
    printf("  %-6s %5d", name, n);
    if (overlap && n > 0)
        printf(" %9.3f %6.3f (%d)%*s %11.3f", overlap[0], overlap[best_of(n, overlap)],
               best_of(n, overlap) + 1, best_of(n, overlap) < 9, "", cumulative[n - 1]);
    printf("  %s\n", shared);
}

static cardo_status print_comparison(const mode_run *r, cardo_error *error)
{
    cardo_status status;
    const cardo_mode_set *set = &r->set;
    double *overlap = NULL, *cumulative = NULL;
    char shared[64];
    CARDO_TRY(CARDO_ALLOCATE(&overlap, set->nmode, error));
    CARDO_TRY(CARDO_ALLOCATE(&cumulative, set->nmode, error));
    for (int m = 0; m < set->nmode; ++m) {
        overlap[m] = set->line[m].overlap;
        cumulative[m] = set->line[m].cumulative;
    }
    printf("\nbeside other methods on the same structure%s\n  method modes%s  span shared with the "
           "model\n",
           set->compared ? ": overlaps" : "",
           set->compared ? "   softest  best (rank)  cumulative" : "");
    print_method("model", set->nmode, set->compared ? overlap : NULL, cumulative, "");
    for (int k = 0; k < r->comparison.nmethod; ++k) {
        const cardo_mode_method *method = &r->comparison.method[k];
        snprintf(shared, sizeof shared, "%.3f (first %d of the model's, %d here)", method->shared,
                 method->shared_own, method->shared_other);
        print_method(method->name, method->nmode, method->overlap, method->cumulative, shared);
    }
done:
    cardo_free(overlap);
    cardo_free(cumulative);
    return status;
}

static void print_files(const mode_run *r)
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
        printf("  mode_%d.pdb%s  swings of %.3g A, bodies rigid and joints kept\n",
               r->set.line[0].number, r->files.nanimated > 1 ? " ..." : "    ",
               angstroms * r->options.amplitude);
    if (r->files.nanimated > 0 && r->setup.model->ncut > 0)
        printf("                    (bonds cut between bodies change by up to %.2f A in them)\n",
               angstroms * r->files.stretch);
    printf("%s", r->files.drawn
                     ? "  spectrum.png, b-factors.png ...  pictures (also .svg; drawn by plot.gp)\n"
                     : "  plot.gp           makes the pictures where gnuplot is installed\n");
}

static cardo_json *mode_json(const mode_run *r, const cardo_mode_line *line)
{
    cardo_json *one = cardo_json_object(), *hinges = cardo_json_array();
    cardo_json_integer(one, "mode", line->number);
    cardo_json_number(one, "eigenvalue_per_ps2", line->eigenvalue);
    cardo_json_number(one, "frequency_per_ps", cardo_mode_frequency(line->eigenvalue));
    cardo_json_number(one, "wavenumber_per_cm", cardo_mode_wavenumber(line->eigenvalue));
    cardo_json_bool(one, "imaginary", line->eigenvalue < 0);
    cardo_json_number(one, "amplitude_A", angstroms * line->amplitude);
    cardo_json_number(one, "collectivity", line->collectivity);
    if (r->set.compared) {
        cardo_json_number(one, "overlap", line->overlap);
        cardo_json_number(one, "cumulative_overlap", line->cumulative);
    }
    for (int h = 0; h < line->nhinge; ++h) {
        cardo_json *hinge = cardo_json_object();
        cardo_json_string(hinge, "before", r->files.label[line->hinge[h].before]);
        cardo_json_string(hinge, "behind", r->files.label[line->hinge[h].before + 1]);
        cardo_json_number(hinge, "thermal_turn_degree",
                          sqrt(line->variance) * line->hinge[h].turn / CARDO_DEGREE);
        cardo_json_number(hinge, "turn_over_spread", line->hinge[h].spread);
        cardo_json_put(hinges, NULL, hinge);
    }
    cardo_json_put(one, "hinges", hinges);
    return one;
}

static cardo_json *method_json(const cardo_mode_method *method)
{
    cardo_json *one = cardo_json_object();
    cardo_json_string(one, "method", method->name);
    cardo_json_integer(one, "modes", method->nmode);
    cardo_json_number(one, "shared_span", method->shared);
    if (!method->overlap)
        return one;
    cardo_json *overlaps = cardo_json_array();
    for (int m = 0; m < method->nmode; ++m)
        cardo_json_number(overlaps, NULL, method->overlap[m]);
    cardo_json_put(one, "overlaps", overlaps);
    const int best = best_of(method->nmode, method->overlap);
    cardo_json_number(one, "best_overlap", method->overlap[best]);
    cardo_json_number(one, "cumulative_overlap", method->cumulative[method->nmode - 1]);
    return one;
}

static void print_json(const mode_run *r)
{
    cardo_json *json = cardo_json_object(), *modes = cardo_json_array();
    const cardo_mode_set *set = &r->set;
    cardo_json_string(json, "model", r->setup.model->name);
    cardo_json_integer(json, "degrees_of_freedom", set->modes->nu);
    cardo_json_integer(json, "rigid_motions", set->nrigid);
    cardo_json_integer(json, "held_speeds", set->modes->nheld);
    if (set->b_known)
        cardo_json_number(json, "b_factor_correlation", set->b_correlation);
    if (set->compared)
        cardo_json_number(json, "observed_rmsd_A", angstroms * set->observed.rmsd);
    if (r->options.stiffness == CARDO_MODES_FORCES) {
        cardo_json_bool(json, "minimized", set->minimized);
        cardo_json_number(json, "largest_generalized_force", set->quality.residual);
        cardo_json_number(json, "step", set->quality.step);
        cardo_json_number(json, "asymmetry", set->quality.asymmetry);
        cardo_json_number(json, "asymmetry_of_rounding", set->quality.rounding);
        cardo_json_number(json, "asymmetry_of_step", set->quality.truncation);
    }
    for (int m = 0; m < set->nmode; ++m)
        cardo_json_put(modes, NULL, mode_json(r, &set->line[m]));
    cardo_json_put(json, "modes", modes);
    cardo_json *methods = cardo_json_array();
    for (int k = 0; k < r->comparison.nmethod; ++k)
        cardo_json_put(methods, NULL, method_json(&r->comparison.method[k]));
    cardo_json_put(json, "comparison", methods);
    if (r->files.nanimated > 0)
        cardo_json_number(json, "animated_cut_bonds_change_A", angstroms * r->files.stretch);
    cardo_json_string(json, "folder", r->folder);
    cardo_json_print(json, stdout);
}

static cardo_status report(const mode_run *r, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (cardo_command_has(r->command, "json")) {
        print_json(r);
    } else if (!cardo_command_has(r->command, "quiet")) {
        print_source(r);
        print_modes(r);
        print_hinges(r);
        if (r->comparison.nmethod > 0)
            status = print_comparison(r, error);
        print_files(r);
    }
    return status;
}

static cardo_status prepare(mode_run *r, cardo_error *error)
{
    cardo_status status;
    const cardo_option_target target = {cardo_mode_fields, &r->options};
    CARDO_TRY(cardo_setup_build(r->command, false, &r->setup, error));
    CARDO_TRY(cardo_study_options(r->setup.model, "modes", 1, &target, NULL, error));
    CARDO_TRY(cardo_mode_methods_check(&r->options, error));
    if (r->options.stiffness == CARDO_MODES_FORCES && !r->setup.provider) {
        *error = r->setup.no_forces;
        return error->code;
    }
    if (r->options.joints)
        CARDO_TRY(cardo_setup_free_joints(&r->setup, error));
    CARDO_TRY(cardo_choose_network_options(&r->setup, &r->options, error));
    status = cardo_start_place(r->command, &r->setup, error);
done:
    return status;
}

/* What every member of the team does; all but the first end with the stiffness. */
static cardo_status find_modes(cardo_team *team, void *run, cardo_error *error)
{
    cardo_status status;
    mode_run *r = run;
    CARDO_TRY(prepare(r, error));
    CARDO_TRY(cardo_mode_set_make(&r->setup, &r->options, team, &r->set, error));
    r->team = cardo_team_describe(team, r->team_text);
    if (cardo_team_rank(team) > 0)
        goto done;
    CARDO_TRY(cardo_mode_compare(&r->setup, &r->options, &r->set, &r->comparison, error));
    CARDO_TRY(cardo_run_folder_open(r->command, r->setup.model, ".modes", "modes.csv", NULL,
                                    &r->folder, error));
    r->files = (cardo_mode_files){.setup = &r->setup,
                                  .options = &r->options,
                                  .set = &r->set,
                                  .comparison = &r->comparison,
                                  .folder = r->folder};
    CARDO_TRY(cardo_mode_files_write(&r->files, error));
    CARDO_TRY(write_manifest(r, error));
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
    mode_run r = {.command = command};
    cardo_status status = count_processes(command, &processes, error);
    if (status == CARDO_OK)
        status = cardo_team_run(processes, find_modes, &r, error);
    cardo_mode_files_clear(&r.files);
    cardo_mode_comparison_clear(&r.comparison);
    cardo_mode_set_clear(&r.set);
    cardo_setup_clear(&r.setup);
    cardo_free(r.folder);
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
