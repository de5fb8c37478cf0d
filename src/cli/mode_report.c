#include "cli/mode_report.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "cli/session_report.h"
#include "io/results/json.h"
#include "multibody/tree/coordinate_names.h"
#include "structure/pdb/pdb.h"
#include "study/judge.h"
#include "study/session_forces.h"

#include <math.h>
#include <stdio.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

static void print_network(const cardo_mode_run *r)
{
    static const char *const nodes[] = {"", "C-alpha atoms", "heavy atoms", "all atoms"};
    const cardo_mode_options *o = &r->options;
    cardo_print(stdout, "elastic network of %s: springs up to %.3g A, %.4g kJ/mol/nm^2%s\n",
                nodes[o->nodes], angstroms * o->cutoff, o->spring,
                o->power ? ", weaker with length" : "");
}

/* Whether more than rounding and the step's width is in the asymmetry. */
static bool is_unexplained(const cardo_stiffness_quality *quality)
{
    return quality->asymmetry > 2 * (quality->rounding + quality->truncation);
}

static void print_forces(const cardo_mode_run *r)
{
    char engine[64], name[96];
    const cardo_stiffness_quality *quality = &r->set.quality;
    const cardo_minimization_result *m = &r->set.minimization;
    printf("forces: %s, %s\n", cardo_session_engine(r->session, engine), r->members);
    cardo_judgement_print(r->session);
    if (r->set.minimized)
        cardo_print(stdout, "minimized: %.4f to %.4f kJ/mol in %d iterations%s\n",
                    m->first.potential, m->last.potential, m->last.iteration,
                    m->converged ? "" : "; the tolerance was not reached");
    cardo_print(stdout, "largest generalized force where modes are made: %.3g kJ/mol, on %s%s\n",
                quality->residual,
                cardo_mobility_name(r->session->system, quality->residual_speed, name),
                r->set.minimized ? "" : " (no minimum was looked for: modes.minimize=no)");
    cardo_print(
        stdout,
        "second derivatives by %lld evaluations of forces, step %.0e: |K - K^T| is %.1e of the "
        "largest entry,\n  of which rounding of the forces explains %.1e and the step's width "
        "%.1e%s\n",
        quality->evaluations, quality->step, quality->asymmetry, quality->rounding,
        quality->truncation,
        !is_unexplained(quality) ? ""
        : quality->residual > 1
            ? "; forces that are left turn with the bodies and make the rest"
            : "; the rest is unexplained: do forces depend on more than places?");
}

static void print_source(const cardo_mode_run *r)
{
    printf("%s: %d atoms in %d bodies, %d degrees of freedom%s\n", r->session->model->name,
           cardo_system_nstation(r->session->system), r->session->model->nbody, r->set.modes->nu,
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

static void print_modes(const cardo_mode_run *r)
{
    const cardo_mode_set *set = &r->set;
    printf("\n mode      1/ps      1/cm  amplitude (A)  collectivity%s\n",
           set->compared ? "  overlap  cumulative" : "");
    for (int m = 0; m < set->nmode; ++m) {
        const cardo_mode_line *line = &set->line[m];
        cardo_print(stdout, "%5d %9.4f %9.3f %14.3f %13.3f", line->number,
                    cardo_mode_frequency(line->eigenvalue), cardo_mode_wavenumber(line->eigenvalue),
                    angstroms * line->amplitude, line->collectivity);
        if (set->compared)
            cardo_print(stdout, " %8.3f %11.3f", line->overlap, line->cumulative);
        printf("%s\n", line->eigenvalue < 0 ? "  imaginary" : "");
    }
    if (set->compared)
        cardo_print(
            stdout,
            "overlaps are with the %.2f A that %d C-alpha atoms are apart in the two structures\n",
            angstroms * set->observed.rmsd, set->observed.n);
    if (set->b_known)
        cardo_print(stdout, "B factors of the modes and of the file correlate by %.2f\n",
                    set->b_correlation);
}

/* Hinges of the softest modes; hinges.csv has all. */
static void print_hinges(const cardo_mode_run *r)
{
    enum { MODES = 5, HINGES = 6 };
    int shown = 0;
    for (int m = 0; m < r->set.nmode && m < MODES; ++m) {
        const cardo_mode_line *line = &r->set.line[m];
        if (line->nhinge == 0)
            continue;
        printf("%s%5d ", shown++ ? "" : "\nhinges (thermal turn)\n", line->number);
        for (int h = 0; h < line->nhinge && h < HINGES; ++h)
            cardo_print(stdout, " %s|%s (%.2g°)", r->files.label[line->hinge[h].before],
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
        cardo_print(stdout, " %9.3f %6.3f (%d)%*s %11.3f", overlap[0], overlap[best_of(n, overlap)],
                    best_of(n, overlap) + 1, best_of(n, overlap) < 9, "", cumulative[n - 1]);
    printf("  %s\n", shared);
}

static cardo_status print_comparison(const cardo_mode_run *r, cardo_error *error)
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
        cardo_format(shared, sizeof shared, "%.3f (first %d of the model's, %d here)",
                     method->shared, method->shared_own, method->shared_other);
        print_method(method->name, method->nmode, method->overlap, method->cumulative, shared);
    }
done:
    cardo_free(overlap);
    cardo_free(cumulative);
    return status;
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

static cardo_json *mode_json(const cardo_mode_run *r, const cardo_mode_line *line)
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

static void print_json(const cardo_mode_run *r)
{
    cardo_json *json = cardo_json_object(), *modes = cardo_json_array();
    const cardo_mode_set *set = &r->set;
    cardo_json_string(json, "model", r->session->model->name);
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

cardo_status cardo_mode_report(const cardo_mode_run *r, cardo_error *error)
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
