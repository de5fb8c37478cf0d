/* Metadynamics and adaptive force: biases on grids; the same bits from any number of processes and across
 * a stop; set-ups that cannot succeed. What they find: test_profiles. */
#include "analysis/free_energy/weighted_samples.h"
#include "base/units.h"
#include "cli/processes/parallel.h"
#include "dynamics/evaluation/callback_provider.h"
#include "landscapes.h"
#include "multibody/tree/operators.h"
#include "sampling/methods/adaptive_force.h"
#include "sampling/methods/metadynamics.h"
#include "sampling/walkers/bias_grid.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 1000000 };

typedef struct task {
    landscape *landscape;
    long long stop_at; /* rounds after which it is stored, made anew and restored; 0: never */
    double *values;    /* the study at its end, or NULL */
    size_t nvalue;
} task;

static cardo_status work(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    task *t = arg;
    cardo_sampling *sampling = NULL;
    cardo_end end;
    cardo_status status = landscape_study(t->landscape, communicator, &sampling, error);
    if (status == CARDO_OK && t->stop_at > 0) {
        status = cardo_sampling_prepare(sampling, NULL, &end, error);
        for (long long k = 0; k < t->stop_at && status == CARDO_OK; ++k)
            status = cardo_sampling_advance(sampling, NULL, &end, error);
        size_t n = cardo_sampling_value_count(sampling);
        double *values = malloc(n * sizeof *values);
        cardo_sampling_save(sampling, values);
        cardo_sampling_destroy(sampling);
        sampling = NULL;
        if (status == CARDO_OK)
            status = landscape_study(t->landscape, communicator, &sampling, error);
        if (status == CARDO_OK)
            status = cardo_sampling_restore(sampling, values, n, error);
        free(values);
    }
    if (status == CARDO_OK)
        status = landscape_run(sampling, error);
    if (status == CARDO_OK && t->values) {
        t->nvalue = cardo_sampling_value_count(sampling);
        assert_true(t->nvalue <= MOST_VALUES);
        cardo_sampling_save(sampling, t->values);
    }
    cardo_sampling_destroy(sampling);
    return status;
}

static void run(task *t, int nprocess)
{
    cardo_error error = {0};
    assert_ok(cardo_parallel_run(nprocess, work, t, &error), &error);
}

/* The force of a grid is the gradient of its energy, everywhere, walls and seams too. */
static void grids_have_gradients(void **unused)
{
    (void)unused;
    for (int periodic = 0; periodic < 2; ++periodic) {
        cardo_error error;
        cardo_bias_potential bias = {0};
        uint64_t seed = 3;
        double period = periodic ? 2 * CARDO_PI : 0, spacing = 2 * CARDO_PI / 40;
        assert_ok(
            cardo_bias_grid_create(&bias, period, periodic ? 40 : 41, -CARDO_PI, spacing, &error),
            &error);
        bias.values[CARDO_GRID_WALL_LOW] = -2.5;
        bias.values[CARDO_GRID_WALL_HIGH] = 2.5;
        bias.values[CARDO_GRID_WALL_STIFFNESS] = 50;
        cardo_bias_grid_add(&bias, 3.0, 0.4, 2.0);
        cardo_bias_grid_add(&bias, -1.0, 0.6, 1.5);
        for (int k = 0; k < 500; ++k) {
            double x = 4.5 * support_random(&seed), h = 1e-5, slope, none;
            double above = cardo_bias_evaluate(&bias, x + h, &none);
            double below = cardo_bias_evaluate(&bias, x - h, &none);
            cardo_bias_evaluate(&bias, x, &slope);
            assert_close(slope, (above - below) / (2 * h), 1e-4);
        }
        for (int k = -20; k <= 20; ++k) {
            double x = 0.12 * k;
            double d = periodic ? remainder(x - 3, 2 * CARDO_PI) : x - 3;
            double exact =
                2 * exp(-0.5 * d * d / 0.16) + 1.5 * exp(-0.5 * (x + 1) * (x + 1) / 0.36);
            assert_close(cardo_bias_grid_inside(&bias, x), exact, 2e-3);
        }
        cardo_bias_clear(&bias);
    }
}

/* A torsion that is sampled over a part of its turn: beyond the grid's ends V goes on straight, on either side. */
static void grids_over_a_part_of_a_period_go_on_straight(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_bias_potential bias = {0};
    assert_ok(cardo_bias_grid_create(&bias, 2 * CARDO_PI, 27, -0.9, 0.05, &error), &error);
    cardo_bias_grid_add(&bias, -0.8, 0.1, 2.0);
    cardo_bias_grid_add(&bias, 0.3, 0.1, 1.0);
    for (int side = -1; side <= 1; side += 2) {
        const double end = side < 0 ? -0.9 : 0.4;
        double at_end, beyond;
        const double V = cardo_bias_evaluate(&bias, end, &at_end);
        assert_true(fabs(at_end) > 1);
        for (double d = 0.01; d < 1; d *= 2) {
            assert_close(cardo_bias_evaluate(&bias, end + side * d, &beyond), V + at_end * side * d,
                         1e-12);
            assert_close(beyond, at_end, 1e-12);
        }
        assert_close(cardo_bias_evaluate(&bias, end + 2 * CARDO_PI, &beyond), V, 1e-12);
    }
    cardo_bias_clear(&bias);
}

static void bits_do_not_depend_on_processes_or_stops(void **unused)
{
    (void)unused;
    static double first[MOST_VALUES], second[MOST_VALUES];
    static const char *const methods[] = {"metadynamics", "adaptive-force"};
    static const struct {
        int nprocess;
        long long stop_at;
    } ways[] = {{2, 0}, {1, 70}, {3, 33}};
    for (int m = 0; m < 2; ++m)
        for (int k = 0; k < 3; ++k) {
            landscape l;
            landscape_make(&l, model_double, LANDSCAPE_DOUBLE_WELL, true, &cardo_integrator_baoab,
                           methods[m]);
            landscape_set(&l, "steps", "2000");
            landscape_set(&l, "round", "20");
            landscape_set(&l, "walkers", "4");
            landscape_set(&l, "timestep", "0.01");
            task once = {.landscape = &l, .values = first};
            task again = {.landscape = &l, .values = second, .stop_at = ways[k].stop_at};
            run(&once, 1);
            run(&again, ways[k].nprocess);
            assert_int_equal(once.nvalue, again.nvalue);
            assert_memory_equal(first, second, once.nvalue * sizeof *first);
            landscape_clear(&l);
        }
}

static void alone(cardo_parallel_work look)
{
    cardo_error error;
    assert_ok(look(NULL, NULL, &error), &error);
}

/* The bias is the sum of the hills that were told, and the first ones have the full height. */
static cardo_status tell_hills(cardo_communicator *communicator, void *arg, cardo_error *failure)
{
    (void)arg;
    (void)failure;
    landscape l;
    cardo_error error;
    cardo_end end;
    cardo_sampling *sampling;
    cardo_hill hill[2];
    landscape_make(&l, model_path, LANDSCAPE_HARMONIC, false, &cardo_integrator_hmc,
                   "metadynamics");
    landscape_set(&l, "walkers", "2");
    landscape_set(&l, "width", "0.05");
    landscape_set(&l, "height", "0.8");
    assert_ok(landscape_study(&l, communicator, &sampling, &error), &error);
    assert_ok(cardo_sampling_prepare(sampling, NULL, &end, &error), &error);
    double sum = 0, slope;
    const cardo_bias_potential *bias = &cardo_sampling_crew(sampling)->walkers[0].bias;
    double at = 0.5;
    for (int r = 0; r < 30; ++r) {
        assert_ok(cardo_sampling_advance(sampling, NULL, &end, &error), &error);
        cardo_metadynamics_hills(sampling, hill);
        for (int k = 0; k < 2; ++k) {
            double d = at - hill[k].centre;
            assert_true(hill[k].centre >= -0.2 && hill[k].centre <= 1.2);
            assert_true(r > 0 || hill[k].height == 0.8);
            assert_true(hill[k].height <= 0.8 && hill[k].width == 0.05);
            assert_true(hill[k].bias_factor == 10);
            sum += hill[k].height * exp(-0.5 * d * d / 0.0025);
        }
        assert_close(cardo_bias_evaluate(bias, at, &slope), sum, 1e-4 * (1 + sum));
    }
    cardo_sampling_destroy(sampling);
    landscape_clear(&l);
    return CARDO_OK;
}

static void hills_are_told(void **unused)
{
    (void)unused;
    alone(tell_hills);
}

/* What the estimate knows of hills that are as violent as can be, and of gentle ones that came for long. */
static void estimate_under(const char *const *settings, cardo_estimate *found)
{
    landscape l;
    const cardo_estimate_request request = {.nbin = 20};
    landscape_make(&l, model_path, LANDSCAPE_DOUBLE_WELL, false, &cardo_integrator_hmc,
                   "metadynamics");
    for (const char *const *s = settings; *s; s += 2)
        landscape_set(&l, s[0], s[1]);
    landscape_find(&l, &request, found);
    landscape_clear(&l);
}

/* Independent values of the variable that all walkers have seen. */
static double worth(const cardo_estimate *e)
{
    double sum = 0;
    for (int k = 0; k < e->nwalker; ++k)
        sum += e->moments[k * e->ncoordinate].effective;
    return sum;
}

static void hasty_hills_are_known(void **unused)
{
    (void)unused;
    static const char *const violent[] = {"walkers", "2", "steps",       "1000", "round", "5",
                                          "height",  "5", "bias-factor", "40",   NULL};
    static const char *const gentle[] = {"walkers",     "2", "steps", "10000",
                                         "bias-factor", "6", NULL};
    cardo_estimate hasty = {0}, calm = {0};
    estimate_under(violent, &hasty);
    estimate_under(gentle, &calm);
    print_message("the bias rose by %.2f kT and by %.3f kT; %.0f and %.0f independent places\n",
                  hasty.haste, calm.haste, worth(&hasty), worth(&calm));
    assert_true(hasty.haste > 0.6 && hasty.haste < 2);
    assert_true(calm.haste > 0.01 && calm.haste < 0.1);
    assert_true(worth(&hasty) < 60 && worth(&calm) > 60 && worth(&calm) < calm.nsample / 20.);
    cardo_estimate_clear(&hasty);
    cardo_estimate_clear(&calm);
}

/* Each walker of a stratified study samples its own part of the range, and little beyond its walls. */
static cardo_status look_at_strata(cardo_communicator *communicator, void *arg,
                                   cardo_error *failure)
{
    (void)arg;
    (void)failure;
    enum { WALKERS = 4 };
    landscape l;
    cardo_error error;
    cardo_sampling *sampling;
    landscape_make(&l, model_path, LANDSCAPE_DOUBLE_WELL, false, &cardo_integrator_hmc,
                   "adaptive-force");
    landscape_set(&l, "walkers", "4");
    landscape_set(&l, "strata", "yes");
    landscape_set(&l, "steps", "2000");
    assert_ok(landscape_study(&l, communicator, &sampling, &error), &error);
    assert_ok(landscape_run(sampling, &error), &error);
    const double low = -0.2, part = 1.4 / WALKERS;
    for (int k = 0; k < WALKERS; ++k) {
        const cardo_walker *walker = &cardo_sampling_crew(sampling)->walkers[k];
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (int i = 0; i < walker->nsample; ++i) {
            least = fmin(least, walker->xi[i]);
            most = fmax(most, walker->xi[i]);
        }
        assert_true(least > low + (k - 0.4) * part && most < low + (k + 1.4) * part);
        assert_true(most - least > 0.8 * part);
    }
    cardo_sampling_destroy(sampling);
    landscape_clear(&l);
    return CARDO_OK;
}

static void strata_hold_walkers(void **unused)
{
    (void)unused;
    alone(look_at_strata);
}

/* -ln of the mean density in a bin. */
static double exact(landscape *l, const cardo_estimate *e, int b)
{
    enum { POINTS = 16 };
    const double width = cardo_bin_width(&e->bins), low = e->bins.low + b * width;
    double density = 0;
    for (int k = 0; k < POINTS; ++k)
        density += landscape_density(l, low + (k + 0.5) / POINTS * width) / POINTS;
    return -log(density);
}

/* Up a slope of twenty kT a node no walker comes by chance: it is climbed by what the nodes before it say. */
static void steep_ends_are_climbed(void **unused)
{
    (void)unused;
    landscape l;
    cardo_estimate e = {0};
    const cardo_estimate_request request = {.nbin = 70};
    landscape_make(&l, model_path, LANDSCAPE_STEEP, false, &cardo_integrator_hmc, "adaptive-force");
    landscape_set(&l, "walkers", "2");
    landscape_set(&l, "force-bins", "7");
    landscape_set(&l, "ramp", "40");
    landscape_set(&l, "steps", "16000");
    landscape_set(&l, "round", "20");
    landscape_find(&l, &request, &e);
    double worst = 0;
    for (int b = 1; b < request.nbin; ++b) {
        double off = e.F[b] - e.F[0] - (exact(&l, &e, b) - exact(&l, &e, 0));
        assert_true(isfinite(e.F[b]));
        worst = fmax(worst, fabs(off));
    }
    print_message("to %.1f kT, off by %.3f kT at most\n", e.F[request.nbin - 1], worst);
    assert_true(e.F[request.nbin - 1] > 30 && worst < 0.1);
    cardo_estimate_clear(&e);
    landscape_clear(&l);
}

static void refused(const char *method, const char *name, const char *value, const char *words)
{
    landscape l;
    cardo_error error = {0};
    task t = {.landscape = &l};
    landscape_make(&l, model_path, LANDSCAPE_DOUBLE_WELL, false, &cardo_integrator_hmc, method);
    landscape_set(&l, "steps", "3000");
    landscape_set(&l, name, value);
    assert_fails(work(NULL, &t, &error), &error, CARDO_ERROR_INPUT, words);
    print_message("%s\n", error.message);
    landscape_clear(&l);
}

static void wrong_studies_are_called_out(void **unused)
{
    (void)unused;
    refused("metadynamics", "width", "2", "do not suit a range");
    refused("metadynamics", "highest-start", "8", "atoms clash");
    refused("metadynamics", "height", "600", "hills lift walkers");
    refused("adaptive-force", "from", "0.2", "outside of the range");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_have_gradients),
        cmocka_unit_test(grids_over_a_part_of_a_period_go_on_straight),
        cmocka_unit_test(hills_are_told),
        statistical_test(hasty_hills_are_known),
        statistical_test(strata_hold_walkers),
        statistical_test(steep_ends_are_climbed),
        cmocka_unit_test(wrong_studies_are_called_out),
        figures_test(bits_do_not_depend_on_processes_or_stops),
    };
    return support_run(tests, NULL, NULL);
}
