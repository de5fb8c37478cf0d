/* MBAR: pymbar's figures, what is known without any, and inputs that have no answer. */
#include "analysis/free_energy/mbar.h"
#include "analysis/free_energy/mbar_resample.h"
#include "analysis/free_energy/weighted_samples.h"
#include "analysis/oscillators.h"
#include "base/memory.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 6, SAMPLES = 1800, MOST = 4000 };

static const int counts[STATES] = {400, 300, 0, 350, 250, 500};
static const double offsets[STATES] = {0.0, 1.5, -2.0, 500.0, 3.0, -1.0};

/* The problem of mbar_reference.py. */
static void make_problem(double *x, double *u)
{
    uint64_t seed = 20080915;
    int n = 0;
    for (int k = 0; k < STATES; ++k)
        for (int i = 0; i < counts[k]; ++i) {
            double sum = support_random(&seed);
            sum += support_random(&seed);
            sum += support_random(&seed);
            x[n++] = 0.8 * k + 0.6 * sum;
        }
    for (int k = 0; k < STATES; ++k)
        for (int i = 0; i < SAMPLES; ++i) {
            double d = x[i] - 0.8 * k;
            u[k * SAMPLES + i] = (1 + 0.3 * k) * d * d + 0.1 * d * d * d * d + offsets[k];
        }
}

static void read_numbers(int n, double *out)
{
    FILE *stream = fopen(support_source("tests/analysis/mbar_reference.txt"), "r");
    assert_non_null(stream);
    for (int i = 0; i < n; ++i)
        assert_int_equal(fscanf(stream, "%lf", &out[i]), 1);
    fclose(stream);
}

static void test_pymbar(void **state)
{
    (void)state;
    static double x[SAMPLES], u[STATES * SAMPLES], log_weight[SAMPLES];
    double expected[STATES + STATES * STATES + 1], sigma[STATES * STATES], mean, error_of_mean;
    cardo_error error;
    cardo_mbar mbar = {0};
    make_problem(x, u);
    read_numbers(STATES + STATES * STATES + 1, expected);
    const cardo_mbar_data data = {STATES, SAMPLES, u, counts, NULL};
    assert_ok(cardo_mbar_solve(&data, NULL, &mbar, &error), &error);
    double worst = 0;
    for (int k = 0; k < STATES; ++k)
        worst = fmax(worst, fabs(mbar.f[k] - expected[k]));
    printf("largest deviation from pymbar: %.1e kT after %d iterations\n", worst, mbar.iterations);
    assert_close(worst, 0, 1e-8);
    assert_true(mbar.f[0] == 0);
    assert_ok(cardo_mbar_independent_errors(&mbar, sigma, &error), &error);
    for (int i = 0; i < STATES * STATES; ++i)
        assert_close(sigma[i], expected[STATES + i], 1e-8);
    cardo_mbar_log_weights(&mbar, u + 2 * SAMPLES, log_weight);
    const cardo_weighted_samples samples = {.nseries = STATES,
                                            .count = counts,
                                            .log_weight = log_weight,
                                            .mbar = &mbar,
                                            .target = u + 2 * SAMPLES};
    assert_ok(cardo_weighted_mean(&samples, x, &mean, &error_of_mean, &error), &error);
    assert_close(mean, expected[STATES + STATES * STATES], 1e-8);
    for (int i = 0; i < STATES; ++i) {
        double row = 0;
        for (int j = 0; j < STATES; ++j)
            row += mbar.overlap[i * STATES + j];
        assert_close(row, counts[i] > 0, 1e-12);
    }
    cardo_mbar_clear(&mbar);
}

/* A constant a sample changes nothing, one a state comes back in f, and so does 1e6 kT of either. */
static void test_constants(void **state)
{
    (void)state;
    static double x[SAMPLES], u[STATES * SAMPLES], far[STATES * SAMPLES];
    cardo_error error;
    cardo_mbar mbar = {0}, shifted = {0};
    uint64_t seed = 5;
    double constant[STATES];
    make_problem(x, u);
    for (int k = 0; k < STATES; ++k)
        constant[k] = 1e6 * support_random(&seed);
    for (int n = 0; n < SAMPLES; ++n) {
        double own = 1e6 * support_random(&seed);
        for (int k = 0; k < STATES; ++k)
            far[k * SAMPLES + n] = u[k * SAMPLES + n] + own + constant[k];
    }
    const cardo_mbar_data data = {STATES, SAMPLES, u, counts, NULL};
    const cardo_mbar_data far_data = {STATES, SAMPLES, far, counts, NULL};
    assert_ok(cardo_mbar_solve(&data, NULL, &mbar, &error), &error);
    assert_ok(cardo_mbar_solve(&far_data, NULL, &shifted, &error), &error);
    for (int k = 0; k < STATES; ++k)
        assert_close(shifted.f[k] - constant[k] + constant[0], mbar.f[k], 1e-8);
    cardo_mbar_clear(&mbar);
    cardo_mbar_clear(&shifted);
}

/* From a guess 1000 kT off, in any order of states, the same f. */
static void test_starts(void **state)
{
    (void)state;
    static double x[SAMPLES], u[STATES * SAMPLES];
    cardo_error error;
    cardo_mbar mbar = {0}, other = {0};
    uint64_t seed = 17;
    make_problem(x, u);
    const cardo_mbar_data data = {STATES, SAMPLES, u, counts, NULL};
    assert_ok(cardo_mbar_solve(&data, NULL, &mbar, &error), &error);
    for (int trial = 0; trial < 10; ++trial) {
        double start[STATES];
        for (int k = 0; k < STATES; ++k)
            start[k] = mbar.f[k] + (trial < 5 ? 10 : 1000) * support_random(&seed);
        assert_ok(cardo_mbar_solve(&data, start, &other, &error), &error);
        for (int k = 0; k < STATES; ++k)
            assert_close(other.f[k], mbar.f[k], 1e-9);
        cardo_mbar_clear(&other);
    }
    cardo_mbar_clear(&mbar);
}

/* Drawings are solved from the solution of all samples to what solving them from scratch gives. */
static void test_drawings(void **state)
{
    (void)state;
    static double x[SAMPLES], u[STATES * SAMPLES], times[SAMPLES];
    static int column[SAMPLES];
    cardo_error error;
    cardo_mbar mbar = {0}, scratch = {0};
    cardo_mbar_resampling resampling = {0};
    uint64_t seed = 29;
    double worst = 0;
    make_problem(x, u);
    cardo_mbar_data data = {STATES, SAMPLES, u, counts, NULL};
    assert_ok(cardo_mbar_solve(&data, NULL, &mbar, &error), &error);
    assert_ok(cardo_mbar_resampling_create(&mbar, &resampling, &error), &error);
    data.column = column;
    for (int trial = 0; trial < 20; ++trial) {
        memset(times, 0, sizeof times);
        for (int k = 0, first = 0; k < STATES; first += counts[k++])
            for (int i = first; i < first + counts[k]; ++i) {
                double chance = 0.5 * (1 + support_random(&seed));
                column[i] = first + (int)fmin(chance * counts[k], counts[k] - 1);
                times[column[i]] += 1;
            }
        assert_true(cardo_mbar_resampling_solve(&resampling, times));
        assert_ok(cardo_mbar_solve(&data, NULL, &scratch, &error), &error);
        for (int k = 0; k < STATES; ++k)
            worst = fmax(worst, fabs(mbar.f[k] + resampling.shift[k] - scratch.f[k]));
        for (int n = 0; n < SAMPLES; ++n)
            assert_close(log(resampling.ratio[n]), scratch.log_mixture[n] - mbar.log_mixture[n],
                         3e-6);
        cardo_mbar_clear(&scratch);
    }
    printf("largest deviation of a drawing from its solution from scratch: %.1e kT\n", worst);
    assert_close(worst, 0, 2e-6);
    cardo_mbar_resampling_clear(&resampling);
    cardo_mbar_clear(&mbar);
}

/* Two states: the Bennett acceptance ratio, solved here by bisection. */
static void test_bennett(void **state)
{
    (void)state;
    enum { FIRST = 700, SECOND = 300, ALL = FIRST + SECOND };
    double x[ALL], u[2 * ALL];
    const int count[2] = {FIRST, SECOND};
    cardo_error error;
    cardo_mbar mbar = {0};
    cardo_random random = cardo_random_start(4, 0);
    oscillator_series(&random, FIRST, 0, 1, 0, x);
    oscillator_series(&random, SECOND, 1.5, 0.5, 0, x + FIRST);
    for (int n = 0; n < ALL; ++n) {
        u[n] = 0.5 * x[n] * x[n];
        u[ALL + n] = 0.5 * (x[n] - 1.5) * (x[n] - 1.5) / 0.25;
    }
    const cardo_mbar_data data = {2, ALL, u, count, NULL};
    assert_ok(cardo_mbar_solve(&data, NULL, &mbar, &error), &error);
    double low = -50, high = 50, ratio = log((double)FIRST / SECOND);
    for (int i = 0; i < 200; ++i) {
        double f = 0.5 * (low + high), left = 0, right = 0;
        for (int n = 0; n < FIRST; ++n)
            left += 1 / (1 + exp(ratio - f + u[ALL + n] - u[n]));
        for (int n = FIRST; n < ALL; ++n)
            right += 1 / (1 + exp(-ratio + f - u[ALL + n] + u[n]));
        if (left > right)
            high = f;
        else
            low = f;
    }
    assert_close(mbar.f[1], low, 1e-9);
    cardo_mbar_clear(&mbar);
}

static void test_one_state(void **state)
{
    (void)state;
    enum { N = 1000 };
    double x[N], u[2 * N], log_weight[N], F[2], sigma[2];
    int label[N];
    const int count[2] = {N, 0};
    cardo_error error;
    cardo_mbar mbar = {0};
    cardo_random random = cardo_random_start(8, 0);
    oscillator_series(&random, N, 0, 1, 0, x);
    for (int n = 0; n < N; ++n) {
        u[n] = 0.5 * x[n] * x[n];
        u[N + n] = u[n] + 0.1 * x[n];
        label[n] = x[n] > 0;
    }
    const cardo_mbar_data one = {1, N, u, count, NULL}, two = {2, N, u, count, NULL};
    assert_ok(cardo_mbar_solve(&one, NULL, &mbar, &error), &error);
    assert_true(mbar.f[0] == 0);
    cardo_mbar_clear(&mbar);
    /* The second by exponential averaging from the first: <exp(-x/10)> = exp(1/200). */
    assert_ok(cardo_mbar_solve(&two, NULL, &mbar, &error), &error);
    assert_close(mbar.f[1], -0.005, 4 * 0.1 / sqrt(N));
    double average = 0;
    for (int n = 0; n < N; ++n)
        average += exp(-0.1 * x[n]) / N;
    assert_close(mbar.f[1], -log(average), 1e-12);
    cardo_mbar_log_weights(&mbar, u, log_weight);
    const cardo_weighted_samples samples = {
        .nseries = 2, .count = count, .log_weight = log_weight, .mbar = &mbar, .target = u};
    const cardo_sample_sets sets = {2, label, 0};
    assert_ok(cardo_weighted_free_energies(&samples, &sets, F, sigma, NULL, &error), &error);
    int above = 0;
    for (int n = 0; n < N; ++n)
        above += label[n];
    assert_close(F[1], log((double)(N - above) / above), 1e-12);
    assert_close(sigma[1], sqrt(1.0 / above + 1.0 / (N - above)), 0.1 * sigma[1]);
    cardo_mbar_clear(&mbar);
}

static void test_wrong_input(void **state)
{
    (void)state;
    static double x[SAMPLES], u[STATES * SAMPLES];
    cardo_error error;
    cardo_mbar mbar = {0};
    const double wrong[] = {NAN, INFINITY, -INFINITY};
    make_problem(x, u);
    const cardo_mbar_data data = {STATES, SAMPLES, u, counts, NULL};
    for (int i = 0; i < 3; ++i) {
        double kept = u[4 * SAMPLES + 77];
        u[4 * SAMPLES + 77] = wrong[i];
        assert_fails(cardo_mbar_solve(&data, NULL, &mbar, &error), &error, CARDO_ERROR_INPUT,
                     "sample 78 in state 5");
        u[4 * SAMPLES + 77] = kept;
    }
    const int none[STATES] = {0}, few[STATES] = {1, 0, 0, 0, 0, 0};
    const cardo_mbar_data empty = {STATES, SAMPLES, u, none, NULL};
    const cardo_mbar_data short_of = {STATES, SAMPLES, u, few, NULL};
    assert_fails(cardo_mbar_solve(&empty, NULL, &mbar, &error), &error, CARDO_ERROR_ARGUMENT, NULL);
    assert_fails(cardo_mbar_solve(&short_of, NULL, &mbar, &error), &error, CARDO_ERROR_ARGUMENT,
                 NULL);
}

/* Windows 1-3 and 4-6 with nothing between: no number comes out. */
static void test_no_overlap(void **state)
{
    (void)state;
    enum { N = 100 };
    static double x[STATES * N], u[STATES * STATES * N];
    int count[STATES];
    cardo_error error;
    cardo_mbar mbar = {0};
    cardo_random random = cardo_random_start(3, 0);
    for (int k = 0; k < STATES; ++k) {
        count[k] = N;
        oscillator_series(&random, N, k + (k >= 3 ? 200 : 0), 1, 0, x + k * N);
    }
    for (int k = 0; k < STATES; ++k)
        for (int n = 0; n < STATES * N; ++n) {
            double d = x[n] - (k + (k >= 3 ? 200 : 0));
            u[k * STATES * N + n] = 0.5 * d * d;
        }
    const cardo_mbar_data data = {STATES, STATES * N, u, count, NULL};
    assert_fails(cardo_mbar_solve(&data, NULL, &mbar, &error), &error, CARDO_ERROR_NUMERICAL,
                 "states 3 and 4 do not overlap");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pymbar),      cmocka_unit_test(test_constants),
        cmocka_unit_test(test_starts),      cmocka_unit_test(test_drawings),
        cmocka_unit_test(test_bennett),     cmocka_unit_test(test_one_state),
        cmocka_unit_test(test_wrong_input), cmocka_unit_test(test_no_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
