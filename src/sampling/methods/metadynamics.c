#include "sampling/methods/metadynamics.h"

#include "analysis/free_energy/metadynamics_weights.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "sampling/methods/free_walkers.h"
#include "sampling/methods/weighted_estimate.h"

#include <math.h>
#include <string.h>

enum { FEWEST_SAMPLES = 20, NODES_IN_RANGE = 400, NODES_A_WIDTH = 4, MOST_NODES = 20000 };

/* What the method keeps; then the height of each walker's last hill. */
enum { WIDTH, HEIGHT, KEPT };

typedef struct metadynamics_options {
    int walkers;
    double height, width, bias_factor, discard;
} metadynamics_options;

const cardo_field cardo_metadynamics_fields[] = {
    {"walkers", CARDO_FIELD_INT, offsetof(metadynamics_options, walkers), "", "1", 1, 10000, NULL,
     "walkers that see each other's hills, spread over the range at the beginning"},
    {"height", CARDO_FIELD_DOUBLE, offsetof(metadynamics_options, height), "kJ/mol", "0", 0, 1e6,
     NULL, "of the first hills, of which each walker adds one every `round` steps; 0: kT/2"},
    {"width", CARDO_FIELD_DOUBLE, offsetof(metadynamics_options, width), "", "0", 0, 1e300, NULL,
     "standard deviation of the hills, in the variable's unit; 0: half of what the variable "
     "fluctuates by in equilibration, between 1/100 and 1/20 of the range"},
    {"bias-factor", CARDO_FIELD_DOUBLE, offsetof(metadynamics_options, bias_factor), "", "10", 1.01,
     1e6, NULL,
     "the variable comes to feel a temperature so many times higher: about the highest barrier in "
     "kT"},
    {"discard", CARDO_FIELD_DOUBLE, offsetof(metadynamics_options, discard), "", "0.2", 0, 0.99,
     NULL, "first part of the run, in which hills fill the range, that does not count"},
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
    const cardo_free_walkers walkers = {.nwalker = options->walkers,
                                        .nnode = round ? n : n + 1,
                                        .low = sampling->options.from,
                                        .spacing = spacing};
    CARDO_TRY(cardo_free_walkers_prepare(sampling, &walkers, interrupt, end, error));
    if (*end != CARDO_END_DONE)
        goto done;
    sampling->keep[WIDTH] = options->width > 0 ? options->width
                            : sampling->first  ? sampling->first->keep[WIDTH]
                                               : fluctuation(sampling);
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

void cardo_metadynamics_hills(const cardo_sampling *sampling, cardo_hill *hills)
{
    const long long r = sampling->round - 1;
    for (int k = 0; k < sampling->crew.nwalker; ++k)
        hills[k] = (cardo_hill){
            .time = (double)(r + 1) * sampling->options.round * sampling->walk.simulation.timestep,
            .centre = hill_centre(sampling, r, k),
            .width = sampling->keep[WIDTH],
            .height = sampling->keep[KEPT + k],
            .bias_factor = options_of(sampling)->bias_factor,
        };
}

static void report(const cardo_sampling *sampling, char *text, size_t size)
{
    double sum = 0;
    for (int k = 0; k < sampling->crew.nwalker; ++k)
        sum += sampling->keep[KEPT + k];
    cardo_format(text, size,
                 "the bias differs by %.2f kJ/mol within the range; the last hills are %.3g of the "
                 "first ones' height; "
                 "%d passages from one end of the range to the other\n",
                 relief(&sampling->crew.walkers[0].bias),
                 sum / sampling->crew.nwalker / sampling->keep[HEIGHT],
                 cardo_free_walkers_passages(sampling));
}

/* The hills are laid once more: of_round is called with the bias that walkers felt in round r, from
 * 0, and the hills laid at its end. */
typedef struct replay {
    void (*of_round)(void *user, long long r, const cardo_bias_potential *bias,
                     const double *heights);
    void *user;
} replay;

static cardo_status replay_hills(const cardo_sampling *sampling, const replay *listener,
                                 cardo_error *error)
{
    cardo_status status;
    const cardo_bias_potential *last = &sampling->crew.walkers[0].bias;
    cardo_bias_potential now = {0}, next = {0};
    const size_t size = (size_t)last->nvalue * sizeof *last->values;
    double *height = NULL;
    CARDO_TRY(cardo_bias_grid_create(&now, last->period, cardo_bias_grid_count(last), 0, 0, error));
    CARDO_TRY(
        cardo_bias_grid_create(&next, last->period, cardo_bias_grid_count(last), 0, 0, error));
    memcpy(next.values, last->values, CARDO_GRID_HEAD * sizeof *next.values);
    CARDO_TRY(CARDO_ALLOCATE(&height, sampling->crew.nwalker, error));
    for (long long r = 0; r < sampling->round; ++r) {
        memcpy(now.values, next.values, size);
        lay(sampling, r, &next, height);
        listener->of_round(listener->user, r, &now, height);
    }
done:
    cardo_bias_clear(&now);
    cardo_bias_clear(&next);
    cardo_free(height);
    return status;
}

/* Who listens, and where what it makes goes. */
typedef struct history {
    const cardo_sampling *sampling;
    long long skip;
    double *xi, *log_weight, *work;
    double half_offset,
        last_offset; /* c(t) in the middle of the rounds that are weighed, and after, kT */
} history;

static int samples_per_round(const cardo_sampling *sampling)
{
    return sampling->options.round / sampling->options.interval;
}

static void take_weights(void *user, long long r, const cardo_bias_potential *bias,
                         const double *heights)
{
    (void)heights;
    history *h = user;
    const cardo_sampling *sampling = h->sampling;
    const int samples = samples_per_round(sampling), n = cardo_bias_grid_count(bias);
    const long long kept = (sampling->round - h->skip) * samples;
    const double kT = kT_of(sampling);
    double slope;
    if (r < h->skip)
        return;
    for (int i = 0; i < n; ++i)
        h->work[i] = cardo_bias_grid_values(bias)[i] / kT;
    double offset = cardo_metadynamics_offset(n, h->work, options_of(sampling)->bias_factor);
    h->last_offset = offset;
    if (r == h->skip + (sampling->round - h->skip) / 2)
        h->half_offset = offset;
    for (int k = 0; k < sampling->crew.nwalker; ++k)
        for (int i = 0; i < samples; ++i) {
            long long to = k * kept + (r - h->skip) * samples + i;
            h->xi[to] = sampling->crew.walkers[k].xi[r * samples + i];
            h->log_weight[to] = cardo_bias_evaluate(bias, h->xi[to], &slope) / kT - offset;
        }
}

/* ln of the weights exp(V/kT - c(t)) of all samples after the first `skip` rounds, walker by walker
 * (analysis/free_energy/metadynamics_weights.h): the hills are laid once more, from the walkers' series. *growth: of
 * c over the last half of these rounds, kT. */
static cardo_status weigh(const cardo_sampling *sampling, long long skip, cardo_estimate *e,
                          double *log_weight, double *growth, cardo_error *error)
{
    cardo_status status;
    history h = {.sampling = sampling, .skip = skip, .xi = e->samples, .log_weight = log_weight};
    const replay listener = {take_weights, &h};
    CARDO_TRY(
        CARDO_ALLOCATE(&h.work, cardo_bias_grid_count(&sampling->crew.walkers[0].bias), error));
    CARDO_TRY(replay_hills(sampling, &listener, error));
    for (int k = 0; k < sampling->crew.nwalker; ++k)
        e->count[k] = (int)((sampling->round - skip) * samples_per_round(sampling));
    *growth = h.last_offset - h.half_offset;
done:
    cardo_free(h.work);
    return status;
}

/* Weights take walkers for being spread as the bias of the moment has them, in all that they move in. A
 * walker forgets in half the statistical inefficiency of its slowest coordinate; by what the bias rises
 * meanwhile, they lag behind. */
static double haste(double growth, const cardo_estimate *e)
{
    double memory = 0;
    for (int k = 0; k < e->nwalker; ++k)
        memory += 0.5 * e->memory[k] / e->nwalker;
    return growth / (0.5 * e->count[0]) * memory;
}

static cardo_status estimate(const cardo_sampling *sampling, const cardo_estimate_request *request,
                             cardo_estimate *e, cardo_error *error)
{
    cardo_status status;
    const cardo_crew *crew = &sampling->crew;
    const long long skip = (long long)(options_of(sampling)->discard * (double)sampling->round);
    double *log_weight = NULL, growth;
    e->nsample = (int)(sampling->round - skip) * samples_per_round(sampling) * crew->nwalker;
    if (e->nsample == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "there are no samples yet: walkers make %d steps at a time, and a sample "
                          "is taken every %d",
                          sampling->options.round, sampling->options.interval);
    CARDO_TRY(CARDO_ALLOCATE(&e->count, crew->nwalker, error));
    CARDO_TRY(CARDO_ALLOCATE(&e->samples, e->nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&log_weight, e->nsample, error));
    CARDO_TRY(weigh(sampling, skip, e, log_weight, &growth, error));
    e->haste = haste(growth, e);
    for (int n = 0; n < e->nsample; ++n)
        e->samples[n] = cardo_sampling_image(sampling, e->samples[n]);
    const cardo_weighted_samples samples = {
        .nseries = crew->nwalker, .count = e->count, .log_weight = log_weight, .memory = e->memory};
    CARDO_TRY(cardo_weighted_estimate(sampling, &samples, request, e, error));
done:
    cardo_free(log_weight);
    return status;
}

static bool roam(const cardo_sampling *sampling)
{
    (void)sampling;
    return true;
}

const cardo_sampling_method cardo_sampling_metadynamics = {
    .name = "metadynamics",
    .doc = "well-tempered metadynamics: hills where walkers have been, which they all see",
    .citation = "Barducci, Bussi, Parrinello 2008; Raiteri et al. 2006; Tiwary, Parrinello 2015",
    .fields = cardo_metadynamics_fields,
    .options_size = sizeof(metadynamics_options),
    .keep_count = keep_count,
    .prepare = prepare,
    .merge = merge,
    .estimate = estimate,
    .passages = cardo_free_walkers_passages,
    .roam = roam,
    .report = report,
};
