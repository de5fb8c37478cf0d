/* Events: found, at the right time, in the right direction, in order, and nothing else changes. */
#include "base/units.h"
#include "dynamics/evaluation/events.h"
#include "models.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { MOST = 400 };

typedef struct event_log {
    int n;
    int number[MOST];
    bool rising[MOST];
    long long step[MOST];
    double time[MOST], q[MOST], u[MOST];
} event_log;

static cardo_status note(void *user, const cardo_event_report *report, cardo_error *error)
{
    (void)error;
    event_log *log = user;
    assert_true(log->n < MOST);
    log->number[log->n] = report->number;
    log->rising[log->n] = report->rising;
    log->step[log->n] = report->step;
    log->time[log->n] = report->time;
    log->q[log->n] = report->q[0];
    log->u[log->n++] = report->u[0];
    return CARDO_OK;
}

/* A pendulum let go at rest from q0, watched where it passes q = target. */
static cardo_simulation *let_go(test_model *model, const cardo_integrator *integrator,
                                const void *own, double timestep, double q0)
{
    cardo_error error;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = timestep;
    options.velocities = CARDO_VELOCITIES_ZERO;
    model_pendulum(model);
    cardo_state_set_q(model->state, &q0);
    assert_ok(cardo_simulation_create(model->system, model->state, model->provider, integrator,
                                      &options, own, &simulation, &error),
              &error);
    return simulation;
}

static void watch(cardo_simulation *simulation, cardo_coordinate_target *target,
                  cardo_event_direction direction, bool stop)
{
    cardo_error error;
    const cardo_event event = {"passage", target, cardo_coordinate_witness, direction, stop};
    assert_ok(cardo_simulation_add_event(simulation, &event, &error), &error);
}

static cardo_end run_to(cardo_simulation *simulation, long long steps)
{
    cardo_error error;
    cardo_end end;
    assert_ok(cardo_simulation_run(simulation, steps, NULL, &end, &error), &error);
    return end;
}

static void start(cardo_simulation *simulation, event_log *log)
{
    cardo_error error;
    log->n = 0;
    cardo_simulation_listen(simulation, note, log);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
}

static const double q0 = 2.0;

/* A quarter of the exact period. */
static double quarter(void)
{
    double a = 1.0, b = cos(0.5 * q0);
    for (int n = 0; n < 40; ++n) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return CARDO_PI / (2.0 * a) * sqrt(22.9 / 300.0);
}

static void times_are_right_to_the_accuracy(void **test)
{
    (void)test;
    const cardo_integrator *const ones[] = {&cardo_integrator_merson, &cardo_integrator_adams,
                                            &cardo_integrator_bdf};
    for (int i = 0; i < 3; ++i)
        for (int digits = 2; digits <= 9; ++digits) {
            test_model model;
            event_log log;
            cardo_coordinate_target bottom = {0, 0.0};
            const cardo_adaptive_options own = {pow(10, -digits), 1000};
            cardo_simulation *simulation = let_go(&model, ones[i], &own, 0.31, q0);
            watch(simulation, &bottom, CARDO_EVENT_EITHER, false);
            start(simulation, &log);
            run_to(simulation, 10);
            double worst = 0;
            for (int k = 0; k < log.n; ++k) {
                assert_int_equal(log.rising[k], k % 2);
                assert_close(log.q[k], 0, 1e-13);
                worst = fmax(worst, fabs(log.time[k] - (2 * k + 1) * quarter()));
            }
            print_message("%s: accuracy 1e-%d, event times right to %.1e\n", ones[i]->name, digits,
                          worst);
            assert_int_equal(log.n, (int)floor((3.1 / quarter() + 1) / 2));
            assert_true(worst < 50 * own.accuracy);
            cardo_simulation_destroy(simulation);
            model_destroy(&model);
        }
}

/* The cubic of a fixed step is as good as the step: errors of passages fall as the method's. */
static void fixed_steps_find_events_too(void **test)
{
    (void)test;
    const struct {
        const cardo_integrator *integrator;
        double tolerance;
    } cases[] = {{&cardo_integrator_verlet, 2e-4}, {&cardo_integrator_rk4, 1e-7}};
    for (int i = 0; i < 2; ++i) {
        test_model model;
        event_log log;
        cardo_coordinate_target bottom = {0, 0.0};
        cardo_simulation *simulation = let_go(&model, cases[i].integrator, NULL, 0.01, q0);
        watch(simulation, &bottom, CARDO_EVENT_EITHER, false);
        start(simulation, &log);
        run_to(simulation, 310);
        assert_int_equal(log.n, (int)floor((3.1 / quarter() + 1) / 2));
        for (int k = 0; k < log.n; ++k) {
            assert_close(log.time[k], (2 * k + 1) * quarter(), cases[i].tolerance);
            assert_true(log.time[k] <= 0.01 * (double)log.step[k] &&
                        log.time[k] > 0.01 * (double)(log.step[k] - 1));
        }
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
    }
}

static void direction_and_order_are_kept(void **test)
{
    (void)test;
    test_model model;
    event_log log;
    cardo_coordinate_target bottom = {0, 0.0}, left = {0, 1.0}, right = {0, -1.0}, never = {0, 2.5};
    const cardo_adaptive_options own = {1e-8, 1000};
    /* one report for everything: all events in one step, in order of time */
    cardo_simulation *simulation = let_go(&model, &cardo_integrator_adams, &own, 3.1, q0);
    watch(simulation, &bottom, CARDO_EVENT_RISING, false);
    watch(simulation, &bottom, CARDO_EVENT_FALLING, false);
    watch(simulation, &right, CARDO_EVENT_EITHER, false);
    watch(simulation, &left, CARDO_EVENT_FALLING, false);
    watch(simulation, &never, CARDO_EVENT_EITHER, false);
    start(simulation, &log);
    run_to(simulation, 1);
    /* down through 1, 0, -1, up through -1, 0, down ... */
    const int expected[6] = {3, 1, 2, 2, 0, 3};
    assert_true(log.n >= 6);
    for (int k = 0; k < 6; ++k)
        assert_int_equal(log.number[k], expected[k]);
    for (int k = 1; k < log.n; ++k)
        assert_true(log.time[k] >= log.time[k - 1]);
    /* by symmetry */
    assert_close(log.time[4] - log.time[3], log.time[2] - log.time[1], 1e-6);
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

static void a_stopping_event_ends_the_run(void **test)
{
    (void)test;
    test_model model;
    event_log log;
    cardo_coordinate_target bottom = {0, 0.0};
    cardo_simulation *simulation = let_go(&model, &cardo_integrator_verlet, NULL, 0.01, q0);
    watch(simulation, &bottom, CARDO_EVENT_RISING, true);
    start(simulation, &log);
    assert_int_equal(run_to(simulation, 100000), CARDO_END_EVENT);
    assert_int_equal(log.n, 1);
    assert_int_equal(cardo_simulation_step(simulation), log.step[0]);
    assert_close(log.time[0], 3 * quarter(), 1e-3);
    assert_true(cardo_state_time(model.state) >= log.time[0]);
    /* and may go on */
    assert_int_equal(run_to(simulation, log.step[0] + 10), CARDO_END_DONE);
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

/* The motion has the same bits with events and without, and the events are the sign changes that
 * the steps show. */
static void watching_changes_nothing(void **test)
{
    (void)test;
    for (int i = 0; cardo_integrators[i]; ++i) {
        test_model watched, alone;
        event_log log, none;
        cardo_coordinate_target bottom = {0, 0.0};
        cardo_simulation *with = let_go(&watched, cardo_integrators[i], NULL, 0.004, q0),
                         *without = let_go(&alone, cardo_integrators[i], NULL, 0.004, q0);
        watch(with, &bottom, CARDO_EVENT_EITHER, false);
        start(with, &log);
        start(without, &none);
        int changes = 0;
        for (int step = 1; step <= 300; ++step) {
            double before = cardo_state_q(watched.state)[0];
            run_to(with, step);
            changes += before * cardo_state_q(watched.state)[0] < 0;
        }
        run_to(without, 300);
        assert_memory_equal(cardo_state_q(watched.state), cardo_state_q(alone.state),
                            sizeof(double));
        assert_memory_equal(cardo_state_u(watched.state), cardo_state_u(alone.state),
                            sizeof(double));
        assert_int_equal(log.n, changes);
        /* A bath may keep it from coming by. */
        assert_true(changes > 0 || (cardo_integrators[i]->traits & CARDO_INTEGRATOR_THERMOSTAT));
        assert_int_equal(watched.calls, alone.calls);
        cardo_simulation_destroy(with);
        cardo_simulation_destroy(without);
        model_destroy(&watched);
        model_destroy(&alone);
    }
}

static cardo_status wave(void *user, double time, const double *q, const double *u, double *value,
                         cardo_error *error)
{
    (void)q;
    (void)u;
    (void)error;
    *value = sin(*(double *)user * time);
    return CARDO_OK;
}

static cardo_status broken(void *user, double time, const double *q, const double *u, double *value,
                           cardo_error *error)
{
    (void)user;
    (void)q;
    (void)u;
    *value = time < 0.105 ? 1.0 : (double)NAN;
    return time < 0.2 ? CARDO_OK : CARDO_FAIL(error, CARDO_ERROR_INPUT, "no value");
}

static void functions_of_users_are_found_and_refused(void **test)
{
    (void)test;
    test_model model;
    event_log log;
    cardo_error error;
    cardo_end end;
    double rate = 40.0;
    cardo_event event = {"wave", &rate, wave, CARDO_EVENT_FALLING, false};
    cardo_simulation *simulation = let_go(&model, &cardo_integrator_verlet, NULL, 0.01, q0);
    assert_ok(cardo_simulation_add_event(simulation, &event, &error), &error);
    assert_string_equal(cardo_events_get(cardo_simulation_events(simulation), 0)->name, "wave");
    start(simulation, &log);
    run_to(simulation, 100);
    assert_int_equal(log.n, (int)(40.0 / (2 * CARDO_PI) + 0.5));
    for (int k = 0; k < log.n; ++k)
        assert_close(log.time[k], (2 * k + 1) * CARDO_PI / rate, 1e-14);
    cardo_simulation_destroy(simulation);
    model_destroy(&model);

    event.witness = broken;
    simulation = let_go(&model, &cardo_integrator_verlet, NULL, 0.01, q0);
    assert_ok(cardo_simulation_add_event(simulation, &event, &error), &error);
    start(simulation, &log);
    assert_fails(cardo_simulation_run(simulation, 100, NULL, &end, &error), &error,
                 CARDO_ERROR_NUMERICAL, "'wave' is not finite");
    assert_int_equal(cardo_simulation_step(simulation), 10);
    for (int k = 1; k < 32; ++k)
        assert_ok(cardo_simulation_add_event(simulation, &event, &error), &error);
    assert_fails(cardo_simulation_add_event(simulation, &event, &error), &error,
                 CARDO_ERROR_ARGUMENT, "32");
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

/* More in one step than there is room for is told, not lost. */
static void too_many_in_one_step_are_an_error(void **test)
{
    (void)test;
    test_model model;
    event_log log;
    cardo_error error;
    cardo_end end;
    double rates[8];
    const cardo_adaptive_options own = {1e-6, 1000};
    cardo_simulation *simulation = let_go(&model, &cardo_integrator_merson, &own, 20.0, q0);
    for (int k = 0; k < 8; ++k) {
        rates[k] = 9.0 + k;
        const cardo_event event = {"wave", &rates[k], wave, CARDO_EVENT_EITHER, false};
        assert_ok(cardo_simulation_add_event(simulation, &event, &error), &error);
    }
    start(simulation, &log);
    assert_fails(cardo_simulation_run(simulation, 1, NULL, &end, &error), &error, CARDO_ERROR_INPUT,
                 "more than 64 events");
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_right_to_the_accuracy),
        cmocka_unit_test(fixed_steps_find_events_too),
        cmocka_unit_test(direction_and_order_are_kept),
        cmocka_unit_test(a_stopping_event_ends_the_run),
        cmocka_unit_test(watching_changes_nothing),
        cmocka_unit_test(functions_of_users_are_found_and_refused),
        cmocka_unit_test(too_many_in_one_step_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
