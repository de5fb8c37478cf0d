/* Shares of two and of many conformations: against what curves were made of, over many noises, with the noise's own chances.
 *
 *   test_saxs_ensemble long OPEN.pdb CLOSED.pdb SEEDS    the survey of the README */
#include "support/support.h"

#include "base/memory.h"
#include "cardo/structure.h"
#include "experiment/saxs/ensemble_fit.h"
#include "experiment/saxs/exposure.h"
#include "experiment/saxs/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 100, MOST = 21 };

static cardo_error error;

/* Conformations of a molecule, and a curve that some of them make together. */
typedef struct solution {
    int points, n;
    double q[MOST_POINTS], clean[MOST_POINTS], intensity[MOST_POINTS], sigma[MOST_POINTS];
    double partials[MOST * MOST_POINTS * CARDO_PARTIALS], volume[MOST], prior[MOST];
} solution;

static const cardo_curve_fit_options all_free = {{0.95, 1.05}, {-2, 4}, true};

static double gauss(uint64_t *seed)
{
    const double u = 0.5 * (support_random(seed) + 1), v = support_random(seed);
    return sqrt(-2 * log(fmax(u, 1e-300))) * cos(3.14159265358979323846 * v);
}

static void add(solution *s, const cardo_structure *structure, const double *positions)
{
    cardo_scatterers scatterers = {0};
    cardo_profile_plan plan = {0};
    assert_ok(cardo_scatterers_make(structure, &scatterers, &error), &error);
    if (positions)
        cardo_scatterers_move(&scatterers, positions);
    assert_ok(cardo_exposure_find(&scatterers, &error), &error);
    assert_ok(cardo_profile_plan_make(s->points, s->q, cardo_scatterers_diameter(&scatterers), 1e-4,
                                      1, &plan, &error),
              &error);
    assert_ok(cardo_profile_find(&plan, &scatterers,
                                 s->partials + (size_t)s->n * (size_t)s->points * CARDO_PARTIALS,
                                 &error),
              &error);
    s->volume[s->n++] = scatterers.mean_volume;
    cardo_profile_plan_clear(&plan);
    cardo_scatterers_clear(&scatterers);
}

static void begin(solution *s, int points, double most)
{
    memset(s, 0, sizeof *s);
    s->points = points;
    for (int k = 0; k < points; ++k)
        s->q[k] = most * (k + 1) / points;
}

/* The curve of these shares at c1 = 1.01, c2 = 1 with a background of a thousandth of its first point. */
static void mix(solution *s, const double *share)
{
    for (int i = 0; i < s->points; ++i) {
        s->clean[i] = 0;
        for (int k = 0; k < s->n; ++k) {
            double w[CARDO_PARTIALS];
            cardo_partial_weights(s->q[i], s->volume[k], 1.01, 1, w, NULL, NULL);
            for (int p = 0; p < CARDO_PARTIALS; ++p)
                s->clean[i] +=
                    share[k] * w[p] *
                    s->partials[((size_t)k * (size_t)s->points + (size_t)i) * CARDO_PARTIALS +
                                (size_t)p];
        }
    }
    const double background = 1e-3 * s->clean[0];
    for (int i = 0; i < s->points; ++i) {
        s->clean[i] += background;
        s->sigma[i] = 0.02 * s->clean[i];
    }
    for (int k = 0; k < s->n; ++k)
        s->prior[k] = 1.0 / s->n;
}

static cardo_curve curve_of(solution *s, uint64_t *seed)
{
    for (int i = 0; i < s->points; ++i)
        s->intensity[i] = s->clean[i] + (seed ? s->sigma[i] * gauss(seed) : 0);
    return (cardo_curve){.n = s->points, .q = s->q, .intensity = s->intensity, .sigma = s->sigma};
}

static void fit_freely(const solution *s, const cardo_curve *curve, cardo_ensemble_fit *fit,
                       double *weight)
{
    const cardo_conformations all = {s->n, s->partials, s->volume, s->prior};
    const cardo_ensemble_wish wish = {.theta = CARDO_ENSEMBLE_NO_PRIOR};
    assert_ok(cardo_ensemble_start(curve, &all, &all_free, fit, weight, &error), &error);
    assert_ok(cardo_ensemble_fit_find(curve, &all, &all_free, &wish, fit, weight, &error), &error);
}

typedef struct survey {
    double mean, spread, inside, widest;
} survey;

/* The share of the second over many noises: its mean, its spread, and how often one standard error holds the truth. */
static survey look(solution *s, double truth, int seeds)
{
    const double share[2] = {1 - truth, truth}, second[2] = {0, 1};
    const cardo_conformations all = {s->n, s->partials, s->volume, s->prior};
    double sum = 0, squares = 0;
    survey out = {0};
    mix(s, share);
    for (uint64_t k = 1; k <= (uint64_t)seeds; ++k) {
        uint64_t seed = 7919 * k;
        cardo_ensemble_fit fit;
        double weight[2], range[2];
        const cardo_curve curve = curve_of(s, &seed);
        fit_freely(s, &curve, &fit, weight);
        assert_ok(
            cardo_ensemble_range(&curve, &all, &all_free, second, 1, &fit, weight, range, &error),
            &error);
        assert_true(range[0] <= weight[1] + 1e-6 && weight[1] <= range[1] + 1e-6);
        sum += weight[1];
        squares += weight[1] * weight[1];
        out.inside += (range[0] <= truth && truth <= range[1]) / (double)seeds;
        out.widest = fmax(out.widest, range[1] - range[0]);
    }
    out.mean = sum / seeds;
    out.spread = sqrt(fmax(squares / seeds - out.mean * out.mean, 0));
    return out;
}

/* The light chain's two elbows, which the project has. */
static void elbows(solution *s)
{
    static const char *const files[] = {"pdb/2mcg_1.pdb", "pdb/2mcg_2.pdb"};
    begin(s, 60, 4);
    for (int k = 0; k < 2; ++k) {
        cardo_structure *structure = NULL;
        assert_ok(cardo_structure_read(support_source(files[k]), 0, &structure, &error), &error);
        add(s, structure, NULL);
        cardo_structure_destroy(structure);
    }
}

/* Without noise the shares are those of the curve. */
static void clean_curves_give_their_shares(void **state)
{
    (void)state;
    static solution s;
    elbows(&s);
    for (int k = 0; k <= 4; ++k) {
        const double truth = 0.25 * k, share[2] = {1 - truth, truth};
        cardo_ensemble_fit fit;
        double weight[2];
        mix(&s, share);
        const cardo_curve curve = curve_of(&s, NULL);
        fit_freely(&s, &curve, &fit, weight);
        assert_close(weight[1], truth, 1e-4);
        assert_true(fit.chi_square < 1e-3);
    }
}

/* 60 noises: a mean off by four of its errors has a chance of 6e-5, fewer than 26 or more than 54 inside one standard error one of 4e-5. */
static void errors_hold_what_they_promise(void **state)
{
    (void)state;
    static solution s;
    enum { SEEDS = SUPPORT_SANITIZED ? 12 : 60 };
    elbows(&s);
    const survey found = look(&s, 0.3, SEEDS);
    print_message("share %.4f +- %.4f, %.0f %% inside one standard error\n", found.mean,
                  found.spread, 100 * found.inside);
    assert_true(fabs(found.mean - 0.3) < 4 * found.spread / sqrt(SEEDS));
    if (SEEDS == 60)
        assert_true(found.inside > 26.0 / 60 && found.inside < 54.0 / 60);
}

/* A weaker confidence lets the curve win; a stronger one leaves what was expected. Between them chi^2 and cost are monotonous. */
static void confidence_goes_from_the_curve_to_the_prior(void **state)
{
    (void)state;
    static solution s;
    const double share[2] = {0.7, 0.3};
    double weight[2], before = 0;
    elbows(&s);
    mix(&s, share);
    s.prior[0] = 0.1;
    s.prior[1] = 0.9;
    const cardo_conformations all = {s.n, s.partials, s.volume, s.prior};
    const cardo_curve curve = curve_of(&s, NULL);
    cardo_ensemble_fit fit;
    assert_ok(cardo_ensemble_start(&curve, &all, &all_free, &fit, weight, &error), &error);
    for (int k = 6; k >= -3; --k) {
        const cardo_ensemble_wish wish = {.theta = pow(10, k)};
        assert_ok(cardo_ensemble_fit_find(&curve, &all, &all_free, &wish, &fit, weight, &error),
                  &error);
        assert_true(fit.divergence >= before - 1e-9);
        before = fit.divergence;
        if (k == 6)
            assert_close(weight[1], 0.9, 0.02);
        if (k == -3)
            assert_close(weight[1], 0.3, 1e-3);
        assert_close(weight[0] + weight[1], 1, 1e-12);
    }
}

/* The gradient vanishes where the search ends: no small change of shares does better. */
static void the_least_is_the_least(void **state)
{
    (void)state;
    static solution s;
    uint64_t seed = 5;
    const double share[2] = {0.6, 0.4};
    double weight[2], moved[2];
    elbows(&s);
    mix(&s, share);
    const cardo_conformations all = {s.n, s.partials, s.volume, s.prior};
    const cardo_curve curve = curve_of(&s, &seed);
    const cardo_ensemble_wish wish = {.theta = 10};
    cardo_ensemble_fit fit;
    assert_ok(cardo_ensemble_start(&curve, &all, &all_free, &fit, weight, &error), &error);
    assert_ok(cardo_ensemble_fit_find(&curve, &all, &all_free, &wish, &fit, weight, &error),
              &error);
    const double least = 0.5 * fit.chi_square + 10 * fit.divergence;
    for (int k = -1; k <= 1; k += 2) {
        double partials[MOST_POINTS * CARDO_PARTIALS], fitted[MOST_POINTS], volume, cost = 0;
        cardo_curve_fit one;
        moved[0] = weight[0] + 0.01 * k;
        moved[1] = weight[1] - 0.01 * k;
        cardo_ensemble_average(&curve, &all, moved, partials, &volume);
        assert_ok(cardo_curve_fit_find(&curve, partials, volume, &all_free, &one, fitted, &error),
                  &error);
        for (int j = 0; j < 2; ++j)
            cost += moved[j] * log(moved[j] / s.prior[j]);
        assert_true(0.5 * one.chi_square + 10 * cost > least);
    }
}

/* One curve of 30 % closed where 90 % were expected: the share by the confidence that foretells points that were left out best. */
/* Of two conformations that scatter alike a curve knows no shares: an average that was measured beside it gives them, with its own error; and where
 * the curve knows them, both are weighed by their errors. */
static void what_was_measured_beside_joins(void **state)
{
    (void)state;
    solution s;
    cardo_ensemble_fit fit;
    const double error_of = 0.05, truth = 0.3;
    const double measured[] = {truth / error_of}, property[] = {0, 1 / error_of},
                 half[] = {0.5, 0.5};
    double weight[MOST], range[3][2];
    const double second[] = {0, 1};
    elbows(&s);
    for (int alike = 1; alike >= 0; --alike) {
        solution now = s;
        now.n = 2;
        if (alike) {
            const size_t size = (size_t)s.points * CARDO_PARTIALS;
            memcpy(now.partials + size, now.partials, size * sizeof *now.partials);
            now.volume[1] = now.volume[0];
        }
        mix(&now, half);
        const cardo_curve curve = curve_of(&now, NULL);
        for (int which = 0; which < 2; ++which) { /* 0: the curve alone */
            cardo_conformations all = {2, now.partials, now.volume, now.prior};
            const cardo_ensemble_wish wish = {.theta = CARDO_ENSEMBLE_NO_PRIOR};
            all.nmeasured = which;
            all.measured = measured;
            all.property = property;
            assert_ok(cardo_ensemble_start(&curve, &all, &all_free, &fit, weight, &error), &error);
            assert_ok(cardo_ensemble_fit_find(&curve, &all, &all_free, &wish, &fit, weight, &error),
                      &error);
            assert_ok(cardo_ensemble_range(&curve, &all, &all_free, second, 1, &fit, weight,
                                           range[which], &error),
                      &error);
        }
        if (alike) {
            assert_true(fabs(weight[1] - truth) < 1e-3 && fit.chi_square < 1e-3);
            assert_true(fabs(range[1][0] - (truth - error_of)) < 2e-3 &&
                        fabs(range[1][1] - (truth + error_of)) < 2e-3);
            assert_true(range[0][0] < 1e-3 && range[0][1] > 1 - 1e-3);
            continue;
        }
        const double by_curve = 0.5 * (range[0][1] - range[0][0]);
        const double a = 1 / (by_curve * by_curve), b = 1 / (error_of * error_of);
        printf("  the curve 0.5 +- %.3f, beside it 0.3 +- %.3f, together %.3f\n", by_curve,
               error_of, weight[1]);
        assert_true(fabs(weight[1] - (0.5 * a + truth * b) / (a + b)) < 0.02);
        assert_true(fabs(0.5 * (range[1][1] - range[1][0]) * sqrt(a + b) - 1) < 0.1);
    }
}

static double share_by_cross_validation(const solution *s, const cardo_curve *curve, double *theta)
{
    const cardo_conformations all = {s->n, s->partials, s->volume, s->prior};
    double best = HUGE_VAL, share = 0, weight[2];
    cardo_ensemble_fit fit;
    assert_ok(cardo_ensemble_start(curve, &all, &all_free, &fit, weight, &error), &error);
    for (int k = 0; k < 11; ++k) {
        const cardo_ensemble_wish wish = {.theta = 1e3 * pow(10, -0.5 * k)};
        double score;
        assert_ok(cardo_ensemble_fit_find(curve, &all, &all_free, &wish, &fit, weight, &error),
                  &error);
        assert_ok(cardo_ensemble_foretell(curve, &all, &all_free, wish.theta, &fit, weight, &score,
                                          &error),
                  &error);
        if (score < best) {
            best = score;
            share = weight[1];
            *theta = wish.theta;
        }
    }
    return share;
}

/* How far a wrong prior draws the answer, over many noises. */
static void survey_of_a_wrong_prior(solution *s, int seeds)
{
    const double share[2] = {0.7, 0.3};
    double sum = 0, squares = 0, logs = 0;
    mix(s, share);
    s->prior[0] = 0.1;
    s->prior[1] = 0.9;
    for (uint64_t k = 1; k <= (uint64_t)seeds; ++k) {
        uint64_t seed = 7919 * k;
        double theta = 1;
        const cardo_curve curve = curve_of(s, &seed);
        const double found = share_by_cross_validation(s, &curve, &theta);
        sum += found;
        squares += found * found;
        logs += log10(theta);
    }
    const double mean = sum / seeds;
    printf("wrong prior, 0.90 expected   mean %.4f (made of 0.30), spread %.4f, theta 10^%.2f\n",
           mean, sqrt(fmax(squares / seeds - mean * mean, 0)), logs / seeds);
}

static void tell(const char *what, const survey *found, double truth)
{
    printf("%-28s mean %.4f (made of %.2f), spread %.4f, inside one standard error %.1f %%, widest "
           "%.3f\n",
           what, found->mean, truth, found->spread, 100 * found->inside, found->widest);
}

static int survey_of(const char *open, const char *closed, int seeds)
{
    static const double most[] = {4, 1};
    for (int k = 0; k < 2; ++k) {
        static solution s;
        const char *const files[] = {open, closed};
        begin(&s, k ? 25 : 100, most[k]);
        for (int j = 0; j < 2; ++j) {
            cardo_structure *structure = NULL;
            assert_ok(cardo_structure_read(files[j], 0, &structure, &error), &error);
            add(&s, structure, NULL);
            cardo_structure_destroy(structure);
        }
        printf("q up to %.2f 1/A, %d points, noise 2 %%, c1, c2, scale and background free, %d "
               "noises\n",
               most[k] / 10, s.points, seeds);
        for (int m = 0; m < 2; ++m) {
            const double truth = m ? 0 : 0.3;
            const survey found = look(&s, truth, seeds);
            tell(m ? "open alone" : "open and closed", &found, truth);
        }
        survey_of_a_wrong_prior(&s, seeds < 200 ? seeds : 200);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "long") == 0)
        return survey_of(argv[2], argv[3], atoi(argv[4]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_curves_give_their_shares),
        cmocka_unit_test(errors_hold_what_they_promise),
        cmocka_unit_test(confidence_goes_from_the_curve_to_the_prior),
        cmocka_unit_test(the_least_is_the_least),
        cmocka_unit_test(what_was_measured_beside_joins),
    };
    return support_run(tests, NULL, NULL);
}
