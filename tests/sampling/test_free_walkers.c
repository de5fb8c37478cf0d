/* Metadynamics and adaptive force on landscapes with known densities; biases on grids; the same bits
 * from any number of processes and across a stop; set-ups that cannot succeed. */
#include "analysis/weighted_samples.h"
#include "base/units.h"
#include "dynamics/callback_provider.h"
#include "landscapes.h"
#include "multibody/operators.h"
#include "sampling/adaptive_force.h"
#include "sampling/bias_grid.h"
#include "sampling/metadynamics.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 28, MOST_SAMPLES = 400000, MOST_VALUES = 1000000 };

static const cardo_bins bins = {BINS, -0.2, 1.2, false};

/* Deviations from what is known, in standard errors. */
typedef struct judgement {
    int n, within;
    double worst, squares;
} judgement;

static void take(judgement *j, double deviation, double sigma)
{
    double size = fabs(deviation) / sigma;
    j->n++;
    j->within += size <= 1;
    j->squares += size * size;
    j->worst = fmax(j->worst, size);
}

/* exp(-F) in Fixman's ensemble, or of the rigid one where det M depends on the sampled coordinate
 * alone. */
static double density_at(landscape *l, double q)
{
    cardo_error error;
    double slope, log_det = 0, all[8];
    if (l->simulation.ensemble == CARDO_ENSEMBLE_RIGID) {
        memcpy(all, cardo_state_q(l->model.state),
               (size_t)cardo_system_nq(l->model.system) * sizeof *all);
        all[l->coordinate] = q;
        cardo_state_set_q(l->model.state, all);
        assert_ok(cardo_realize(l->model.system, l->model.state, CARDO_STAGE_DYNAMICS, &error),
                  &error);
        assert_ok(cardo_log_det_m(l->model.system, l->model.state, &log_det, &error), &error);
    }
    double kT = CARDO_BOLTZMANN * l->simulation.temperature;
    return exp(0.5 * log_det - landscape_energy(l->shape, q, &slope) / kT);
}

/* -ln of the density: of its means in bins, and at the bins' ends, both normalized over the range. */
static void exact_profiles(landscape *l, double *mean, double *end)
{
    enum { PARTS = 40 };
    const double width = cardo_bin_width(&bins);
    double sum = 0;
    for (int b = 0; b < BINS; ++b) {
        mean[b] = 0;
        for (int k = 0; k < PARTS; ++k)
            mean[b] += density_at(l, bins.low + (b + (k + 0.5) / PARTS) * width) / PARTS;
        sum += mean[b] * width;
    }
    for (int b = 0; b < BINS; ++b)
        mean[b] = -log(mean[b] / sum);
    for (int b = 0; b <= BINS; ++b)
        end[b] = -log(density_at(l, bins.low + b * width) / sum);
}

typedef struct task {
    landscape *landscape;
    long long stop_at; /* rounds after which it is stored, made anew and restored; 0: never */
    double *values;    /* the study at its end, or NULL */
    size_t nvalue;
    double F[BINS + 1], sigma[BINS + 1];
} task;

static double xi[MOST_SAMPLES], log_weight[MOST_SAMPLES];

static cardo_status estimate(const task *t, const cardo_sampling *sampling, double *F,
                             double *sigma, cardo_error *error)
{
    if (strcmp(cardo_sampling_method_name(t->landscape->method), "metadynamics") != 0) {
        const cardo_force_blocks blocks = cardo_adaptive_force_blocks(sampling);
        const cardo_force_nodes nodes = cardo_adaptive_force_nodes(sampling);
        double ends[BINS + 1];
        assert_true((nodes.n - 1) % BINS == 0);
        for (int b = 0; b <= BINS; ++b)
            ends[b] = bins.low + b * cardo_bin_width(&bins);
        return cardo_integrate_blocks(&blocks, &nodes, BINS + 1, ends, F, sigma, 0, NULL, NULL,
                                      NULL, error);
    }
    int count[16];
    cardo_status status = cardo_metadynamics_weigh(sampling, cardo_sampling_round(sampling) / 5,
                                                   count, xi, log_weight, error);
    const cardo_weighted_samples samples = {cardo_sampling_crew(sampling)->nwalker, count,
                                            log_weight, NULL, NULL};
    return status == CARDO_OK ? cardo_weighted_profile(&samples, xi, &bins, F, sigma, NULL, error)
                              : status;
}

static cardo_status work(cardo_team *team, void *arg, cardo_error *error)
{
    task *t = arg;
    cardo_sampling *sampling = NULL;
    cardo_end end;
    cardo_status status = landscape_study(t->landscape, team, &sampling, error);
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
            status = landscape_study(t->landscape, team, &sampling, error);
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
    } else if (status == CARDO_OK) {
        char text[1024];
        cardo_sampling_report(sampling, text, sizeof text);
        print_message("%s%s", cardo_sampling_notes(sampling), text);
        status = estimate(t, sampling, t->F, t->sigma, error);
    }
    cardo_sampling_destroy(sampling);
    return status;
}

static void run(task *t, int nprocess)
{
    cardo_error error = {0};
    assert_ok(cardo_team_run(nprocess, work, t, &error), &error);
}

/* Further force: the first of two coordinates is drawn to a wave in the second, U_c = k/2 (q0 - a sin 3
 * q1)^2. It adds the same to F at every q1, and noise to the force on it. */
static const double coupling = 200, wave = 0.15;

static cardo_status compute_coupled(void *user, cardo_force_evaluation *evaluation,
                                    cardo_error *error)
{
    (void)error;
    const landscape *l = user;
    double slope, angle = 3 * evaluation->q[1], stretch = evaluation->q[0] - wave * sin(angle);
    evaluation->energy =
        landscape_energy(l->shape, evaluation->q[1], &slope) + 0.5 * coupling * stretch * stretch;
    evaluation->mobility_forces[0] -= coupling * stretch;
    evaluation->mobility_forces[1] -= slope - coupling * stretch * wave * 3 * cos(angle);
    return CARDO_OK;
}

static void couple(landscape *l)
{
    cardo_error error;
    cardo_force_provider_destroy(l->model.provider);
    assert_ok(cardo_callback_provider_create(compute_coupled, l,
                                             CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_WANTS_POSES,
                                             &l->model.provider, &error),
              &error);
}

/* Judges one run. Where forces do not fluctuate at a value of the coordinate, integration has errors of its
 * spacing beside next to none of chance: `slack`, kT. */
static void find_density(const char *method, bool coupled, landscape_shape shape, bool fixman,
                         const char *seed, double slack, judgement *j)
{
    landscape l;
    task t = {.landscape = &l};
    double mean[BINS], ends[BINS + 1];
    bool is_mean = strcmp(method, "metadynamics") == 0;
    landscape_make(&l, coupled ? model_double : model_path, shape, fixman, &cardo_integrator_hmc,
                   method);
    if (coupled)
        couple(&l);
    exact_profiles(&l, mean, ends);
    landscape_set(&l, "seed", seed);
    landscape_set(&l, "walkers", "2");
    landscape_set(&l, "steps", is_mean ? "25000" : "12500");
    landscape_set(&l, "round", is_mean ? "50" : "10");
    if (is_mean)
        landscape_set(&l, "bias-factor", "6");
    else
        landscape_set(&l, "force-bins", coupled ? "56" : "112");
    if (coupled)
        landscape_set(&l, "timestep", "0.04");
    run(&t, 1);
    for (int b = 0; b < BINS + !is_mean; ++b)
        take(j, t.F[b] - (is_mean ? mean : ends)[b], hypot(t.sigma[b], slack));
    landscape_clear(&l);
}

static void densities_are_found(const char *method)
{
    for (int k = 0; k < 2 * LANDSCAPES + 2; ++k) {
        judgement j = {0};
        bool coupled = k >= 2 * LANDSCAPES;
        landscape_shape shape = coupled ? LANDSCAPE_DOUBLE_WELL : (landscape_shape)(k / 2);
        find_density(method, coupled, shape, k % 2, "1", coupled ? 0 : 1e-3, &j);
        print_message("%s, %s%s, %s: worst %.2f sigma, %d of %d within one\n", method,
                      landscape_names[shape], coupled ? " with a second coordinate" : "",
                      k % 2 ? "Fixman" : "rigid", j.worst, j.within, j.n);
        assert_true(j.worst < 3.5);
    }
}

static void metadynamics_finds_densities(void **unused)
{
    (void)unused;
    densities_are_found("metadynamics");
}

static void adaptive_force_finds_densities(void **unused)
{
    (void)unused;
    densities_are_found("adaptive-force");
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

/* The bias is the sum of the hills that were told, and the first ones have the full height. */
static cardo_status tell_hills(cardo_team *team, void *arg, cardo_error *failure)
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
    assert_ok(landscape_study(&l, team, &sampling, &error), &error);
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
    cardo_error error;
    assert_ok(cardo_team_run(1, tell_hills, NULL, &error), &error);
}

static void refused(const char *method, const char *name, const char *value, const char *words)
{
    landscape l;
    cardo_error error = {0};
    task t = {.landscape = &l};
    landscape_make(&l, model_path, LANDSCAPE_DOUBLE_WELL, false, &cardo_integrator_hmc, method);
    landscape_set(&l, "steps", "3000");
    landscape_set(&l, name, value);
    assert_fails(cardo_team_run(1, work, &t, &error), &error, CARDO_ERROR_INPUT, words);
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

/* Fifty seeds, by hand: `test_free_walkers long`. */
static void errors_are_honest(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"metadynamics", "adaptive-force"};
    for (int m = 0; m < 2; ++m)
        for (int shape = 0; shape < LANDSCAPES; ++shape) {
            judgement j = {0};
            for (int seed = 1; seed <= 50; ++seed) {
                char text[16];
                snprintf(text, sizeof text, "%d", seed);
                find_density(methods[m], true, shape, false, text, 0, &j);
            }
            print_message("%s, %s: %.1f %% within one sigma, rms %.2f, worst %.2f of %d\n",
                          methods[m], landscape_names[shape], 100.0 * j.within / j.n,
                          sqrt(j.squares / j.n), j.worst, j.n);
            assert_close((double)j.within / j.n, 0.683, 0.07);
        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_have_gradients),
        cmocka_unit_test(hills_are_told),
        cmocka_unit_test(wrong_studies_are_called_out),
        cmocka_unit_test(bits_do_not_depend_on_processes_or_stops),
        cmocka_unit_test(metadynamics_finds_densities),
        cmocka_unit_test(adaptive_force_finds_densities),
    };
    const struct CMUnitTest long_tests[] = {cmocka_unit_test(errors_are_honest)};
    if (argc > 1 && strcmp(argv[1], "long") == 0)
        return cmocka_run_group_tests(long_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
