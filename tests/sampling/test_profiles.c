/* Free energies of landscapes with known ones, by every method: within three standard errors, which are
 * honest themselves. `test_profiles long [FIRST [WHAT]]`: fifty seeds from FIRST on of each landscape and
 * method, or of those whose names hold WHAT. */
#include "base/units.h"
#include "landscapes.h"
#include "sampling/methods/estimate.h"
#include "support/support.h"
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 20, MOST_SEEDS = 50, FEW_SEEDS = 5 };

/* How a method is asked for. */
typedef struct approach {
    const char *name, *method;
    bool coupled;          /* a second coordinate adds noise to forces                       */
    const char *rugged[3]; /* a setting of the rugged landscape alone: name, value, NULL        */
    bool steady; /* forces do not fluctuate at a place: errors are of integration alone         */
    double
        freedom; /* of error bars, degrees (analysis/free_energy/statistics.h)                            */
    const char *settings[18]; /* name, value, ..., NULL                                         */
} approach;

/* Ripples are crossed now and then, and seven nodes a ripple may miss more than noise hides. */
static const approach approaches[] = {
    {"umbrella",
     "umbrella",
     false,
     {"steps", "3200"},
     false,
     HUGE_VAL,
     {"windows", "10", "steps", "800"}},
    {"umbrella with exchange",
     "umbrella",
     false,
     {"steps", "3200"},
     false,
     7.5,
     {"windows", "10", "steps", "800", "exchange", "yes"}},
    {"metadynamics",
     "metadynamics",
     false,
     {NULL},
     false,
     HUGE_VAL,
     {"walkers", "2", "steps", "25000", "round", "50", "bias-factor", "6"}},
    {"adaptive-force, steady",
     "adaptive-force",
     false,
     {NULL},
     true,
     20,
     {"walkers", "2", "steps", "12500", "round", "10", "force-bins", "112", "ramp", "50"}},
    {"adaptive-force",
     "adaptive-force",
     true,
     {"force-bins", "112"},
     false,
     20,
     {"walkers", "2", "steps", "12500", "round", "10", "force-bins", "56", "ramp", "100",
      "timestep", "0.12"}},
    {"adaptive-force, strata",
     "adaptive-force",
     true,
     {"force-bins", "112"},
     false,
     20,
     {"walkers", "4", "strata", "yes", "steps", "6250", "round", "10", "force-bins", "56", "ramp",
      "100", "timestep", "0.12"}},
};
enum { APPROACHES = sizeof approaches / sizeof *approaches };

static const cardo_estimate_request request = {
    .nbin = BINS, .nbasin = 2, .basin = {-0.2, 0.45, 0.55, 1.2}};

/* The weight of the landscape from a to b. */
static double weight(landscape *l, double a, double b)
{
    enum { POINTS = 600 };
    double sum = 0;
    for (int k = 0; k < POINTS; ++k)
        sum += landscape_density(l, a + (b - a) * (k + 0.5) / POINTS);
    return sum * (b - a) / POINTS;
}

/* F of bins, then of the second basin against the first, kT. */
static void exact(landscape *l, double F[BINS + 1])
{
    const cardo_bins bins = {BINS, -0.2, 1.2, false};
    double all = 0;
    for (int b = 0; b < BINS; ++b) {
        double low = bins.low + b * cardo_bin_width(&bins);
        F[b] = weight(l, low, low + cardo_bin_width(&bins));
        all += F[b];
    }
    for (int b = 0; b < BINS; ++b)
        F[b] = -log(F[b] / all / cardo_bin_width(&bins));
    F[BINS] = -log(weight(l, 0.55, 1.2) / weight(l, -0.2, 0.45));
}

/* Deviations in standard errors, or in kT where `sigmas` is false. */
static void compare(const double *truth, const cardo_estimate *e, bool sigmas, double z[BINS + 1])
{
    for (int b = 0; b < BINS; ++b)
        z[b] = (e->F[b] - truth[b]) / (sigmas ? e->sigma[b] : 1);
    z[BINS] = (e->basin_F[1] - truth[BINS]) / (sigmas ? e->basin_sigma[1] : 1);
}

static void make(landscape *l, const approach *how, landscape_shape shape, bool fixman)
{
    landscape_make(l, how->coupled ? model_carried_path : model_path, shape, fixman,
                   &cardo_integrator_hmc, how->method);
    if (how->coupled) {
        landscape_couple(l);
        landscape_set(l, "pull", "0");
    }
    for (const char *const *s = how->settings; *s; s += 2)
        landscape_set(l, s[0], s[1]);
    if (how->rugged[0] && shape == LANDSCAPE_RUGGED)
        landscape_set(l, how->rugged[0], how->rugged[1]);
}

/* One study; returns the largest error bar, kT. */
static double study(const approach *how, landscape_shape shape, bool fixman, int seed,
                    const double *truth, double z[BINS + 1])
{
    landscape l;
    char text[16];
    cardo_estimate e = {0};
    double worst = 0;
    make(&l, how, shape, fixman);
    snprintf(text, sizeof text, "%d", seed);
    landscape_set(&l, "seed", text);
    landscape_find(&l, &request, &e);
    compare(truth, &e, true, z);
    for (int b = 0; b < BINS; ++b)
        worst = fmax(worst, e.sigma[b]);
    cardo_estimate_clear(&e);
    landscape_clear(&l);
    return worst;
}

/* Runs seeds of a landscape and a method: whether all deviations, or of many seeds their shares, are as
 * they should be. */
static bool judge(const approach *how, landscape_shape shape, bool fixman, int first, int seeds)
{
    tally bins = {0}, basins = {0};
    double truth[BINS + 1], z[BINS + 1], sigma = 0;
    char text[128];
    landscape l;
    make(&l, how, shape, fixman);
    exact(&l, truth);
    landscape_clear(&l);
    for (int seed = first; seed < first + seeds; ++seed) {
        sigma += study(how, shape, fixman, seed, truth, z) / seeds;
        for (int b = 0; b < BINS; ++b)
            tally_take(&bins, z[b]);
        tally_close(&bins);
        tally_take(&basins, z[BINS]);
    }
    snprintf(text, sizeof text, "%s, %s, %s, error bars to %.3f kT, %.0f %% of basins below 1",
             how->name, landscape_names[shape], fixman ? "Fixman" : "rigid", sigma,
             100.0 * basins.below / basins.n);
    tally_print(&bins, text);
    if (!(sigma < 0.5))
        return false;
    return seeds == 1 || how->steady ? bins.beyond == 0 : tally_is_honest(&bins, how->freedom);
}

/* Each landscape by four of the six methods, each method on two of the three landscapes. One of a landscape's bins lies beyond three standard
 * errors about once in a hundred studies; each study is drawn again by itself. */
static void every_landscape_by_every_method(void **unused)
{
    (void)unused;
    for (int a = 0; a < APPROACHES; ++a)
        for (int shape = 0; shape < LANDSCAPES; ++shape) {
            bool good = a % LANDSCAPES == shape;
            for (int draw = 0; !good && draw < SUPPORT_DRAWS; ++draw)
                good = judge(&approaches[a], shape, (a + shape) % 2, 1 + draw, 1);
            assert_true(good);
        }
}

static void a_scan_of_one_coordinate_is_exact(void **unused)
{
    (void)unused;
    const approach scan = {.name = "scan", .method = "scan"};
    for (int k = 0; k < 2 * LANDSCAPES; ++k) {
        landscape l;
        cardo_estimate e = {0};
        double truth[BINS + 1], z[BINS + 1], worst = 0;
        make(&l, &scan, k / 2, k % 2);
        exact(&l, truth);
        landscape_find(&l, &request, &e);
        compare(truth, &e, false, z);
        for (int b = 0; b <= BINS; ++b)
            worst = fmax(worst, fabs(z[b]));
        print_message("scan, %s, %s: off by %.1e kT at most\n", landscape_names[k / 2],
                      k % 2 ? "fixman" : "rigid", worst);
        assert_true(worst < 1e-3);
        cardo_estimate_clear(&e);
        landscape_clear(&l);
    }
}

static void error_bars_are_honest(void **unused)
{
    (void)unused;
    assert_true(judge(&approaches[0], LANDSCAPE_DOUBLE_WELL, false, 1, MOST_SEEDS));
}

/* Three nodes a ripple spoil F without noise; that is in the error bars, and gone with eight times as many. */
static void error_bars_know_of_few_nodes(void **unused)
{
    (void)unused;
    static const char *const nodes[] = {"20", "160"};
    approach how = {.name = "adaptive-force",
                    .method = "adaptive-force",
                    .settings = {"walkers", "2", "steps", "12500", "round", "10", "ramp", "20",
                                 "force-bins", ""}};
    for (int many = 0; many < 2; ++many) {
        landscape l;
        cardo_estimate e = {0};
        double truth[BINS + 1], z[BINS + 1], off = 0, sigma = 0, share = 1;
        how.settings[9] = nodes[many];
        make(&l, &how, LANDSCAPE_RUGGED, false);
        exact(&l, truth);
        landscape_find(&l, &request, &e);
        compare(truth, &e, true, z);
        for (int b = 0; b < BINS; ++b) {
            assert_true(fabs(z[b]) < 3);
            off = fmax(off, fabs(e.F[b] - truth[b]));
            sigma = fmax(sigma, e.sigma[b]);
            share = fmin(share, e.unresolved[b] / e.sigma[b]);
        }
        print_message("%s nodes: off by %.4f kT, error bars to %.4f kT\n", nodes[many], off, sigma);
        assert_true(many ? sigma < 0.01 : off > 0.1 && sigma < 1 && share > 0.9);
        cardo_estimate_clear(&e);
        landscape_clear(&l);
    }
}

/* Of the long survey. */
static int first_seed = 1;
static const char *what = "";

static void error_bars_are_honest_everywhere(void **unused)
{
    (void)unused;
    int failures = 0;
    for (int a = 0; a < APPROACHES; ++a)
        for (int shape = 0; shape < LANDSCAPES; ++shape)
            for (int fixman = 0; fixman < 2; ++fixman)
                if (strstr(approaches[a].name, what))
                    failures += !judge(&approaches[a], shape, fixman, first_seed,
                                       approaches[a].steady ? FEW_SEEDS : MOST_SEEDS);
    assert_int_equal(failures, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        statistical_test(error_bars_know_of_few_nodes),
        cmocka_unit_test(every_landscape_by_every_method),
        cmocka_unit_test(a_scan_of_one_coordinate_is_exact),
    };
    const struct CMUnitTest many[] = {cmocka_unit_test(error_bars_are_honest)};
    const struct CMUnitTest whole[] = {cmocka_unit_test(error_bars_are_honest_everywhere)};
    if (argc > 1 && strcmp(argv[1], "long") == 0) {
        first_seed = argc > 2 ? atoi(argv[2]) : 1;
        what = argc > 3 ? argv[3] : "";
        return support_run(whole, NULL, NULL);
    }
    int failed = support_run(tests, NULL, NULL);
    if (!SUPPORT_SANITIZED)
        failed += support_run(many, NULL, NULL);
    return failed;
}
