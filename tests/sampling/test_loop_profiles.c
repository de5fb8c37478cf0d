/* Free energies along the hinge and along a torsion of closed loops, by every method, against what is known: of one freedom by the curve
 * that the constraints leave, in four ensembles; of two by the marginals of the reference.
 *
 * `test_loop_profiles long [FIRST [WHAT [SEEDS]]]`: twenty seeds, or SEEDS, from FIRST on of all studies, or of those whose names hold
 * WHAT. */
#include "loop_curves.h"
#include "support/support.h"
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BINS = 16, ENSEMBLES = 4 };

static const char *const ensembles[ENSEMBLES] = {"rigid", "fixman", "closure", "full"};
static const char *const file_names[ENSEMBLES] = {"rigid", NULL, "closure_corrected",
                                                  "fully_corrected"};

/* What of a loop is looked at, and how its F is known. */
typedef enum truth {
    BRANCH, /* of one freedom, a part of a branch of its curve that keeps away from where that turns back */
    CURVE, /* all of the curve */
    MARGINAL, /* of the reference: bins that lie in the range                                         */
} truth;

typedef struct part {
    const char *loop;
    int coordinate;
    double from, to;
    int bins;
    truth truth;
} part;

static const part branches[] = {
    {"loop_k3_ball", 0, 0.02, 0.42, 12, BRANCH},
    {"loop_k3_ball", 2, 2.3, 3.8, 12, BRANCH},
    {"loop_k4_ball_angle", 0, 0.20, 0.35, 12, BRANCH},
    {"loop_k6_weld", 0, 0.27, 0.45, 12, BRANCH},
    {"loop_k6_weld_redundant", 0, -0.25, 0.55, 12, BRANCH},
};
enum { BRANCHES = sizeof branches / sizeof *branches };
static const part surface = {"loop_k4_ball", 0, 0.06, 0.54, 8, MARGINAL};
/* Both branches, and both places where the hinge turns back, at -0.09082 and 0.54362. */
static const part whole = {"loop_k3_ball", 0, -0.0907, 0.5435, 14, CURVE};

typedef struct approach {
    const char *method;
    double freedom;           /* of error bars, degrees (analysis/free_energy/statistics.h) */
    const char *long_steps;   /* of the long survey                                         */
    const char *settings[14]; /* name, value, ..., NULL                         */
} approach;

static const approach umbrella = {
    "umbrella", HUGE_VAL, "400", {"windows", "10", "steps", "100", "equilibration", "50"}};
static const approach metadynamics = {
    "metadynamics",
    HUGE_VAL,
    "4000",
    {"walkers", "1", "steps", "1500", "round", "20", "bias-factor", "4"}};
static const approach force = {
    "adaptive-force",
    20,
    "2000",
    {"walkers", "4", "steps", "400", "round", "10", "force-bins", "16", "ramp", "30"}};

static const approach *const approaches[] = {&umbrella, &metadynamics, &force};
enum { APPROACHES = sizeof approaches / sizeof *approaches };

static void know_marginal(const part *of, int ensemble, double *F)
{
    loop_model m;
    int b = 0;
    double edges[LOOP_MOST_BINS + 1], p[LOOP_MOST_BINS], all = 0;
    const double width = (of->to - of->from) / of->bins;
    loop_model_create(&m, of->loop);
    const int n = loop_model_bins(&m, file_names[ensemble], of->coordinate, edges, p);
    for (int i = 0; i < n && b < of->bins; ++i)
        if (edges[i] > of->from - 1e-6) {
            assert_close(edges[i], of->from + b * width, 1e-9);
            all += p[i];
            F[b++] = p[i];
        }
    assert_int_equal(b, of->bins);
    for (b = 0; b < of->bins; ++b)
        F[b] = -log(F[b] / all / width);
    loop_model_destroy(&m);
}

static void know(const part *p, int ensemble, double F[MOST_BINS])
{
    loop_study s;
    if (p->truth == MARGINAL) {
        know_marginal(p, ensemble, F);
        return;
    }
    loop_study_make(&s, p->loop, ensemble, p->coordinate, "scan", p->from, p->to);
    loop_curve_profile(&s, p->truth == CURVE, p->bins, F);
    loop_study_clear(&s);
}

/* One study, its deviations from F added to the tally; returns the largest error bar, kT. */
static double study(const part *p, int ensemble, const approach *how, const char *steps, int seed,
                    const double *F, tally *t)
{
    loop_study s;
    char text[16];
    cardo_estimate e = {0};
    double worst = 0;
    const cardo_estimate_request request = {.nbin = p->bins};
    loop_study_make(&s, p->loop, ensemble, p->coordinate, how->method, p->from, p->to);
    for (const char *const *o = how->settings; *o; o += 2)
        landscape_set(&s.study, o[0], o[1]);
    if (steps)
        landscape_set(&s.study, "steps", steps);
    snprintf(text, sizeof text, "%d", seed);
    landscape_set(&s.study, "seed", text);
    landscape_find(&s.study, &request, &e);
    for (int b = 0; b < p->bins; ++b) {
        tally_take(t, (e.F[b] - F[b]) / e.sigma[b]);
        worst = fmax(worst, e.sigma[b]);
    }
    tally_close(t);
    cardo_estimate_clear(&e);
    loop_study_clear(&s);
    return worst;
}

static const char *name(const part *p, int ensemble, const char *method, double sigma)
{
    static char text[160];
    snprintf(text, sizeof text, "%s, %s, coordinate %d%s, %s, error bars to %.2g kT", method,
             p->loop, p->coordinate, p == &whole ? ", whole curve" : "", ensembles[ensemble],
             sigma);
    return text;
}

/* Off by what the test's own curve is, in steps of 1e-3, and by what the scan says of its cubics. */
static void a_scan_is_exact(void **unused)
{
    (void)unused;
    for (int i = 0; i < BRANCHES; ++i)
        for (int k = i % 2; k < ENSEMBLES; k += 2) {
            loop_study s;
            const part *p = &branches[i];
            const cardo_estimate_request request = {.nbin = p->bins};
            cardo_estimate e = {0};
            double F[MOST_BINS], worst = 0;
            know(p, k, F);
            loop_study_make(&s, p->loop, k, p->coordinate, "scan", p->from, p->to);
            landscape_set(&s.study, "places", "101");
            landscape_find(&s.study, &request, &e);
            for (int b = 0; b < p->bins; ++b) {
                assert_true(fabs(e.F[b] - F[b]) < 3e-5 + 3 * e.sigma[b] && e.sigma[b] < 0.01);
                worst = fmax(worst, fabs(e.F[b] - F[b]));
            }
            print_message("%s: off by %.1e kT at most\n", name(p, k, "scan", e.sigma[0]), worst);
            cardo_estimate_clear(&e);
            loop_study_clear(&s);
        }
}

/* A short study of each method; what leaves the constraints' terms out of the mean force is off by thousands of its error bars on a
 * curve, and by 400 on the surface, without the divergence by 13. Forces do not fluctuate where there is one freedom. */
static void every_method_agrees(void **unused)
{
    (void)unused;
    static const struct {
        const part *part;
        const approach *how;
        int ensemble;
    } studies[] = {
        {&branches[1], &umbrella, 3}, {&branches[0], &metadynamics, 2},
        {&branches[3], &force, 0},    {&surface, &umbrella, 2},
        {&surface, &force, 3},
    };
    tally all = {0};
    for (size_t i = 0; i < sizeof studies / sizeof *studies; ++i) {
        const part *p = studies[i].part;
        const int ensemble = studies[i].ensemble;
        double F[MOST_BINS];
        tally one = {0};
        know(p, ensemble, F);
        const double sigma =
            study(p, ensemble, studies[i].how, NULL, (int)support_seed(1), F, &one);
        tally_print(&one, name(p, ensemble, studies[i].how->method, sigma));
        if (studies[i].how == &force && p->truth == BRANCH)
            assert_true(sigma < 1e-3);
        assert_true(sigma < 0.7);
        tally_add(&all, &one);
    }
    tally_print(&all, "all");
    assert_true(all.beyond <= 0.02 * all.n && all.largest < 4.5);
}

/* F without what M makes of the way along the curve, or of another ensemble, is another one: the same judgement turns it down. */
static void a_wrong_free_energy_is_rejected(void **unused)
{
    (void)unused;
    const part *p = &branches[0];
    double F[MOST_BINS], other[MOST_BINS];
    tally right = {0}, wrong = {0};
    know(p, CARDO_ENSEMBLE_RIGID, F);
    know(p, CARDO_ENSEMBLE_CLOSURE, other);
    study(p, CARDO_ENSEMBLE_CLOSURE, &force, NULL, 1, other, &right);
    study(p, CARDO_ENSEMBLE_CLOSURE, &force, NULL, 1, F, &wrong);
    assert_true(right.largest < 3);
    assert_true(wrong.beyond > p->bins / 2 && wrong.largest > 100);
}

static void refused(const char *loop, const char *method, double from, double to, const char *why)
{
    loop_study s;
    cardo_estimate e = {0};
    cardo_error error = {0};
    const cardo_estimate_request request = {.nbin = 8};
    loop_study_make(&s, loop, CARDO_ENSEMBLE_RIGID, 0, method, from, to);
    assert_int_not_equal(landscape_estimate(&s.study, NULL, &request, &e, &error), CARDO_OK);
    if (!strstr(error.message, why))
        print_message("%s\n", error.message);
    assert_non_null(strstr(error.message, why));
    cardo_estimate_clear(&e);
    loop_study_clear(&s);
}

/* Where the hinge turns back its mean force has no bound, and no configuration is beyond. */
static void turning_points_are_told(void **unused)
{
    (void)unused;
    refused("loop_k3_ball", "adaptive-force", 0.0, 0.54, "turns back at 0.543");
    refused("loop_k3_ball", "adaptive-force", -0.2, 0.6, "turns back");
    refused("loop_k3_ball", "scan", 0.0, 0.7, "as near as 0.54");
}

/* A start that violates constraints is brought onto them first. */
static void a_start_is_closed(void **unused)
{
    (void)unused;
    loop_study s;
    cardo_estimate e = {0};
    double F[MOST_BINS], q[LOOP_MOST_Q];
    const part *p = &branches[0];
    const cardo_estimate_request request = {.nbin = p->bins};
    know(p, CARDO_ENSEMBLE_RIGID, F);
    loop_study_make(&s, p->loop, CARDO_ENSEMBLE_RIGID, p->coordinate, "scan", p->from, p->to);
    memcpy(q, cardo_state_q(s.loop.state), sizeof *q * (size_t)cardo_system_nq(s.loop.system));
    q[2] += 0.01;
    cardo_state_set_q(s.loop.state, q);
    landscape_find(&s.study, &request, &e);
    for (int b = 0; b < p->bins; ++b)
        assert_close(e.F[b], F[b], 3e-5);
    cardo_estimate_clear(&e);
    loop_study_clear(&s);
}

/* Of the long survey. */
static int first_seed = 1, seeds = 20;
static const char *what = "";

static int survey(const part *p, const approach *how)
{
    int failures = 0;
    for (int k = 0; k < ENSEMBLES; ++k) {
        double F[MOST_BINS], sigma = 0;
        tally t = {0};
        if ((p->truth == MARGINAL && !file_names[k]) || !strstr(name(p, k, how->method, 0), what))
            continue;
        know(p, k, F);
        for (int i = 0; i < seeds; ++i)
            sigma += study(p, k, how, how->long_steps, first_seed + i, F, &t) / seeds;
        tally_print(&t, name(p, k, how->method, sigma));
        fflush(stdout);
        /* forces that do not fluctuate have error bars of rounding and of nodes */
        failures +=
            how == &force && p->truth == BRANCH ? t.beyond > 0 : !tally_is_honest(&t, how->freedom);
    }
    return failures;
}

static void error_bars_are_honest(void **unused)
{
    (void)unused;
    static const approach exchange = {
        "umbrella", 7.5, "2000", {"windows", "16", "exchange", "yes", "round", "5"}};
    static const approach hills = {
        "metadynamics", HUGE_VAL, "10000", {"walkers", "2", "round", "20", "bias-factor", "3"}};
    int failures = 0;
    for (int a = 0; a < APPROACHES; ++a) {
        for (int i = 0; i < BRANCHES; ++i)
            failures += survey(&branches[i], approaches[a]);
        failures += survey(&surface, approaches[a]);
    }
    failures += survey(&whole, &exchange) + survey(&whole, &hills);
    assert_int_equal(failures, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scan_is_exact),
        cmocka_unit_test(turning_points_are_told),
        cmocka_unit_test(a_start_is_closed),
        statistical_test(every_method_agrees),
        figures_test(a_wrong_free_energy_is_rejected),
    };
    const struct CMUnitTest longer[] = {cmocka_unit_test(error_bars_are_honest)};
    if (argc > 1 && strcmp(argv[1], "long") == 0) {
        first_seed = argc > 2 ? atoi(argv[2]) : 1;
        what = argc > 3 ? argv[3] : "";
        seeds = argc > 4 ? atoi(argv[4]) : seeds;
        return support_run(longer, NULL, NULL);
    }
    return support_run(tests, NULL, NULL);
}
