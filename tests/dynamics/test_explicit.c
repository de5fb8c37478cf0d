/* The fixed-step methods: their orders, and what the classical ones do to energy. */
#include "models.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { MOST = 16, LINKS = 10 };

static cardo_status bend(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)user;
    (void)error;
    evaluation->energy = 0;
    for (int k = 0; k < evaluation->nu; ++k) {
        double stretch = evaluation->q[k] - 0.2;
        evaluation->energy += 100.0 * stretch * stretch;
        evaluation->mobility_forces[k] -= 200.0 * stretch;
    }
    return CARDO_OK;
}

/* Ten links on pins whose axes turn from one to the next, a spring on each. */
static void model_ten(test_model *model)
{
    cardo_error error;
    memset(model, 0, sizeof *model);
    assert_ok(cardo_system_create(&model->system, &error), &error);
    for (int k = 0; k < LINKS; ++k) {
        const cardo_mat33 R = m33_rotation(v3(0.6, 0, 0.8), k > 0 ? 1.0 : 0.0);
        const cardo_body_definition link = {
            .name = "link",
            .parent = k,
            .mobilizer = &cardo_mobilizer_pin,
            .X_PF = {R, v3(0, k > 0 ? -1.0 : 0.0, 0)},
            .X_BM = xform_identity(),
            .mass = {12.0 - k, {0, -0.5, 0}, {5.0, 1.0, 5.0, 0, 0, 0}},
        };
        assert_ok(cardo_system_add_body(model->system, &link, NULL, &error), &error);
    }
    assert_ok(cardo_system_finalize(model->system, &error), &error);
    assert_ok(cardo_state_create(model->system, &model->state, &error), &error);
    assert_ok(cardo_callback_provider_create(bend, NULL, CARDO_FORCE_DETERMINISTIC,
                                             &model->provider, &error),
              &error);
}

/* q after a time, from the same start. */
static void final_q(void (*make)(test_model *), const cardo_integrator *integrator, const void *own,
                    double timestep, double *q, double *gain)
{
    const double time = 1.0;
    test_model model;
    cardo_error error;
    cardo_end end;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    cardo_frame first, last;
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = timestep;
    options.seed = 9;
    options.max_energy_jump = 1e9;
    make(&model);
    assert_ok(cardo_simulation_create(model.system, model.state, model.provider, integrator,
                                      &options, own, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    cardo_simulation_frame(simulation, &first);
    assert_ok(cardo_simulation_run(simulation, llround(time / timestep), NULL, &end, &error),
              &error);
    cardo_simulation_frame(simulation, &last);
    memset(q, 0, MOST * sizeof *q);
    memcpy(q, cardo_state_q(model.state), (size_t)cardo_system_nq(model.system) * sizeof *q);
    *gain = last.total - first.total;
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

static double distance(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < MOST; ++k)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

/* Global errors against Adams' method of high order at fourteen digits, at a step and half of it. */
static void errors_fall_by_their_order(void **test)
{
    (void)test;
    const struct {
        const cardo_integrator *integrator;
        int order;
        double timestep;
    } cases[] = {
        {&cardo_integrator_euler, 1, 2.5e-4},  {&cardo_integrator_heun, 2, 4e-3},
        {&cardo_integrator_rk4, 4, 1e-2},      {&cardo_integrator_adams_bashforth_moulton, 4, 4e-3},
        {&cardo_integrator_gear, 4, 4e-3},     {&cardo_integrator_verlet, 2, 1e-2},
        {&cardo_integrator_leapfrog, 2, 1e-2},
    };
    const struct {
        const char *name;
        void (*make)(test_model *);
    } models[] = {{"pendulum", model_pendulum},
                  {"path", model_path},
                  {"double pendulum", model_double},
                  {"free body and hinge", model_free},
                  {"chain of 10", model_ten}};
    const cardo_adaptive_options exact = {1e-14, 1000000};
    for (size_t m = 0; m < sizeof models / sizeof *models; ++m) {
        double reference[MOST], gain;
        final_q(models[m].make, &cardo_integrator_adams, &exact, 1.0, reference, &gain);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
            double one[MOST], half[MOST], h = cases[i].timestep;
            final_q(models[m].make, cases[i].integrator, NULL, h, one, &gain);
            final_q(models[m].make, cases[i].integrator, NULL, 0.5 * h, half, &gain);
            double slope = log2(distance(one, reference) / distance(half, reference));
            print_message("%s, %s: error %.2e, slope %.3f\n", models[m].name,
                          cases[i].integrator->name, distance(half, reference), slope);
            assert_close(slope, cases[i].order, 0.25);
        }
    }
}

static void euler_gains_energy_and_verlet_does_not(void **test)
{
    (void)test;
    double q[MOST], euler, rk4, verlet;
    final_q(model_double, &cardo_integrator_euler, NULL, 2e-3, q, &euler);
    final_q(model_double, &cardo_integrator_rk4, NULL, 2e-3, q, &rk4);
    final_q(model_double, &cardo_integrator_verlet, NULL, 2e-3, q, &verlet);
    print_message("energy gained in 1 ps at 2 fs: Euler %.3g, RK4 %.3g, Verlet %.3g kJ/mol\n",
                  euler, rk4, verlet);
    assert_true(euler > 100 * fabs(verlet));
    assert_true(fabs(rk4) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_fall_by_their_order),
        cmocka_unit_test(euler_gains_energy_and_verlet_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
