/* `verlet` against closed solutions: period, order, energy, and what a step costs. */
#include "base/memory.h"
#include "base/units.h"
#include "dynamics/integrators/flight.h"
#include "models.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Counting doors to the heap: the linker sends every call of our objects here (--wrap). */
static unsigned long heap_calls;
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    heap_calls++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    heap_calls++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    heap_calls++;
    return __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    heap_calls++;
    return __real_aligned_alloc(alignment, size);
}

static cardo_simulation *start_at(test_model *model, const cardo_integrator *integrator,
                                  double timestep, double temperature, double q)
{
    cardo_error error;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = timestep;
    options.temperature = temperature;
    options.velocities = temperature > 0 ? CARDO_VELOCITIES_DRAW : CARDO_VELOCITIES_ZERO;
    options.seed = (long long)support_seed(7);
    if (cardo_system_nq(model->system) == cardo_system_nu(model->system)) {
        double coordinates[2] = {q, q};
        cardo_state_set_q(model->state, coordinates);
    }
    assert_ok(cardo_simulation_create(model->system, model->state, model->provider, integrator,
                                      &options, NULL, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    return simulation;
}

static void run_to(cardo_simulation *simulation, long long steps)
{
    cardo_error error;
    cardo_end end;
    assert_ok(cardo_simulation_run(simulation, steps, NULL, &end, &error), &error);
    assert_int_equal(end, CARDO_END_DONE);
}

/* Complete elliptic integral K(k) by the arithmetic-geometric mean. */
static double elliptic_k(double k)
{
    double a = 1.0, b = sqrt(1.0 - k * k);
    for (int n = 0; n < 40; ++n) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return CARDO_PI / (2.0 * a);
}

/* Time of the first downward passage of q = 0 from rest at q0: a quarter of the period. */
static double quarter_period(double timestep, double q0)
{
    test_model model;
    model_pendulum(&model);
    cardo_simulation *simulation = start_at(&model, &cardo_integrator_verlet, timestep, 0, q0);
    double before = q0, after = q0;
    long long step = 0;
    while (after > 0) {
        before = after;
        run_to(simulation, ++step);
        after = cardo_state_q(model.state)[0];
    }
    /* Near the bottom the acceleration vanishes, so the chord is right to the order of h^3. */
    double time = timestep * ((double)(step - 1) + before / (before - after));
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
    return time;
}

static void pendulum_has_its_elliptic_period(void **test)
{
    (void)test;
    const double q0 = 2.0, inertia = 0.4 + 10.0 * 1.5 * 1.5, weight_arm = 300.0;
    double exact = elliptic_k(sin(0.5 * q0)) * sqrt(inertia / weight_arm);
    double coarse = quarter_period(4e-4, q0) - exact, fine = quarter_period(2e-4, q0) - exact;
    assert_close(fine, 0.0, 2e-8);
    assert_close(coarse / fine, 4.0, 0.2);
}

/* Greatest deviation of the total energy from its first value over a time. */
static double energy_error(void (*make)(test_model *), double timestep, double time)
{
    test_model model;
    cardo_frame frame;
    make(&model);
    cardo_simulation *simulation =
        start_at(&model, &cardo_integrator_verlet, timestep, 300, model.rest + 0.2);
    cardo_simulation_frame(simulation, &frame);
    double first = frame.total, worst = 0.0;
    long long steps = llround(time / timestep);
    for (long long step = 1; step <= steps; ++step) {
        run_to(simulation, step);
        cardo_simulation_frame(simulation, &frame);
        worst = fmax(worst, fabs(frame.total - first));
    }
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
    return worst;
}

static void energy_error_falls_as_the_square_of_the_step(void **test)
{
    (void)test;
    void (*const models[])(test_model *) = {model_pendulum, model_path, model_double, model_free};
    for (int k = 0; k < 4; ++k) {
        double one = energy_error(models[k], 4e-3, 4.0), half = energy_error(models[k], 2e-3, 4.0),
               quarter = energy_error(models[k], 1e-3, 4.0);
        print_message("model %d: energy error %.3g, %.3g, %.3g kJ/mol at 4, 2, 1 fs: ratios %.3f "
                      "%.3f\n",
                      k, one, half, quarter, one / half, half / quarter);
        assert_close(one / half, 4.0, 0.4);
        assert_close(half / quarter, 4.0, 0.2);
    }
}

/* Under a sanitizer the million is left to the plain build. */
#ifdef __SANITIZE_ADDRESS__
enum { BLOCKS = 100, SHARE = 10 };
#else
enum { BLOCKS = 100, SHARE = 1 };
#endif

/* Slope of the mean energy of blocks over time, with its standard error from the scatter of the
 * blocks. */
static void measure_drift(void (*make)(test_model *), double timestep, int block, double *drift,
                          double *uncertainty, double *spread)
{
    double mean[BLOCKS], sum = 0, sum_t = 0, sum_tt = 0, sum_ty = 0, residual = 0;
    test_model model;
    cardo_frame frame;
    make(&model);
    cardo_simulation *simulation =
        start_at(&model, &cardo_integrator_verlet, timestep, 300, model.rest + 0.2);
    long long step = 0;
    *spread = 0;
    block /= SHARE;
    for (int b = 0; b < BLOCKS; ++b) {
        mean[b] = 0;
        for (int k = 0; k < block; ++k) {
            run_to(simulation, ++step);
            cardo_simulation_frame(simulation, &frame);
            mean[b] += frame.total / block;
        }
        double t = (b + 0.5) * block * timestep;
        sum += mean[b];
        sum_t += t;
        sum_tt += t * t;
        sum_ty += t * mean[b];
    }
    double scatter_t = sum_tt - sum_t * sum_t / BLOCKS;
    *drift = (sum_ty - sum_t * sum / BLOCKS) / scatter_t;
    for (int b = 0; b < BLOCKS; ++b) {
        double t = (b + 0.5) * block * timestep;
        double miss = mean[b] - sum / BLOCKS - *drift * (t - sum_t / BLOCKS);
        residual += miss * miss;
        *spread = fmax(*spread, fabs(mean[b] - mean[0]));
    }
    *uncertainty = sqrt(residual / (BLOCKS - 2) / scatter_t);
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

static void energy_does_not_drift_over_a_million_steps(void **test)
{
    (void)test;
    double drift, uncertainty, spread;
    measure_drift(model_path, 0.01, 10000, &drift, &uncertainty, &spread);
    print_message("path, M(q) varying, 1e6 steps of 10 fs: drift %.2e +- %.1e kJ/mol/ps\n", drift,
                  uncertainty);
    assert_close(drift, 0.0, 3.0 * uncertainty);
    measure_drift(model_double, 0.01, 2000, &drift, &uncertainty, &spread);
    print_message("double pendulum, 2e5 steps of 10 fs: drift %.2e +- %.1e kJ/mol/ps, block means "
                  "within %.2g kJ/mol\n",
                  drift, uncertainty, spread);
    assert_close(drift, 0.0, 3.0 * uncertainty);
    measure_drift(model_free, 0.01, 2000, &drift, &uncertainty, &spread);
    print_message("free body and hinge, 2e5 steps of 10 fs: drift %.2e +- %.1e kJ/mol/ps, block "
                  "means within %.2g kJ/mol\n",
                  drift, uncertainty, spread);
    assert_close(drift, 0.0, 3.0 * uncertainty);
}

/* Speeds turned round in mid-run lead back to the start. */
static void the_way_back_is_the_way_there(void **test)
{
    (void)test;
    void (*const models[])(test_model *) = {model_pendulum, model_path, model_double, model_free};
    for (int k = 0; k < 4; ++k) {
        test_model model;
        double q[16], u[16];
        cardo_error error;
        models[k](&model);
        cardo_simulation *simulation =
            start_at(&model, &cardo_integrator_verlet, 0.005, 300, model.rest);
        int nq = cardo_system_nq(model.system), nu = cardo_system_nu(model.system);
        memcpy(q, cardo_state_q(model.state), sizeof *q * (size_t)nq);
        run_to(simulation, 500);
        for (int i = 0; i < nu; ++i)
            u[i] = -cardo_state_u(model.state)[i];
        cardo_state_set_u(model.state, u);
        assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_ACCELERATION, &error),
                  &error);
        run_to(simulation, 1000);
        for (int i = 0; i < nq; ++i)
            assert_close(cardo_state_q(model.state)[i], q[i], 1e-8);
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
    }
}

/* Free flight of an asymmetric top: energy and angular momentum about the centre of mass stay, and
 * so do the exact half-way places when the flight is made in two parts. */
static void flight_keeps_energy_and_momentum(void **test)
{
    (void)test;
    test_model model;
    cardo_error error;
    double work[256], before, after, u[7] = {1.3, -0.4, 0.9, 0.1, 0.2, -0.3, 0.5};
    double mass;
    cardo_vec3 com;
    cardo_spatial first, last;
    model_free(&model);
    assert_true(cardo_flight_work_count(cardo_system_nq(model.system),
                                        cardo_system_nu(model.system)) <= 256);
    cardo_state_set_u(model.state, u);
    assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_VELOCITY, &error), &error);
    assert_ok(cardo_kinetic_energy(model.system, model.state, &before, &error), &error);
    assert_ok(cardo_system_momentum(model.system, model.state, &mass, &com, &first, &error),
              &error);
    cardo_state *halves;
    assert_ok(cardo_state_create(model.system, &halves, &error), &error);
    cardo_state_copy(halves, model.state);
    cardo_evaluator *evaluator;
    assert_ok(cardo_evaluator_create(model.system, NULL, &evaluator, &error), &error);
    cardo_integration run = {.system = model.system,
                             .state = model.state,
                             .evaluator = evaluator,
                             .work = work,
                             .nq = cardo_system_nq(model.system),
                             .nu = cardo_system_nu(model.system)};
    assert_ok(cardo_fly(&run, 0.1, 1e-12, &error), &error);
    run.state = halves;
    for (int k = 0; k < 2; ++k)
        assert_ok(cardo_fly(&run, 0.05, 1e-12, &error), &error);
    cardo_evaluator_destroy(evaluator);
    for (int k = 0; k < cardo_system_nq(model.system); ++k)
        assert_close(cardo_state_q(model.state)[k], cardo_state_q(halves)[k], 1e-11);
    assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_VELOCITY, &error), &error);
    assert_ok(cardo_kinetic_energy(model.system, model.state, &after, &error), &error);
    assert_ok(cardo_system_momentum(model.system, model.state, &mass, &com, &last, &error), &error);
    assert_close(after, before, 1e-11 * before);
    assert_close(v3_norm(v3_sub(last.linear, first.linear)), 0, 1e-11 * v3_norm(first.linear));
    assert_close(v3_norm(v3_sub(last.angular, first.angular)), 0, 1e-10 * v3_norm(first.angular));
    cardo_state_destroy(halves);
    model_destroy(&model);
}

static void a_step_costs_its_evaluations_and_no_memory(void **test)
{
    (void)test;
    void (*const models[])(test_model *) = {model_pendulum, model_path, model_double, model_free};
    for (int i = 0; cardo_integrators[i]; ++i)
        for (int k = 0; k < 4; ++k) {
            test_model model;
            models[k](&model);
            cardo_simulation *simulation =
                start_at(&model, cardo_integrators[i], 0.002, 300, model.rest);
            assert_int_equal(model.calls, 1);
            run_to(simulation, 1);
            unsigned long ours = cardo_allocation_count(), heap = heap_calls;
            run_to(simulation, 101);
            assert_int_equal(cardo_allocation_count(), ours);
            assert_int_equal(heap_calls, heap);
            if (!(cardo_integrators[i]->traits & CARDO_INTEGRATOR_ADAPTIVE))
                assert_int_equal(model.calls, 1 + 101 * cardo_integrators[i]->evaluations +
                                                  cardo_integrators[i]->starting_evaluations);
            assert_int_equal(cardo_evaluator_count(cardo_simulation_evaluator(simulation)),
                             model.calls);
            cardo_simulation_destroy(simulation);
            model_destroy(&model);
        }
    assert_true(heap_calls > 0);
}

/* Forces cost more than all else: what people simulate with needs one evaluation a step. */
static void the_integrators_of_choice_evaluate_once_a_step(void **test)
{
    (void)test;
    const cardo_integrator *const choice[] = {
        &cardo_integrator_verlet,      &cardo_integrator_leapfrog, &cardo_integrator_langevin,
        &cardo_integrator_baoab,       &cardo_integrator_andersen, &cardo_integrator_csvr,
        &cardo_integrator_nose_hoover, &cardo_integrator_ghmc,
    };
    for (size_t k = 0; k < sizeof choice / sizeof *choice; ++k)
        assert_int_equal(choice[k]->evaluations + choice[k]->starting_evaluations, 1);
    /* A move of several steps costs as many. */
    cardo_monte_carlo_options hmc;
    cardo_fields_default(cardo_integrator_hmc.fields, &hmc);
    assert_int_equal(cardo_integrator_hmc.evaluations, hmc.flights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_has_its_elliptic_period),
        cmocka_unit_test(energy_error_falls_as_the_square_of_the_step),
        figures_test(energy_does_not_drift_over_a_million_steps),
        cmocka_unit_test(the_way_back_is_the_way_there),
        cmocka_unit_test(flight_keeps_energy_and_momentum),
        cmocka_unit_test(a_step_costs_its_evaluations_and_no_memory),
        cmocka_unit_test(the_integrators_of_choice_evaluate_once_a_step),
    };
    return support_run(tests, NULL, NULL);
}
