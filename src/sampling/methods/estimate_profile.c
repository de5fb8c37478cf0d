#include "sampling/methods/estimate.h"

#include "base/memory.h"
#include "base/units.h"
#include "sampling/methods/method.h"

#include <math.h>
#include <stdbool.h>

cardo_bins cardo_sampling_bins(const cardo_sampling *sampling, int nbin)
{
    const cardo_sampling_options *o = &sampling->options;
    double period = cardo_variable_period(sampling->plan.variable);
    return (cardo_bins){.n = nbin,
                        .low = o->from,
                        .high = o->to,
                        .periodic = period > 0 && o->to - o->from > period * (1 - 1e-9)};
}

double cardo_sampling_image(const cardo_sampling *sampling, double xi)
{
    double period = cardo_variable_period(sampling->plan.variable);
    double from = sampling->options.from;
    return period > 0 ? xi - period * floor((xi - from) / period) : xi;
}

/* Do two basins have more than an end in common? */
static bool overlap(const double a[2], const double b[2], double period)
{
    const double inside = 1e-9 * fmin(a[1] - a[0], b[1] - b[0]);
    return cardo_is_between(a[0] + inside, b[0], b[1] - 2 * inside, period) ||
           cardo_is_between(b[0] + inside, a[0], a[1] - 2 * inside, period);
}

cardo_status cardo_estimate_check(const cardo_estimate_request *request,
                                  const cardo_sampling_plan *plan, cardo_error *error)
{
    const cardo_sampling_options *o = plan->options;
    for (int b = 0; b < request->nbasin; ++b) {
        double from = request->basin[2 * b], to = request->basin[2 * b + 1];
        if (!(from < to) || to <= o->from || from >= o->to)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "the state %g:%g is empty or lies outside of the range from=%g to=%g "
                              "of %s: give it from its lower to its higher end",
                              from, to, o->from, o->to, cardo_variable_name(plan->variable));
        for (int other = 0; other < b; ++other)
            if (overlap(&request->basin[2 * b], &request->basin[2 * other],
                        cardo_variable_period(plan->variable)))
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "the states %g:%g and %g:%g overlap: a sample is of one state; "
                                  "end one where the other begins",
                                  request->basin[2 * other], request->basin[2 * other + 1], from,
                                  to);
    }
    return CARDO_OK;
}

/* Looks of a bin for places of a basin. */
enum { LOOKS_A_BIN = 64 };

static bool holds_places_of(const cardo_bins *bins, int bin, const double basin[2], double period)
{
    for (int k = 0; k < LOOKS_A_BIN; ++k) {
        double xi = bins->low + (bin + (k + 0.5) / LOOKS_A_BIN) * cardo_bin_width(bins);
        if (cardo_is_between(xi, basin[0], basin[1], period))
            return true;
    }
    return cardo_bin_of(bins, 0.5 * (basin[0] + basin[1])) == bin;
}

static void forget(double *F, double *sigma)
{
    *F = *sigma = (double)NAN;
}

/* A bin that has an F but no error is one that was hardly seen. */
static void leave_out_bins(cardo_estimate *e)
{
    for (int b = 0; b < e->bins.n; ++b) {
        if (!(e->sigma[b] > 0 && isfinite(e->sigma[b]) && isfinite(e->F[b])))
            forget(&e->F[b], &e->sigma[b]);
        if (e->bootstrap && !(e->bootstrap[b] > 0 && isfinite(e->F[b])))
            e->bootstrap[b] = (double)NAN;
    }
}

static void count_basin_bins(cardo_estimate *e, double period)
{
    for (int b = 0; b < e->nbasin; ++b)
        for (int bin = 0; bin < e->bins.n; ++bin)
            if (holds_places_of(&e->bins, bin, &e->basin[2 * b], period)) {
                e->basin_bins[b]++;
                e->basin_empty[b] += isnan(e->F[bin]);
            }
}

/* Differences are of basins that were sampled wholly, and against one that was. */
static void leave_out_basins(cardo_estimate *e)
{
    for (int b = e->nbasin - 1; b >= 0; --b) {
        bool known = e->basin_empty[b] == 0 && e->basin_empty[0] == 0 && isfinite(e->basin_F[b]) &&
                     isfinite(e->basin_F[0]) && isfinite(e->basin_sigma[b]);
        if (b > 0 && !(e->basin_sigma[b] > 0))
            known = false;
        if (!known)
            forget(&e->basin_F[b], &e->basin_sigma[b]);
        if (!known || !isfinite(e->basin_bootstrap[b]) || (b > 0 && !(e->basin_bootstrap[b] > 0)))
            e->basin_bootstrap[b] = (double)NAN;
    }
    const bool parts = e->nbasin > 1 && isfinite(e->basin_F[1]);
    for (int k = 0; k < e->npart; ++k) {
        if (!parts || !(e->forward_sigma[k] > 0))
            forget(&e->forward[k], &e->forward_sigma[k]);
        if (!parts || !(e->backward_sigma[k] > 0))
            forget(&e->backward[k], &e->backward_sigma[k]);
    }
}

cardo_status cardo_sampling_estimate(const cardo_sampling *sampling,
                                     const cardo_estimate_request *request,
                                     cardo_estimate *estimate, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_estimate_check(request, &sampling->plan, error));
    estimate->bins = cardo_sampling_bins(sampling, request->nbin);
    estimate->kT = CARDO_BOLTZMANN * sampling->walk.simulation.temperature;
    estimate->nbasin = request->nbasin;
    for (int b = 0; b < request->nbasin; ++b) {
        estimate->basin[2 * b] = request->basin[2 * b];
        estimate->basin[2 * b + 1] = request->basin[2 * b + 1];
        estimate->basin_bootstrap[b] = (double)NAN;
    }
    CARDO_TRY(CARDO_ALLOCATE(&estimate->xi, request->nbin, error));
    CARDO_TRY(CARDO_ALLOCATE(&estimate->F, request->nbin, error));
    CARDO_TRY(CARDO_ALLOCATE(&estimate->sigma, request->nbin, error));
    for (int b = 0; b < request->nbin; ++b)
        estimate->xi[b] = cardo_bin_centre(&estimate->bins, b);
    estimate->passages = -1;
    if (!sampling->plan.method->stands)
        CARDO_TRY(cardo_estimate_walkers(sampling, estimate, error));
    CARDO_TRY(sampling->plan.method->estimate(sampling, request, estimate, error));
    estimate->folded =
        sampling->fold.found && !cardo_fold_is_sampled(&sampling->fold, &sampling->crew);
    leave_out_bins(estimate);
    count_basin_bins(estimate, cardo_variable_period(sampling->plan.variable));
    leave_out_basins(estimate);
done:
    return status;
}

void cardo_estimate_clear(cardo_estimate *e)
{
    cardo_free(e->xi);
    cardo_free(e->F);
    cardo_free(e->sigma);
    cardo_free(e->bootstrap);
    cardo_free(e->unresolved);
    cardo_free(e->effective);
    cardo_mbar_clear(&e->mbar);
    cardo_free(e->moments);
    cardo_free(e->memory);
    cardo_free(e->histograms);
    cardo_free(e->count);
    cardo_free(e->u);
    cardo_free(e->samples);
    cardo_free(e->forward);
    cardo_free(e->forward_sigma);
    cardo_free(e->backward);
    cardo_free(e->backward_sigma);
    *e = (cardo_estimate){0};
}
