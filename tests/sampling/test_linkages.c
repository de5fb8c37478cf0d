/* The double pendulum and a chain of ten bodies along one of their angles, by umbrella, metadynamics and
 * adaptive force, against what is known of them. `test_linkages long [FIRST [WHAT [SEEDS]]]`:
 * fifty seeds or SEEDS from FIRST on of all, or of those whose names hold WHAT, and long runs without a
 * bias. */
#include "base/units.h"
#include "linkages.h"
#include "sampling/methods/estimate.h"
#include "support/support.h"
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 200000, MOST_DRAWS = 2000000 };

typedef struct approach {
    const char *method;
    double freedom;           /* of error bars, degrees (analysis/free_energy/statistics.h) */
    const char *long_steps;   /* of the long survey; NULL: as many              */
    const char *settings[14]; /* name, value, ..., NULL                         */
} approach;

static const approach approaches[] = {
    {"umbrella", HUGE_VAL, NULL, {"windows", "18", "steps", "400"}},
    {"metadynamics",
     HUGE_VAL,
     NULL,
     {"walkers", "2", "steps", "10000", "round", "50", "bias-factor", "5"}},
    {"adaptive-force",
     20,
     "10000",
     {"walkers", "2", "steps", "4000", "round", "10", "force-bins", "48", "ramp", "100"}},
};
enum { APPROACHES = sizeof approaches / sizeof *approaches };

/* No bias at all, brute force: hills of no height. */
static const approach unbiased = {
    "metadynamics",
    HUGE_VAL,
    NULL,
    {"walkers", "1", "steps", "200000", "round", "1000", "height", "1e-9", "discard", "0"}};

static const cardo_estimate_request request = {.nbin = LINKAGE_BINS};

/* What is known of a linkage in an ensemble. */
typedef struct truth {
    linkage_kind kind;
    bool fixman;
    double F[LINKAGE_BINS], sigma[LINKAGE_BINS];
} truth;

static truth know(linkage_kind kind, bool fixman, int draws)
{
    landscape l;
    truth known = {.kind = kind, .fixman = fixman};
    linkage_make(&l, kind, fixman, "umbrella");
    linkage_truth(&l, kind, draws, known.F, known.sigma);
    landscape_clear(&l);
    return known;
}

/* One study, of so many steps where that is not NULL, added to the tally; returns the largest error bar, kT. */
static double study(const truth *known, const approach *how, const char *steps, int seed, tally *t)
{
    landscape l;
    char text[16];
    cardo_estimate e = {0};
    double worst = 0;
    linkage_make(&l, known->kind, known->fixman, how->method);
    for (const char *const *s = how->settings; *s; s += 2)
        landscape_set(&l, s[0], s[1]);
    if (steps)
        landscape_set(&l, "steps", steps);
    snprintf(text, sizeof text, "%d", seed);
    landscape_set(&l, "seed", text);
    landscape_find(&l, &request, &e);
    for (int b = 0; b < LINKAGE_BINS; ++b) {
        tally_take(t, (e.F[b] - known->F[b]) / hypot(e.sigma[b], known->sigma[b]));
        worst = fmax(worst, e.sigma[b]);
    }
    tally_close(t);
    cardo_estimate_clear(&e);
    landscape_clear(&l);
    return worst;
}

static const char *name(const truth *known, const char *method, double sigma)
{
    static char text[128];
    snprintf(text, sizeof text, "%s, %s, %s, error bars to %.3f kT", method,
             linkage_names[known->kind], known->fixman ? "Fixman" : "rigid", sigma);
    return text;
}

/* One seed of each linkage by two of the methods, in one of the ensembles: judged together, by shares that six studies of eighteen
 * bins, which are correlated, keep. */
static void every_linkage_by_every_method(void **unused)
{
    (void)unused;
    tally all = {0};
    for (int kind = 0; kind < LINKAGES; ++kind)
        for (int fixman = 0; fixman < 2; ++fixman) {
            truth known = know(kind, fixman, DRAWS);
            for (int a = 0; a < APPROACHES; ++a) {
                tally one = {0};
                if ((a + kind) % 2 != fixman || (a + kind) % APPROACHES == 0)
                    continue;
                double sigma = study(&known, &approaches[a], NULL, (int)support_seed(1), &one);
                tally_print(&one, name(&known, approaches[a].method, sigma));
                assert_true(sigma < 0.3);
                tally_add(&all, &one);
            }
        }
    tally_print(&all, "all");
    assert_true(all.beyond <= 0.01 * all.n && all.largest < 4.5);
    assert_true(all.below > 0.45 * all.n && all.below < 0.9 * all.n);
}

/* The other angle of the pendulum is integrated over, one turn of it. */
static void a_scan_of_the_pendulum_is_exact(void **unused)
{
    (void)unused;
    for (int kind = LINKAGE_SHOULDER; kind <= LINKAGE_ELBOW; ++kind)
        for (int fixman = 0; fixman < 2; ++fixman) {
            landscape l;
            cardo_estimate e = {0};
            double worst = 0;
            truth known = know(kind, fixman, 0);
            linkage_make(&l, kind, fixman, "scan");
            landscape_find(&l, &request, &e);
            for (int b = 0; b < LINKAGE_BINS; ++b)
                worst = fmax(worst, fabs(e.F[b] - known.F[b]));
            print_message("%s: off by %.1e kT at most\n", name(&known, "scan", 0), worst);
            assert_true(worst < 1e-3);
            cardo_estimate_clear(&e);
            landscape_clear(&l);
        }
}

/* Of the long survey. */
static int first_seed = 1, seeds = 50;
static const char *what = "";

static bool is_wanted(const truth *known, const char *method)
{
    return strstr(name(known, method, 0), what);
}

static void error_bars_are_honest(void **unused)
{
    (void)unused;
    int failures = 0;
    for (int kind = 0; kind < LINKAGES; ++kind)
        for (int fixman = 0; fixman < 2; ++fixman) {
            truth known = {.kind = kind, .fixman = fixman};
            for (int a = 0; a < APPROACHES; ++a) {
                tally t = {0};
                double sigma = 0;
                if (!is_wanted(&known, approaches[a].method))
                    continue;
                known = know(kind, fixman, MOST_DRAWS);
                for (int k = 0; k < seeds; ++k)
                    sigma += study(&known, &approaches[a], approaches[a].long_steps, first_seed + k,
                                   &t) /
                             seeds;
                tally_print(&t, name(&known, approaches[a].method, sigma));
                failures += !tally_is_honest(&t, approaches[a].freedom);
            }
        }
    assert_int_equal(failures, 0);
}

/* What is known must be what dynamics without a bias finds. */
static void brute_force_agrees(void **unused)
{
    (void)unused;
    int failures = 0;
    for (int kind = 0; kind < LINKAGES; ++kind)
        for (int fixman = 0; fixman < 2; ++fixman) {
            tally t = {0};
            truth known = {.kind = kind, .fixman = fixman};
            if (!is_wanted(&known, "no bias"))
                continue;
            known = know(kind, fixman, MOST_DRAWS);
            const char *steps = kind == LINKAGE_CHAIN ? "400000" : NULL;
            double sigma = study(&known, &unbiased, steps, first_seed, &t);
            tally_print(&t, name(&known, "no bias", sigma));
            failures += !(t.largest < 3.5 && sigma < 0.1);
        }
    assert_int_equal(failures, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {statistical_test(every_linkage_by_every_method),
                                       cmocka_unit_test(a_scan_of_the_pendulum_is_exact)};
    const struct CMUnitTest whole[] = {cmocka_unit_test(brute_force_agrees),
                                       cmocka_unit_test(error_bars_are_honest)};
    if (argc > 1 && strcmp(argv[1], "long") == 0) {
        first_seed = argc > 2 ? atoi(argv[2]) : 1;
        what = argc > 3 ? argv[3] : "";
        seeds = argc > 4 ? atoi(argv[4]) : seeds;
        return support_run(whole, NULL, NULL);
    }
    return support_run(tests, NULL, NULL);
}
