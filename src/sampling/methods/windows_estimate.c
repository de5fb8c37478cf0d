#include "sampling/methods/windows_estimate.h"

#include "base/memory.h"
#include "base/units.h"
#include "sampling/methods/method.h"
#include "sampling/methods/weighted_estimate.h"

/* All that the estimate is made from. */
typedef struct pool {
    const cardo_sampling *sampling;
    bool together;
    double *target;     /* reduced energies without a bias (nsample), or NULL: 0              */
    double *log_weight; /* (nsample) */
    cardo_weighted_samples samples;
} pool;

/* Windows at the study's own temperature, which come first. */
static int windows_a_temperature(const cardo_crew *crew)
{
    int n = 0;
    while (n < crew->nwalker && crew->walkers[n].temperature == crew->walkers[0].temperature)
        ++n;
    return n;
}

/* At one temperature U is a constant of each sample, which MBAR does not see. */
static cardo_status fill(pool *p, cardo_estimate *e, cardo_error *error)
{
    cardo_status status;
    const cardo_crew *crew = &p->sampling->crew;
    double slope;
    e->nwindow = crew->nwalker;
    e->row = windows_a_temperature(crew);
    const bool cold = e->row == e->nwindow;
    CARDO_TRY(CARDO_ALLOCATE(&e->count, e->nwindow, error));
    for (int k = 0; k < e->nwindow; ++k)
        e->nsample += e->count[k] = crew->walkers[k].nsample;
    CARDO_TRY(CARDO_ALLOCATE(&e->samples, e->nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&e->u, (size_t)e->nwindow * (size_t)e->nsample, error));
    if (!cold)
        CARDO_TRY(CARDO_ALLOCATE(&p->target, e->nsample, error));
    for (int k = 0, n = 0; k < e->nwindow; ++k)
        for (int i = 0; i < crew->walkers[k].nsample; ++i, ++n) {
            double xi = cardo_sampling_image(p->sampling, crew->walkers[k].xi[i]);
            double U = cold ? 0 : crew->walkers[k].potential[i];
            e->samples[n] = xi;
            if (p->target)
                p->target[n] = U / e->kT;
            for (int w = 0; w < e->nwindow; ++w)
                e->u[(size_t)w * (size_t)e->nsample + (size_t)n] =
                    (U + cardo_bias_evaluate(&crew->walkers[w].bias, xi, &slope)) /
                    (CARDO_BOLTZMANN * crew->walkers[w].temperature);
        }
done:
    return status;
}

static cardo_status solve(pool *p, cardo_estimate *e, cardo_error *error)
{
    cardo_status status;
    const cardo_mbar_data data = {
        .nstate = e->nwindow, .ncolumn = e->nsample, .u = e->u, .count = e->count};
    CARDO_TRY(cardo_mbar_solve(&data, NULL, &e->mbar, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->log_weight, e->nsample, error));
    cardo_mbar_log_weights(&e->mbar, p->target, p->log_weight);
    p->samples = (cardo_weighted_samples){.nseries = e->nwindow,
                                          .count = e->count,
                                          .log_weight = p->log_weight,
                                          .mbar = &e->mbar,
                                          .target = p->target,
                                          .memory = e->memory,
                                          .together = p->together};
done:
    return status;
}

/* What each window saw. */
static cardo_status look_at_windows(cardo_estimate *e, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&e->histograms, (size_t)e->nwindow * (size_t)e->bins.n, error));
    for (int k = 0, n = 0; k < e->nwindow; ++k)
        for (int i = 0; i < e->count[k]; ++i, ++n) {
            int bin = cardo_bin_of(&e->bins, e->samples[n]);
            if (bin >= 0)
                e->histograms[k * e->bins.n + bin] += 1;
        }
done:
    return status;
}

cardo_status cardo_windows_estimate(const cardo_sampling *sampling, bool together,
                                    const cardo_estimate_request *request, cardo_estimate *e,
                                    cardo_error *error)
{
    cardo_status status;
    pool p = {.sampling = sampling, .together = together};
    CARDO_TRY(fill(&p, e, error));
    if (e->nsample == 0) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "there are no samples yet: walkers make %d steps at a time, and a "
                            "sample is taken every %d",
                            sampling->options.round, sampling->options.interval);
        goto done;
    }
    CARDO_TRY(solve(&p, e, error));
    CARDO_TRY(look_at_windows(e, error));
    CARDO_TRY(cardo_weighted_estimate(sampling, &p.samples, request, e, error));
done:
    cardo_free(p.target);
    cardo_free(p.log_weight);
    return status;
}
