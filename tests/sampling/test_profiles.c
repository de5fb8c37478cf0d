/* Free energies of landscapes with known ones, by every method: within three standard errors, which are
 * honest themselves. With the argument long: 50 seeds of each landscape and method. */
#include "base/units.h"
#include "landscapes.h"
#include "sampling/estimate.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BINS = 20, MOST_SEEDS = 50 };

/* How a method is asked for. */
typedef struct approach {
    const char *method;
    const char *const *settings; /* name, value, ..., NULL */
} approach;

static const char *const plain[] = {"windows", "10", "steps", "400", NULL};
static const char *const exchanging[] = {"windows", "10", "steps", "400", "exchange", "yes", NULL};
static const approach approaches[] = {
    {"umbrella", plain},
    {"umbrella", exchanging},
};
enum { APPROACHES = sizeof approaches / sizeof *approaches };

typedef struct task {
    landscape *landscape;
    cardo_estimate estimate;
} task;

static cardo_status work(cardo_team *team, void *arg, cardo_error *error)
{
    task *t = arg;
    cardo_sampling *sampling = NULL;
    const cardo_estimate_request request = {
        .nbin = BINS, .nbasin = 2, .basin = {-0.2, 0.45, 0.55, 1.2}};
    cardo_status status = landscape_study(t->landscape, team, &sampling, error);
    if (status == CARDO_OK)
        status = landscape_run(sampling, error);
    if (status == CARDO_OK)
        status = cardo_sampling_estimate(sampling, &request, &t->estimate, error);
    cardo_sampling_destroy(sampling);
    return status;
}

/* The weight of the landscape from a to b. */
static double weight(landscape *l, double a, double b)
{
    enum { POINTS = 200 };
    double sum = 0;
    for (int k = 0; k < POINTS; ++k)
        sum += landscape_density(l, a + (b - a) * (k + 0.5) / POINTS);
    return sum * (b - a) / POINTS;
}

/* Deviations of the bins, then of the second basin against the first: from the truth, kT. */
static void differences(landscape *l, const cardo_estimate *e, double z[BINS + 1])
{
    double share[BINS], all = 0;
    for (int b = 0; b < BINS; ++b) {
        double low = e->bins.low + b * cardo_bin_width(&e->bins);
        share[b] = weight(l, low, low + cardo_bin_width(&e->bins));
        all += share[b];
    }
    for (int b = 0; b < BINS; ++b)
        z[b] = e->F[b] + log(share[b] / all / cardo_bin_width(&e->bins));
    double basins[2];
    for (int b = 0; b < 2; ++b)
        basins[b] = weight(l, e->basin[2 * b], e->basin[2 * b + 1]);
    z[BINS] = e->basin_F[1] + log(basins[1] / basins[0]);
}

/* The same over their standard errors. */
static void deviations(landscape *l, const cardo_estimate *e, double z[BINS + 1])
{
    differences(l, e, z);
    for (int b = 0; b < BINS; ++b)
        z[b] /= e->sigma[b];
    z[BINS] /= e->basin_sigma[1];
}

/* One study; returns the largest error bar, kT. */
static double study(const approach *how, landscape_shape shape, bool fixman, int seed,
                    double z[BINS + 1])
{
    landscape l;
    char text[16];
    cardo_error error = {0};
    double worst = 0;
    task t = {.landscape = &l};
    landscape_make(&l, model_path, shape, fixman, &cardo_integrator_hmc, how->method);
    for (const char *const *s = how->settings; *s; s += 2)
        landscape_set(&l, s[0], s[1]);
    /* Ripples are crossed now and then. */
    if (shape == LANDSCAPE_RUGGED)
        landscape_set(&l, "steps", "1600");
    snprintf(text, sizeof text, "%d", seed);
    landscape_set(&l, "seed", text);
    assert_ok(cardo_team_run(1, work, &t, &error), &error);
    deviations(&l, &t.estimate, z);
    for (int b = 0; b < BINS; ++b)
        worst = fmax(worst, t.estimate.sigma[b]);
    cardo_estimate_clear(&t.estimate);
    landscape_clear(&l);
    return worst;
}

/* Runs seeds of a landscape and a method; checks every deviation and the share below one sigma. */
static void judge(const approach *how, landscape_shape shape, bool fixman, int seeds)
{
    int below = 0, beyond = 0, basins = 0, n = 0;
    double z[BINS + 1], largest = 0, sigma = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        sigma += study(how, shape, fixman, seed, z) / seeds;
        for (int b = 0; b < BINS; ++b, ++n) {
            below += fabs(z[b]) < 1;
            beyond += !(fabs(z[b]) < 3);
            largest = fmax(largest, fabs(z[b]));
        }
        basins += fabs(z[BINS]) < 1;
    }
    print_message(
        "%s%s, %s, %s: %d seeds, error bars to %.2f kT; %.1f %% of bins and %.0f %% of basins "
        "below 1 sigma, %.2f %% of bins beyond 3, %.2f sigma at most\n",
        how->method, how->settings == exchanging ? " with exchange" : "", landscape_names[shape],
        fixman ? "fixman" : "rigid", seeds, sigma, 100.0 * below / n, 100.0 * basins / seeds,
        100.0 * beyond / n, largest);
    if (seeds == 1)
        assert_true(beyond == 0);
    else
        assert_true(fabs(100.0 * below / n - 68.3) <= 7 && beyond <= 0.01 * n);
    assert_true(sigma < 0.5);
}

static void every_landscape_by_every_method(void **unused)
{
    (void)unused;
    for (int a = 0; a < APPROACHES; ++a)
        for (int shape = 0; shape < LANDSCAPES; ++shape)
            judge(&approaches[a], shape, (a + shape) % 2, 1);
}

static void a_scan_of_one_coordinate_is_exact(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2 * LANDSCAPES; ++k) {
        landscape l;
        cardo_error error = {0};
        double z[BINS + 1], worst = 0;
        task t = {.landscape = &l};
        landscape_make(&l, model_path, k / 2, k % 2, &cardo_integrator_hmc, "scan");
        assert_ok(cardo_team_run(1, work, &t, &error), &error);
        differences(&l, &t.estimate, z);
        for (int b = 0; b <= BINS; ++b)
            worst = fmax(worst, fabs(z[b]));
        print_message("scan, %s, %s: off by %.1e kT at most\n", landscape_names[k / 2],
                      k % 2 ? "fixman" : "rigid", worst);
        assert_true(worst < 1e-3);
        cardo_estimate_clear(&t.estimate);
        landscape_clear(&l);
    }
}

static void error_bars_are_honest(void **unused)
{
    (void)unused;
    judge(&approaches[0], LANDSCAPE_DOUBLE_WELL, false, MOST_SEEDS);
}

static void error_bars_are_honest_everywhere(void **unused)
{
    (void)unused;
    for (int a = 0; a < APPROACHES; ++a)
        for (int shape = 0; shape < LANDSCAPES; ++shape)
            for (int fixman = 0; fixman < 2; ++fixman)
                judge(&approaches[a], shape, fixman, MOST_SEEDS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_landscape_by_every_method),
        cmocka_unit_test(a_scan_of_one_coordinate_is_exact),
        cmocka_unit_test(error_bars_are_honest),
    };
    const struct CMUnitTest whole[] = {cmocka_unit_test(error_bars_are_honest_everywhere)};
    if (argc > 1 && strcmp(argv[1], "long") == 0)
        return cmocka_run_group_tests(whole, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
