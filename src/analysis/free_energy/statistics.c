#include "analysis/free_energy/statistics.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { PAIRS_BEFORE_MEANS = 32, LEAST_VALUES = 64 };
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

/* Of what shows in the series itself. */
static double own_variance(int n, double *values)
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
    assert(length > 0 && length < n);
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
    assert(!(window < 0));
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

/* What does not show in the series may be as long as any part of the run. */
static double unseen_variance(int n, double *values, double memory, double *freedom)
{
    double of_shorter;
    const double variance = centre(n, values);
    const block_view tenth = look_in_blocks(n, values, fmax(memory, part_remembered * n));
    const block_view fortieth = look_in_blocks(n, values, fmax(memory, part_forgotten * n));
    const double own = own_variance(n, values);
    const double longer = choose(n, &tenth, variance, own, freedom);
    const double shorter = least_of_shorter * choose(n, &fortieth, variance, own, &of_shorter);
    if (longer > shorter)
        return longer;
    if (freedom)
        *freedom = of_shorter;
    return shorter;
}

double cardo_long_run_variance(int n, double *values, cardo_memory memory, double *freedom)
{
    if (memory.perhaps_longer)
        return unseen_variance(n, values, memory.known, freedom);
    const double variance = centre(n, values);
    const block_view view = look_in_blocks(n, values, memory.known);
    const double result = choose(n, &view, variance, own_variance(n, values), freedom);
    return memory.few_values && n > 0 ? result / (1 + kept_noise / sqrt(n)) : result;
}

double cardo_student_factor(double freedom)
{
    double r = 1 / fmax(freedom, 1);
    return 1 + r * (1. / 2 + r * (1. / 4 + r / 16));
}

void cardo_error_sum_add(cardo_error_sum *sum, double variance, double freedom)
{
    assert(!(variance < 0) && !(freedom < 1));
    sum->variance += variance;
    sum->squares += variance * variance / freedom;
}

double cardo_error_sum_sigma(const cardo_error_sum *sum)
{
    const double variance = sum->variance;
    return sum->squares > 0
               ? sqrt(variance) * cardo_student_factor(variance * variance / sum->squares)
               : 0;
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
    double sum = own_variance(n, work);
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

cardo_status cardo_label_memory(int n, const int *label, double *work, double *memory,
                                cardo_error *error)
{
    cardo_series_mean series = {.inefficiency = 1};
    for (int i = 0; i < n; ++i)
        work[i] = label[i];
    cardo_status status = n > 0 ? cardo_series_statistics(n, work, &series, error) : CARDO_OK;
    *memory = series.inefficiency;
    return status;
}
