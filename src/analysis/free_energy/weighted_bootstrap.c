#include "analysis/free_energy/mbar_resample.h"
#include "analysis/free_energy/statistics.h"
#include "analysis/free_energy/weighted_samples.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* One drawing: how often each sample was drawn, and what comes of it. */
typedef struct drawing {
    int nsample;
    int *taken;    /* (nsample) */
    double *times; /* the same for sums                               (nsample) */
    double *chance;
    double *weight; /* of each sample in the solution of all, to a common factor (nsample) */
    double *share;  /* of each set, of the largest grouping                      */
    cardo_mbar_resampling resampling;
} drawing;

static void set_weights(const cardo_weighted_samples *samples, drawing *d)
{
    double most = -INFINITY;
    for (int n = 0; n < d->nsample; ++n)
        most = fmax(most, samples->log_weight[n]);
    for (int n = 0; n < d->nsample; ++n)
        d->weight[n] = most > -HUGE_VAL ? exp(samples->log_weight[n] - most) : 0;
}

static cardo_status drawing_create(const cardo_weighted_samples *samples, int ngroup,
                                   const cardo_sample_sets *sets, drawing *d, cardo_error *error)
{
    cardo_status status;
    int longest = 0, most = 0;
    *d = (drawing){0};
    for (int k = 0; k < samples->nseries; ++k) {
        d->nsample += samples->count[k];
        longest = samples->count[k] > longest ? samples->count[k] : longest;
    }
    for (int g = 0; g < ngroup; ++g)
        most = sets[g].n > most ? sets[g].n : most;
    CARDO_TRY(CARDO_ALLOCATE(&d->taken, d->nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->times, d->nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->weight, d->nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->chance, longest, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->share, most, error));
    if (samples->mbar)
        CARDO_TRY(cardo_mbar_resampling_create(samples->mbar, &d->resampling, error));
    set_weights(samples, d);
done:
    return status;
}

static void drawing_clear(drawing *d)
{
    cardo_free(d->taken);
    cardo_free(d->times);
    cardo_free(d->weight);
    cardo_free(d->chance);
    cardo_free(d->share);
    cardo_mbar_resampling_clear(&d->resampling);
}

/* Blocks of a series bent to a ring, so that its ends are drawn as often as its middle. */
static void draw_series(int n, int block, double *chance, cardo_random *random, int *taken)
{
    cardo_random_uniform(random, (n + block - 1) / block, chance);
    for (int i = 0; i < n; ++i)
        ++taken[((int)(chance[i / block] * n) + i % block) % n];
}

static void draw(const cardo_weighted_samples *samples, const int *block, cardo_random *random,
                 drawing *d)
{
    memset(d->taken, 0, (size_t)d->nsample * sizeof *d->taken);
    for (int k = 0, first = 0; k < samples->nseries; first += samples->count[k++])
        if (samples->together && k > 0)
            memcpy(d->taken + first, d->taken, (size_t)samples->count[k] * sizeof *d->taken);
        else
            draw_series(samples->count[k], block[k], d->chance, random, d->taken + first);
    for (int n = 0; n < d->nsample; ++n)
        d->times[n] = d->taken[n];
}

/* Welford's running mean and sum of squares. */
typedef struct running {
    int n;
    double mean, squares;
} running;

static void take(running *r, double value)
{
    double difference = value - r->mean;
    r->mean += difference / ++r->n;
    r->squares += difference * (value - r->mean);
}

static double scatter(const running *r)
{
    return r->n > 1 ? sqrt(r->squares / (r->n - 1)) : (double)NAN;
}

/* Free energies of the sets from the drawn samples' weights. */
static void take_sets(const cardo_sample_sets *sets, const drawing *d, const double *ratio,
                      running *of_set)
{
    double all = 0;
    memset(d->share, 0, (size_t)sets->n * sizeof *d->share);
    for (int n = 0; n < d->nsample; ++n)
        if (sets->label[n] >= 0 && d->taken[n] > 0)
            d->share[sets->label[n]] += d->times[n] * d->weight[n] / (ratio ? ratio[n] : 1);
    for (int j = 0; j < sets->n; ++j)
        all += d->share[j];
    if (sets->reference >= 0)
        all = d->share[sets->reference];
    for (int j = 0; j < sets->n; ++j)
        if (d->share[j] > 0 && all > 0)
            take(&of_set[j], log(all) - log(d->share[j]));
}

/* A drawing that is far from all samples is solved from scratch. */
static cardo_status solve_anew(const cardo_mbar *mbar, drawing *d, cardo_error *error)
{
    cardo_status status;
    cardo_mbar anew = {0};
    cardo_mbar_data data = mbar->data;
    int *column = NULL, drawn = 0;
    CARDO_TRY(CARDO_ALLOCATE(&column, d->nsample, error));
    for (int n = 0; n < d->nsample; ++n)
        for (int t = 0; t < d->taken[n]; ++t)
            column[drawn++] = mbar->data.column ? mbar->data.column[n] : n;
    data.column = column;
    CARDO_TRY(cardo_mbar_solve(&data, mbar->f, &anew, error));
    for (int k = 0; k < data.nstate; ++k)
        d->resampling.shift[k] = anew.f[k] - mbar->f[k];
    for (int n = 0; n < d->nsample; ++n) {
        int c = mbar->data.column ? mbar->data.column[n] : n;
        d->resampling.ratio[n] = exp(anew.log_mixture[c] - mbar->log_mixture[c]);
    }
done:
    cardo_mbar_clear(&anew);
    cardo_free(column);
    return status;
}

cardo_status cardo_weighted_bootstrap(const cardo_weighted_samples *samples, int ngroup,
                                      const cardo_sample_sets *sets,
                                      const cardo_bootstrap_plan *plan, cardo_random *random,
                                      double *const *sigma, double *sigma_f, cardo_error *error)
{
    cardo_status status;
    drawing d = {0};
    running *of_set = NULL, *of_state = NULL;
    const cardo_mbar *mbar = samples->mbar;
    int nset = 0;
    for (int g = 0; g < ngroup; ++g)
        nset += sets[g].n;
    CARDO_TRY(drawing_create(samples, ngroup, sets, &d, error));
    CARDO_TRY(CARDO_ALLOCATE(&of_set, nset, error));
    CARDO_TRY(CARDO_ALLOCATE(&of_state, mbar ? mbar->data.nstate : 0, error));
    for (int r = 0; r < plan->nreplicate; ++r) {
        draw(samples, plan->block, random, &d);
        if (mbar && !cardo_mbar_resampling_solve(&d.resampling, d.times))
            status = solve_anew(mbar, &d, error);
        /* Where overlap hangs on a few samples, a drawing may be without them. */
        if (status == CARDO_ERROR_NUMERICAL) {
            status = CARDO_OK;
            continue;
        }
        if (status != CARDO_OK)
            goto done;
        for (int k = 0; mbar && k < mbar->data.nstate; ++k)
            take(&of_state[k], d.resampling.shift[k]);
        for (int g = 0, first = 0; g < ngroup; first += sets[g++].n)
            take_sets(&sets[g], &d, d.resampling.ratio, of_set + first);
    }
    for (int g = 0, first = 0; g < ngroup; first += sets[g++].n)
        for (int j = 0; j < sets[g].n; ++j)
            sigma[g][j] = plan->inflation * scatter(&of_set[first + j]);
    for (int k = 0; sigma_f && mbar && k < mbar->data.nstate; ++k)
        sigma_f[k] = plan->inflation * scatter(&of_state[k]);
done:
    drawing_clear(&d);
    cardo_free(of_set);
    cardo_free(of_state);
    return status;
}

/* By how much the variance of means of blocks falls short. */
static double missing(double g, double length, int n)
{
    return fmin(0.5, 0.5 * (g - 1 / g) / length + length / n);
}

/* What walkers that exchange places remember together shows in no series (weighted_samples.c). A few
 * blocks have 3/2 degrees of freedom each. */
static void prepare_together(const cardo_weighted_samples *samples, double g,
                             cardo_bootstrap_plan *plan)
{
    const int n = samples->count[0];
    int length = (n + 4) / 5;
    for (int k = 0; k < samples->nseries; ++k)
        length = plan->block[k] > length ? plan->block[k] : length;
    for (int k = 0; k < samples->nseries; ++k)
        plan->block[k] = length;
    plan->inflation = cardo_student_factor(1.5 * n / length) / sqrt(1 - missing(g, length, n));
}

cardo_status cardo_bootstrap_prepare(const cardo_weighted_samples *samples, const double *xi,
                                     cardo_bootstrap_plan *plan, cardo_error *error)
{
    double kept = 0, total = 0, most = 1;
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
        most = fmax(most, g);
        if (g < 1.05)
            continue;
        double length = fmin(ceil(g * fmax(5, cbrt(n / g))), n / 4);
        plan->block[k] = (int)length;
        kept -= n * missing(g, length, n);
    }
    plan->inflation = sqrt(total / fmax(kept, 1));
    if (samples->together && samples->count[0] >= 8)
        prepare_together(samples, most, plan);
    return CARDO_OK;
}
