/* The classical fixed-step methods: their orders, and what they do to energy. */
#include "models.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* q after a time, from the same start. */
static void final_q(void (*make)(test_model *), const cardo_integrator *integrator, double timestep,
                    double *q, double *gain)
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
    make(&model);
    assert_ok(cardo_simulation_create(model.system, model.state, model.provider, integrator,
                                      &options, NULL, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    cardo_simulation_frame(simulation, &first);
    assert_ok(cardo_simulation_run(simulation, llround(time / timestep), NULL, &end, &error),
              &error);
    cardo_simulation_frame(simulation, &last);
    memset(q, 0, 8 * sizeof *q);
    memcpy(q, cardo_state_q(model.state), (size_t)cardo_system_nq(model.system) * sizeof *q);
    *gain = last.total - first.total;
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

/* Errors against Verlet steps so short that theirs are small, extrapolated. */
static void reference_q(void (*make)(test_model *), double *q)
{
    double coarse[8], gain;
    final_q(make, &cardo_integrator_verlet, 2e-4, coarse, &gain);
    final_q(make, &cardo_integrator_verlet, 1e-4, q, &gain);
    for (int k = 0; k < 8; ++k)
        q[k] += (q[k] - coarse[k]) / 3.0;
}

static void errors_fall_by_their_order(void **test)
{
    (void)test;
    const struct {
        const cardo_integrator *integrator;
        int order;
        double timestep;
    } cases[] = {
        {&cardo_integrator_euler, 1, 5e-4},
        {&cardo_integrator_heun, 2, 5e-3},
        {&cardo_integrator_rk4, 4, 2e-2},
        {&cardo_integrator_adams_bashforth_moulton, 4, 5e-3},
    };
    void (*const models[])(test_model *) = {model_pendulum, model_path, model_double, model_free};
    for (int m = 0; m < 4; ++m) {
        double reference[8];
        reference_q(models[m], reference);
        for (int i = 0; i < 4; ++i) {
            double one[8], half[8], gain;
            final_q(models[m], cases[i].integrator, cases[i].timestep, one, &gain);
            final_q(models[m], cases[i].integrator, 0.5 * cases[i].timestep, half, &gain);
            double ratio = distance(one, reference) / distance(half, reference);
            print_message("model %d, %s: error %.2e, slope %.3f\n", m, cases[i].integrator->name,
                          distance(half, reference), log2(ratio));
            assert_close(log2(ratio), cases[i].order, 0.25);
        }
    }
}

static void euler_gains_energy_and_verlet_does_not(void **test)
{
    (void)test;
    double q[8], euler, rk4, verlet;
    final_q(model_double, &cardo_integrator_euler, 2e-3, q, &euler);
    final_q(model_double, &cardo_integrator_rk4, 2e-3, q, &rk4);
    final_q(model_double, &cardo_integrator_verlet, 2e-3, q, &verlet);
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
