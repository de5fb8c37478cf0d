#include "sampling/methods/weighted_estimate.h"

#include "base/memory.h"
#include "base/random.h"
#include "sampling/methods/method.h"

#include <math.h>

/* The stream of the bootstrap: after those of walkers and merging (context.c). */
enum { STREAM_BOOTSTRAP = 4, STREAMS_PER_REPLICA = 16 };

/* Samples that a bin or a basin must be worth: of a single one nobody knows the error. */
static const double fewest_samples = 1.5;

/* What the estimate is made from. */
typedef struct pool {
    const cardo_sampling *sampling;
    const cardo_weighted_samples *samples;
    int *bin, *basin; /* of each sample (nsample) */
} pool;

static void label(pool *p, const cardo_estimate *e)
{
    double period = cardo_variable_period(p->sampling->plan.variable);
    for (int n = 0; n < e->nsample; ++n) {
        p->bin[n] = cardo_bin_of(&e->bins, e->samples[n]);
        p->basin[n] = -1;
        for (int b = e->nbasin - 1; b >= 0; --b)
            if (cardo_is_between(e->samples[n], e->basin[2 * b], e->basin[2 * b + 1], period))
                p->basin[n] = b;
    }
}

static cardo_random bootstrap_stream(const cardo_sampling *sampling)
{
    const cardo_simulation_options *o = &sampling->walk.simulation;
    return cardo_random_start((uint64_t)o->seed,
                              (uint32_t)o->replica * STREAMS_PER_REPLICA + STREAM_BOOTSTRAP);
}

/* Scatter of profile and basins in the same drawings; out of a profile's bins alone the normalization
 * is over all of them, as the profile's own. */
static cardo_status bootstrap(const pool *p, cardo_estimate *e, int nreplicate, cardo_error *error)
{
    cardo_status status;
    cardo_bootstrap_plan plan = {.nreplicate = nreplicate};
    cardo_random random = bootstrap_stream(p->sampling);
    const cardo_sample_sets sets[] = {{e->bins.n, p->bin, -1}, {e->nbasin, p->basin, 0}};
    CARDO_TRY(CARDO_ALLOCATE(&e->bootstrap, e->bins.n, error));
    CARDO_TRY(CARDO_ALLOCATE(&plan.block, p->samples->nseries, error));
    CARDO_TRY(cardo_bootstrap_prepare(p->samples, e->samples, &plan, error));
    double *const sigma[] = {e->bootstrap, e->basin_bootstrap};
    CARDO_TRY(cardo_weighted_bootstrap(p->samples, e->nbasin > 0 ? 2 : 1, sets, &plan, &random,
                                       sigma, NULL, error));
done:
    cardo_free(plan.block);
    return status;
}

static void leave_out(int n, const double *effective, double *F, double *sigma)
{
    for (int j = 0; j < n; ++j)
        if (effective[j] < fewest_samples)
            F[j] = sigma[j] = (double)NAN;
}

static cardo_status estimate_convergence(pool *p, cardo_estimate *e, int npart,
                                         const cardo_sample_sets *sets, cardo_error *error)
{
    cardo_status status;
    double *all = NULL;
    const size_t n = (size_t)npart * (size_t)sets->n;
    double **const columns[4] = {&e->forward, &e->forward_sigma, &e->backward, &e->backward_sigma};
    CARDO_TRY(CARDO_ALLOCATE(&all, 4 * n, error));
    CARDO_TRY(cardo_weighted_convergence(p->samples, sets, npart, all, all + n, all + 2 * n,
                                         all + 3 * n, error));
    e->npart = npart;
    for (int c = 0; c < 4; ++c) {
        CARDO_TRY(CARDO_ALLOCATE(columns[c], npart, error));
        for (int part = 0; part < npart; ++part)
            (*columns[c])[part] = all[(size_t)c * n + (size_t)(part * sets->n) + 1];
    }
done:
    cardo_free(all);
    return status;
}

static cardo_status estimate_basins(pool *p, cardo_estimate *e,
                                    const cardo_estimate_request *request, cardo_error *error)
{
    cardo_status status;
    const cardo_sample_sets sets = {.n = e->nbasin, .label = p->basin, .reference = 0};
    double effective[CARDO_MOST_BASINS];
    if (e->nbasin == 0)
        return CARDO_OK;
    CARDO_TRY(cardo_weighted_free_energies(p->samples, &sets, e->basin_F, e->basin_sigma, effective,
                                           error));
    leave_out(e->nbasin, effective, e->basin_F, e->basin_sigma);
    if (request->npart > 0 && e->nbasin > 1)
        CARDO_TRY(estimate_convergence(p, e, request->npart, &sets, error));
done:
    return status;
}

cardo_status cardo_weighted_estimate(const cardo_sampling *sampling,
                                     const cardo_weighted_samples *samples,
                                     const cardo_estimate_request *request, cardo_estimate *e,
                                     cardo_error *error)
{
    cardo_status status;
    pool p = {.sampling = sampling, .samples = samples};
    CARDO_TRY(CARDO_ALLOCATE(&p.bin, e->nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&p.basin, e->nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&e->effective, e->bins.n, error));
    label(&p, e);
    CARDO_TRY(
        cardo_weighted_profile(samples, e->samples, &e->bins, e->F, e->sigma, e->effective, error));
    leave_out(e->bins.n, e->effective, e->F, e->sigma);
    CARDO_TRY(estimate_basins(&p, e, request, error));
    if (request->nreplicate > 0)
        CARDO_TRY(bootstrap(&p, e, request->nreplicate, error));
done:
    cardo_free(p.bin);
    cardo_free(p.basin);
    return status;
}
