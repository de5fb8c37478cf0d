#include "analysis/free_energy/mbar.h"

#include "base/linalg.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 128, MOST_ITERATIONS = 2000, MOST_SINGULAR = 100 };

/* Curvature relative to N below which nothing holds two groups of states together: less than a
 * sample's rounding. */
static const double least_gap = 1e-13, tolerance = 1e-12, rounding = 4e-16;

/* Working memory of one solution. */
typedef struct solver {
    const cardo_mbar_data *data;
    int nstate, active, nused;
    int *state;           /* states with samples                         (active)          */
    double *multiplicity; /* samples of each column                      (ncolumn)         */
    double *log_count;    /*                                             (nstate)          */
    double *terms, *most; /* a block of columns            (nstate x BLOCK), (BLOCK)       */
    double *sum;          /* sum_n P_ni                                  (active)          */
    double *scaled;       /* N^-1/2 (diag(sum) - P^T P) N^-1/2, its eigenvectors after     */
    double *values;       /* its eigenvalues                             (active)          */
    double *step;         /*                                             (active)          */
} solver;

static void solver_clear(solver *s)
{
    cardo_free(s->state);
    cardo_free(s->multiplicity);
    cardo_free(s->log_count);
    cardo_free(s->terms);
    cardo_free(s->most);
    cardo_free(s->sum);
    cardo_free(s->scaled);
    cardo_free(s->values);
    cardo_free(s->step);
}

static cardo_status check_data(const cardo_mbar_data *data, int *nsample, cardo_error *error)
{
    long long total = 0;
    if (data->nstate < 1 || data->ncolumn < 1)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "free energies of %d states from %d samples",
                          data->nstate, data->ncolumn);
    for (int k = 0; k < data->nstate; ++k) {
        if (data->count[k] < 0)
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "state %d has %d samples", k + 1,
                              data->count[k]);
        total += data->count[k];
    }
    if (total < 1 || total > INT32_MAX || (!data->column && total != data->ncolumn))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "the states have %lld samples together, with energies of %d", total,
                          data->ncolumn);
    for (long long n = 0; data->column && n < total; ++n)
        if (data->column[n] < 0 || data->column[n] >= data->ncolumn)
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                              "sample %lld refers to energies %d of %d", n + 1, data->column[n],
                              data->ncolumn);
    for (int k = 0; k < data->nstate; ++k)
        for (int n = 0; n < data->ncolumn; ++n)
            if (!isfinite(data->u[(size_t)k * (size_t)data->ncolumn + (size_t)n]))
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "the reduced energy of sample %d in state %d is %g: leave the "
                                  "sample out, or give the state a finite energy there",
                                  n + 1, k + 1,
                                  data->u[(size_t)k * (size_t)data->ncolumn + (size_t)n]);
    *nsample = (int)total;
    return CARDO_OK;
}

static cardo_status solver_create(solver *s, const cardo_mbar_data *data, int nsample,
                                  cardo_error *error)
{
    cardo_status status;
    *s = (solver){.data = data, .nstate = data->nstate};
    size_t nstate = (size_t)data->nstate;
    CARDO_TRY(CARDO_ALLOCATE(&s->state, nstate, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->multiplicity, data->ncolumn, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->log_count, nstate, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->terms, nstate * BLOCK, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->most, BLOCK, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->sum, nstate, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->scaled, nstate * nstate, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->values, nstate, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->step, nstate, error));
    for (int k = 0; k < data->nstate; ++k) {
        s->log_count[k] = data->count[k] > 0 ? log(data->count[k]) : -HUGE_VAL;
        if (data->count[k] > 0)
            s->state[s->active++] = k;
    }
    for (int n = 0; n < nsample; ++n)
        s->multiplicity[data->column ? data->column[n] : n] += 1;
done:
    return status;
}

/* ln(N_i exp(f_i - u_in)) of the active states, n columns from first on, and their logarithmic sum
 * in most. Turns terms into shares. */
static void shares_of_block(solver *s, const double *f, int first, int n)
{
    assert(n > 0 && n <= BLOCK && first + n <= s->data->ncolumn && s->active > 0);
    for (int j = 0; j < n; ++j)
        s->most[j] = -INFINITY;
    for (int a = 0; a < s->active; ++a) {
        int k = s->state[a];
        const double *restrict u = s->data->u + (size_t)k * (size_t)s->data->ncolumn + first;
        double *restrict term = s->terms + (size_t)a * BLOCK, *restrict most = s->most;
        double own = f[k] + s->log_count[k];
        for (int j = 0; j < n; ++j) {
            term[j] = own - u[j];
            most[j] = term[j] > most[j] ? term[j] : most[j];
        }
    }
    double total[BLOCK] = {0};
    for (int a = 0; a < s->active; ++a) {
        double *restrict term = s->terms + (size_t)a * BLOCK;
        for (int j = 0; j < n; ++j) {
            term[j] = exp(term[j] - s->most[j]);
            total[j] += term[j];
        }
    }
    for (int j = 0; j < n; ++j) {
        s->most[j] += log(total[j]);
        total[j] = 1 / total[j];
    }
    for (int a = 0; a < s->active; ++a)
        for (int j = 0; j < n; ++j)
            s->terms[(size_t)a * BLOCK + (size_t)j] *= total[j];
}

/* Sums of shares and the scaled curvature; ln of the mixture and the sums of squares of shares where
 * they are wanted. */
static void evaluate(solver *s, const double *f, double *log_mixture, double *squares)
{
    const int ncolumn = s->data->ncolumn, m = s->active;
    memset(s->sum, 0, (size_t)m * sizeof *s->sum);
    memset(s->scaled, 0, (size_t)m * (size_t)m * sizeof *s->scaled);
    for (int first = 0; first < ncolumn; first += BLOCK) {
        int n = ncolumn - first < BLOCK ? ncolumn - first : BLOCK;
        const double *restrict times = s->multiplicity + first;
        shares_of_block(s, f, first, n);
        if (log_mixture)
            memcpy(log_mixture + first, s->most, (size_t)n * sizeof *s->most);
        for (int a = 0; a < m; ++a) {
            const double *restrict own = s->terms + (size_t)a * BLOCK;
            double weighted[BLOCK], total = 0;
            for (int j = 0; j < n; ++j) {
                weighted[j] = times[j] * own[j];
                total += weighted[j];
            }
            s->sum[a] += total;
            for (int j = 0; squares && j < n; ++j)
                squares[a] += weighted[j] * own[j];
            if (total <= 0)
                continue;
            for (int b = 0; b < a; ++b) {
                const double *restrict other = s->terms + (size_t)b * BLOCK;
                double product = 0;
                for (int j = 0; j < n; ++j)
                    product += weighted[j] * other[j];
                s->scaled[a * m + b] -= product;
            }
        }
    }
    /* The rows of the curvature sum to zero: its diagonal without the cancellation of sum - P^T P. */
    for (int a = 0; a < m; ++a)
        for (int b = 0; b < a; ++b) {
            s->scaled[a * m + a] -= s->scaled[a * m + b];
            s->scaled[b * m + b] -= s->scaled[a * m + b];
            s->scaled[b * m + a] = s->scaled[a * m + b];
        }
    for (int a = 0; a < m; ++a)
        for (int b = 0; b < m; ++b)
            s->scaled[a * m + b] /=
                sqrt((double)s->data->count[s->state[a]] * (double)s->data->count[s->state[b]]);
}

/* Newton's step from the curvature's eigenvectors, all but the one of a common constant; false when
 * others have no curvature either. */
static bool newton_step(const solver *s)
{
    const int m = s->active;
    memset(s->step, 0, (size_t)m * sizeof *s->step);
    for (int v = 1; v < m; ++v) {
        if (!(s->values[v] > least_gap))
            return false;
        double along = 0;
        for (int a = 0; a < m; ++a) {
            double count = s->data->count[s->state[a]];
            along += s->scaled[a * m + v] * (count - s->sum[a]) / sqrt(count);
        }
        for (int a = 0; a < m; ++a)
            s->step[a] += s->scaled[a * m + v] * along / s->values[v] /
                          sqrt((double)s->data->count[s->state[a]]);
    }
    return true;
}

/* The self-consistent step (eq. 11). A state that no sample can show at these f has no sum. */
static void consistent_step(const solver *s)
{
    for (int a = 0; a < s->active; ++a)
        s->step[a] = log(s->data->count[s->state[a]] / fmax(s->sum[a], 1e-300));
}

static double range_of_step(const solver *s)
{
    double low = INFINITY, high = -INFINITY;
    for (int a = 0; a < s->active; ++a) {
        low = fmin(low, s->step[a]);
        high = fmax(high, s->step[a]);
    }
    return high - low;
}

static cardo_status fail_apart(const solver *s, const double *f, cardo_error *error)
{
    const int m = s->active;
    int left = 0, right = m > 1 ? 1 : 0;
    /* Of neighbours by number, the two that the softest direction moves apart most. */
    double most = -1;
    for (int a = 0; a + 1 < m; ++a) {
        double x = s->scaled[a * m + 1] / sqrt((double)s->data->count[s->state[a]]);
        double y = s->scaled[(a + 1) * m + 1] / sqrt((double)s->data->count[s->state[a + 1]]);
        if (fabs(x - y) > most) {
            most = fabs(x - y);
            left = a;
            right = a + 1;
        }
    }
    return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                      "states %d and %d do not overlap: no sample of either is probable in the "
                      "other, so their free energies (%.1f kT apart at the last guess) cannot be "
                      "compared; put states between them, or make them wider",
                      s->state[left] + 1, s->state[right] + 1,
                      f[s->state[right]] - f[s->state[left]]);
}

/* f_k - f_(k-1) of neighbours with samples as the mean of both states' mean energy differences:
 * exact for equal harmonic windows (second order in the difference, Zwanzig 1954). */
static void guess(const solver *s, const double *start, double *f)
{
    if (start) {
        memcpy(f, start, (size_t)s->nstate * sizeof *f);
        return;
    }
    memset(f, 0, (size_t)s->nstate * sizeof *f);
    const cardo_mbar_data *d = s->data;
    int begin = 0, last = -1, last_begin = 0;
    for (int k = 0; k < s->nstate; begin += d->count[k++]) {
        if (d->count[k] == 0)
            continue;
        if (last >= 0) {
            const double *upper = d->u + (size_t)k * (size_t)d->ncolumn;
            const double *lower = d->u + (size_t)last * (size_t)d->ncolumn;
            double own = 0, other = 0;
            for (int n = begin; n < begin + d->count[k]; ++n) {
                int c = d->column ? d->column[n] : n;
                own += upper[c] - lower[c];
            }
            for (int n = last_begin; n < last_begin + d->count[last]; ++n) {
                int c = d->column ? d->column[n] : n;
                other += upper[c] - lower[c];
            }
            f[k] = f[last] + 0.5 * (own / d->count[k] + other / d->count[last]);
        }
        last = k;
        last_begin = begin;
    }
}

/* The objective is self-concordant in the range of f (Bach 2010, Electron. J. Stat. 4, 384), so a
 * step damped to ln(1 + range) descends from anywhere (Sun & Tran-Dinh 2019, Math. Program. 178,
 * 145). */
static cardo_status iterate(solver *s, double *f, cardo_mbar *out, cardo_error *error)
{
    double last = INFINITY;
    int singular = 0;
    for (int i = 1; i <= MOST_ITERATIONS; ++i) {
        evaluate(s, f, NULL, NULL);
        cardo_status status = cardo_symmetric_eigen(s->active, s->scaled, s->values, error);
        if (status != CARDO_OK)
            return status;
        bool newton = newton_step(s);
        if (!newton) {
            if (++singular > MOST_SINGULAR)
                return fail_apart(s, f, error);
            consistent_step(s);
        }
        double range = range_of_step(s), size = 0;
        double scale = newton && range > 0 ? log1p(range) / range : 1;
        for (int a = 0; a < s->active; ++a) {
            f[s->state[a]] += scale * s->step[a];
            size = fmax(size, fabs(f[s->state[a]]));
        }
        out->iterations = i;
        out->residual = range;
        bool stalled = range < 1e-6 && range >= 0.5 * last;
        /* What is left after a step is about half its square. */
        if (newton && (range * range <= tolerance + rounding * size || stalled))
            return CARDO_OK;
        last = newton ? range : HUGE_VAL;
    }
    return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                      "free energies of %d states still change by %.3g kT after %d iterations",
                      s->active, out->residual, MOST_ITERATIONS);
}

/* Free energy and effective samples of a state without samples of its own. */
static void finish_unsampled(const solver *s, int k, cardo_mbar *out)
{
    const cardo_mbar_data *d = s->data;
    const double *u = d->u + (size_t)k * (size_t)d->ncolumn;
    double most = -INFINITY, sum = 0, squares = 0;
    for (int n = 0; n < d->ncolumn; ++n)
        if (s->multiplicity[n] > 0)
            most = fmax(most, -u[n] - out->log_mixture[n]);
    for (int n = 0; n < d->ncolumn; ++n)
        if (s->multiplicity[n] > 0) {
            double weight = exp(-u[n] - out->log_mixture[n] - most);
            sum += s->multiplicity[n] * weight;
            squares += s->multiplicity[n] * weight * weight;
        }
    out->f[k] = -most - log(sum);
    out->effective[k] = sum * sum / squares;
}

/* Free energies of all states, effective samples, the gauge, and the curvature at the solution. */
static void finish_energies(solver *s, cardo_mbar *out)
{
    const cardo_mbar_data *d = s->data;
    memset(s->step, 0, (size_t)s->active * sizeof *s->step);
    evaluate(s, out->f, out->log_mixture, s->step);
    for (int a = 0; a < s->active; ++a)
        out->effective[s->state[a]] = s->sum[a] * s->sum[a] / s->step[a];
    for (int k = 0; k < d->nstate; ++k)
        if (d->count[k] == 0)
            finish_unsampled(s, k, out);
    double zero = out->f[0];
    for (int k = 0; k < d->nstate; ++k)
        out->f[k] -= zero;
    for (int n = 0; n < d->ncolumn; ++n)
        out->log_mixture[n] -= zero;
}

/* Overlap, its gap and the inverse of the curvature, from the curvature. */
static cardo_status finish_curvature(solver *s, cardo_mbar *out, cardo_error *error)
{
    const int m = s->active, nstate = s->nstate;
    for (int a = 0; a < m; ++a)
        for (int b = 0; b < m; ++b) {
            double ratio =
                sqrt((double)s->data->count[s->state[b]] / (double)s->data->count[s->state[a]]);
            out->overlap[s->state[a] * nstate + s->state[b]] =
                (a == b) - s->scaled[a * m + b] * ratio;
        }
    cardo_status status = cardo_symmetric_eigen(m, s->scaled, s->values, error);
    if (status != CARDO_OK)
        return status;
    out->gap = m > 1 ? s->values[1] : 1;
    for (int a = 0; a < m; ++a)
        for (int b = 0; b < m; ++b) {
            double sum = 0;
            for (int v = 1; v < m; ++v)
                sum += s->scaled[a * m + v] * s->scaled[b * m + v] / s->values[v];
            out->inverse[s->state[a] * nstate + s->state[b]] =
                sum /
                sqrt((double)s->data->count[s->state[a]] * (double)s->data->count[s->state[b]]);
        }
    return CARDO_OK;
}

cardo_status cardo_mbar_solve(const cardo_mbar_data *data, const double *start, cardo_mbar *out,
                              cardo_error *error)
{
    solver s = {0};
    *out = (cardo_mbar){.data = *data};
    cardo_status status = check_data(data, &out->nsample, error);
    if (status != CARDO_OK)
        return status;
    size_t nstate = (size_t)data->nstate;
    CARDO_TRY(solver_create(&s, data, out->nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->f, nstate, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->log_mixture, data->ncolumn, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->inverse, nstate * nstate, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->overlap, nstate * nstate, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->effective, nstate, error));
    guess(&s, start, out->f);
    CARDO_TRY(iterate(&s, out->f, out, error));
    finish_energies(&s, out);
    CARDO_TRY(finish_curvature(&s, out, error));
done:
    solver_clear(&s);
    if (status != CARDO_OK)
        cardo_mbar_clear(out);
    return status;
}

void cardo_mbar_clear(cardo_mbar *mbar)
{
    cardo_free(mbar->f);
    cardo_free(mbar->log_mixture);
    cardo_free(mbar->inverse);
    cardo_free(mbar->overlap);
    cardo_free(mbar->effective);
    *mbar = (cardo_mbar){0};
}
