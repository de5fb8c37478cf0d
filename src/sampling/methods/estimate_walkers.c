#include "analysis/free_energy/statistics.h"
#include "base/memory.h"
#include "sampling/methods/method.h"

#include <math.h>

/* Coordinate c of a walker's samples, the variable first, as differences from the first sample where
 * values have a period. */
static void read_series(const cardo_walker *walker, int nslow, int c, double *series)
{
    for (int i = 0; i < walker->nsample; ++i)
        series[i] = c > 0 ? walker->slow[(size_t)i * (size_t)nslow + (size_t)(c - 1)]
                          : walker->place + cardo_periodic_difference(walker->xi[i], walker->place,
                                                                      walker->bias.period);
}

static cardo_status look(const cardo_walker *walker, int nslow, int c, double *series,
                         cardo_verdict_moments *moments, cardo_error *error)
{
    cardo_series_mean mean;
    const int n = walker->nsample;
    if (n == 0)
        return CARDO_OK;
    read_series(walker, nslow, c, series);
    cardo_status status = cardo_series_statistics(n, series, &mean, error);
    if (status != CARDO_OK)
        return status;
    double square = 0, half[2] = {0};
    for (int i = 0; i < n; ++i) {
        square += (series[i] - mean.mean) * (series[i] - mean.mean);
        half[i >= n / 2] += series[i];
    }
    half[0] = n > 1 ? half[0] / (n / 2) : mean.mean;
    half[1] /= n - n / 2;
    *moments = (cardo_verdict_moments){mean.mean, square / n, mean.effective, {half[0], half[1]}};
    return CARDO_OK;
}

cardo_status cardo_estimate_walkers(const cardo_sampling *sampling, cardo_estimate *e,
                                    cardo_error *error)
{
    cardo_status status;
    double *series = NULL;
    const cardo_crew *crew = &sampling->crew;
    const int nslow = sampling->slow.n;
    int most = 0;
    if (sampling->plan.method->passages)
        e->passages = sampling->plan.method->passages(sampling);
    if (sampling->plan.method->roam)
        e->roam = sampling->plan.method->roam(sampling);
    e->nwalker = crew->nwalker;
    e->ncoordinate = 1 + nslow;
    e->names[0] = cardo_variable_name(sampling->plan.variable);
    for (int c = 0; c < nslow; ++c)
        e->names[1 + c] = sampling->slow.name[c];
    for (int k = 0; k < crew->nwalker; ++k)
        most = crew->walkers[k].nsample > most ? crew->walkers[k].nsample : most;
    CARDO_TRY(CARDO_ALLOCATE(&series, most, error));
    CARDO_TRY(CARDO_ALLOCATE(&e->moments, (size_t)e->nwalker * (size_t)e->ncoordinate, error));
    CARDO_TRY(CARDO_ALLOCATE(&e->memory, e->nwalker, error));
    for (int k = 0; k < crew->nwalker; ++k)
        for (int c = 0; c < e->ncoordinate; ++c) {
            cardo_verdict_moments *moments = &e->moments[k * e->ncoordinate + c];
            CARDO_TRY(look(&crew->walkers[k], nslow, c, series, moments, error));
            if (moments->effective > 0)
                e->memory[k] = fmax(e->memory[k], crew->walkers[k].nsample / moments->effective);
        }
done:
    cardo_free(series);
    return status;
}
