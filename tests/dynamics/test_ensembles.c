/* The ensembles `rigid` and `fixman`: marginals by thermostat and by Monte Carlo, the force of
 * Fixman's potential, and its books. */
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "sampling.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cardo_simulation *begin(test_model *model, const cardo_integrator *integrator,
                               double timestep, double temperature)
{
    cardo_error error;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = timestep;
    options.temperature = temperature;
    options.ensemble = CARDO_ENSEMBLE_FIXMAN;
    options.max_energy_jump = 1e6;
    options.seed = 31;
    assert_ok(cardo_simulation_create(model->system, model->state, model->provider, integrator,
                                      &options, NULL, &simulation, &error),
              &error);
    return simulation;
}

static void start(cardo_simulation *simulation)
{
    cardo_error error;
    assert_ok(cardo_simulation_start(simulation, &error), &error);
}

static void run_to(cardo_simulation *simulation, long long steps)
{
    cardo_error error;
    cardo_end end;
    assert_ok(cardo_simulation_run(simulation, steps, NULL, &end, &error), &error);
}

static const cardo_integrator *const samplers[] = {&cardo_integrator_langevin,
                                                   &cardo_integrator_hmc};

static void the_free_angle_is_uniform_in_fixman(void **test)
{
    (void)test;
    for (int i = 0; i < 2; ++i) {
        test_model model;
        double cosine, sine;
        const char *const settings[] = {"friction",         "3",    "flights", "8",
                                        "flight-tolerance", "1e-6", NULL};
        bool moves = samplers[i] == &cardo_integrator_hmc;
        const sampling_plan plan = {
            .make = model_loose,
            .integrator = samplers[i],
            .settings = settings,
            .ensemble = "fixman",
            .timestep = moves ? 0.02 : 0.005,
            .temperature = 60000.0,
            .seed = 5,
            .samples = moves ? 12000 : 60000,
            .stride = moves ? 1 : 2,
        };
        sampling_series *s = sample(&plan, &model);
        model_loose_marginal(&model, &cosine, &sine);
        model_destroy(&model);
        for (int k = 0; k < s->n; ++k) {
            s->scratch[k] = cos(2 * s->position[k]);
            s->position[k] = sin(2 * s->position[k]);
        }
        print_message("%s %s\n", samplers[i]->name, s->report);
        assert_mean("mean cosine of twice the angle", s->scratch, s->n, 0, 3.5, 0.015);
        assert_mean("mean sine of twice the angle", s->position, s->n, 0, 3.5, 0.015);
        /* In the rigid ensemble it would be many standard errors off. */
        assert_true(fabs(cosine) > 0.06);
    }
}

/* Mean and mean square of model_path's coordinate in the density M^power exp(-U/kT). */
static void path_moments(test_model *model, double kT, double power, double *mean, double *square)
{
    enum { POINTS = 2000 };
    cardo_error error;
    double sum = 0;
    *mean = *square = 0;
    for (int k = 0; k < POINTS; ++k) {
        double stretch = 8 * sqrt(kT / model->stiffness) * (2 * (k + 0.5) / POINTS - 1), M;
        double q = model->rest + stretch;
        cardo_state_set_q(model->state, &q);
        assert_ok(cardo_realize(model->system, model->state, CARDO_STAGE_POSITION, &error), &error);
        assert_ok(cardo_mass_matrix(model->system, model->state, &M, &error), &error);
        double density = pow(M, power) * exp(-0.5 * model->stiffness * stretch * stretch / kT);
        sum += density;
        *mean += density * stretch;
        *square += density * stretch * stretch;
    }
    *mean /= sum;
    *square /= sum;
}

/* At 30000 K the path's coordinate reaches where M is several times another. */
static void one_coordinate_has_the_density_of_its_ensemble(void **test)
{
    (void)test;
    const double temperature = 30000.0, kT = CARDO_BOLTZMANN * temperature;
    double means[2], squares[2];
    for (int i = 0; i < 4; ++i) {
        bool fixman = i % 2, moves = samplers[i / 2] == &cardo_integrator_hmc;
        const char *const settings[] = {"friction", "4", "flight-tolerance", "1e-6", NULL};
        test_model model;
        const sampling_plan plan = {
            .make = model_path,
            .integrator = samplers[i / 2],
            .settings = settings,
            .ensemble = fixman ? "fixman" : "rigid",
            .timestep = moves ? 0.05 : 0.02,
            .temperature = temperature,
            .seed = 6,
            .samples = moves ? 10000 : 30000,
            .stride = moves ? 1 : 10,
        };
        sampling_series *s = sample(&plan, &model);
        path_moments(&model, kT, fixman ? 0.0 : 0.5, &means[fixman], &squares[fixman]);
        print_message("%s, %s\n", plan.integrator->name, plan.ensemble);
        for (int k = 0; k < s->n; ++k) {
            s->position[k] -= model.rest;
            s->scratch[k] = s->position[k] * s->position[k];
        }
        model_destroy(&model);
        assert_mean("mean stretch", s->position, s->n, means[fixman], 3.5, 0.04);
        assert_mean("mean square of the stretch", s->scratch, s->n, squares[fixman], 3.5,
                    0.03 * squares[0]);
        assert_mean("mean kinetic energy", s->kinetic, s->n, 0.5 * kT, 3.0, 0.02 * kT);
    }
    assert_close(squares[1], kT / 500.0, 1e-6 * squares[1]);
    print_message("rigid: mean %.4f, mean square %.4f; fixman: %.4f, %.4f\n", means[0], squares[0],
                  means[1], squares[1]);
    assert_true(fabs(squares[1] - squares[0]) > 0.1 * squares[0]);
}

static double energy_error(void (*make)(test_model *), double timestep)
{
    test_model model;
    cardo_frame first, now;
    double worst = 0;
    make(&model);
    cardo_simulation *simulation = begin(&model, &cardo_integrator_verlet, timestep, 3000);
    start(simulation);
    cardo_simulation_frame(simulation, &first);
    for (long long step = 1; step <= llround(2.0 / timestep); ++step) {
        run_to(simulation, step);
        cardo_simulation_frame(simulation, &now);
        worst = fmax(worst, fabs(now.total - first.total));
    }
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
    return worst;
}

/* Only a force that is the potential's gradient conserves energy to second order. */
static void energy_is_kept_with_fixman(void **test)
{
    (void)test;
    void (*const models[])(test_model *) = {model_path, model_double, model_free};
    for (int k = 0; k < 3; ++k) {
        double one = energy_error(models[k], 2e-3), half = energy_error(models[k], 1e-3);
        print_message("model %d: energy error %.3g, %.3g kJ/mol at 2, 1 fs: ratio %.3f\n", k, one,
                      half, one / half);
        assert_close(one / half, 4.0, 0.3);
    }
}

static cardo_status compare_terms(void *user, const cardo_frame *frame, cardo_error *error)
{
    double log_det, potential = 0;
    const cardo_evaluator *evaluator = frame->evaluator;
    int n = cardo_evaluator_nterm(evaluator);
    cardo_status status = cardo_log_det_m(frame->system, frame->state, &log_det, error);
    assert_int_equal(n, 1);
    assert_string_equal(cardo_evaluator_term_name(evaluator, 0), "fixman");
    assert_close(cardo_evaluator_terms(evaluator)[0], 0.5 * CARDO_BOLTZMANN * 300 * log_det, 1e-9);
    for (int k = 0; k < cardo_system_nq(frame->system); ++k)
        potential += 0.5 * 60.0 * pow(cardo_state_q(frame->state)[k] - 0.3, 2);
    assert_close(frame->potential, potential + cardo_evaluator_terms(evaluator)[0], 1e-9);
    ++*(int *)user;
    return status;
}

static void the_term_is_half_kT_log_det_M(void **test)
{
    (void)test;
    test_model model;
    cardo_error error;
    int seen = 0;
    const cardo_observer observer = {&seen, 5, true, compare_terms};
    for (int i = 0; cardo_integrators[i]; ++i) {
        model_double(&model);
        cardo_simulation *simulation = begin(&model, cardo_integrators[i], 0.01, 300);
        assert_ok(cardo_simulation_add_observer(simulation, &observer, &error), &error);
        start(simulation);
        run_to(simulation, 50);
        if (!(cardo_integrators[i]->traits & CARDO_INTEGRATOR_ADAPTIVE))
            assert_int_equal(model.calls, 1 + 50 * cardo_integrators[i]->evaluations +
                                              cardo_integrators[i]->starting_evaluations);
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
        assert_int_equal(seen, 11 * (i + 1));
    }
}

static void a_restored_run_has_the_same_bits(void **test)
{
    (void)test;
    for (int i = 0; cardo_integrators[i]; ++i) {
        test_model whole, other;
        cardo_error error;
        cardo_snapshot snapshot = {0};
        model_free(&whole);
        model_free(&other);
        cardo_simulation *through = begin(&whole, cardo_integrators[i], 0.01, 300),
                         *after = begin(&other, cardo_integrators[i], 0.01, 300);
        start(through);
        run_to(through, 13);
        size_t size = (size_t)cardo_simulation_snapshot_size(through) * sizeof(double);
        snapshot.values = malloc(size);
        cardo_simulation_save(through, &snapshot);
        assert_ok(cardo_simulation_restore(after, &snapshot, &error), &error);
        free(snapshot.values);
        run_to(through, 40);
        run_to(after, 40);
        assert_memory_equal(cardo_state_q(other.state), cardo_state_q(whole.state),
                            8 * sizeof(double));
        assert_memory_equal(cardo_state_u(other.state), cardo_state_u(whole.state),
                            7 * sizeof(double));
        cardo_simulation_destroy(through);
        cardo_simulation_destroy(after);
        model_destroy(&whole);
        model_destroy(&other);
    }
}

static void fixman_without_a_temperature_is_refused(void **test)
{
    (void)test;
    test_model model;
    cardo_error error;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    cardo_fields_default(cardo_simulation_fields, &options);
    assert_int_equal(options.ensemble, CARDO_ENSEMBLE_RIGID);
    options.ensemble = CARDO_ENSEMBLE_FIXMAN;
    options.temperature = 0;
    model_double(&model);
    assert_fails(cardo_simulation_create(model.system, model.state, model.provider,
                                         &cardo_integrator_verlet, &options, NULL, &simulation,
                                         &error),
                 &error, CARDO_ERROR_INPUT, "ensemble=fixman");
    model_destroy(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        statistical_test(the_free_angle_is_uniform_in_fixman),
        figures_test(one_coordinate_has_the_density_of_its_ensemble),
        cmocka_unit_test(energy_is_kept_with_fixman),
        cmocka_unit_test(the_term_is_half_kT_log_det_M),
        cmocka_unit_test(a_restored_run_has_the_same_bits),
        cmocka_unit_test(fixman_without_a_temperature_is_refused),
    };
    return support_run(tests, NULL, NULL);
}
