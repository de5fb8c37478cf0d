#include "analysis/free_energy/thermodynamic_integration.h"

#include "analysis/free_energy/profile_rows.h"
#include "analysis/free_energy/statistics.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Weights by which values at x[n] give the value at `at` of the polynomial through them. */
static void lagrange(int n, const double *x, double at, double *weight)
{
    for (int j = 0; j < n; ++j) {
        weight[j] = 1;
        for (int k = 0; k < n; ++k)
            if (k != j)
                weight[j] *= (at - x[k]) / (x[j] - x[k]);
    }
}

/* The `most` nodes about the interval from node i to i + 1: numbers (of a periodic coordinate
 * modulo n) and places. Returns how many. */
static int nearest(int n, const double *xi, double period, int i, int *number, double *x)
{
    int size = n < 4 ? n : 4, first = i - (size - 2) / 2;
    if (period <= 0)
        first = first < 0 ? 0 : first > n - size ? n - size : first;
    for (int j = 0; j < size; ++j) {
        int turn = first + j < 0 ? -1 : (first + j) / n;
        number[j] = first + j - turn * n;
        assert(number[j] >= 0 && number[j] < n);
        x[j] = xi[number[j]] + turn * period;
    }
    return size;
}

/* weight[n]: the integral from node i to i + 1 of the cubic through the nearest nodes, by two Gauss
 * points, which is exact. */
static void interval_weights(int n, const double *xi, double period, int i, double *weight)
{
    int number[4];
    double x[4], part[4];
    int size = nearest(n, xi, period, i, number, x);
    double from = xi[i], to = i + 1 < n ? xi[i + 1] : xi[0] + period;
    memset(weight, 0, (size_t)n * sizeof *weight);
    for (int side = -1; side <= 1; side += 2) {
        lagrange(size, x, 0.5 * (from + to) + side * (to - from) / sqrt(12), part);
        for (int j = 0; j < size; ++j)
            weight[number[j]] += 0.5 * (to - from) * part[j];
    }
}

/* rows[n x n]: F at the nodes, F of the first being 0, from the mean forces. */
static void node_rows(int n, const double *xi, double period, double *rows, double *weight)
{
    memset(rows, 0, (size_t)n * sizeof *rows);
    for (int i = 0; i + 1 < n; ++i) {
        interval_weights(n, xi, period, i, weight);
        for (int j = 0; j < n; ++j)
            rows[(i + 1) * n + j] = rows[i * n + j] + weight[j];
    }
    if (period <= 0)
        return;
    interval_weights(n, xi, period, n - 1, weight);
    for (int j = 0; j < n; ++j)
        weight[j] += rows[(n - 1) * n + j];
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            rows[i * n + j] -= (xi[i] - xi[0]) / period * weight[j];
}

static cardo_status check_nodes(int n, const double *xi, double period, const double *mean,
                                const double *sigma, cardo_error *error)
{
    if (n < 2)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "an integral over %d nodes", n);
    for (int i = 0; i < n; ++i) {
        if (!isfinite(mean[i]) || !(sigma[i] >= 0) || !isfinite(sigma[i]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "the mean force of node %d, at %g, is %g +- %g", i + 1, xi[i],
                              mean[i], sigma[i]);
        if (i > 0 && !(xi[i] > xi[i - 1]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "node %d, at %g, follows one at %g", i + 1,
                              xi[i], xi[i - 1]);
    }
    if (period > 0 && !(xi[n - 1] < xi[0] + period))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "nodes from %g to %g exceed the period of %g",
                          xi[0], xi[n - 1], period);
    return CARDO_OK;
}

cardo_status cardo_integrate_nodes(int n, const double *xi, double period, const double *mean,
                                   const double *sigma, double *F, double *sigma_F,
                                   cardo_error *error)
{
    double *rows = NULL, *weight = NULL, *width = NULL;
    cardo_status status = check_nodes(n, xi, period, mean, sigma, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(CARDO_ALLOCATE(&rows, (size_t)n * (size_t)n, error));
    CARDO_TRY(CARDO_ALLOCATE(&weight, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&width, n, error));
    node_rows(n, xi, period, rows, weight);
    for (int i = 0; i < n; ++i) {
        double before = i > 0 ? xi[i - 1] : period > 0 ? xi[n - 1] - period : xi[0];
        double after = i + 1 < n ? xi[i + 1] : period > 0 ? xi[0] + period : xi[n - 1];
        width[i] = 0.5 * (after - before);
        F[i] = 0;
        for (int j = 0; j < n; ++j)
            F[i] += rows[i * n + j] * mean[j];
    }
    cardo_profile_normalize(n, n, width, F, rows, weight);
    for (int i = 0; i < n; ++i) {
        double variance = 0;
        for (int j = 0; j < n; ++j)
            variance += rows[i * n + j] * rows[i * n + j] * sigma[j] * sigma[j];
        sigma_F[i] = sqrt(variance);
    }
done:
    cardo_free(rows);
    cardo_free(weight);
    cardo_free(width);
    return status;
}

/* Mean forces of bins, and which are visited. */
typedef struct bin_forces {
    int nsample, longest, first, n; /* visited bins: first ... first + n - 1 */
    int *label, *in_bin;
    double *mean, *rows, *width, *share, *phi, *edge, *memory;
} bin_forces;

static void bin_forces_clear(bin_forces *b)
{
    cardo_free(b->label);
    cardo_free(b->in_bin);
    cardo_free(b->mean);
    cardo_free(b->rows);
    cardo_free(b->width);
    cardo_free(b->share);
    cardo_free(b->phi);
    cardo_free(b->edge);
    cardo_free(b->memory);
}

static cardo_status find_visited(const cardo_bins *bins, bin_forces *b, cardo_error *error)
{
    int last = -1;
    b->first = -1;
    for (int i = 0; i < bins->n; ++i) {
        if (b->in_bin[i] == 0)
            continue;
        if (last >= 0 && last != i - 1)
            return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                              "no sample of the force lies between %g and %g: the profiles on both "
                              "sides cannot be joined; sample longer, or take fewer bins",
                              bins->low + (last + 1) * cardo_bin_width(bins),
                              bins->low + i * cardo_bin_width(bins));
        last = i;
        b->first = b->first < 0 ? i : b->first;
    }
    if (b->first < 0)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "no sample of the force lies between %g and %g", bins->low, bins->high);
    b->n = last - b->first + 1;
    return CARDO_OK;
}

static cardo_status bin_forces_create(const cardo_force_series *series, const cardo_bins *bins,
                                      int nbasin, bin_forces *b, cardo_error *error)
{
    cardo_status status;
    *b = (bin_forces){0};
    for (int s = 0; s < series->nseries; ++s) {
        b->nsample += series->count[s];
        b->longest = series->count[s] > b->longest ? series->count[s] : b->longest;
    }
    size_t n = (size_t)bins->n;
    CARDO_TRY(CARDO_ALLOCATE(&b->label, b->nsample, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->in_bin, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->mean, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->rows, (n + (size_t)nbasin) * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->width, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->share, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->phi, b->longest, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->edge, n + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->memory, series->nseries, error));
    for (int i = 0; i < b->nsample; ++i) {
        if (!isfinite(series->xi[i]) || !isfinite(series->force[i])) {
            status =
                CARDO_FAIL(error, CARDO_ERROR_INPUT, "sample %d has coordinate %g and force %g",
                           i + 1, series->xi[i], series->force[i]);
            goto done;
        }
        b->label[i] = cardo_bin_of(bins, series->xi[i]);
        if (b->label[i] >= 0) {
            b->in_bin[b->label[i]]++;
            b->mean[b->label[i]] += series->force[i];
        }
    }
    for (int i = 0; i < bins->n; ++i)
        b->mean[i] /= b->in_bin[i] > 0 ? b->in_bin[i] : 1;
    CARDO_TRY(find_visited(bins, b, error));
done:
    return status;
}

/* Rows by which F at the centres of visited bins follows from the mean forces of all bins. */
static void bin_rows(const cardo_bins *bins, bin_forces *b)
{
    const int n = bins->n, nedge = b->n + 1;
    const double width = cardo_bin_width(bins);
    bool whole = bins->periodic && b->n == n;
    for (int i = 0; i < nedge; ++i)
        b->edge[i] = i * width;
    for (int i = 0; i < b->n; ++i) {
        double x[4], weight[4];
        int size = nedge < 4 ? nedge : 4, first = i - (size - 2) / 2;
        if (!whole)
            first = first < 0 ? 0 : first > nedge - size ? nedge - size : first;
        for (int j = 0; j < size; ++j)
            x[j] = (first + j) * width;
        lagrange(size, x, (i + 0.5) * width, weight);
        double *row = b->rows + (size_t)(b->first + i) * (size_t)n;
        /* F at edge e is the sum over bins below it; beyond the ends of a period the bins come
         * again, with the sign of the way. */
        for (int j = 0; j < size; ++j) {
            int e = first + j;
            assert(whole || (e >= 0 && e <= b->n));
            for (int k = 0; k < e; ++k)
                row[b->first + k % b->n] += weight[j] * width;
            for (int k = e; k < 0; ++k)
                row[b->first + k + b->n] -= weight[j] * width;
        }
        if (whole)
            for (int k = 0; k < n; ++k)
                row[k] -= (i + 0.5) / n * width;
    }
}

/* How long each walker remembers its bin: a memory that all mean forces share in. */
static cardo_status find_memories(const cardo_force_series *series, bin_forces *b,
                                  cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int s = 0, first = 0; s < series->nseries; first += series->count[s++]) {
        CARDO_TRY(
            cardo_label_memory(series->count[s], b->label + first, b->phi, &b->memory[s], error));
    }
done:
    return status;
}

/* Standard error of what depends on the mean forces by this row. */
static double row_sigma(const cardo_force_series *series, const bin_forces *b, const double *row)
{
    cardo_error_sum sum = {0};
    for (int s = 0, first = 0; s < series->nseries; first += series->count[s++]) {
        const int n = series->count[s];
        for (int i = 0; i < n; ++i) {
            int bin = b->label[first + i];
            assert(bin < 0 || b->in_bin[bin] > 0);
            b->phi[i] =
                bin < 0 ? 0 : row[bin] * (series->force[first + i] - b->mean[bin]) / b->in_bin[bin];
        }
        double freedom;
        double part =
            n * cardo_long_run_variance(n, b->phi, (cardo_memory){b->memory[s]}, &freedom);
        cardo_error_sum_add(&sum, part, freedom);
    }
    return cardo_error_sum_sigma(&sum);
}

cardo_status cardo_integrate_bins(const cardo_force_series *series, const cardo_bins *bins,
                                  int nbasin, const double *basin, double *F, double *sigma,
                                  int *in_bin, double *basin_F, double *basin_sigma,
                                  cardo_error *error)
{
    bin_forces b;
    cardo_status status;
    double *centre = NULL;
    const size_t n = (size_t)bins->n;
    const double period = bins->periodic ? bins->high - bins->low : 0;
    CARDO_TRY(bin_forces_create(series, bins, nbasin, &b, error));
    CARDO_TRY(CARDO_ALLOCATE(&centre, n, error));
    bin_rows(bins, &b);
    CARDO_TRY(find_memories(series, &b, error));
    for (size_t i = 0; i < n; ++i) {
        b.width[i] = b.in_bin[i] > 0 ? cardo_bin_width(bins) : 0;
        F[i] = 0;
        for (size_t j = 0; j < n; ++j)
            F[i] += b.rows[i * n + j] * b.mean[j];
    }
    cardo_profile_normalize(bins->n, bins->n, b.width, F, b.rows, b.share);
    for (size_t i = 0; i < n; ++i)
        centre[i] = cardo_bin_centre(bins, (int)i);
    if (nbasin > 0)
        cardo_profile_basins(bins->n, centre, b.share, bins->n, b.rows, period, nbasin, basin,
                             basin_F);
    for (size_t i = 0; i < n + (size_t)nbasin; ++i) {
        double value = row_sigma(series, &b, b.rows + i * n);
        *(i < n ? &sigma[i] : &basin_sigma[i - n]) = value;
    }
    for (size_t i = 0; i < n; ++i)
        if (b.in_bin[i] == 0)
            F[i] = sigma[i] = (double)NAN;
    if (in_bin)
        memcpy(in_bin, b.in_bin, n * sizeof *in_bin);
done:
    cardo_free(centre);
    bin_forces_clear(&b);
    return status;
}
