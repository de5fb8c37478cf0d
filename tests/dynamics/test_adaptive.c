/* The error-controlled integrators: errors in proportion to the accuracy asked for, reports that
 * leave the steps alone, restarts, what they do where forces cannot be evaluated. */
#include "dynamics/coordinates/error_scales.h"
#include "dynamics/integrators/adaptive.h"
#include "models.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cardo_integrator *const adaptive_ones[] = {
    &cardo_integrator_merson, &cardo_integrator_adams, &cardo_integrator_bdf};
enum { METHODS = 3 };

static void (*const models[])(test_model *) = {model_pendulum, model_path, model_double,
                                               model_free};

static cardo_simulation *start_run(test_model *model, const cardo_integrator *integrator,
                                   double accuracy, int memory, double report)
{
    cardo_error error;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    const cardo_adaptive_options own = {accuracy, memory};
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = report;
    options.seed = 9;
    assert_ok(cardo_simulation_create(model->system, model->state, model->provider, integrator,
                                      &options, &own, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    return simulation;
}

static void run_to(cardo_simulation *simulation, long long steps)
{
    cardo_error error;
    cardo_end end;
    assert_ok(cardo_simulation_run(simulation, steps, NULL, &end, &error), &error);
}

/* q and u after a time. */
static void final_y(void (*make)(test_model *), const cardo_integrator *integrator, double accuracy,
                    double time, double y[16], int *calls)
{
    test_model model;
    make(&model);
    int nq = cardo_system_nq(model.system), nu = cardo_system_nu(model.system);
    cardo_simulation *simulation = start_run(&model, integrator, accuracy, 100000, time);
    run_to(simulation, 1);
    memset(y, 0, 16 * sizeof *y);
    memcpy(y, cardo_state_q(model.state), (size_t)nq * sizeof *y);
    memcpy(y + nq, cardo_state_u(model.state), (size_t)nu * sizeof *y);
    if (calls)
        *calls = model.calls;
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

static double distance(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < 8; ++k)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

/* Slope of log error against log accuracy by least squares over all nine digits, and the greatest
 * ratio of the two. */
static void errors_fall_in_proportion_to_the_accuracy(void **test)
{
    (void)test;
    for (int m = 0; m < 4; ++m) {
        double reference[16];
        final_y(models[m], &cardo_integrator_adams, 1e-14, 2.0, reference, NULL);
        for (int i = 0; i < METHODS; ++i) {
            double sum = 0, moment = 0, worst = 0;
            int least = 0, most = 0;
            for (int digits = 1; digits <= 9; ++digits) {
                double y[16];
                final_y(models[m], adaptive_ones[i], pow(10, -digits), 2.0, y, &most);
                double error = distance(y, reference);
                least = digits == 1 ? most : least;
                worst = fmax(worst, error * pow(10, digits));
                sum += log10(error);
                moment += digits * log10(error);
            }
            double slope = -(moment - 5 * sum) / 60;
            print_message("model %d, %s: slope %.3f, error at most %.0f alpha, %d to %d "
                          "evaluations\n",
                          m, adaptive_ones[i]->name, slope, worst, least, most);
            /* Merson's estimate is one order better where forces are linear: errors then fall as
             * alpha^(4/5). */
            assert_close(slope, 0.95, 0.25);
            assert_true(worst < 1000);
        }
    }
}

/* What the provider was asked for: times and the bits of q. */
typedef struct call_log {
    cardo_force_provider base, *inner;
    int n;
    double time[4000], q[4000];
} call_log;

static cardo_status log_call(cardo_force_provider *self, cardo_force_evaluation *evaluation,
                             cardo_error *error)
{
    call_log *log = (call_log *)self;
    assert_true(log->n < 4000);
    log->time[log->n] = evaluation->time;
    log->q[log->n++] = evaluation->q[0];
    return log->inner->compute(log->inner, evaluation, error);
}

static void destroy_nothing(cardo_force_provider *self)
{
    (void)self;
}

/* All calls up to t = 1.6 ps, with a report every so often; those for the reports left out. */
static void log_calls(const cardo_integrator *integrator, int reports, call_log *log)
{
    test_model model;
    model_free(&model);
    *log = (call_log){.inner = model.provider};
    log->base = *model.provider;
    log->base.compute = log_call;
    log->base.destroy = destroy_nothing;
    cardo_force_provider *own = model.provider;
    model.provider = &log->base;
    cardo_simulation *simulation = start_run(&model, integrator, 1e-5, 20, 1.6 / reports);
    for (int step = 1, kept = log->n; step <= reports; ++step) {
        run_to(simulation, step);
        assert_close(cardo_state_time(model.state), step * 1.6 / reports, 1e-12);
        /* The last call of a step is that of its report. */
        assert_true(log->n > kept);
        kept = --log->n;
    }
    cardo_simulation_destroy(simulation);
    model.provider = own;
    model_destroy(&model);
}

static void reports_do_not_bend_the_steps(void **test)
{
    (void)test;
    call_log *once = calloc(1, sizeof *once), *often = calloc(1, sizeof *often);
    for (int i = 0; i < METHODS; ++i) {
        log_calls(adaptive_ones[i], 1, once);
        log_calls(adaptive_ones[i], 128, often);
        assert_true(once->n > 50);
        assert_int_equal(often->n, once->n);
        assert_memory_equal(often->time, once->time, (size_t)once->n * sizeof(double));
        assert_memory_equal(often->q, once->q, (size_t)once->n * sizeof(double));
    }
    free(once);
    free(often);
}

/* A report between steps is as accurate as those at their ends. */
static void reports_are_as_accurate_as_the_steps(void **test)
{
    (void)test;
    enum { REPORTS = 200 };
    for (int i = 0; i < METHODS; ++i) {
        test_model model, exact;
        double worst = 0;
        model_double(&model);
        model_double(&exact);
        cardo_simulation *simulation = start_run(&model, adaptive_ones[i], 1e-6, 1000, 0.01),
                         *reference =
                             start_run(&exact, &cardo_integrator_adams, 1e-13, 100000, 0.01);
        for (int step = 1; step <= REPORTS; ++step) {
            run_to(simulation, step);
            run_to(reference, step);
            for (int k = 0; k < 2; ++k) {
                worst = fmax(worst,
                             fabs(cardo_state_q(model.state)[k] - cardo_state_q(exact.state)[k]));
                worst = fmax(worst, 0.1 * fabs(cardo_state_u(model.state)[k] -
                                               cardo_state_u(exact.state)[k]));
            }
        }
        print_message("%s: worst of %d reports %.1e\n", adaptive_ones[i]->name, REPORTS, worst);
        assert_true(worst < 1e-4);
        cardo_simulation_destroy(simulation);
        cardo_simulation_destroy(reference);
        model_destroy(&model);
        model_destroy(&exact);
    }
}

/* n + 30 reports in one go against n, a snapshot, fresh objects, 30, with a memory so short that
 * the way crosses several beginnings. */
static void a_restored_run_goes_the_same_way(void **test)
{
    (void)test;
    for (int i = 0; i < METHODS; ++i)
        for (int m = 0; m < 4; ++m)
            for (int n = 1; n <= 45; n += 4) {
                test_model whole, other;
                cardo_error error;
                cardo_snapshot snapshot = {0};
                models[m](&whole);
                models[m](&other);
                cardo_simulation *through = start_run(&whole, adaptive_ones[i], 1e-4, 11, 0.02),
                                 *after = start_run(&other, adaptive_ones[i], 1e-4, 11, 0.02);
                run_to(through, n);
                snapshot.values =
                    malloc((size_t)cardo_simulation_snapshot_size(through) * sizeof(double));
                cardo_simulation_save(through, &snapshot);
                run_to(after, 7);
                assert_ok(cardo_simulation_restore(after, &snapshot, &error), &error);
                run_to(through, n + 30);
                run_to(after, n + 30);
                assert_memory_equal(cardo_state_q(other.state), cardo_state_q(whole.state),
                                    (size_t)cardo_system_nq(whole.system) * sizeof(double));
                assert_memory_equal(cardo_state_u(other.state), cardo_state_u(whole.state),
                                    (size_t)cardo_system_nu(whole.system) * sizeof(double));
                free(snapshot.values);
                cardo_simulation_destroy(through);
                cardo_simulation_destroy(after);
                model_destroy(&whole);
                model_destroy(&other);
            }
}

/* Speeds turned round in mid-run lead back to the start: the method notices that its past is no
 * longer the state's. */
static void a_state_set_from_outside_is_a_new_beginning(void **test)
{
    (void)test;
    for (int i = 0; i < METHODS; ++i)
        for (int m = 0; m < 4; ++m) {
            test_model model;
            double q[16], u[16];
            cardo_error error;
            models[m](&model);
            cardo_simulation *simulation = start_run(&model, adaptive_ones[i], 1e-9, 1000, 0.1);
            int nq = cardo_system_nq(model.system), nu = cardo_system_nu(model.system);
            memcpy(q, cardo_state_q(model.state), (size_t)nq * sizeof *q);
            run_to(simulation, 10);
            for (int k = 0; k < nu; ++k)
                u[k] = -cardo_state_u(model.state)[k];
            cardo_state_set_u(model.state, u);
            assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_ACCELERATION, &error),
                      &error);
            run_to(simulation, 20);
            for (int k = 0; k < nq; ++k)
                assert_close(cardo_state_q(model.state)[k], q[k], 1e-5);
            cardo_simulation_destroy(simulation);
            model_destroy(&model);
        }
}

/* A configuration that cannot be evaluated makes the step shorter; the way stays right. */
static void a_clash_on_the_way_shortens_the_step(void **test)
{
    (void)test;
    const cardo_status how[2] = {CARDO_RECOVERABLE, CARDO_OK}; /* CARDO_OK: not a number */
    for (int i = 0; i < METHODS; ++i)
        for (int h = 0; h < 2; ++h)
            for (int call = 5; call < 60; call += 7) {
                test_model model;
                double reference[16];
                final_y(model_double, &cardo_integrator_adams, 1e-13, 1.0, reference, NULL);
                model_double(&model);
                cardo_simulation *simulation = start_run(&model, adaptive_ones[i], 1e-6, 1000, 1.0);
                model.fail_at = call;
                model.fail_with = how[h];
                run_to(simulation, 1);
                for (int k = 0; k < 2; ++k)
                    assert_close(cardo_state_q(model.state)[k], reference[k], 2e-4);
                cardo_simulation_destroy(simulation);
                model_destroy(&model);
            }
}

/* Where no step helps, the run ends and says so. */
static cardo_status never(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)user;
    if (evaluation->q[0] > 0.05)
        return CARDO_FAIL(error, CARDO_RECOVERABLE, "atoms 3 and 4 clash");
    evaluation->energy = 0;
    evaluation->mobility_forces[0] += 50.0;
    return CARDO_OK;
}

static void a_wall_ends_the_run(void **test)
{
    (void)test;
    for (int i = 0; i < METHODS; ++i) {
        test_model model;
        cardo_error error;
        cardo_end end;
        cardo_force_provider *wall, *own;
        model_spring(&model);
        own = model.provider;
        assert_ok(
            cardo_callback_provider_create(never, NULL, CARDO_FORCE_DETERMINISTIC, &wall, &error),
            &error);
        model.provider = wall;
        cardo_simulation *simulation = start_run(&model, adaptive_ones[i], 1e-4, 1000, 0.01);
        assert_fails(cardo_simulation_run(simulation, 10000, NULL, &end, &error), &error,
                     CARDO_ERROR_NUMERICAL, "clash");
        assert_int_equal(end, CARDO_END_FAILED);
        assert_true(cardo_state_q(model.state)[0] <= 0.05);
        cardo_simulation_destroy(simulation);
        cardo_force_provider_destroy(wall);
        model.provider = own;
        model_destroy(&model);
    }
}

/* Units: of a pin what moves its material by 1 nm; of translations 1 nm; a body's rotation by its
 * radius of gyration. */
static void scales_come_from_the_bodies(void **test)
{
    (void)test;
    test_model model;
    cardo_error error;
    double scales[32], work[64];
    cardo_mass_properties composites[4];
    model_pendulum(&model);
    double u = 3.0;
    cardo_state_set_u(model.state, &u);
    assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_ACCELERATION, &error), &error);
    assert_ok(cardo_error_scales(model.system, model.state, scales, composites, work, &error),
              &error);
    /* I = 0.4 + 10 1.5^2 about the pin, 10 Da */
    assert_close(scales[0], 1.0 / sqrt(22.9 / 10), 1e-12);
    assert_close(scales[1], 3.0, 1e-12);
    model_destroy(&model);
    model_free(&model);
    assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_ACCELERATION, &error), &error);
    assert_ok(cardo_error_scales(model.system, model.state, scales, composites, work, &error),
              &error);
    for (int k = 0; k < 4; ++k)
        assert_close(scales[k], scales[0], 0);
    for (int k = 4; k < 7; ++k)
        assert_close(scales[k], 1.0, 1e-12);
    /* at rest and not pulled: 1 nm/ps */
    assert_close(scales[8 + 3], 1.0, 1e-12);
    /* A quaternion moves half as much as the rotation; the arm of the least extended axis is left
     * out by the greatest of four. */
    double M[49], most = 0;
    assert_ok(cardo_mass_matrix(model.system, model.state, M, &error), &error);
    for (int k = 0; k < 3; ++k)
        most = fmax(most, M[8 * k] / 65.0);
    assert_close(scales[0], 0.5 / sqrt(most), 1e-12);
    model_destroy(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_fall_in_proportion_to_the_accuracy),
        cmocka_unit_test(reports_do_not_bend_the_steps),
        cmocka_unit_test(reports_are_as_accurate_as_the_steps),
        cmocka_unit_test(a_restored_run_goes_the_same_way),
        cmocka_unit_test(a_state_set_from_outside_is_a_new_beginning),
        cmocka_unit_test(a_clash_on_the_way_shortens_the_step),
        cmocka_unit_test(a_wall_ends_the_run),
        cmocka_unit_test(scales_come_from_the_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
