#include "study/sample/results.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "study/sample/profile.h"
#include "study/sample/scan_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reduced energies that are kept unasked: 100 MB. */
static const double most_unasked = 1e8;
/* Places so high above the lowest are hardly ever visited without a bias: not judged, kT. */
static const double highest_judged = 20;

/* Estimates of all replicas together, and of each. */
typedef struct estimates {
    cardo_estimate together, part[CARDO_MOST_REPLICAS];
    int nreplica;
} estimates;

enum { NAME = 48, LABEL = 192 };

static void add(cardo_result *table, const char *name, const char *label, const char *unit,
                const char *stored, double value)
{
    cardo_result_number(table, &(cardo_quantity){name, label, unit, .stored = stored}, value);
}

/* A number under a numbered name: "window_3", of a label that ends in the number too. */
static void add_numbered(cardo_result *table, const char *stem, const char *ending, int number,
                         const char *label, const char *unit, const char *stored, double value)
{
    char name[NAME], heading[LABEL];
    snprintf(name, sizeof name, "%s_%d%s", stem, number, ending);
    snprintf(heading, sizeof heading, "%s %d", label, number);
    add(table, name, heading, unit, stored, value);
}

static void add_place(cardo_result *table, const sample_run *run, const char *stored, double xi)
{
    add(table, "xi", cardo_variable_name(run->variable), cardo_variable_unit(run->variable), stored,
        xi);
}

static void fill_profile(const sample_run *run, const cardo_estimate *e, cardo_result *into)
{
    const cardo_profile_lines lines = {.coordinate = cardo_variable_name(run->variable),
                                       .unit = cardo_variable_unit(run->variable),
                                       .kT = e->kT,
                                       .n = e->bins.n,
                                       .xi = e->xi,
                                       .F = e->F,
                                       .sigma = e->sigma,
                                       .bootstrap = e->bootstrap,
                                       .effective = e->effective};
    cardo_profile_fill(&lines, into);
}

/* A difference, or why there is none; "": nothing is to be said. */
static void say_state(const cardo_estimate *e, int b, char *text, size_t size)
{
    const double from = e->basin[2 * b], to = e->basin[2 * b + 1];
    text[0] = '\0';
    if (e->basin_empty[b] > 0)
        cardo_format(
            text, size,
            "state %g to %g is not sampled: %d of its %d bins %s no samples, or a single one, so "
            "its free energy is not known",
            from, to, e->basin_empty[b], e->basin_bins[b], e->basin_empty[b] > 1 ? "have" : "has");
    else if (isfinite(e->basin_F[b]) && b > 0)
        cardo_format(text, size,
                     "state %g to %g lies %+.3f +- %.*f kJ/mol relative to state %g to %g", from,
                     to, e->kT * e->basin_F[b], e->kT * e->basin_sigma[b] < 5e-4 ? 9 : 3,
                     e->kT * e->basin_sigma[b], e->basin[0], e->basin[1]);
    else if (b > 0)
        cardo_format(text, size, "how far state %g to %g lies from state %g to %g is not known: %s",
                     from, to, e->basin[0], e->basin[1],
                     e->basin_empty[0] > 0 ? "that one is not sampled"
                                           : "too few samples to know an error");
}

static void fill_state(const estimates *all, int b, cardo_result *table)
{
    char text[320];
    const cardo_estimate *e = &all->together;
    cardo_result_row(table);
    add(table, "from", NULL, NULL, ".10g", e->basin[2 * b]);
    add(table, "to", NULL, NULL, ".10g", e->basin[2 * b + 1]);
    add(table, "F_kJ_per_mol", "F", "kJ/mol", ".10g", e->kT * e->basin_F[b]);
    add(table, "sigma_kJ_per_mol", "sigma", "kJ/mol", ".6g", e->kT * e->basin_sigma[b]);
    add(table, "bootstrap_kJ_per_mol", "bootstrap", "kJ/mol", ".6g", e->kT * e->basin_bootstrap[b]);
    for (int r = 0; all->nreplica > 1 && r < all->nreplica; ++r) {
        add_numbered(table, "F", "_kJ_per_mol", r + 1, "F of replica", "kJ/mol", ".10g",
                     e->kT * all->part[r].basin_F[b]);
        add_numbered(table, "sigma", "_kJ_per_mol", r + 1, "sigma of replica", "kJ/mol", ".6g",
                     e->kT * all->part[r].basin_sigma[b]);
    }
    cardo_result_integer(table, &(cardo_quantity){"bins", .stored = ""}, e->basin_bins[b]);
    cardo_result_integer(table, &(cardo_quantity){"bins_not_sampled", .stored = ""},
                         e->basin_empty[b]);
    say_state(e, b, text, sizeof text);
    if (text[0])
        cardo_result_text(table, &(cardo_quantity){"verdict", .stored = ""}, text);
}

static void fill_states(const estimates *all, cardo_result *into)
{
    const cardo_estimate *e = &all->together;
    cardo_result *table = cardo_result_table(into, "states", "state");
    if (e->nbasin == 0 || e->halves)
        return;
    cardo_result_file(table, "states.csv", false);
    for (int b = 0; b < e->nbasin; ++b)
        fill_state(all, b, table);
}

/* The profile of each replica. */
static void fill_replicas(const sample_run *run, const estimates *all, cardo_result *into)
{
    const cardo_estimate *e = &all->together;
    cardo_result_integer(into, &(cardo_quantity){"replicas"}, all->nreplica);
    if (all->nreplica < 2)
        return;
    cardo_result *table = cardo_result_table(into, "replica_profiles", "place");
    cardo_result_file(table, "replicas.csv", true);
    for (int b = 0; b < e->bins.n; ++b) {
        cardo_result_row(table);
        add_place(table, run, ".10g", e->xi[b]);
        for (int r = 0; r < all->nreplica; ++r) {
            add_numbered(table, "F", "_kJ_per_mol", r + 1, "F of replica", "kJ/mol", ".10g",
                         e->kT * all->part[r].F[b]);
            add_numbered(table, "sigma", "_kJ_per_mol", r + 1, "sigma of replica", "kJ/mol", ".6g",
                         e->kT * all->part[r].sigma[b]);
        }
    }
}

/* "overlap.csv" of the first replica, "overlap.2.csv" of the second one; parts are "overlap", "overlap_2". */
static const char *replica_name(int replica, const char *stem, const char *ending, char text[NAME])
{
    const char *between = *ending ? "." : "";
    if (replica == 0)
        snprintf(text, NAME, "%s%s%s", stem, between, ending);
    else
        snprintf(text, NAME, "%s%s%d%s%s", stem, *ending ? "." : "_", replica + 1, between, ending);
    return text;
}

/* A column for each window, replica after replica. */
static void fill_histograms(const sample_run *run, const estimates *all, cardo_result *into)
{
    const cardo_estimate *first = &all->part[0];
    const int n = first->bins.n;
    cardo_result *table = cardo_result_table(into, "windows", "place");
    cardo_result_file(table, "windows.csv", true);
    for (int i = 0; i < n; ++i) {
        cardo_result_row(table);
        add_place(table, run, ".8g", first->xi[i]);
        for (int k = 0; k < first->nwindow * all->nreplica; ++k) {
            const cardo_estimate *part = &all->part[k / first->nwindow];
            add_numbered(table, "window", "", k + 1, "window", NULL, ".8g",
                         part->histograms[(size_t)(k % first->nwindow) * (size_t)n + (size_t)i]);
        }
    }
}

static void fill_overlap(const cardo_estimate *part, int replica, cardo_result *into)
{
    char name[NAME];
    cardo_result *table =
        cardo_result_table(into, replica_name(replica, "overlap", "", name), "window");
    cardo_result_file(table, replica_name(replica, "overlap", "csv", name), true);
    for (int i = 0; i < part->nwindow; ++i) {
        cardo_result_row(table);
        for (int k = 0; k < part->nwindow; ++k)
            add_numbered(table, "window", "", k + 1, "window", NULL, ".8g",
                         part->mbar.overlap[i * part->nwindow + k]);
    }
}

static void fill_reduced_energies(const cardo_estimate *part, int replica, cardo_result *into)
{
    char name[NAME];
    cardo_result *array;
    const cardo_axis axes[] = {{"window", part->nwindow}, {"sample", part->nsample}};
    double *u = cardo_result_doubles(
        into, &(cardo_quantity){replica_name(replica, "u_kn", "", name), .unit = "kT"}, 2, axes,
        &array);
    if (u)
        memcpy(u, part->u, (size_t)part->nwindow * (size_t)part->nsample * sizeof *u);
    cardo_result_file(array, replica_name(replica, "u_kn", "npy", name), true);
    long long *count = cardo_result_integers(
        into, &(cardo_quantity){replica_name(replica, "N_k", "", name)}, 1, axes, &array);
    for (int k = 0; count && k < part->nwindow; ++k)
        count[k] = part->count[k];
    cardo_result_file(array, replica_name(replica, "N_k", "npy", name), true);
}

static void fill_windows(const sample_run *run, const estimates *all, cardo_result *into)
{
    const cardo_estimate *first = &all->part[0];
    const int wish = run->options->profile.u_kn;
    const double size = 8.0 * first->nwindow * first->nsample * all->nreplica;
    if (first->nwindow == 0)
        return;
    cardo_result_integer(into, &(cardo_quantity){"window_count"}, first->nwindow);
    cardo_result_integer(into, &(cardo_quantity){"sample_count"}, first->nsample);
    fill_histograms(run, all, into);
    for (int r = 0; r < all->nreplica; ++r)
        fill_overlap(&all->part[r], r, into);
    for (int r = 0; (wish == 1 || (wish == 0 && size <= most_unasked)) && r < all->nreplica; ++r)
        fill_reduced_energies(&all->part[r], r, into);
}

static void fill_convergence(const cardo_estimate *e, cardo_result *into)
{
    char what[160], beginning[LABEL], end[LABEL];
    bool known = false;
    if (e->npart == 0)
        return;
    cardo_format(what, sizeof what, "F of %g to %g against %g to %g", e->basin[2], e->basin[3],
                 e->basin[0], e->basin[1]);
    snprintf(beginning, sizeof beginning, "%s from the beginning", what);
    snprintf(end, sizeof end, "%s from the end", what);
    cardo_result *table = cardo_result_table(into, "convergence", "part of the run");
    cardo_result_file(table, "convergence.csv", true);
    for (int k = 0; k < e->npart; ++k) {
        cardo_result_row(table);
        add(table, "part", "part of the run", NULL, ".8g", (k + 1.0) / e->npart);
        add(table, "beginning_kJ_per_mol", beginning, "kJ/mol", ".8g", e->kT * e->forward[k]);
        add(table, "beginning_sigma_kJ_per_mol", "sigma", "kJ/mol", ".8g",
            e->kT * e->forward_sigma[k]);
        add(table, "end_kJ_per_mol", end, "kJ/mol", ".8g", e->kT * e->backward[k]);
        add(table, "end_sigma_kJ_per_mol", "sigma", "kJ/mol", ".8g", e->kT * e->backward_sigma[k]);
        known = known || isfinite(e->forward[k]) || isfinite(e->backward[k]);
    }
    /* Whether some part of the run knew the difference of the first two states. */
    cardo_result_truth(into, &(cardo_quantity){"convergence_known"}, known);
}

/* How many walked how far, and what each replica reports. */
static void fill_course(const sample_run *run, const estimates *all, cardo_result *into)
{
    enum { REPORT = 2048 };
    char one[REPORT], report[CARDO_MOST_REPLICAS * 64 + 4 * REPORT] = "";
    size_t used = 0;
    const cardo_sample_options *o = run->options;
    const long long steps = cardo_sampling_round(run->sampling) * o->sampling.round;
    if (o->method->stands)
        return;
    if (steps > 0) {
        cardo_result_integer(into, &(cardo_quantity){"walkers"},
                             (long long)all->nreplica *
                                 cardo_sampling_crew(run->sampling)->nwalker);
        cardo_result_integer(into, &(cardo_quantity){"steps"}, steps);
        cardo_result_number(into, &(cardo_quantity){"time_ps", .unit = "ps"},
                            o->simulation.timestep * (double)steps);
        if (cardo_system_mass_matrix(run->session->system))
            cardo_result_text(into, &(cardo_quantity){"time_is"}, "unphysical");
    }
    for (int r = 0; r < all->nreplica && used < sizeof report; ++r) {
        cardo_sampling_report(cardo_replicas_study(run->replicas, r), one, sizeof one);
        if (all->nreplica > 1 && *one)
            used += (size_t)snprintf(report + used, sizeof report - used, "replica %d: ", r + 1);
        if (used < sizeof report)
            used += (size_t)snprintf(report + used, sizeof report - used, "%s", one);
    }
    cardo_result_text(into, &(cardo_quantity){"report"}, report);
}

/* The largest error bar of the profile where F is below `highest` kT, and where it is; kT. */
static double find_worst(const cardo_estimate *e, double highest, double *xi)
{
    double lowest = HUGE_VAL, worst = 0;
    *xi = (double)NAN;
    for (int b = 0; b < e->bins.n; ++b)
        lowest = fmin(lowest, e->F[b]);
    for (int b = 0; b < e->bins.n; ++b)
        if (e->F[b] <= lowest + highest && e->sigma[b] > worst) {
            worst = e->sigma[b];
            *xi = e->xi[b];
        }
    return worst;
}

static void fill_worst(const cardo_estimate *e, cardo_result *into)
{
    double place;
    const double worst = find_worst(e, highest_judged, &place);
    if (!(worst > 0))
        return;
    cardo_result_number(into, &(cardo_quantity){"worst_sigma_kJ_per_mol", .style = ".2f"},
                        e->kT * worst);
    cardo_result_number(into, &(cardo_quantity){"worst_sigma_kT", .style = ".2f"}, worst);
    cardo_result_number(into, &(cardo_quantity){"worst_sigma_at", .style = ".4g"}, place);
}

static cardo_status fill_verdict(const sample_run *run, const estimates *all, cardo_result *into,
                                 cardo_error *error)
{
    enum { WORDS = 8192 };
    char *words;
    const cardo_estimate *e = &all->together;
    cardo_status status = CARDO_ALLOCATE(&words, WORDS, error);
    if (status != CARDO_OK)
        return status;
    const cardo_verdict verdict = cardo_replicas_judge(run->replicas, all->part, e, highest_judged,
                                                       run->options->profile.target, words, WORDS);
    if (e->remark) {
        cardo_result_text(into, &(cardo_quantity){"remark"}, e->remark);
    } else {
        cardo_result_truth(into, &(cardo_quantity){"converged"},
                           verdict == CARDO_VERDICT_CONVERGED);
        cardo_result_text(into, &(cardo_quantity){"judged"}, cardo_verdict_word(verdict));
    }
    cardo_result_remark(into, "verdict", CARDO_RESULT_VERDICT, words, NULL);
    cardo_free(words);
    return CARDO_OK;
}

static cardo_status fill_all(const sample_run *run, const estimates *all, cardo_result *into,
                             cardo_error *error)
{
    cardo_status status;
    const cardo_estimate *e = &all->together;
    cardo_result_text(into, &(cardo_quantity){"method"},
                      cardo_sampling_method_name(run->options->method));
    cardo_result_text(into, &(cardo_quantity){"ensemble"},
                      cardo_ensemble_name(run->options->simulation.ensemble));
    fill_profile(run, e, into);
    fill_states(all, into);
    fill_replicas(run, all, into);
    fill_windows(run, all, into);
    fill_convergence(e, into);
    if (run->options->method == &cardo_sampling_scan)
        CARDO_TRY(cardo_scan_tables_fill(run, into, error));
    else
        fill_worst(e, into);
    fill_course(run, all, into);
    CARDO_TRY(fill_verdict(run, all, into, error));
    status = cardo_result_status(into, error);
done:
    return status;
}

cardo_status cardo_sample_fill(const sample_run *run, cardo_result *into, cardo_error *error)
{
    estimates *all;
    cardo_status status = CARDO_ALLOCATE(&all, 1, error);
    if (status != CARDO_OK)
        return status;
    all->nreplica = cardo_replicas_count(run->replicas);
    status =
        cardo_replicas_estimate(run->replicas, &run->request, all->part, &all->together, error);
    if (status == CARDO_OK)
        status = fill_all(run, all, into, error);
    for (int r = 0; r < CARDO_MOST_REPLICAS; ++r)
        cardo_estimate_clear(&all->part[r]);
    cardo_estimate_clear(&all->together);
    cardo_free(all);
    return status;
}
