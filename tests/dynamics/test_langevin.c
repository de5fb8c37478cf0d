/* `langevin`: mean kinetic energy, equipartition by momentum, fluctuations, and the marginal of a
 * coordinate. */
#include "base/units.h"
#include "models.h"
#include "multibody/operators.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* Mean of a series with its standard error, the largest of those that growing blocks give
 * (Flyvbjerg & Petersen 1989), as long as there are a hundred blocks. */
static void mean_and_error(double *values, int n, double *mean, double *error)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += values[k];
    *mean = sum / n;
    *error = 0;
    for (; n >= 100; n /= 2) {
        double square = 0;
        for (int k = 0; k < n; ++k)
            square += (values[k] - *mean) * (values[k] - *mean);
        *error = fmax(*error, sqrt(square / n / (n - 1)));
        for (int k = 0; k < n / 2; ++k)
            values[k] = 0.5 * (values[2 * k] + values[2 * k + 1]);
    }
}

enum { SAMPLES = 120000, MOST = 7 };
static double kinetic[SAMPLES], square[SAMPLES], share[MOST][SAMPLES], position[SAMPLES];

static void sample(void (*make)(test_model *), double timestep, double friction, double temperature,
                   long long seed, test_model *model)
{
    cardo_error error;
    cardo_end end;
    cardo_frame frame;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    cardo_langevin_options langevin;
    cardo_fields_default(cardo_simulation_fields, &options);
    cardo_fields_default(cardo_integrator_langevin.fields, &langevin);
    options.timestep = timestep;
    options.temperature = temperature;
    options.seed = seed;
    /* The light double pendulum without a potential is at times too fast for the guard against
     * clashes. */
    options.max_energy_jump = 1e6;
    langevin.friction = friction;
    make(model);
    int nu = cardo_system_nu(model->system);
    double momentum[MOST];
    assert_ok(cardo_simulation_create(model->system, model->state, model->provider,
                                      &cardo_integrator_langevin, &options, &langevin, &simulation,
                                      &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    assert_ok(cardo_simulation_run(simulation, 2000, NULL, &end, &error), &error);
    for (int k = 0; k < SAMPLES; ++k) {
        assert_ok(cardo_simulation_run(simulation, 2000 + 2 * (k + 1), NULL, &end, &error), &error);
        cardo_simulation_frame(simulation, &frame);
        kinetic[k] = frame.kinetic;
        square[k] = frame.kinetic * frame.kinetic;
        position[k] = cardo_state_q(model->state)[cardo_system_nq(model->system) - 1];
        assert_ok(cardo_multiply_m(model->system, model->state, cardo_state_u(model->state),
                                   momentum, &error),
                  &error);
        for (int i = 0; i < nu; ++i)
            share[i][k] = cardo_state_u(model->state)[i] * momentum[i];
    }
    cardo_simulation_destroy(simulation);
}

static void assert_within(const char *what, double *values, double expected, double sigmas,
                          double most)
{
    double mean, error;
    mean_and_error(values, SAMPLES, &mean, &error);
    print_message("%s: %.5f +- %.5f, expected %.5f: %.2f standard errors\n", what, mean, error,
                  expected, (mean - expected) / error);
    assert_close(mean, expected, sigmas * error);
    assert_true(error < most);
}

static void check_equipartition(void (*make)(test_model *), int nu)
{
    test_model model;
    const double kT = CARDO_BOLTZMANN * 300.0;
    sample(make, 0.01, 5.0, 300.0, 3, &model);
    assert_int_equal(cardo_system_nu(model.system), nu);
    model_destroy(&model);
    assert_within("mean kinetic energy", kinetic, 0.5 * nu * kT, 3.0, 0.03 * nu * kT);
    assert_within("mean square of it", square, 0.25 * nu * (nu + 2) * kT * kT, 3.5,
                  0.02 * nu * (nu + 2) * kT * kT);
    for (int i = 0; i < nu; ++i)
        assert_within("mean of a speed times its momentum", share[i], kT, 3.5, 0.03 * kT);
}

static void kinetic_energy_of_one_degree(void **test)
{
    (void)test;
    check_equipartition(model_path, 1);
}

static void kinetic_energy_of_two_degrees(void **test)
{
    (void)test;
    check_equipartition(model_double, 2);
}

static void kinetic_energy_of_seven_degrees(void **test)
{
    (void)test;
    check_equipartition(model_free, 7);
}

static void model_loose(test_model *model)
{
    model_double(model);
    model->stiffness = 0.0;
}

/* Without a potential the angle between the links has the density sqrt(det M): the rigid ensemble.
 */
static void free_angle_has_the_rigid_marginal(void **test)
{
    (void)test;
    test_model model;
    cardo_error error;
    sample(model_loose, 0.005, 3.0, 60000.0, 5, &model);
    double weight = 0, first = 0, second = 0;
    for (int k = 0; k < 720; ++k) {
        double q[2] = {0.0, k * CARDO_PI / 360}, M[4];
        cardo_state_set_q(model.state, q);
        assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_POSITION, &error), &error);
        assert_ok(cardo_mass_matrix(model.system, model.state, M, &error), &error);
        double density = sqrt(M[0] * M[3] - M[1] * M[2]);
        weight += density;
        first += density * cos(2 * q[1]);
        second += density * sin(2 * q[1]);
    }
    model_destroy(&model);
    for (int k = 0; k < SAMPLES; ++k) {
        square[k] = cos(2 * position[k]);
        position[k] = sin(2 * position[k]);
    }
    assert_within("mean cosine of twice the angle", square, first / weight, 3.5, 0.01);
    assert_within("mean sine of twice the angle", position, second / weight, 3.5, 0.01);
    /* A uniform angle would be many standard errors off. */
    assert_true(fabs(first / weight) > 0.06);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinetic_energy_of_one_degree),
        cmocka_unit_test(kinetic_energy_of_two_degrees),
        cmocka_unit_test(kinetic_energy_of_seven_degrees),
        cmocka_unit_test(free_angle_has_the_rigid_marginal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
