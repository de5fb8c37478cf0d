#include "analysis/free_energy/statistics.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { PAIRS_BEFORE_MEANS = 32, LEAST_VALUES = 64, STARTS = 50, LAST_START = 45 };
enum { MEMORIES_A_BLOCK = 5, LEAST_BLOCKS = 6 };

static const double least_inefficiency = 0.1;
/* Of the sum over pairs of lags, where that over blocks scatters below it. */
static const double least_of_own = 0.5;
/* Of a run, where no memory is known: blocks of a tenth and of a fortieth of it, and what part of the
 * variance over the latter is the least. */
static const double part_remembered = 1. / 50, part_forgotten = 1. / 200, least_of_shorter = 0.7;
/* Times 1/sqrt(n): what the sum over pairs keeps of the noise of n values. */
static const double kept_noise = 1.5;

static double mean_of(int n, const double *values)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += values[i];
    return sum / n;
}

static double autocovariance(int n, const double *restrict values, int lag)
{
    double sum = 0;
    for (int i = 0; i < n - lag; ++i)
        sum += values[i] * values[i + lag];
    return sum / n;
}

/* The sum over lags of a centred series; *whole is false when the memory is longer than was looked
 * at. */
static double sum_of_pairs(int n, const double *values, bool *whole)
{
    double sum = -autocovariance(n, values, 0), last = INFINITY;
    int most = n / 4 > 1 ? n / 4 : 1, m = 0;
    *whole = true;
    for (;; ++m) {
        double pair = autocovariance(n, values, 2 * m) + autocovariance(n, values, 2 * m + 1);
        if (pair <= 0 || m == most)
            break;
        if (m == PAIRS_BEFORE_MEANS && n >= 2 * LEAST_VALUES) {
            *whole = false;
            return 0;
        }
        last = fmin(last, pair);
        sum += 2 * last;
    }
    double lags = 4.0 * m - 1;
    return lags > 0 && lags < 0.5 * n ? sum / (1 - lags / n) : sum;
}

double cardo_long_run_variance(int n, double *values)
{
    if (n < 2)
        return 0;
    double mean = mean_of(n, values);
    for (int i = 0; i < n; ++i)
        values[i] -= mean;
    double variance = autocovariance(n, values, 0) * n / (n - 1.0);
    for (double length = 1;; length *= 2) {
        bool whole;
        double sum = length * sum_of_pairs(n, values, &whole);
        if (whole)
            return fmax(sum, least_inefficiency * variance);
        n /= 2;
        for (int i = 0; i < n; ++i)
            values[i] = 0.5 * (values[2 * i] + values[2 * i + 1]);
    }
}

/* Of a centred series: variance of overlapping blocks' means, times their length. */
static double block_variance(int n, const double *values, int length)
{
    double run = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
        run += values[i] - (i >= length ? values[i - length] : 0);
        squares += i + 1 >= length ? run * run : 0;
    }
    return squares / length / (n - length + 1) / (1 - (double)length / n);
}

/* What blocks tell of a memory, in samples, and what comes of it. */
typedef struct block_view {
    double memory, length, over;
} block_view;

static block_view look_in_blocks(int n, const double *values, double memory)
{
    block_view v = {.memory = memory};
    v.length = fmin(ceil(MEMORIES_A_BLOCK * memory), floor((double)n / LEAST_BLOCKS));
    if (v.length >= 2)
        v.over = 2 * block_variance(n, values, (int)v.length) -
                 block_variance(n, values, (int)v.length / 2);
    return v;
}

static double choose(int n, const block_view *v, double variance, double own, double *freedom)
{
    bool hidden = v->length >= 2 && v->memory * variance > own;
    /* n over the sum of squares of the window of lags: of blocks 4/3 of their length, of the pairs
     * about three inefficiencies. */
    double window = hidden ? 4 * v->length / 3 : variance > 0 ? 3 * own / variance : 1;
    if (freedom)
        *freedom = fmax(n / fmax(window, 1), 1);
    return hidden ? fmax(v->over, least_of_own * own) : own;
}

/* Takes the mean off; the variance of one value. */
static double centre(int n, double *values)
{
    double mean = n > 0 ? mean_of(n, values) : 0;
    for (int i = 0; i < n; ++i)
        values[i] -= mean;
    return n > 1 ? autocovariance(n, values, 0) : 0;
}

double cardo_long_run_variance_over(int n, double *values, double memory, double *freedom)
{
    const double variance = centre(n, values);
    const block_view view = look_in_blocks(n, values, memory);
    return choose(n, &view, variance, cardo_long_run_variance(n, values), freedom);
}

double cardo_long_run_variance_unseen(int n, double *values, double memory, double *freedom)
{
    double of_shorter;
    const double variance = centre(n, values);
    const block_view tenth = look_in_blocks(n, values, fmax(memory, part_remembered * n));
    const block_view fortieth = look_in_blocks(n, values, fmax(memory, part_forgotten * n));
    const double own = cardo_long_run_variance(n, values);
    const double longer = choose(n, &tenth, variance, own, freedom);
    const double shorter = least_of_shorter * choose(n, &fortieth, variance, own, &of_shorter);
    if (longer > shorter)
        return longer;
    if (freedom)
        *freedom = of_shorter;
    return shorter;
}

double cardo_long_run_variance_of_few(int n, double *values, double *freedom)
{
    double variance = cardo_long_run_variance_over(n, values, 0, freedom);
    return n > 0 ? variance / (1 + kept_noise / sqrt(n)) : 0;
}

double cardo_student_factor(double freedom)
{
    double r = 1 / fmax(freedom, 1);
    return 1 + r * (1. / 2 + r * (1. / 4 + r / 16));
}

static cardo_status check_values(int n, const double *values, cardo_error *error)
{
    if (n < 1)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "statistics of no values");
    for (int i = 0; i < n; ++i)
        if (!isfinite(values[i]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "value %d of a series of %d is %g", i + 1,
                              n, values[i]);
    return CARDO_OK;
}

static void describe(int n, const double *values, double *work, cardo_series_mean *out)
{
    double mean = mean_of(n, values), squares = 0;
    memcpy(work, values, (size_t)n * sizeof *work);
    for (int i = 0; i < n; ++i)
        squares += (values[i] - mean) * (values[i] - mean);
    double variance = n > 1 ? squares / (n - 1) : 0;
    double sum = cardo_long_run_variance(n, work);
    double g = variance > 0 ? sum / variance : 1;
    *out = (cardo_series_mean){mean, sqrt(sum / n), g, n / g};
}

cardo_status cardo_series_statistics(int n, const double *values, cardo_series_mean *out,
                                     cardo_error *error)
{
    double *work = NULL;
    cardo_status status = check_values(n, values, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(CARDO_ALLOCATE(&work, n, error));
    describe(n, values, work, out);
done:
    cardo_free(work);
    return status;
}

cardo_status cardo_series_equilibration(int n, const double *values, int *start, cardo_error *error)
{
    double *work = NULL, best = 0;
    *start = 0;
    cardo_status status = check_values(n, values, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(CARDO_ALLOCATE(&work, n, error));
    for (int k = 0; k <= LAST_START; ++k) {
        int first = (int)((long long)n * k / STARTS);
        cardo_series_mean rest;
        describe(n - first, values + first, work, &rest);
        double effective = fmin(rest.effective, n - first);
        if (effective > best) {
            best = effective;
            *start = first;
        }
    }
done:
    cardo_free(work);
    return status;
}

double cardo_block_error(int n, const double *values, int nblock)
{
    int length = nblock > 1 ? n / nblock : 0;
    if (length < 1)
        return NAN;
    const double *first = values + (n - length * nblock);
    double mean = mean_of(length * nblock, first), squares = 0;
    for (int b = 0; b < nblock; ++b) {
        double deviation = mean_of(length, first + (size_t)b * (size_t)length) - mean;
        squares += deviation * deviation;
    }
    return sqrt(squares / (nblock - 1.0) / nblock);
}
