/* The simulation loop: observers, interruption, failures that keep the last good step, restart bit
 * by bit. */
#include "base/units.h"
#include "models.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cardo_simulation_options default_options(void)
{
    cardo_simulation_options options;
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = 0.005;
    options.seed = 17;
    return options;
}

static cardo_simulation *create(test_model *model, const cardo_integrator *integrator,
                                const cardo_simulation_options *options)
{
    cardo_error error;
    cardo_simulation *simulation;
    assert_ok(cardo_simulation_create(model->system, model->state, model->provider, integrator,
                                      options, NULL, &simulation, &error),
              &error);
    return simulation;
}

static void run_to(cardo_simulation *simulation, long long steps)
{
    cardo_error error;
    cardo_end end;
    assert_ok(cardo_simulation_run(simulation, steps, NULL, &end, &error), &error);
    assert_int_equal(end, CARDO_END_DONE);
    assert_int_equal(cardo_simulation_step(simulation), steps);
}

typedef struct log_of_calls {
    long long steps[64];
    int n;
    int fail_at;
    volatile sig_atomic_t *flag; /* raised at step 7 */
} log_of_calls;

static cardo_status note(void *user, const cardo_frame *frame, cardo_error *error)
{
    log_of_calls *log = user;
    log->steps[log->n++] = frame->step;
    if (log->flag && frame->step == 7)
        *log->flag = 1;
    if (log->fail_at > 0 && frame->step == log->fail_at)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "the disk is full");
    assert_close(frame->total, frame->kinetic + frame->potential, 0);
    assert_close(frame->time, 0.005 * (double)frame->step, 1e-12);
    assert_int_equal(cardo_state_stage(frame->state), CARDO_STAGE_ACCELERATION);
    return CARDO_OK;
}

static void observers_are_called_at_their_intervals(void **test)
{
    (void)test;
    test_model model;
    cardo_error error;
    log_of_calls log = {0};
    cardo_observer observer = {&log, 3, false, note};
    cardo_simulation_options options = default_options();
    options.steps = 10;
    model_double(&model);
    cardo_simulation *simulation = create(&model, &cardo_integrator_verlet, &options);
    assert_ok(cardo_simulation_add_observer(simulation, &observer, &error), &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    cardo_end end;
    assert_ok(cardo_simulation_run(simulation, -1, NULL, &end, &error), &error);
    assert_int_equal(end, CARDO_END_DONE);
    assert_int_equal(log.n, 4);
    for (int k = 0; k < 4; ++k)
        assert_int_equal(log.steps[k], 3 * k);
    observer.interval = 0;
    assert_fails(cardo_simulation_add_observer(simulation, &observer, &error), &error,
                 CARDO_ERROR_INPUT, "interval");
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

static void an_interrupted_run_stops_after_a_whole_step_and_goes_on(void **test)
{
    (void)test;
    test_model model, other;
    cardo_error error;
    cardo_end end;
    volatile sig_atomic_t flag = 0;
    log_of_calls log = {.flag = &flag};
    cardo_observer observer = {&log, 1, false, note};
    cardo_simulation_options options = default_options();
    model_double(&model);
    model_double(&other);
    cardo_simulation *simulation = create(&model, &cardo_integrator_langevin, &options);
    cardo_simulation *whole = create(&other, &cardo_integrator_langevin, &options);
    assert_ok(cardo_simulation_add_observer(simulation, &observer, &error), &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    assert_ok(cardo_simulation_start(whole, &error), &error);
    assert_ok(cardo_simulation_run(simulation, 30, &flag, &end, &error), &error);
    assert_int_equal(end, CARDO_END_INTERRUPTED);
    assert_int_equal(cardo_simulation_step(simulation), 7);
    run_to(simulation, 30);
    run_to(whole, 30);
    assert_memory_equal(cardo_state_q(model.state), cardo_state_q(other.state), 2 * sizeof(double));
    cardo_simulation_destroy(simulation);
    cardo_simulation_destroy(whole);
    model_destroy(&model);
    model_destroy(&other);
}

/* Makes the first evaluation of step 5 fail and expects message and code; the state must be that of
 * step 4. */
static void check_failure(cardo_status how, const cardo_integrator *integrator, cardo_status code,
                          const char *words)
{
    test_model model, good;
    cardo_error error;
    cardo_end end;
    cardo_frame frame;
    cardo_simulation_options options = default_options();
    model_double(&model);
    model_double(&good);
    cardo_simulation *simulation = create(&model, integrator, &options);
    cardo_simulation *reference = create(&good, integrator, &options);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    assert_ok(cardo_simulation_start(reference, &error), &error);
    run_to(reference, 4);
    model.fail_at = good.calls + 1;
    model.fail_with = how;
    assert_fails(cardo_simulation_run(simulation, 100, NULL, &end, &error), &error, code, words);
    assert_non_null(strstr(error.message, "step 5 (t = 0.025 ps, q = ("));
    assert_int_equal(end, CARDO_END_FAILED);
    cardo_simulation_frame(simulation, &frame);
    assert_int_equal(frame.step, 4);
    assert_int_equal(cardo_state_stage(model.state), CARDO_STAGE_ACCELERATION);
    assert_memory_equal(cardo_state_q(model.state), cardo_state_q(good.state), 2 * sizeof(double));
    assert_memory_equal(cardo_state_u(model.state), cardo_state_u(good.state), 2 * sizeof(double));
    assert_memory_equal(cardo_state_udot(model.state), cardo_state_udot(good.state),
                        2 * sizeof(double));
    /* The failure was a passing one: the run goes on as if nothing had been. */
    run_to(simulation, 20);
    run_to(reference, 20);
    assert_memory_equal(cardo_state_q(model.state), cardo_state_q(good.state), 2 * sizeof(double));
    cardo_simulation_destroy(simulation);
    cardo_simulation_destroy(reference);
    model_destroy(&model);
    model_destroy(&good);
}

static void a_failed_step_leaves_the_last_good_one(void **test)
{
    (void)test;
    for (int k = 0; cardo_integrators[k]; ++k) {
        const cardo_integrator *integrator = cardo_integrators[k];
        check_failure(CARDO_ERROR_PROVIDER, integrator, CARDO_ERROR_PROVIDER, "clash");
        /* Where a move may be rejected or a step be shortened, a configuration that cannot be
         * evaluated is no failure. */
        if (integrator->traits & (CARDO_INTEGRATOR_REJECTS | CARDO_INTEGRATOR_ADAPTIVE))
            continue;
        check_failure(CARDO_OK, integrator, CARDO_ERROR_NUMERICAL, "not finite");
        check_failure(CARDO_RECOVERABLE, integrator, CARDO_ERROR_NUMERICAL, "atoms 3 and 4 clash");
    }
}

static void a_start_that_cannot_be_evaluated_is_told(void **test)
{
    (void)test;
    const cardo_status how[2] = {CARDO_OK, CARDO_RECOVERABLE};
    for (int k = 0; k < 2; ++k) {
        test_model model;
        cardo_error error;
        cardo_simulation_options options = default_options();
        model_double(&model);
        model.fail_at = 1;
        model.fail_with = how[k];
        cardo_simulation *simulation = create(&model, &cardo_integrator_verlet, &options);
        assert_fails(cardo_simulation_start(simulation, &error), &error, CARDO_ERROR_NUMERICAL,
                     "cannot start");
        cardo_end end;
        assert_fails(cardo_simulation_run(simulation, 5, NULL, &end, &error), &error,
                     CARDO_ERROR_ARGUMENT, "start");
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
    }
}

static void a_step_that_is_too_long_is_refused(void **test)
{
    (void)test;
    test_model model;
    cardo_error error;
    cardo_end end;
    cardo_simulation_options options = default_options();
    options.timestep = 2.0;
    options.max_energy_jump = 50.0;
    model_double(&model);
    cardo_simulation *simulation = create(&model, &cardo_integrator_verlet, &options);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    assert_fails(cardo_simulation_run(simulation, 1000, NULL, &end, &error), &error,
                 CARDO_ERROR_NUMERICAL, "time step");
    assert_true(isfinite(cardo_state_q(model.state)[0]));
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

static void a_failing_observer_ends_the_run(void **test)
{
    (void)test;
    test_model model;
    cardo_error error;
    cardo_end end;
    log_of_calls log = {.fail_at = 5};
    cardo_observer observer = {&log, 1, false, note};
    cardo_simulation_options options = default_options();
    model_double(&model);
    cardo_simulation *simulation = create(&model, &cardo_integrator_verlet, &options);
    assert_ok(cardo_simulation_add_observer(simulation, &observer, &error), &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    assert_fails(cardo_simulation_run(simulation, 10, NULL, &end, &error), &error, CARDO_ERROR_FILE,
                 "full");
    assert_int_equal(cardo_simulation_step(simulation), 5);
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

/* n + m steps in one go, against n, snapshot, fresh objects, m. */
static void a_restored_run_has_the_same_bits(void **test)
{
    (void)test;
    void (*const models[])(test_model *) = {model_pendulum, model_path, model_double, model_free};
    for (int i = 0; cardo_integrators[i]; ++i)
        for (int m = 0; m < 4; ++m)
            for (int n = 1; n <= 40; ++n) {
                test_model whole, first, second;
                cardo_error error;
                cardo_snapshot snapshot = {0};
                cardo_frame a, b;
                cardo_simulation_options options = default_options();
                models[m](&whole);
                models[m](&first);
                models[m](&second);
                cardo_simulation *through = create(&whole, cardo_integrators[i], &options),
                                 *before = create(&first, cardo_integrators[i], &options),
                                 *after = create(&second, cardo_integrators[i], &options);
                assert_ok(cardo_simulation_start(through, &error), &error);
                assert_ok(cardo_simulation_start(before, &error), &error);
                run_to(through, n + 30);
                run_to(before, n);
                size_t size = (size_t)cardo_simulation_snapshot_size(before) * sizeof(double);
                snapshot.values = malloc(size);
                cardo_simulation_save(before, &snapshot);
                assert_ok(cardo_simulation_restore(after, &snapshot, &error), &error);
                assert_int_equal(second.calls, 0);
                run_to(after, n + 30);
                assert_memory_equal(cardo_state_q(second.state), cardo_state_q(whole.state),
                                    (size_t)cardo_system_nq(whole.system) * sizeof(double));
                assert_memory_equal(cardo_state_u(second.state), cardo_state_u(whole.state),
                                    (size_t)cardo_system_nu(whole.system) * sizeof(double));
                cardo_simulation_frame(through, &a);
                cardo_simulation_frame(after, &b);
                assert_memory_equal(&a.time, &b.time,
                                    sizeof(cardo_frame) - offsetof(cardo_frame, time));
                snapshot.nvalue--;
                assert_fails(cardo_simulation_restore(after, &snapshot, &error), &error,
                             CARDO_ERROR_INPUT, "another model");
                free(snapshot.values);
                cardo_simulation_destroy(through);
                cardo_simulation_destroy(before);
                cardo_simulation_destroy(after);
                model_destroy(&whole);
                model_destroy(&first);
                model_destroy(&second);
            }
}

static void quaternions_stay_the_same_bits_when_set_again(void **test)
{
    (void)test;
    test_model model;
    uint64_t seed = 5;
    model_free(&model);
    for (int n = 0; n < 20000; ++n) {
        double q[8], once[8];
        for (int k = 0; k < 8; ++k)
            q[k] = support_random(&seed);
        cardo_state_set_q(model.state, q);
        memcpy(once, cardo_state_q(model.state), sizeof once);
        cardo_state_set_q(model.state, once);
        assert_memory_equal(once, cardo_state_q(model.state), sizeof once);
    }
    model_destroy(&model);
}

static void seeds_and_replicas_draw_different_velocities(void **test)
{
    (void)test;
    double u[3];
    for (int k = 0; k < 3; ++k) {
        test_model model;
        cardo_error error;
        cardo_simulation_options options = default_options();
        options.seed += k == 1;
        options.replica = k == 2;
        model_path(&model);
        cardo_simulation *simulation = create(&model, &cardo_integrator_verlet, &options);
        assert_ok(cardo_simulation_start(simulation, &error), &error);
        u[k] = cardo_state_u(model.state)[0];
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
    }
    assert_true(u[0] != u[1] && u[0] != u[2] && u[1] != u[2]);
}

static void without_a_provider_momentum_is_kept(void **test)
{
    (void)test;
    test_model model;
    cardo_error error;
    cardo_simulation_options options = default_options();
    cardo_simulation *simulation;
    cardo_frame first, last;
    model_free(&model);
    assert_ok(cardo_simulation_create(model.system, model.state, NULL, &cardo_integrator_verlet,
                                      &options, NULL, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    cardo_simulation_frame(simulation, &first);
    run_to(simulation, 1000);
    cardo_simulation_frame(simulation, &last);
    assert_close(last.potential, 0, 0);
    assert_close(last.kinetic, first.kinetic, 1e-3 * first.kinetic);
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(observers_are_called_at_their_intervals),
        cmocka_unit_test(an_interrupted_run_stops_after_a_whole_step_and_goes_on),
        cmocka_unit_test(a_failed_step_leaves_the_last_good_one),
        cmocka_unit_test(a_start_that_cannot_be_evaluated_is_told),
        cmocka_unit_test(a_step_that_is_too_long_is_refused),
        cmocka_unit_test(a_failing_observer_ends_the_run),
        cmocka_unit_test(a_restored_run_has_the_same_bits),
        cmocka_unit_test(quaternions_stay_the_same_bits_when_set_again),
        cmocka_unit_test(seeds_and_replicas_draw_different_velocities),
        cmocka_unit_test(without_a_provider_momentum_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
