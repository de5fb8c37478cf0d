#include "analysis/free_energy/weighted_samples.h"

#include "analysis/free_energy/statistics.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The linear coefficients of nset estimates: of sample n in estimate j common[n], less share[n]
 * where label[n] is j. Their sum over samples is zero. */
typedef struct coefficients {
    int nset;
    const int *label;
    double *common, *share;
} coefficients;

static int sample_total(const cardo_weighted_samples *samples)
{
    long long total = 0;
    for (int k = 0; k < samples->nseries; ++k)
        total += samples->count[k];
    return (int)total;
}

static cardo_status check(const cardo_weighted_samples *samples, int *nsample, cardo_error *error)
{
    long long total = 0;
    for (int k = 0; k < samples->nseries; ++k)
        total += samples->count[k];
    if (total < 1 || total > INT32_MAX)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "a free energy of %lld samples", total);
    for (int n = 0; n < (int)total; ++n)
        if (!(samples->log_weight[n] < HUGE_VAL))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "the weight of sample %d is exp(%g)", n + 1,
                              samples->log_weight[n]);
    for (int k = 1; samples->together && k < samples->nseries; ++k)
        if (samples->count[k] != samples->count[0])
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                              "series that go together have %d and %d samples", samples->count[0],
                              samples->count[k]);
    *nsample = (int)total;
    return CARDO_OK;
}

/* Weights of samples that are in a set, of sum 1; false when no sample has any. */
static bool normalize(int nsample, const double *log_weight, const int *label, double *weight)
{
    double most = -INFINITY, sum = 0;
    for (int n = 0; n < nsample; ++n)
        if (!label || label[n] >= 0)
            most = fmax(most, log_weight[n]);
    for (int n = 0; n < nsample; ++n) {
        weight[n] = (!label || label[n] >= 0) && most > -HUGE_VAL ? exp(log_weight[n] - most) : 0;
        sum += weight[n];
    }
    for (int n = 0; n < nsample && sum > 0; ++n)
        weight[n] /= sum;
    return sum > 0;
}

/* direction[j] = (pseudo-inverse of MBAR's curvature) times sum_n coefficient_jn P_n (nset x
 * nstate). */
static cardo_status directions(const cardo_mbar *mbar, const coefficients *c, double *direction,
                               cardo_error *error)
{
    cardo_status status;
    const int nstate = mbar->data.nstate;
    double *row = NULL, *common = NULL, *sum = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&row, nstate, error));
    CARDO_TRY(CARDO_ALLOCATE(&common, nstate, error));
    CARDO_TRY(CARDO_ALLOCATE(&sum, (size_t)c->nset * (size_t)nstate, error));
    for (int n = 0; n < mbar->nsample; ++n) {
        cardo_mbar_shares(mbar, mbar->data.column ? mbar->data.column[n] : n, 1, row);
        assert(!c->label || c->label[n] < c->nset);
        double *own = c->label && c->label[n] >= 0 ? sum + c->label[n] * nstate : NULL;
        for (int k = 0; k < nstate; ++k) {
            common[k] += c->common[n] * row[k];
            if (own)
                own[k] -= c->share[n] * row[k];
        }
    }
    for (int j = 0; j < c->nset; ++j)
        for (int i = 0; i < nstate; ++i) {
            double total = 0;
            for (int k = 0; k < nstate; ++k)
                total += mbar->inverse[i * nstate + k] * (common[k] + sum[j * nstate + k]);
            direction[j * nstate + i] = total;
        }
done:
    cardo_free(row);
    cardo_free(common);
    cardo_free(sum);
    return status;
}

/* Shares of the samples of one series, a row each. */
static void series_shares(const cardo_mbar *mbar, int first, int n, double *shares)
{
    for (int i = 0; i < n; ++i)
        cardo_mbar_shares(mbar, mbar->data.column ? mbar->data.column[first + i] : first + i, 1,
                          shares + (size_t)i * (size_t)mbar->data.nstate);
}

/* Adds what each sample of a series moves estimate j by to phi (n). */
static void add_influence(const coefficients *c, int j, const double *direction, int nstate,
                          const double *shares, int first, int n, double *phi)
{
    assert(j >= 0 && j < c->nset);
    const double *z = direction ? direction + (size_t)j * (size_t)nstate : NULL;
    for (int i = 0; i < n; ++i) {
        double value = c->common[first + i];
        if (c->label && c->label[first + i] == j)
            value -= c->share[first + i];
        for (int k = 0; z && k < nstate; ++k)
            value += z[k] * shares[(size_t)i * (size_t)nstate + (size_t)k];
        phi[i] += value;
    }
}

/* What the sums over series come to, estimate by estimate: of walkers that exchange places. What one
 * remembers besides the coordinate stays behind in no window and with no walker: the more windows a
 * slow state fills, the further it drives walkers of others. The sum over windows at equal times has
 * all of that, but small beside what is forgotten soon, and for as long as nobody knows. */
static void add_sums(const cardo_weighted_samples *samples, const coefficients *c, double memory,
                     double *phi, cardo_error_sum *sums)
{
    const int n = samples->count[0];
    for (int j = 0; j < c->nset; ++j) {
        const cardo_memory unseen = {.known = memory, .perhaps_longer = true};
        double freedom;
        double part = cardo_long_run_variance(n, phi + (size_t)j * (size_t)n, unseen, &freedom);
        cardo_error_sum_add(&sums[j], n * part, freedom);
    }
}

/* Influences of the samples of each series, and the variances that come of them. phi: of the longest
 * series; of series that go together as many for each estimate. */
static cardo_status add_variances(const cardo_weighted_samples *samples, const coefficients *c,
                                  const double *direction, double *shares, double *work,
                                  double *phi, cardo_error_sum *sums, cardo_error *error)
{
    const int nstate = samples->mbar ? samples->mbar->data.nstate : 0;
    double longest = 1;
    for (int k = 0, first = 0; k < samples->nseries; first += samples->count[k++]) {
        const int n = samples->count[k];
        if (n == 0)
            continue;
        if (samples->mbar)
            series_shares(samples->mbar, first, n, shares);
        double memory = 1;
        cardo_status status =
            c->label ? cardo_label_memory(n, c->label + first, work, &memory, error) : CARDO_OK;
        if (status != CARDO_OK)
            return status;
        if (samples->memory)
            memory = fmax(memory, samples->memory[k]);
        longest = fmax(longest, memory);
        for (int j = 0; j < c->nset; ++j) {
            double *of_set = samples->together ? phi + (size_t)j * (size_t)n : phi;
            if (!samples->together)
                memset(phi, 0, (size_t)n * sizeof *phi);
            add_influence(c, j, direction, nstate, shares, first, n, of_set);
            if (!samples->together) {
                double freedom;
                double part =
                    cardo_long_run_variance(n, phi, (cardo_memory){.known = memory}, &freedom);
                cardo_error_sum_add(&sums[j], n * part, freedom);
            }
        }
    }
    if (samples->together)
        add_sums(samples, c, longest, phi, sums);
    return CARDO_OK;
}

/* Standard errors of estimates with these coefficients. */
static cardo_status errors_of(const cardo_weighted_samples *samples, const coefficients *c,
                              double *sigma, cardo_error *error)
{
    cardo_status status;
    const size_t nstate = samples->mbar ? (size_t)samples->mbar->data.nstate : 0;
    const size_t nset = (size_t)c->nset;
    double *direction = NULL, *shares = NULL, *phi = NULL, *work = NULL;
    cardo_error_sum *sums = NULL;
    size_t most = 0;
    for (int k = 0; k < samples->nseries; ++k)
        most = (size_t)samples->count[k] > most ? (size_t)samples->count[k] : most;
    CARDO_TRY(CARDO_ALLOCATE(&work, most, error));
    CARDO_TRY(CARDO_ALLOCATE(&phi, samples->together ? nset * most : most, error));
    CARDO_TRY(CARDO_ALLOCATE(&sums, nset, error));
    if (samples->mbar) {
        CARDO_TRY(CARDO_ALLOCATE(&shares, most * nstate, error));
        CARDO_TRY(CARDO_ALLOCATE(&direction, nset * nstate, error));
        CARDO_TRY(directions(samples->mbar, c, direction, error));
    }
    CARDO_TRY(add_variances(samples, c, direction, shares, work, phi, sums, error));
    for (int j = 0; j < c->nset; ++j)
        sigma[j] = cardo_error_sum_sigma(&sums[j]);
done:
    cardo_free(direction);
    cardo_free(shares);
    cardo_free(phi);
    cardo_free(work);
    cardo_free(sums);
    return status;
}

static void share_of_sets(int nsample, const cardo_sample_sets *sets, const double *weight,
                          double *share, double *effective)
{
    memset(share, 0, (size_t)sets->n * sizeof *share);
    memset(effective, 0, (size_t)sets->n * sizeof *effective);
    for (int n = 0; n < nsample; ++n)
        if (sets->label[n] >= 0) {
            share[sets->label[n]] += weight[n];
            effective[sets->label[n]] += weight[n] * weight[n];
        }
    for (int j = 0; j < sets->n; ++j)
        effective[j] = effective[j] > 0 ? share[j] * share[j] / effective[j] : 0;
}

static cardo_status check_sets(int nsample, const cardo_sample_sets *sets, cardo_error *error)
{
    if (sets->n < 1 || sets->reference < -1 || sets->reference >= sets->n)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%d sets against set %d", sets->n,
                          sets->reference);
    for (int n = 0; n < nsample; ++n)
        if (sets->label[n] < -1 || sets->label[n] >= sets->n)
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "sample %d is in set %d of %d", n + 1,
                              sets->label[n], sets->n);
    return CARDO_OK;
}

cardo_status cardo_weighted_free_energies(const cardo_weighted_samples *samples,
                                          const cardo_sample_sets *sets, double *F, double *sigma,
                                          double *effective, cardo_error *error)
{
    double *weight = NULL, *share = NULL, *worth = NULL;
    coefficients c = {sets->n, sets->label, NULL, NULL};
    int nsample, r = sets->reference;
    cardo_status status = check(samples, &nsample, error);
    if (status == CARDO_OK)
        status = check_sets(nsample, sets, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(CARDO_ALLOCATE(&weight, nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&share, sets->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&worth, sets->n, error));
    normalize(nsample, samples->log_weight, sets->label, weight);
    share_of_sets(nsample, sets, weight, share, worth);
    double zero = r >= 0 ? share[r] : 1;
    for (int j = 0; j < sets->n; ++j)
        F[j] = share[j] > 0 && zero > 0 ? log(zero) - log(share[j]) : (double)NAN;
    if (effective)
        memcpy(effective, worth, (size_t)sets->n * sizeof *worth);
    if (!sigma)
        goto done;
    CARDO_TRY(CARDO_ALLOCATE(&c.common, nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&c.share, nsample, error));
    for (int n = 0; n < nsample; ++n) {
        int j = sets->label[n];
        c.share[n] = j >= 0 && share[j] > 0 ? weight[n] / share[j] : 0;
        c.common[n] = r < 0 ? weight[n] : j == r ? c.share[n] : 0;
    }
    CARDO_TRY(errors_of(samples, &c, sigma, error));
    for (int j = 0; j < sets->n; ++j)
        if (isnan(F[j]))
            sigma[j] = NAN;
done:
    cardo_free(weight);
    cardo_free(share);
    cardo_free(worth);
    cardo_free(c.common);
    cardo_free(c.share);
    return status;
}

cardo_status cardo_weighted_profile(const cardo_weighted_samples *samples, const double *xi,
                                    const cardo_bins *bins, double *F, double *sigma,
                                    double *effective, cardo_error *error)
{
    int *label = NULL, nsample = sample_total(samples);
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&label, nsample, error));
    for (int n = 0; n < nsample; ++n)
        label[n] = cardo_bin_of(bins, xi[n]);
    const cardo_sample_sets sets = {bins->n, label, -1};
    CARDO_TRY(cardo_weighted_free_energies(samples, &sets, F, sigma, effective, error));
    for (int b = 0; b < bins->n; ++b)
        F[b] += log(cardo_bin_width(bins));
done:
    cardo_free(label);
    return status;
}

cardo_status cardo_weighted_mean(const cardo_weighted_samples *samples, const double *values,
                                 double *mean, double *sigma, cardo_error *error)
{
    coefficients c = {1, NULL, NULL, NULL};
    int nsample;
    cardo_status status = check(samples, &nsample, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(CARDO_ALLOCATE(&c.common, nsample, error));
    if (!normalize(nsample, samples->log_weight, NULL, c.common)) {
        status = CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "no sample has any weight");
        goto done;
    }
    *mean = 0;
    for (int n = 0; n < nsample; ++n)
        *mean += c.common[n] * values[n];
    for (int n = 0; n < nsample; ++n)
        c.common[n] *= values[n] - *mean;
    CARDO_TRY(errors_of(samples, &c, sigma, error));
done:
    cardo_free(c.common);
    return status;
}
