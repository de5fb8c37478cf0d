#include "cli/mixed_profile.h"

#include "analysis/free_energy/statistics.h"
#include "analysis/free_energy/verdict.h"
#include "analysis/free_energy/weighted_samples.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/gnuplot.h"
#include "cli/run_folder.h"
#include "io/tables/free_energy_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Samples and what comes of them. */
typedef struct profile {
    int n, nplace;
    double *xi, *log_weight;
    double *place, *F, *sigma, *effective;
    double independent; /* samples that the series is worth */
    /* The upper half of the range against the lower from both halves of the run, with errors, kT. */
    double half[2], half_sigma[2];
    cardo_bins bins;
} profile;

static void profile_clear(profile *p)
{
    cardo_free(p->xi);
    cardo_free(p->log_weight);
    cardo_free(p->place);
    cardo_free(p->F);
    cardo_free(p->sigma);
    cardo_free(p->effective);
}

/* The second number of a line. */
static bool second_number(const cardo_line *line, double *value)
{
    const char *text = line->text, *end = text + line->length;
    for (int k = 0; k < 2; ++k) {
        while (text < end && *text == ' ')
            ++text;
        const char *from = text;
        while (text < end && *text != ' ')
            ++text;
        if (k == 1)
            return cardo_parse_double(from, (int)(text - from), value);
    }
    return false;
}

static cardo_status read_samples(const char *path, profile *p, cardo_error *error)
{
    cardo_status status;
    char *text = NULL;
    size_t length;
    cardo_line line = {0};
    CARDO_TRY(cardo_read_file(path, 0, &text, &length, error));
    const char *next = text;
    int lines = 0;
    while (cardo_next_line(&next, text + length, &line))
        ++lines;
    CARDO_TRY(CARDO_ALLOCATE(&p->xi, lines, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->log_weight, lines, error));
    line = (cardo_line){0};
    next = text;
    while (cardo_next_line(&next, text + length, &line)) {
        if (line.length == 0 || line.text[0] == '#')
            continue;
        if (!second_number(&line, &p->xi[p->n++]))
            CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: is no row of numbers", path,
                                 line.number));
    }
    if (p->n < 10)
        status = CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                            "%s has %d samples, too few for a free energy: more cycles are needed",
                            path, p->n);
done:
    cardo_free(text);
    return status;
}

static void choose_bins(const cardo_profile_plan *plan, profile *p)
{
    const double period = cardo_variable_period(plan->variable);
    p->bins = (cardo_bins){plan->bins, -0.5 * period, 0.5 * period, period > 0};
    if (period > 0)
        return;
    p->bins.low = p->bins.high = p->xi[0];
    for (int i = 1; i < p->n; ++i) {
        p->bins.low = fmin(p->bins.low, p->xi[i]);
        p->bins.high = fmax(p->bins.high, p->xi[i]);
    }
    if (!(p->bins.high > p->bins.low))
        p->bins.high = p->bins.low + 1e-9;
}

/* Of the variable, or of a periodic one's cosine and sine, whichever is slower. */
static cardo_status count_independent(const cardo_profile_plan *plan, profile *p,
                                      cardo_error *error)
{
    cardo_series_mean series;
    cardo_status status = CARDO_OK;
    double *values, period = cardo_variable_period(plan->variable);
    status = CARDO_ALLOCATE(&values, p->n, error);
    p->independent = p->n;
    for (int k = 0; k < (period > 0 ? 2 : 1) && status == CARDO_OK; ++k) {
        for (int i = 0; i < p->n; ++i) {
            const double angle = period > 0 ? 2 * CARDO_PI * p->xi[i] / period : 0;
            values[i] = period <= 0 ? p->xi[i] : k == 0 ? cos(angle) : sin(angle);
        }
        status = cardo_series_statistics(p->n, values, &series, error);
        if (status == CARDO_OK)
            p->independent = fmin(p->independent, series.effective);
    }
    cardo_free(values);
    return status;
}

/* From the first and the last half of the run; NaN where one has never been in a half of the range. */
static cardo_status compare_halves(const cardo_weighted_samples *samples, profile *p,
                                   cardo_error *error)
{
    int *label;
    double F[2][4], sigma[2][4];
    const double middle = 0.5 * (p->bins.low + p->bins.high);
    cardo_status status = CARDO_ALLOCATE(&label, p->n, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < p->n; ++i)
        label[i] = p->xi[i] > middle;
    const cardo_sample_sets sets = {2, label, 0};
    status = cardo_weighted_convergence(samples, &sets, 2, F[0], sigma[0], F[1], sigma[1], error);
    for (int k = 0; k < 2; ++k) {
        p->half[k] = F[k][1];
        p->half_sigma[k] = sigma[k][1];
    }
    cardo_free(label);
    return status;
}

static cardo_status estimate(const cardo_profile_plan *plan, profile *p, cardo_error *error)
{
    cardo_status status;
    const cardo_weighted_samples samples = {
        .nseries = 1, .count = &p->n, .log_weight = p->log_weight};
    choose_bins(plan, p);
    CARDO_TRY(count_independent(plan, p, error));
    CARDO_TRY(compare_halves(&samples, p, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->place, plan->bins, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->F, plan->bins, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->sigma, plan->bins, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->effective, plan->bins, error));
    for (int b = 0; b < plan->bins; ++b)
        p->place[b] = cardo_bin_centre(&p->bins, b);
    status = cardo_weighted_profile(&samples, p->xi, &p->bins, p->F, p->sigma, p->effective, error);
done:
    return status;
}

static cardo_status write_profile(const cardo_profile_plan *plan, const profile *p, bool *drawn,
                                  cardo_error *error)
{
    cardo_status status;
    char *path = NULL;
    static const char *const table[] = {"pmf.csv"}, *const label[] = {"all atoms, no bias"};
    const cardo_coordinate_label coordinate = {cardo_variable_name(plan->variable),
                                               cardo_variable_unit(plan->variable)};
    const cardo_profile_table lines = {.coordinate = coordinate,
                                       .kT = plan->kT,
                                       .n = plan->bins,
                                       .xi = p->place,
                                       .F = p->F,
                                       .sigma = p->sigma,
                                       .effective = p->effective};
    const cardo_free_energy_pictures pictures = {.title = plan->title,
                                                 .coordinate = coordinate,
                                                 .low = p->bins.low,
                                                 .high = p->bins.high,
                                                 .nprofile = 1,
                                                 .profile = table,
                                                 .label = label};
    CARDO_TRY(cardo_run_folder_path(plan->folder, "pmf.csv", &path, error));
    CARDO_TRY(cardo_profile_write(path, &lines, error));
    CARDO_TRY(cardo_plot_write_free_energy(plan->folder, &pictures, error));
    status = cardo_gnuplot_run(plan->folder, drawn, error);
done:
    cardo_free(path);
    return status;
}

/* Places above this are seldom visited without a bias, and are not judged. kT */
static const double highest_judged = 5;

static void tell(const cardo_profile_plan *plan, const profile *p, bool drawn)
{
    char text[2048];
    const cardo_verdict_replica one = {.passages = -1, .F = p->F, .sigma = p->sigma};
    const cardo_verdict_input input = {.coordinate = cardo_variable_name(plan->variable),
                                       .nreplica = 1,
                                       .replica = &one,
                                       .n = plan->bins,
                                       .xi = p->place,
                                       .F = p->F,
                                       .sigma = p->sigma,
                                       .highest = highest_judged,
                                       .target = plan->target,
                                       .first_half = p->half[0],
                                       .first_sigma = p->half_sigma[0],
                                       .last_half = p->half[1],
                                       .last_sigma = p->half_sigma[1]};
    cardo_free_energy_verdict(&input, text, sizeof text);
    cardo_print(stdout, "%d samples, worth %.0f independent ones\n%s%s/\n", p->n, p->independent,
                text, plan->folder);
    printf("  pmf.csv            free energy along %s, with standard errors\n"
           "  COLVAR             the samples\n"
           "  trajectory.nc      the motion; open it with topology.%s in VMD, PyMOL or ChimeraX\n"
           "  checkpoint.cardo   to go on: --continue\n"
           "  run.json           versions and options of this run\n%s",
           cardo_variable_name(plan->variable),
           cardo_run_folder_structure(plan->folder, "topology"),
           drawn ? "  pmf.png            picture (also .svg; drawn by plot.gp)\n"
                 : "  plot.gp            makes the picture where gnuplot is installed\n");
}

static void print_json(const cardo_profile_plan *plan, const profile *p)
{
    cardo_json *json = cardo_json_object(), *xi = cardo_json_array(), *F = cardo_json_array(),
               *sigma = cardo_json_array();
    for (int b = 0; b < plan->bins; ++b) {
        cardo_json_number(xi, NULL, p->place[b]);
        cardo_json_number(F, NULL, plan->kT * p->F[b]);
        cardo_json_number(sigma, NULL, plan->kT * p->sigma[b]);
    }
    cardo_json_string(json, "method", "mixed");
    cardo_json_string(json, "variable", cardo_variable_name(plan->variable));
    cardo_json_string(json, "unit", cardo_variable_unit(plan->variable));
    cardo_json_put(json, "xi", xi);
    cardo_json_put(json, "F_kJ_per_mol", F);
    cardo_json_put(json, "sigma_kJ_per_mol", sigma);
    cardo_json_integer(json, "samples", p->n);
    cardo_json_number(json, "independent_samples", p->independent);
    cardo_json_string(json, "folder", plan->folder);
    cardo_json_print(json, stdout);
}

cardo_status cardo_profile_from_colvar(const cardo_profile_plan *plan, cardo_error *error)
{
    profile p = {.n = 0};
    bool drawn;
    cardo_status status;
    CARDO_TRY(read_samples(plan->colvar, &p, error));
    CARDO_TRY(estimate(plan, &p, error));
    CARDO_TRY(write_profile(plan, &p, &drawn, error));
    if (!plan->quiet)
        tell(plan, &p, drawn);
    if (plan->json)
        print_json(plan, &p);
done:
    profile_clear(&p);
    return status;
}
