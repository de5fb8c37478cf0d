/* Free energies of harmonic oscillators and of a double well, which are known, from independent and correlated samples:
 * the standard errors that the estimators give must be those that fifty seeds show. */
#include "analysis/free_energy/metadynamics_weights.h"
#include "analysis/free_energy/statistics.h"
#include "analysis/free_energy/thermodynamic_integration.h"
#include "analysis/free_energy/wham.h"
#include "analysis/oscillators.h"
#include "base/units.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SEEDS
#define SEEDS 50
#endif
enum { WINDOWS = 8, LENGTH = 1000, ALL = WINDOWS * LENGTH, BINS = 20, REPLICATES = 30 };

/* Umbrella windows (stiffness 4 kT) 0.8 apart on x^2/2. */
static const double stiffness = 4;

static double centre_of(int k)
{
    return -2.8 + 0.8 * k;
}

typedef struct umbrella {
    int count[WINDOWS];
    double x[ALL], u[WINDOWS * ALL], log_weight[ALL];
    cardo_mbar mbar;
    cardo_weighted_samples samples;
} umbrella;

static umbrella runs;

static void make_umbrella(uint64_t seed, double correlation, umbrella *run)
{
    cardo_error error;
    cardo_random random = cardo_random_start(seed, 0);
    double total = 1 + stiffness;
    for (int k = 0; k < WINDOWS; ++k) {
        run->count[k] = LENGTH;
        oscillator_series(&random, LENGTH, centre_of(k) * stiffness / total, 1 / sqrt(total),
                          correlation, run->x + k * LENGTH);
    }
    for (int k = 0; k < WINDOWS; ++k)
        for (int n = 0; n < ALL; ++n) {
            double d = run->x[n] - centre_of(k);
            run->u[k * ALL + n] = 0.5 * stiffness * d * d;
        }
    const cardo_mbar_data data = {WINDOWS, ALL, run->u, run->count, NULL};
    assert_ok(cardo_mbar_solve(&data, NULL, &run->mbar, &error), &error);
    cardo_mbar_log_weights(&run->mbar, NULL, run->log_weight);
    run->samples = (cardo_weighted_samples){
        .nseries = WINDOWS, .count = run->count, .log_weight = run->log_weight, .mbar = &run->mbar};
}

static const cardo_bins bins = {BINS, -2, 2, false};

/* -ln of the mean density of exp(-x^2/2) in a bin, normalized over the bins' range. */
static double exact_profile(int b)
{
    double width = cardo_bin_width(&bins), left = bins.low + b * width;
    double in_bin = erf((left + width) / sqrt(2)) - erf(left / sqrt(2));
    return -log(in_bin / (erf(bins.high / sqrt(2)) - erf(bins.low / sqrt(2))) / width);
}

static void label_bins(const double *x, int n, int *label)
{
    for (int i = 0; i < n; ++i)
        label[i] = cardo_bin_of(&bins, x[i]);
}

static double mass(double from, double to)
{
    return erf(to / sqrt(2)) - erf(from / sqrt(2));
}

/* Profile, states' free energies, a difference between basins: analytic errors. */
static void honest_umbrella(double correlation)
{
    coverage profile = {0}, basins = {0};
    char what[64];
    static int label[ALL];
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        cardo_error error;
        double F[BINS], sigma[BINS];
        make_umbrella(seed, correlation, &runs);
        assert_ok(cardo_weighted_profile(&runs.samples, runs.x, &bins, F, sigma, NULL, &error),
                  &error);
        for (int b = 0; b < BINS; ++b)
            coverage_take(&profile, F[b] - exact_profile(b), sigma[b]);
        for (int n = 0; n < ALL; ++n)
            label[n] = runs.x[n] < -0.5 ? 0 : runs.x[n] > 1.2 ? 1 : -1;
        const cardo_sample_sets sets = {2, label, 0};
        assert_ok(cardo_weighted_free_energies(&runs.samples, &sets, F, sigma, NULL, &error),
                  &error);
        coverage_take(&basins, F[1] + log(mass(1.2, 9) / mass(-9, -0.5)), sigma[1]);
        cardo_mbar_clear(&runs.mbar);
    }
    snprintf(what, sizeof what, "MBAR, correlation %.2f", correlation);
    assert_honest(what, &profile);
    printf("  of basins: %.2f within one sigma, rms %.2f\n", basins.within / (double)basins.n,
           sqrt(basins.squares / basins.n));
}

static void test_umbrella(void **state)
{
    (void)state;
    honest_umbrella(0);
    honest_umbrella(0.8);
    honest_umbrella(0.95);
}

/* The same by bootstrap. */
static void test_bootstrap(void **state)
{
    (void)state;
    coverage profile = {0}, states = {0};
    static int label[ALL];
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        cardo_error error;
        double F[BINS], sigma[BINS], again[BINS], sigma_f[WINDOWS];
        double *const of_bins[] = {sigma}, *const of_bins_again[] = {again};
        int block[WINDOWS];
        cardo_bootstrap_plan plan = {REPLICATES, block, 1};
        make_umbrella(seed, 0.8, &runs);
        label_bins(runs.x, ALL, label);
        const cardo_sample_sets sets = {BINS, label, -1};
        cardo_random random = cardo_random_start(seed, 7), same = random;
        assert_ok(cardo_bootstrap_prepare(&runs.samples, runs.x, &plan, &error), &error);
        assert_ok(cardo_weighted_free_energies(&runs.samples, &sets, F, NULL, NULL, &error),
                  &error);
        assert_ok(cardo_weighted_bootstrap(&runs.samples, 1, &sets, &plan, &random, of_bins,
                                           sigma_f, &error),
                  &error);
        for (int b = 0; b < BINS; ++b)
            coverage_take(&profile, F[b] + log(cardo_bin_width(&bins)) - exact_profile(b),
                          sigma[b]);
        /* f of a window: the integral of exp(-x^2/2 - bias) */
        for (int k = 1; k < WINDOWS; ++k) {
            double reduced = 0.5 * stiffness / (1 + stiffness);
            double exact = reduced * (centre_of(k) * centre_of(k) - centre_of(0) * centre_of(0));
            coverage_take(&states, runs.mbar.f[k] - exact, sigma_f[k]);
        }
        if (seed == 1) {
            assert_ok(cardo_weighted_bootstrap(&runs.samples, 1, &sets, &plan, &same, of_bins_again,
                                               NULL, &error),
                      &error);
            assert_memory_equal(sigma, again, sizeof sigma);
        }
        cardo_mbar_clear(&runs.mbar);
    }
    assert_honest("MBAR by bootstrap, correlation 0.80", &profile);
    assert_honest("windows by bootstrap, correlation 0.80", &states);
}

/* f is MBAR's of coordinates moved to the centres of their bins. */
static void assert_binned(umbrella *run, const cardo_bins *fine, const double *f)
{
    cardo_error error;
    cardo_mbar moved = {0};
    for (int k = 0; k < WINDOWS; ++k)
        for (int n = 0; n < ALL; ++n) {
            double d = cardo_bin_centre(fine, cardo_bin_of(fine, run->x[n])) - centre_of(k);
            run->u[k * ALL + n] = 0.5 * stiffness * d * d;
        }
    const cardo_mbar_data data = {WINDOWS, ALL, run->u, run->count, NULL};
    assert_ok(cardo_mbar_solve(&data, NULL, &moved, &error), &error);
    for (int k = 0; k < WINDOWS; ++k)
        assert_close(f[k], moved.f[k], 1e-9);
    cardo_mbar_clear(&moved);
}

static void test_wham(void **state)
{
    (void)state;
    enum { FINE = 200 };
    coverage profile = {0};
    const cardo_bins fine = {FINE, -5, 5, false};
    static double bias[WINDOWS * FINE];
    for (int k = 0; k < WINDOWS; ++k)
        for (int b = 0; b < FINE; ++b) {
            double d = cardo_bin_centre(&fine, b) - centre_of(k);
            bias[k * FINE + b] = 0.5 * stiffness * d * d;
        }
    double exact_range = mass(-5, 5);
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        cardo_error error;
        cardo_wham wham = {0};
        double F[FINE], sigma[FINE], effective[FINE];
        make_umbrella(seed, 0.8, &runs);
        assert_ok(cardo_wham_solve(WINDOWS, runs.count, runs.x, bias, &fine, &wham, &error),
                  &error);
        assert_ok(cardo_wham_profile(&wham, F, sigma, effective, &error), &error);
        for (int b = 60; b < 140; b += 4) {
            double left = fine.low + b * cardo_bin_width(&fine);
            double exact = -log(mass(left, left + cardo_bin_width(&fine)) / exact_range /
                                cardo_bin_width(&fine));
            coverage_take(&profile, F[b] - exact, sigma[b]);
        }
        if (seed <= 5)
            assert_binned(&runs, &fine, wham.mbar.f);
        cardo_wham_clear(&wham);
        cardo_mbar_clear(&runs.mbar);
    }
    assert_honest("WHAM, correlation 0.80", &profile);
}

/* Mean forces at nodes: k x with correlated noise; F = x^2/2. */
static void test_nodes(void **state)
{
    (void)state;
    enum { NODES = 15, N = 2000 };
    coverage profile = {0};
    static double force[N];
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        cardo_error error;
        cardo_random random = cardo_random_start(seed, 1);
        double xi[NODES], mean[NODES], sigma[NODES], F[NODES], sigma_F[NODES];
        double norm = 0;
        for (int i = 0; i < NODES; ++i) {
            cardo_series_mean series;
            xi[i] = -2 + 4.0 * i / (NODES - 1);
            oscillator_series(&random, N, xi[i], 3, 0.9, force);
            assert_ok(cardo_series_statistics(N, force, &series, &error), &error);
            mean[i] = series.mean;
            sigma[i] = series.sigma;
            norm += exp(-0.5 * xi[i] * xi[i]) * (i == 0 || i == NODES - 1 ? 0.5 : 1) * 4.0 /
                    (NODES - 1);
        }
        assert_ok(cardo_integrate_nodes(NODES, xi, 0, mean, sigma, F, sigma_F, &error), &error);
        for (int i = 0; i < NODES; ++i)
            coverage_take(&profile, F[i] - 0.5 * xi[i] * xi[i] - log(norm), sigma_F[i]);
    }
    assert_honest("TI over nodes, correlation 0.90", &profile);
}

/* Walkers that diffuse over the range, with forces about x whose noise remembers. */
static void test_bins(void **state)
{
    (void)state;
    enum { WALKERS = 4, N = 10000 };
    coverage profile = {0}, basins = {0};
    static double xi[WALKERS * N], force[WALKERS * N], step[N];
    const int count[WALKERS] = {N, N, N, N};
    const double basin[4] = {-2, -0.8, 0.8, 2};
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        cardo_error error;
        cardo_random random = cardo_random_start(seed, 2);
        double F[BINS], sigma[BINS], difference[2], difference_sigma[2];
        int in_bin[BINS];
        for (int w = 0; w < WALKERS; ++w) {
            double x = -1.5 + w;
            cardo_random_normal(&random, N, step);
            oscillator_series(&random, N, 0, 4, 0.9, force + w * N);
            for (int i = 0; i < N; ++i) {
                x += 0.2 * step[i];
                x = x > 2 ? 4 - x : x < -2 ? -4 - x : x;
                xi[w * N + i] = x;
                force[w * N + i] += x;
            }
        }
        const cardo_force_series series = {WALKERS, count, xi, force};
        assert_ok(cardo_integrate_bins(&series, &bins, 2, basin, F, sigma, in_bin, difference,
                                       difference_sigma, &error),
                  &error);
        for (int b = 0; b < BINS; ++b)
            coverage_take(&profile, F[b] - exact_profile(b), sigma[b]);
        coverage_take(&basins, difference[1], difference_sigma[1]);
        assert_true(difference[0] == 0);
    }
    assert_honest("TI over bins, correlation 0.90", &profile);
    printf("  of basins: %.2f within one sigma, rms %.2f\n", basins.within / (double)basins.n,
           sqrt(basins.squares / basins.n));
}

/* Quadrature is exact for forces that are cubics, on uneven nodes, and of period 2 pi for sines. */
static void test_quadrature(void **state)
{
    (void)state;
    enum { NODES = 24 };
    cardo_error error;
    double xi[NODES], mean[NODES], sigma[NODES] = {0}, F[NODES], sigma_F[NODES];
    for (int i = 0; i < NODES; ++i) {
        xi[i] = -1 + 2.0 * i / (NODES - 1) + 0.02 * sin(3.0 * i);
        mean[i] = 4 * xi[i] * xi[i] * xi[i] - 2 * xi[i] + 1;
    }
    assert_ok(cardo_integrate_nodes(NODES, xi, 0, mean, sigma, F, sigma_F, &error), &error);
    for (int i = 0; i < NODES; ++i) {
        double x = xi[i], y = xi[0];
        assert_close(F[i] - F[0], x * x * x * x - x * x + x - (y * y * y * y - y * y + y), 1e-13);
        assert_true(sigma_F[i] == 0);
    }
    for (int i = 0; i < NODES; ++i) {
        xi[i] = 2 * CARDO_PI * i / NODES;
        mean[i] = 3 * cos(xi[i]) + 0.01; /* the 0.01 is noise: F is periodic */
    }
    assert_ok(cardo_integrate_nodes(NODES, xi, 2 * CARDO_PI, mean, sigma, F, sigma_F, &error),
              &error);
    for (int i = 0; i < NODES; ++i)
        assert_close(F[i] - F[0], 3 * sin(xi[i]), 2e-3);
    mean[3] = NAN;
    assert_fails(cardo_integrate_nodes(NODES, xi, 0, mean, sigma, F, sigma_F, &error), &error,
                 CARDO_ERROR_INPUT, "node 4");
    const double at[4] = {-1.9, -1.7, 1.1, 1.3};
    const int four = 4;
    double profile[BINS], profile_sigma[BINS];
    const cardo_force_series hole = {1, &four, at, at};
    assert_fails(cardo_integrate_bins(&hole, &bins, 0, NULL, profile, profile_sigma, NULL, NULL,
                                      NULL, &error),
                 &error, CARDO_ERROR_NUMERICAL, "between -1.6 and 1");
}

/* A periodic mean force over bins that are all visited: F has no step at the seam. */
static void test_periodic_bins(void **state)
{
    (void)state;
    enum { N = 36, EACH = 3 };
    cardo_error error;
    const cardo_bins circle = {N, 0, 2 * CARDO_PI, true};
    double xi[N * EACH], force[N * EACH], F[N], sigma[N];
    const int count = N * EACH;
    double width = cardo_bin_width(&circle);
    for (int b = 0; b < N; ++b)
        for (int i = 0; i < EACH; ++i) {
            xi[b * EACH + i] = b * width + (i + 0.5) / EACH * width + (i == 1 ? 2 * CARDO_PI : 0);
            /* the bin's mean of 2 cos, and a constant that only noise can make */
            force[b * EACH + i] = 2 * (sin((b + 1) * width) - sin(b * width)) / width + 0.05;
        }
    const cardo_force_series series = {1, &count, xi, force};
    assert_ok(cardo_integrate_bins(&series, &circle, 0, NULL, F, sigma, NULL, NULL, NULL, &error),
              &error);
    for (int b = 0; b < N; ++b) {
        double x = cardo_bin_centre(&circle, b);
        assert_close(F[b] - F[0], 2 * (sin(x) - sin(0.5 * width)), 2e-4);
    }
}

/* Metadynamics on U = 4 (x^2 - 1)^2 by Metropolis moves, hills on a grid, gamma = 8. */
enum { GRID = 201 };

static double double_well(double x)
{
    return 4 * (x * x - 1) * (x * x - 1);
}

static double on_grid(const double *grid, double x)
{
    double at = (x + 2) * (GRID - 1) / 4;
    int i = at >= GRID - 1 ? GRID - 2 : (int)at;
    return grid[i] + (at - i) * (grid[i + 1] - grid[i]);
}

static void add_hill(double *grid, double x, double height)
{
    for (int i = 0; i < GRID; ++i) {
        double d = (-2 + 4.0 * i / (GRID - 1) - x) / 0.15;
        grid[i] += height * exp(-0.5 * d * d);
    }
}

static void test_metadynamics(void **state)
{
    (void)state;
    enum { STEPS = 60000, HILL_EVERY = 100, SAMPLE_EVERY = 5, BURN = 12000 };
    enum { SAMPLES = (STEPS - BURN) / SAMPLE_EVERY };
    const double gamma = 8;
    coverage profile = {0}, basins = {0};
    static double xi[SAMPLES], log_weight[SAMPLES], draw[2 * STEPS];
    static int label[SAMPLES];
    double exact[BINS] = {0}, sum = 0;
    const cardo_bins wells = {BINS, -1.5, 1.5, false};
    for (int i = 0; i < 3000; ++i) {
        double x = -1.5 + (i + 0.5) * 1e-3;
        exact[cardo_bin_of(&wells, x)] += exp(-double_well(x)) * 1e-3;
        sum += exp(-double_well(x)) * 1e-3;
    }
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        cardo_error error;
        cardo_random random = cardo_random_start(seed, 3);
        double grid[GRID] = {0}, x = -1, offset = 0, F[BINS], sigma[BINS];
        int n = 0;
        cardo_random_uniform(&random, 2 * STEPS, draw);
        for (int i = 0; i < STEPS; ++i) {
            double to = x + 0.5 * (2 * draw[2 * i] - 1);
            if (fabs(to) < 2 && draw[2 * i + 1] < exp(double_well(x) + on_grid(grid, x) -
                                                      double_well(to) - on_grid(grid, to)))
                x = to;
            if (i % HILL_EVERY == 0) {
                add_hill(grid, x, 0.5 * exp(-on_grid(grid, x) / (gamma - 1)));
                offset = cardo_metadynamics_offset(GRID, grid, gamma);
            }
            if (i >= BURN && i % SAMPLE_EVERY == 0) {
                xi[n] = x;
                log_weight[n] = on_grid(grid, x) - offset;
                label[n++] = x > 0;
            }
        }
        const int count = n;
        const cardo_weighted_samples samples = {
            .nseries = 1, .count = &count, .log_weight = log_weight};
        assert_ok(cardo_weighted_profile(&samples, xi, &wells, F, sigma, NULL, &error), &error);
        for (int b = 0; b < BINS; ++b)
            coverage_take(&profile, F[b] + log(exact[b] / sum / cardo_bin_width(&wells)), sigma[b]);
        const cardo_sample_sets sets = {2, label, 0};
        assert_ok(cardo_weighted_free_energies(&samples, &sets, F, sigma, NULL, &error), &error);
        coverage_take(&basins, F[1], sigma[1]);
    }
    assert_honest("metadynamics, reweighted", &profile);
    printf("  of basins: %.2f within one sigma, rms %.2f\n", basins.within / (double)basins.n,
           sqrt(basins.squares / basins.n));
}

/* From the scatter of nblock means of consecutive blocks. */
static double block_error(int n, const double *values, int nblock)
{
    const int length = n / nblock;
    double mean = 0, squares = 0;
    for (int i = 0; i < n; ++i)
        mean += values[i] / n;
    for (int b = 0; b < nblock; ++b) {
        double of_block = 0;
        for (int i = 0; i < length; ++i)
            of_block += values[b * length + i] / length;
        squares += (of_block - mean) * (of_block - mean);
    }
    return sqrt(squares / (nblock - 1.0) / nblock);
}

/* Means of AR(1) series: inefficiency (1 + r)/(1 - r), honest errors, block errors alike. */
static void test_series(void **state)
{
    (void)state;
    enum { N = 20000 };
    static double x[N];
    const double correlation[] = {-0.5, 0, 0.5, 0.9, 0.99};
    for (int c = 0; c < 5; ++c) {
        coverage means = {0};
        double blocks = 0, sigmas = 0, r = correlation[c], g = (1 + r) / (1 - r), ratio = 0;
        for (uint64_t seed = 1; seed <= 200; ++seed) {
            cardo_error error;
            cardo_series_mean series;
            cardo_random random = cardo_random_start(seed, 10 + (uint32_t)c);
            oscillator_series(&random, N, 3, 2, r, x);
            assert_ok(cardo_series_statistics(N, x, &series, &error), &error);
            coverage_take(&means, series.mean - 3, series.sigma);
            ratio += series.inefficiency / g / 200;
            blocks += block_error(N, x, 20);
            sigmas += series.sigma;
        }
        printf("correlation %5.2f: inefficiency %.3f of the exact one; ", r, ratio);
        assert_close(ratio, 1, 0.12);
        assert_close(blocks / sigmas, 1, 0.12);
        assert_honest("means", &means);
    }
    cardo_error error;
    cardo_series_mean series;
    const double constant[4] = {2, 2, 2, 2}, wrong[2] = {1, NAN};
    assert_ok(cardo_series_statistics(4, constant, &series, &error), &error);
    assert_true(series.sigma == 0 && series.inefficiency == 1);
    assert_fails(cardo_series_statistics(2, wrong, &series, &error), &error, CARDO_ERROR_INPUT,
                 "value 2");
}

/* Forward and backward: the last row is the whole, the first of a run that drifts is not. */
static void test_convergence(void **state)
{
    (void)state;
    enum { PARTS = 10 };
    cardo_error error;
    static int label[ALL];
    double forward[2 * PARTS], forward_sigma[2 * PARTS], backward[2 * PARTS], F[2], sigma[2];
    double backward_sigma[2 * PARTS];
    make_umbrella(1, 0.8, &runs);
    for (int n = 0; n < ALL; ++n)
        label[n] = runs.x[n] > 0.4;
    const cardo_sample_sets sets = {2, label, 0};
    assert_ok(cardo_weighted_free_energies(&runs.samples, &sets, F, sigma, NULL, &error), &error);
    assert_ok(cardo_weighted_convergence(&runs.samples, &sets, PARTS, forward, forward_sigma,
                                         backward, backward_sigma, &error),
              &error);
    assert_close(forward[2 * PARTS - 1], F[1], 1e-9);
    assert_close(backward[2 * PARTS - 1], F[1], 1e-9);
    assert_close(forward_sigma[2 * PARTS - 1], sigma[1], 1e-9);
    for (int p = 0; p < PARTS; ++p) {
        assert_true(forward[2 * p] == 0 && backward[2 * p] == 0);
        assert_true(fabs(forward[2 * p + 1] - F[1]) < 4 * forward_sigma[2 * p + 1]);
        assert_true(forward_sigma[2 * p + 1] > 0.8 * sigma[1]);
    }
    cardo_mbar_clear(&runs.mbar);
}

/* Blocks of a run: few values, hardly correlated, whose errors hold what they should. */
static void test_few_values(void **unused)
{
    (void)unused;
    enum { N = 78, SERIES = 4000 };
    for (int correlated = 0; correlated < 2; ++correlated) {
        const double r = 0.25 * correlated, exact = 1 / (1 - r) / (1 - r);
        cardo_random random = cardo_random_start(21, (uint32_t)correlated);
        double ratio = 0, below = 0;
        for (int k = 0; k < SERIES; ++k) {
            double x[N], mean = 0, freedom;
            cardo_random_normal(&random, N, x);
            x[0] /= sqrt(1 - r * r);
            for (int i = 1; i < N; ++i)
                x[i] += r * x[i - 1];
            for (int i = 0; i < N; ++i)
                mean += x[i] / N;
            double variance =
                cardo_long_run_variance(N, x, (cardo_memory){.few_values = true}, &freedom);
            double sigma = sqrt(variance / N) * cardo_student_factor(freedom);
            ratio += variance / exact / SERIES;
            below += (double)(fabs(mean) < sigma) / SERIES;
        }
        printf("correlation %.2f: variance %.3f of the exact one, %.1f %% below one\n", r, ratio,
               100 * below);
        assert_close(ratio, 1, 0.06);
        assert_close(below, 0.683, 0.025);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_series),       cmocka_unit_test(test_umbrella),
        cmocka_unit_test(test_bootstrap),    cmocka_unit_test(test_wham),
        cmocka_unit_test(test_nodes),        cmocka_unit_test(test_bins),
        cmocka_unit_test(test_quadrature),   cmocka_unit_test(test_periodic_bins),
        cmocka_unit_test(test_metadynamics), cmocka_unit_test(test_convergence),
        cmocka_unit_test(test_few_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
