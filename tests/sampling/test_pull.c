/* Walkers begin from the way of one that was pulled, where the other coordinates have followed. */
#include "landscapes.h"
#include "sampling/methods/method.h"
#include "support/support.h"

#include <math.h>

/* The first angle must follow the second one over a curve; a wall may stand in the second's way. */
typedef struct valley {
    double steepness, wall;
} valley;

static double curve(double q, double *slope)
{
    *slope = 3 * cos(3 * q);
    return sin(3 * q);
}

static cardo_status compute(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)error;
    const valley *v = user;
    double turn, aside = evaluation->q[0] - curve(evaluation->q[1], &turn);
    double inside = fmax(0, evaluation->q[1] - 0.5);
    evaluation->energy = 0.5 * v->steepness * aside * aside + 0.5 * v->wall * inside * inside;
    evaluation->mobility_forces[0] -= v->steepness * aside;
    evaluation->mobility_forces[1] += v->steepness * aside * turn - v->wall * inside;
    return CARDO_OK;
}

static cardo_status prepare(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    cardo_end end;
    cardo_sampling *sampling = NULL;
    cardo_status status = landscape_study(arg, communicator, &sampling, error);
    if (status == CARDO_OK)
        status = cardo_sampling_prepare(sampling, NULL, &end, error);
    cardo_sampling_destroy(sampling);
    return status;
}

/* Prepares a study in the valley; its walkers may not begin 60 kJ/mol (24 kT) above each other. */
static cardo_status begin(valley *v, const char *method, const char *pull, cardo_error *error)
{
    landscape l;
    landscape_make(&l, model_double, LANDSCAPE_HARMONIC, false, &cardo_integrator_baoab, method);
    cardo_force_provider_destroy(l.model.provider);
    assert_ok(cardo_callback_provider_create(compute, v, CARDO_FORCE_DETERMINISTIC,
                                             &l.model.provider, error),
              error);
    landscape_set(&l, "timestep", "0.005");
    landscape_set(&l, "equilibration", "200");
    landscape_set(&l, "round", "50");
    landscape_set(&l, "highest-start", "60");
    landscape_set(&l, "pull", pull);
    landscape_set(&l, method[0] == 'u' ? "windows" : "walkers", "16");
    cardo_status status = prepare(NULL, &l, error);
    landscape_clear(&l);
    return status;
}

static void other_coordinates_follow(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"umbrella", "metadynamics", "adaptive-force"};
    valley v = {.steepness = 500};
    for (int k = 0; k < 3; ++k) {
        cardo_error error = {0};
        assert_fails(begin(&v, methods[k], "0", &error), &error, CARDO_ERROR_INPUT, "atoms clash");
        assert_ok(begin(&v, methods[k], "20000", &error), &error);
    }
}

static void a_way_that_is_blocked_is_told(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    valley v = {.steepness = 10, .wall = 2e4};
    assert_fails(begin(&v, "umbrella", "20000", &error), &error, CARDO_ERROR_INPUT,
                 "the way is blocked or steep");
    print_message("%s\n", error.message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_coordinates_follow),
        cmocka_unit_test(a_way_that_is_blocked_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
