/* `langevin`: mean kinetic energy, equipartition by momentum, fluctuations, and the marginal of a
 * coordinate. */
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "sampling.h"
#include "support/support.h"

#include <math.h>

static sampling_series *sample_langevin(void (*make)(test_model *), double timestep,
                                        const char *friction, double temperature, long long seed,
                                        test_model *model)
{
    const char *const settings[] = {"friction", friction, "flight-tolerance", "1e-6", NULL};
    const sampling_plan plan = {
        .make = make,
        .integrator = &cardo_integrator_langevin,
        .settings = settings,
        .timestep = timestep,
        .temperature = temperature,
        .seed = seed,
        .samples = 50000,
        .stride = 2,
    };
    return sample(&plan, model);
}

static void check_equipartition(void (*make)(test_model *), int nu)
{
    test_model model;
    const double kT = CARDO_BOLTZMANN * 300.0;
    sampling_series *s = sample_langevin(make, 0.01, "5", 300.0, 3, &model);
    assert_int_equal(s->nu, nu);
    model_destroy(&model);
    assert_mean("mean kinetic energy", s->kinetic, s->n, 0.5 * nu * kT, 3.0, 0.03 * nu * kT);
    assert_mean("mean square of it", s->kinetic_square, s->n, 0.25 * nu * (nu + 2) * kT * kT, 3.5,
                0.02 * nu * (nu + 2) * kT * kT);
    for (int i = 0; i < nu; ++i)
        assert_mean("mean of a speed times its momentum", s->share[i], s->n, kT, 3.5, 0.03 * kT);
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

/* Without a potential the angle between the links has the density sqrt(det M): the rigid ensemble.
 */
static void free_angle_has_the_rigid_marginal(void **test)
{
    (void)test;
    test_model model;
    double cosine, sine;
    sampling_series *s = sample_langevin(model_loose, 0.005, "3", 60000.0, 5, &model);
    model_loose_marginal(&model, &cosine, &sine);
    model_destroy(&model);
    for (int k = 0; k < s->n; ++k) {
        s->scratch[k] = cos(2 * s->position[k]);
        s->position[k] = sin(2 * s->position[k]);
    }
    assert_mean("mean cosine of twice the angle", s->scratch, s->n, cosine, 3.5, 0.015);
    assert_mean("mean sine of twice the angle", s->position, s->n, sine, 3.5, 0.015);
    /* A uniform angle would be many standard errors off. */
    assert_true(fabs(cosine) > 0.06);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        figures_test(kinetic_energy_of_one_degree),
        statistical_test(kinetic_energy_of_two_degrees),
        figures_test(kinetic_energy_of_seven_degrees),
        statistical_test(free_angle_has_the_rigid_marginal),
    };
    return support_run(tests, NULL, NULL);
}
