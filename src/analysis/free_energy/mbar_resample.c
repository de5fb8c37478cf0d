#include "analysis/free_energy/mbar_resample.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 256, LANES = 8, MOST_ITERATIONS = 40 };

static const double tolerance = 1e-6;

cardo_status cardo_mbar_resampling_create(const cardo_mbar *mbar, cardo_mbar_resampling *out,
                                          cardo_error *error)
{
    cardo_status status;
    const cardo_mbar_data *d = &mbar->data;
    const size_t nsample = (size_t)mbar->nsample;
    *out = (cardo_mbar_resampling){.mbar = mbar};
    CARDO_TRY(CARDO_ALLOCATE(&out->weight, (size_t)d->nstate * nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->shift, d->nstate, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->ratio, nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->sum, d->nstate, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->factor, d->nstate, error));
    for (int k = 0; k < d->nstate; ++k) {
        const double *u = d->u + (size_t)k * (size_t)d->ncolumn;
        for (size_t n = 0; n < nsample; ++n) {
            int c = d->column ? d->column[n] : (int)n;
            out->weight[(size_t)k * nsample + n] =
                (float)exp(mbar->f[k] - u[c] - mbar->log_mixture[c]);
        }
    }
done:
    return status;
}

void cardo_mbar_resampling_clear(cardo_mbar_resampling *self)
{
    cardo_free(self->weight);
    cardo_free(self->shift);
    cardo_free(self->ratio);
    cardo_free(self->sum);
    cardo_free(self->factor);
    *self = (cardo_mbar_resampling){0};
}

static void set_factors(cardo_mbar_resampling *self)
{
    for (int k = 0; k < self->mbar->data.nstate; ++k)
        self->factor[k] = self->mbar->data.count[k] * exp(self->shift[k]);
}

/* sum_k N_k exp(shift_k) W_nk of n samples. */
static void mix(const cardo_mbar_resampling *self, size_t first, int n, double *restrict ratio)
{
    const size_t nsample = (size_t)self->mbar->nsample;
    memset(ratio, 0, (size_t)n * sizeof *ratio);
    for (int k = 0; k < self->mbar->data.nstate; ++k) {
        const float *restrict weight = self->weight + (size_t)k * nsample + first;
        const double factor = self->factor[k];
        for (int j = 0; j < n; ++j)
            ratio[j] += factor * (double)weight[j];
    }
}

/* In lanes, so that the order of the sum is one and the same on any machine and yet no chain. */
static double dot(int n, const double *restrict a, const float *restrict b)
{
    double lane[LANES] = {0}, sum = 0;
    int j = 0;
    for (; j + LANES <= n; j += LANES)
        for (int l = 0; l < LANES; ++l)
            lane[l] += a[j + l] * (double)b[j + l];
    for (; j < n; ++j)
        sum += a[j] * (double)b[j];
    for (int l = 0; l < LANES; ++l)
        sum += lane[l];
    return sum;
}

/* Ratios and sums in the present shifts. */
static void evaluate(cardo_mbar_resampling *self, const double *times)
{
    const int nstate = self->mbar->data.nstate, nsample = self->mbar->nsample;
    set_factors(self);
    memset(self->sum, 0, (size_t)nstate * sizeof *self->sum);
    for (int first = 0; first < nsample; first += BLOCK) {
        const int n = nsample - first < BLOCK ? nsample - first : BLOCK;
        double scaled[BLOCK], *ratio = self->ratio + first;
        mix(self, (size_t)first, n, ratio);
        for (int j = 0; j < n; ++j)
            scaled[j] = times[first + j] / ratio[j];
        for (int k = 0; k < nstate; ++k)
            self->sum[k] +=
                dot(n, scaled, self->weight + (size_t)k * (size_t)nsample + (size_t)first);
    }
}

/* The step that the curvature of all samples asks for, damped as in mbar.c; its range. */
static double step(cardo_mbar_resampling *self)
{
    const cardo_mbar *mbar = self->mbar;
    const int nstate = mbar->data.nstate;
    double low = 0, high = 0;
    double *change = self->factor; /* set anew by the next evaluation */
    for (int k = 0; k < nstate; ++k)
        self->sum[k] =
            mbar->data.count[k] - exp(self->shift[k]) * mbar->data.count[k] * self->sum[k];
    for (int i = 0; i < nstate; ++i) {
        change[i] = 0;
        for (int k = 0; k < nstate; ++k)
            change[i] += mbar->inverse[(size_t)i * (size_t)nstate + (size_t)k] * self->sum[k];
        low = fmin(low, change[i]);
        high = fmax(high, change[i]);
    }
    const double range = high - low, scale = range > 0 ? log1p(range) / range : 1;
    for (int i = 0; i < nstate; ++i)
        self->shift[i] += scale * change[i];
    return range;
}

/* States without samples take no steps: theirs is read off the weights. */
static void finish(cardo_mbar_resampling *self, const double *times)
{
    const cardo_mbar_data *d = &self->mbar->data;
    evaluate(self, times);
    for (int k = 0; k < d->nstate; ++k)
        if (d->count[k] == 0)
            self->shift[k] = -log(self->sum[k]);
    const double zero = self->shift[0], scale = exp(-zero);
    for (int k = 0; k < d->nstate; ++k)
        self->shift[k] -= zero;
    for (int n = 0; n < self->mbar->nsample; ++n)
        self->ratio[n] *= scale;
}

bool cardo_mbar_resampling_solve(cardo_mbar_resampling *self, const double *times)
{
    double last = HUGE_VAL;
    memset(self->shift, 0, (size_t)self->mbar->data.nstate * sizeof *self->shift);
    for (int i = 0; i < MOST_ITERATIONS; ++i) {
        evaluate(self, times);
        double range = step(self);
        if (range <= tolerance) {
            finish(self, times);
            return true;
        }
        /* The first steps may grow where the curvature is another's; not the later ones. */
        if (!(range < 1e3) || (i >= 8 && range > last))
            return false;
        last = range;
    }
    return false;
}
