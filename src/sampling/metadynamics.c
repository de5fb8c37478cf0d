#include "sampling/metadynamics.h"

#include "analysis/metadynamics_weights.h"
#include "base/memory.h"
#include "base/units.h"
#include "sampling/free_walkers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEWEST_SAMPLES = 20, NODES_IN_RANGE = 400, NODES_A_WIDTH = 4, MOST_NODES = 20000 };

/* What the method keeps; then the height of each walker's last hill. */
enum { WIDTH, HEIGHT, KEPT };

typedef struct metadynamics_options {
    int walkers;
    double height, width, bias_factor;
} metadynamics_options;

static const cardo_field metadynamics_fields[] = {
    {"walkers", CARDO_FIELD_INT, offsetof(metadynamics_options, walkers), "", "1", 1, 10000, NULL,
     "walkers that see each other's hills, spread over the range at the beginning"},
    {"height", CARDO_FIELD_DOUBLE, offsetof(metadynamics_options, height), "kJ/mol", "0", 0, 1e6,
     NULL, "of the first hills, one a walker after each round; 0: kT/2"},
    {"width", CARDO_FIELD_DOUBLE, offsetof(metadynamics_options, width), "", "0", 0, 1e300, NULL,
     "standard deviation of the hills, in the variable's unit; 0: half of what the variable "
     "fluctuates by in equilibration, between 1/100 and 1/20 of the range"},
    {"bias-factor", CARDO_FIELD_DOUBLE, offsetof(metadynamics_options, bias_factor), "", "10", 1.01,
     1e6, NULL,
     "the variable comes to feel a temperature so many times higher: about the highest barrier in "
     "kT"},
    {0},
};

static const metadynamics_options *options_of(const cardo_sampling *sampling)
{
    return (const metadynamics_options *)sampling->method_options.bytes;
}

static double kT_of(const cardo_sampling *sampling)
{
    return CARDO_BOLTZMANN * sampling->walk.simulation.temperature;
}

static int keep_count(const cardo_sampling *sampling, int nwalker)
{
    (void)sampling;
    return KEPT + nwalker;
}

/* Half the smallest standard deviation of the walkers' second halves. */
static double fluctuation(const cardo_sampling *sampling)
{
    const double range = sampling->options.to - sampling->options.from;
    double least = range;
    for (int k = 0; k < sampling->crew.nwalker; ++k) {
        const cardo_walker *walker = &sampling->crew.walkers[k];
        int first = walker->nsample / 2, n = walker->nsample - first;
        double sum = 0, squares = 0;
        if (n < FEWEST_SAMPLES)
            continue;
        for (int i = first; i < walker->nsample; ++i) {
            double x =
                cardo_periodic_difference(walker->xi[i], walker->xi[first], walker->bias.period);
            sum += x;
            squares += x * x;
        }
        least = fmin(least, 0.5 * sqrt(fmax(0, squares / n - sum * sum / n / n)));
    }
    return fmin(fmax(least, range / 100), range / 20);
}

static cardo_status prepare(cardo_sampling *sampling, const volatile sig_atomic_t *interrupt,
                            cardo_end *end, cardo_error *error)
{
    cardo_status status;
    const metadynamics_options *options = options_of(sampling);
    const double range = sampling->options.to - sampling->options.from;
    bool round = cardo_range_is_round(sampling);
    double spacing = range / NODES_IN_RANGE;
    if (options->width > 0)
        spacing = fmin(spacing, options->width / NODES_A_WIDTH);
    int n = (int)ceil(range / spacing - 1e-9);
    *end = CARDO_END_FAILED;
    if (n > MOST_NODES || options->width > range / 2)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "hills of width %g do not suit a range of %g: take between %.3g and %.3g",
                          options->width, range, range * NODES_A_WIDTH / MOST_NODES, range / 10);
    spacing = range / n;
    CARDO_TRY(cardo_free_walkers_prepare(sampling, options->walkers, round ? n : n + 1,
                                         sampling->options.from, spacing, interrupt, end, error));
    if (*end != CARDO_END_DONE)
        goto done;
    sampling->keep[WIDTH] = options->width > 0 ? options->width : fluctuation(sampling);
    sampling->keep[HEIGHT] = options->height > 0 ? options->height : 0.5 * kT_of(sampling);
    cardo_sampling_note(sampling,
                        "%d walker%s: after every %d steps a hill of width %.4g and "
                        "height %.4g kJ/mol at first, bias factor %g\n",
                        options->walkers, options->walkers > 1 ? "s, each" : "",
                        sampling->options.round, sampling->keep[WIDTH], sampling->keep[HEIGHT],
                        options->bias_factor);
    cardo_crew_forget(&sampling->crew);
done:
    return status;
}

/* Where a walker's hill goes after round r: its place, or the mirror image of a place beyond an end of
 * the range. */
static double hill_centre(const cardo_sampling *sampling, long long r, int k)
{
    const cardo_walker *walker = &sampling->crew.walkers[k];
    const int samples = sampling->options.round / sampling->options.interval;
    const double from = sampling->options.from, to = sampling->options.to;
    double xi = walker->xi[(r + 1) * samples - 1], middle = 0.5 * (from + to);
    if (cardo_range_is_round(sampling))
        return xi;
    xi = middle + cardo_periodic_difference(xi, middle, walker->bias.period);
    xi = xi < from ? 2 * from - xi : xi > to ? 2 * to - xi : xi;
    return fmin(fmax(xi, from), to);
}

/* Ends of the range are mirrors, so that the bias is level there and goes on level: hills that ended
 * beyond would leave a trough there, and those that stopped a slope. */
static void lay_one(const cardo_sampling *sampling, cardo_bias_potential *bias, double centre,
                    double height)
{
    const double width = sampling->keep[WIDTH];
    double *slopes = cardo_bias_grid_slopes(bias);
    cardo_bias_grid_add(bias, centre, width, height);
    if (cardo_range_is_round(sampling))
        return;
    cardo_bias_grid_add(bias, 2 * sampling->options.from - centre, width, height);
    cardo_bias_grid_add(bias, 2 * sampling->options.to - centre, width, height);
    slopes[0] = slopes[cardo_bias_grid_count(bias) - 1] = 0;
}

/* Lays the hills after round r, counted from 0, onto a bias as it was in the round: heights of all
 * first, then all at once, so that no walker comes first. */
static void lay(const cardo_sampling *sampling, long long r, cardo_bias_potential *bias,
                double *height)
{
    const double tempering = (options_of(sampling)->bias_factor - 1) * kT_of(sampling);
    for (int k = 0; k < sampling->crew.nwalker; ++k) {
        double V = cardo_bias_grid_inside(bias, hill_centre(sampling, r, k));
        height[k] = sampling->keep[HEIGHT] * exp(-V / tempering);
    }
    for (int k = 0; k < sampling->crew.nwalker; ++k)
        lay_one(sampling, bias, hill_centre(sampling, r, k), height[k]);
}

/* By how much the bias differs within the range: it goes on growing as a whole. */
static double relief(const cardo_bias_potential *bias)
{
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i < cardo_bias_grid_count(bias); ++i) {
        least = fmin(least, cardo_bias_grid_values(bias)[i]);
        most = fmax(most, cardo_bias_grid_values(bias)[i]);
    }
    return most - least;
}

static cardo_status merge(cardo_sampling *sampling, cardo_error *error)
{
    cardo_bias_potential *bias = &sampling->crew.walkers[0].bias;
    lay(sampling, sampling->round - 1, bias, sampling->keep + KEPT);
    cardo_free_walkers_share(sampling);
    if (relief(bias) <= sampling->options.highest_start)
        return CARDO_OK;
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "the hills lift walkers by %.4g kJ/mol, more than highest-start=%g: walkers are "
        "pressed into clashes. Take a bias factor below %g, lower hills, or a range "
        "that is free",
        relief(bias), sampling->options.highest_start, options_of(sampling)->bias_factor);
}

static void report(const cardo_sampling *sampling, char *text, size_t size)
{
    double sum = 0;
    for (int k = 0; k < sampling->crew.nwalker; ++k)
        sum += sampling->keep[KEPT + k];
    snprintf(text, size,
             "the bias differs by %.2f kJ/mol within the range; the last hills are %.3g of the "
             "first ones' height; "
             "%d passages from one end of the range to the other\n",
             relief(&sampling->crew.walkers[0].bias),
             sum / sampling->crew.nwalker / sampling->keep[HEIGHT],
             cardo_free_walkers_passages(sampling));
}

const cardo_sampling_method cardo_sampling_metadynamics = {
    .name = "metadynamics",
    .doc = "well-tempered metadynamics: hills where walkers have been, which they all see",
    .citation = "Barducci, Bussi, Parrinello 2008; Raiteri et al. 2006; Tiwary, Parrinello 2015",
    .fields = metadynamics_fields,
    .options_size = sizeof(metadynamics_options),
    .keep_count = keep_count,
    .prepare = prepare,
    .merge = merge,
    .report = report,
};

void cardo_metadynamics_hills(const cardo_sampling *sampling, cardo_hill *hills)
{
    for (int k = 0; k < sampling->crew.nwalker; ++k)
        hills[k] = (cardo_hill){
            .time = (double)sampling->round * sampling->options.round *
                    sampling->walk.simulation.timestep,
            .centre = hill_centre(sampling, sampling->round - 1, k),
            .width = sampling->keep[WIDTH],
            .height = sampling->keep[KEPT + k],
            .bias_factor = options_of(sampling)->bias_factor,
        };
}

/* c(t). work: (nnode). */
static double offset_of(const cardo_sampling *sampling, const cardo_bias_potential *bias,
                        double *work)
{
    const int n = cardo_bias_grid_count(bias);
    for (int i = 0; i < n; ++i)
        work[i] = cardo_bias_grid_values(bias)[i] / kT_of(sampling);
    return cardo_metadynamics_offset(n, work, options_of(sampling)->bias_factor);
}

cardo_status cardo_metadynamics_weigh(const cardo_sampling *sampling, double discard, int *count,
                                      double *xi, double *log_weight, cardo_error *error)
{
    cardo_status status;
    const cardo_crew *crew = &sampling->crew;
    const int samples = sampling->options.round / sampling->options.interval;
    const long long skip = (long long)(discard * (double)sampling->round);
    const int kept = (int)(sampling->round - skip) * samples;
    const cardo_bias_potential *last = &crew->walkers[0].bias;
    cardo_bias_potential bias = {0};
    double *work = NULL, *height = NULL, slope;
    CARDO_TRY(
        cardo_bias_grid_create(&bias, last->period, cardo_bias_grid_count(last), 0, 0, error));
    memcpy(bias.values, last->values, CARDO_GRID_HEAD * sizeof *bias.values);
    CARDO_TRY(CARDO_ALLOCATE(&work, cardo_bias_grid_count(last), error));
    CARDO_TRY(CARDO_ALLOCATE(&height, crew->nwalker, error));
    for (long long r = 0; r < sampling->round; ++r) {
        double offset = r >= skip ? offset_of(sampling, &bias, work) : 0;
        for (int k = 0; k < crew->nwalker && r >= skip; ++k)
            for (int i = 0; i < samples; ++i) {
                size_t to = (size_t)k * (size_t)kept + (size_t)((r - skip) * samples + i);
                xi[to] = crew->walkers[k].xi[r * samples + i];
                log_weight[to] =
                    cardo_bias_evaluate(&bias, xi[to], &slope) / kT_of(sampling) - offset;
            }
        lay(sampling, r, &bias, height);
    }
    for (int k = 0; k < crew->nwalker; ++k)
        count[k] = kept;
done:
    cardo_bias_clear(&bias);
    cardo_free(work);
    cardo_free(height);
    return status;
}
