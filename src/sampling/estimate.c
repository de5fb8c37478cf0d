#include "sampling/estimate.h"

#include "base/memory.h"
#include "base/units.h"
#include "sampling/method.h"

#include <math.h>

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
    }
    return CARDO_OK;
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
    CARDO_TRY(sampling->plan.method->estimate(sampling, request, estimate, error));
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
    cardo_free(e->independent);
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
