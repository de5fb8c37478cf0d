/* Every bath in the table, on a free and a welded base, in both ensembles, on models whose sqrt(det M)
 * varies several-fold: kinetic energies of translation, rotation and internal motion against kT/2 a
 * degree of freedom, and marginals of the coordinates against quadrature.
 *
 * Each mean of the short runs may be off by 6.5 standard errors, those of more than a hundred blocks:
 * by bad luck once in 1e9. `test_equipartition long [BATH [MODEL [SEED]]]` draws 1e5 independent samples of
 * each combination: chi squared of equally probable bins must have p > 1e-3. */
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "point_models.h"
#include "sampling.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 20, FINE = 800, SHARES = 3, LONG_SAMPLES = 100000 };

static const double temperature = 300;

typedef struct bath_plan {
    const char *integrator;
    const char *settings[7]; /* name, value, ..., NULL */
    double longer;           /* its step, of the others' */
    int stride;              /* of the long survey, in percent of the others' */
} bath_plan;

/* Couplings by which independent samples are near. */
static const bath_plan plans[] = {
    {"andersen", {"collision-rate", "0.6"}, 1, 150},
    {"langevin", {"friction", "0.7"}, 1, 100},
    {"baoab", {"friction", "0.7"}, 1, 100},
    {"csvr", {"relaxation", "1"}, 1, 100},
    {"nose-hoover", {"relaxation", "1"}, 0.5, 300},
    {"hmc", {"flights", "6", "jitter", "0.5"}, 2, 14},
    {"ghmc", {"flights", "2", "friction", "0.7"}, 2, 25},
};

/* Steps, ps, whose error in a harmonic coordinate's variance, (w h)^2/4, is below that of 1e5
 * samples, and how many of them lie between independent samples: free, welded. */
static const struct {
    double timestep[2];
    int stride[2];
} paces[POINT_KINDS] = {{{0.13, 0.15}, {40, 50}}, {{0.25, 0.25}, {30, 120}}};
enum { PLANS = sizeof plans / sizeof *plans };

static const char *const kind_names[POINT_KINDS] = {"slider", "hinges"};

typedef struct combination {
    const bath_plan *plan;
    point_kind kind;
    bool welded, rigid;
} combination;

/* Series of a run: shares of kinetic energy, then internal coordinates. */
typedef struct series {
    int n;
    double share[SHARES][LONG_SAMPLES], q[POINT_COORDINATES][LONG_SAMPLES];
} series;

static series s;

static cardo_simulation *begin(point_model *m, const combination *c, long long seed)
{
    cardo_error error;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    double own[128];
    const cardo_integrator *integrator = cardo_integrator_find(c->plan->integrator);
    assert_non_null(integrator);
    assert_true(integrator->options_size <= sizeof own);
    cardo_fields_default(cardo_simulation_fields, &options);
    cardo_fields_default(integrator->fields, own);
    assert_ok(cardo_fields_set(integrator->fields, own, "flight-tolerance", "1e-6", &error),
              &error);
    for (const char *const *text = c->plan->settings; *text; text += 2)
        assert_ok(cardo_fields_set(integrator->fields, own, text[0], text[1], &error), &error);
    options.timestep = c->plan->longer * paces[c->kind].timestep[c->welded];
    options.temperature = temperature;
    options.seed = (long long)support_seed((uint64_t)seed);
    options.ensemble = c->rigid ? CARDO_ENSEMBLE_RIGID : CARDO_ENSEMBLE_FIXMAN;
    options.max_energy_jump = 1e6;
    assert_ok(cardo_simulation_create(m->system, m->state, m->provider, integrator, &options, own,
                                      &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    return simulation;
}

static void run(point_model *m, const combination *c, long long seed, int samples, int stride)
{
    enum { WARM_UP = 20 };
    cardo_error error;
    cardo_end end;
    cardo_simulation *simulation = begin(m, c, seed);
    s.n = samples;
    for (int k = -WARM_UP; k < samples; ++k) {
        double q[POINT_COORDINATES], shares[SHARES];
        const long long step = cardo_simulation_step(simulation) + stride;
        assert_ok(cardo_simulation_run(simulation, step, NULL, &end, &error), &error);
        if (k < 0)
            continue;
        point_model_internal(m, q);
        point_model_shares(m, shares);
        for (int i = 0; i < SHARES; ++i)
            s.share[i][k] = shares[i];
        for (int i = 0; i < m->ninternal; ++i)
            s.q[i][k] = q[i];
    }
    cardo_simulation_destroy(simulation);
}

/* Degrees of freedom of translation, rotation, internal motion. */
static int degrees(const point_model *m, int share)
{
    return share == 2 ? m->ninternal : m->welded ? 0 : 3;
}

/* Where a value lies in the cumulative distribution, 0 .. 1. */
static double rank_of(const point_model *m, int k, const double *cumulative, double q)
{
    double x = (q - m->lowest[k]) / (m->highest[k] - m->lowest[k]) * FINE;
    int i = (int)fmin(fmax(x, 0), FINE - 1);
    return cumulative[i] + (x - i) * (cumulative[i + 1] - cumulative[i]);
}

static void print_name(const combination *c)
{
    print_message("%-11s %-6s %-6s %-6s", c->plan->integrator, kind_names[c->kind],
                  c->welded ? "welded" : "free", c->rigid ? "rigid" : "fixman");
}

/* Number of standard errors by which the mean of the values, which it destroys, is off. */
static double deviation(double *values, int n, double expected)
{
    double mean, error;
    mean_and_error(values, n, &mean, &error);
    return (mean - expected) / error;
}

/* Means of cosines of the ranks, which are 0 where the ranks are even, tell a wrong density from the
 * right one at any of its scales. */
static void check_short(const combination *c, int samples)
{
    enum { HARMONICS = 3 };
    static double cumulative[FINE + 1], values[LONG_SAMPLES];
    const double kT = CARDO_BOLTZMANN * temperature;
    point_model m;
    point_model_create(&m, c->kind, c->welded);
    run(&m, c, 11, samples, c->plan->stride > 50 ? 10 : 1);
    print_name(c);
    for (int i = 0; i < SHARES; ++i)
        if (degrees(&m, i) > 0) {
            double off = deviation(s.share[i], s.n, 0.5 * degrees(&m, i) * kT);
            print_message(" %5.2f", off);
            assert_true(fabs(off) < 6.5);
        }
    print_message(" |");
    for (int i = 0; i < m.ninternal; ++i) {
        point_model_cumulative(&m, i, kT, c->rigid, FINE, cumulative);
        for (int h = 1; h <= HARMONICS; ++h) {
            for (int k = 0; k < s.n; ++k)
                values[k] = cos(CARDO_PI * h * rank_of(&m, i, cumulative, s.q[i][k]));
            double off = deviation(values, s.n, 0);
            print_message(" %5.2f", off);
            assert_true(fabs(off) < 6.5);
        }
    }
    print_message("\n");
    point_model_destroy(&m);
}

static void every_bath_shares_evenly_and_has_its_density(void **test)
{
    (void)test;
    int k = 0;
    for (int i = 0; i < PLANS; ++i)
        for (int kind = 0; kind < POINT_KINDS; ++kind)
            for (int base = 0; base < 2; ++base)
                for (int ensemble = 0; ensemble < 2; ++ensemble)
                    if (++k % 5 == 0 || !SUPPORT_SANITIZED)
                        check_short(&(combination){&plans[i], kind, base == 1, ensemble == 0},
                                    SUPPORT_SANITIZED ? 300 : 700);
}

/* A bath that is new in the table is tested here as well. */
static void no_bath_is_left_out(void **test)
{
    (void)test;
    for (int i = 0; cardo_integrators[i]; ++i) {
        bool found = !(cardo_integrators[i]->traits & CARDO_INTEGRATOR_THERMOSTAT);
        for (int k = 0; k < PLANS; ++k)
            found = found || strcmp(plans[k].integrator, cardo_integrators[i]->name) == 0;
        assert_true(found);
    }
}

/* The models are worth their name, and the engine's det M is that of the points. */
static void det_M_varies_strongly(void **test)
{
    (void)test;
    for (int kind = 0; kind < POINT_KINDS; ++kind)
        for (int base = 0; base < 2; ++base) {
            point_model m;
            cardo_error error;
            double least = HUGE_VAL, most = -HUGE_VAL, offset = 0;
            point_model_create(&m, kind, base == 1);
            for (int k = 0; k < 40; ++k) {
                double log_det, q[POINT_COORDINATES];
                double all[7 + POINT_COORDINATES] = {1};
                for (int i = 0; i < m.ninternal; ++i)
                    q[i] = m.lowest[i] +
                           fmod(0.31 + 0.4142 * k * (i + 1), 1) * (m.highest[i] - m.lowest[i]);
                memcpy(all + (base ? 0 : 7), q, sizeof(double) * (size_t)m.ninternal);
                cardo_state_set_q(m.state, all);
                assert_ok(cardo_realize(m.system, m.state, CARDO_STAGE_DYNAMICS, &error), &error);
                assert_ok(cardo_log_det_m(m.system, m.state, &log_det, &error), &error);
                const double truth = point_model_half_log_det(&m, q);
                offset = k ? offset : truth - 0.5 * log_det;
                assert_close(truth - 0.5 * log_det, offset, 1e-7);
                least = fmin(least, truth);
                most = fmax(most, truth);
            }
            print_message("%s, %s: sqrt det M varies %.2f-fold\n", kind_names[kind],
                          base ? "welded" : "free", exp(most - least));
            assert_true(exp(most - least) > (kind == POINT_SLIDER && base ? 0.99 : 1.7));
            point_model_destroy(&m);
        }
}

/* ---- the long survey ---- */

static const char *which_bath = "", *which_model = "";
static long long which_seed = 1;

/* Upper tail of chi squared (Wilson & Hilferty). */
static double chi_squared_tail(double chi_squared, int n)
{
    double spread = 2.0 / (9.0 * n);
    return 0.5 * erfc((cbrt(chi_squared / n) - (1 - spread)) / sqrt(2 * spread));
}

/* p of equally probable bins, and the correlation of neighbours in the series of ranks. */
static double judge_marginal(const point_model *m, int i, bool rigid, double *correlation)
{
    static double cumulative[FINE + 1], rank[LONG_SAMPLES];
    double chi_squared = 0, count[BINS] = {0};
    *correlation = 0;
    point_model_cumulative(m, i, CARDO_BOLTZMANN * temperature, rigid, FINE, cumulative);
    for (int k = 0; k < s.n; ++k) {
        rank[k] = rank_of(m, i, cumulative, s.q[i][k]);
        count[(int)fmin(rank[k] * BINS, BINS - 1)]++;
        *correlation += k ? 12 * (rank[k] - 0.5) * (rank[k - 1] - 0.5) / (s.n - 1) : 0;
    }
    const double expected = (double)s.n / BINS;
    for (int b = 0; b < BINS; ++b)
        chi_squared += (count[b] - expected) * (count[b] - expected) / expected;
    return chi_squared_tail(chi_squared, BINS - 1);
}

static bool judge(const combination *c)
{
    const double kT = CARDO_BOLTZMANN * temperature;
    bool good = true;
    point_model m;
    point_model_create(&m, c->kind, c->welded);
    run(&m, c, which_seed, LONG_SAMPLES,
        (paces[c->kind].stride[c->welded] * c->plan->stride + 50) / 100);
    print_name(c);
    for (int i = 0; i < m.ninternal; ++i) {
        double correlation, p = judge_marginal(&m, i, c->rigid, &correlation);
        print_message("  p = %.4f (correlation %6.3f)", p, correlation);
        good = good && p > 1e-3 && fabs(correlation) < 0.05;
    }
    for (int i = 0; i < SHARES; ++i)
        if (degrees(&m, i) > 0) {
            double mean, error, unit = 0.5 * degrees(&m, i) * kT;
            mean_and_error(s.share[i], s.n, &mean, &error);
            print_message("  %.4f +- %.4f", mean / unit, error / unit);
            good = good && fabs(mean - unit) < 4 * error;
        }
    print_message("%s\n", good ? "" : "  <-- wrong");
    fflush(stdout);
    point_model_destroy(&m);
    return good;
}

static void every_marginal_by_many_samples(void **test)
{
    (void)test;
    int failures = 0;
    for (int i = 0; i < PLANS; ++i)
        for (int kind = 0; kind < POINT_KINDS; ++kind)
            for (int base = 0; base < 2; ++base)
                for (int ensemble = 0; ensemble < 2; ++ensemble)
                    if (strstr(plans[i].integrator, which_bath) &&
                        strstr(kind_names[kind], which_model))
                        failures +=
                            !judge(&(combination){&plans[i], kind, base == 1, ensemble == 0});
    assert_int_equal(failures, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(det_M_varies_strongly),
        cmocka_unit_test(no_bath_is_left_out),
        statistical_test(every_bath_shares_evenly_and_has_its_density),
    };
    const struct CMUnitTest whole[] = {cmocka_unit_test(every_marginal_by_many_samples)};
    if (argc > 1 && strcmp(argv[1], "long") == 0) {
        which_bath = argc > 2 ? argv[2] : "";
        which_model = argc > 3 ? argv[3] : "";
        which_seed = argc > 4 ? atoll(argv[4]) : 1;
        return cmocka_run_group_tests(whole, NULL, NULL);
    }
    return support_run(tests, NULL, NULL);
}
