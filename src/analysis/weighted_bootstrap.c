#include "analysis/statistics.h"
#include "analysis/weighted_samples.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* One drawing: the samples that stand for the original ones, and what depends on which they are. */
typedef struct drawing {
    int nsample, longest;
    int *sample, *column, *label;
    double *log_weight, *chance, *F;
} drawing;

static cardo_status drawing_create(const cardo_weighted_samples *samples,
                                   const cardo_sample_sets *sets, drawing *d, cardo_error *error)
{
    cardo_status status;
    *d = (drawing){0};
    for (int k = 0; k < samples->nseries; ++k) {
        d->nsample += samples->count[k];
        d->longest = samples->count[k] > d->longest ? samples->count[k] : d->longest;
    }
    CARDO_TRY(CARDO_ALLOCATE(&d->sample, d->nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->column, d->nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->label, d->nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->log_weight, d->nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->chance, d->longest, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->F, sets->n, error));
done:
    return status;
}

static void drawing_clear(drawing *d)
{
    cardo_free(d->sample);
    cardo_free(d->column);
    cardo_free(d->label);
    cardo_free(d->log_weight);
    cardo_free(d->chance);
    cardo_free(d->F);
}

/* Blocks of a series bent to a ring, so that its ends are drawn as often as its middle. */
static void draw_series(int n, int block, double *chance, cardo_random *random, int *out)
{
    cardo_random_uniform(random, (n + block - 1) / block, chance);
    for (int i = 0; i < n; ++i)
        out[i] = ((int)(chance[i / block] * n) + i % block) % n;
}

static void draw(const cardo_weighted_samples *samples, const cardo_sample_sets *sets,
                 const int *block, cardo_random *random, drawing *d)
{
    for (int k = 0, first = 0; k < samples->nseries; first += samples->count[k++]) {
        draw_series(samples->count[k], block[k], d->chance, random, d->sample + first);
        for (int i = first; i < first + samples->count[k]; ++i)
            d->sample[i] += first;
    }
    const int *column = samples->mbar ? samples->mbar->data.column : NULL;
    for (int n = 0; n < d->nsample; ++n) {
        d->column[n] = column ? column[d->sample[n]] : d->sample[n];
        d->label[n] = sets->label[d->sample[n]];
        d->log_weight[n] = samples->log_weight[d->sample[n]];
    }
}

/* Welford's running mean and sum of squares. */
typedef struct running {
    int n;
    double mean, squares;
} running;

static void take(running *r, double value)
{
    if (isnan(value))
        return;
    double difference = value - r->mean;
    r->mean += difference / ++r->n;
    r->squares += difference * (value - r->mean);
}

static double scatter(const running *r)
{
    return r->n > 1 ? sqrt(r->squares / (r->n - 1)) : (double)NAN;
}

static cardo_status replicate(const cardo_weighted_samples *samples, const cardo_sample_sets *sets,
                              drawing *d, running *of_set, running *of_state, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_mbar mbar = {0};
    cardo_weighted_samples drawn = *samples;
    cardo_sample_sets drawn_sets = *sets;
    drawn.log_weight = d->log_weight;
    drawn_sets.label = d->label;
    if (samples->mbar) {
        cardo_mbar_data data = samples->mbar->data;
        data.column = d->column;
        CARDO_TRY(cardo_mbar_solve(&data, samples->mbar->f, &mbar, error));
        cardo_mbar_log_weights(&mbar, samples->target, d->log_weight);
        drawn.mbar = &mbar;
        for (int k = 0; of_state && k < data.nstate; ++k)
            take(&of_state[k], mbar.f[k]);
    }
    CARDO_TRY(cardo_weighted_free_energies(&drawn, &drawn_sets, d->F, NULL, NULL, error));
    for (int j = 0; j < sets->n; ++j)
        take(&of_set[j], d->F[j]);
done:
    cardo_mbar_clear(&mbar);
    return status;
}

cardo_status cardo_weighted_bootstrap(const cardo_weighted_samples *samples,
                                      const cardo_sample_sets *sets,
                                      const cardo_bootstrap_plan *plan, cardo_random *random,
                                      double *sigma, double *sigma_f, cardo_error *error)
{
    cardo_status status;
    drawing d = {0};
    running *of_set = NULL, *of_state = NULL;
    CARDO_TRY(drawing_create(samples, sets, &d, error));
    CARDO_TRY(CARDO_ALLOCATE(&of_set, sets->n, error));
    if (sigma_f && samples->mbar)
        CARDO_TRY(CARDO_ALLOCATE(&of_state, samples->mbar->data.nstate, error));
    for (int r = 0; r < plan->nreplicate; ++r) {
        draw(samples, sets, plan->block, random, &d);
        status = replicate(samples, sets, &d, of_set, of_state, error);
        /* Where overlap hangs on a few samples, a drawing may be without them. */
        if (status != CARDO_OK && status != CARDO_ERROR_NUMERICAL)
            goto done;
        status = CARDO_OK;
    }
    for (int j = 0; j < sets->n; ++j)
        sigma[j] = plan->inflation * scatter(&of_set[j]);
    for (int k = 0; of_state && k < samples->mbar->data.nstate; ++k)
        sigma_f[k] = plan->inflation * scatter(&of_state[k]);
done:
    drawing_clear(&d);
    cardo_free(of_set);
    cardo_free(of_state);
    return status;
}

cardo_status cardo_bootstrap_prepare(const cardo_weighted_samples *samples, const double *xi,
                                     cardo_bootstrap_plan *plan, cardo_error *error)
{
    double kept = 0, total = 0;
    for (int k = 0, first = 0; k < samples->nseries; first += samples->count[k++]) {
        int n = samples->count[k];
        plan->block[k] = 1;
        total += n;
        kept += n;
        if (n < 8)
            continue;
        cardo_series_mean series;
        cardo_status status = cardo_series_statistics(n, xi + first, &series, error);
        if (status != CARDO_OK)
            return status;
        double g = fmax(1, series.inefficiency);
        if (g < 1.05)
            continue;
        double length = fmin(ceil(g * fmax(5, cbrt(n / g))), n / 4);
        plan->block[k] = (int)length;
        kept -= n * fmin(0.5, 0.5 * (g - 1 / g) / length + length / n);
    }
    plan->inflation = sqrt(total / fmax(kept, 1));
    return CARDO_OK;
}
