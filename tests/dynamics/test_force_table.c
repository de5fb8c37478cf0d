/* Tables of forces: the stated error between the nodes, exact gradients, and the provider that looks
 * them up. */
#include "base/units.h"
#include "dynamics/table_provider.h"
#include "sampling.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A wall, two wells and a narrow ridge, coupled when there are several coordinates. */
static cardo_status rugged(void *user, const double *x, double *energy, double *gradient,
                           cardo_error *error)
{
    (void)error;
    const int naxis = *(const int *)user;
    *energy = 0;
    for (int k = 0; k < naxis; ++k) {
        double y = x[k] - 0.1 * k, wall = exp(-40 * (y + 0.2));
        double ridge = 15 * exp(-200 * (y - 0.62) * (y - 0.62));
        *energy += 30 * cos(9 * y) + 40 * wall + ridge;
        gradient[k] = -270 * sin(9 * y) - 1600 * wall - 400 * (y - 0.62) * ridge;
    }
    for (int k = 1; k < naxis; ++k) {
        double c = 25 * cos(3 * x[k] + 2 * x[k - 1]), s = 25 * sin(3 * x[k] + 2 * x[k - 1]);
        *energy += c;
        gradient[k] -= 3 * s;
        gradient[k - 1] -= 2 * s;
    }
    return CARDO_OK;
}

static cardo_force_table_plan plan_for(int *naxis, double absolute, double relative)
{
    return (cardo_force_table_plan){
        .naxis = *naxis,
        .from = {-0.2, -0.15, 0},
        .to = {1.1, 1.0, 0.7},
        .absolute = absolute,
        .relative = relative,
        .most_evaluations = 200000,
        .function = rugged,
        .user = naxis,
    };
}

static double uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

/* Largest force error at 10,000 random points, as a multiple of what is allowed. */
static double worst_error(const cardo_force_table *table, cardo_force_table_plan *plan)
{
    unsigned seed = 7;
    double worst = 0;
    for (int n = 0; n < 10000; ++n) {
        double x[3], energy, gradient[3], true_energy, truth[3], error = 0, size = 0;
        for (int k = 0; k < plan->naxis; ++k)
            x[k] = plan->from[k] + (plan->to[k] - plan->from[k]) * uniform(&seed);
        assert_true(cardo_force_table_at(table, x, &energy, gradient));
        rugged(plan->user, x, &true_energy, truth, NULL);
        for (int k = 0; k < plan->naxis; ++k) {
            error = fmax(error, fabs(gradient[k] - truth[k]));
            size += truth[k] * truth[k];
        }
        worst = fmax(worst, error / (plan->absolute + plan->relative * sqrt(size)));
    }
    return worst;
}

static void the_stated_error_holds_between_the_nodes(void **unused)
{
    (void)unused;
    static const double errors[3][2] = {{1e-3, 1e-6}, {0.05, 1e-4}, {2, 1e-2}};
    for (int naxis = 1; naxis <= 3; ++naxis) {
        cardo_error error;
        cardo_force_table *table;
        cardo_force_table_plan plan = plan_for(&naxis, errors[naxis - 1][0], errors[naxis - 1][1]);
        assert_ok(cardo_force_table_create(&plan, &table, &error), &error);
        double worst = worst_error(table, &plan);
        print_message("%d coordinates: %d nodes, %d evaluations, error %.2f of what is allowed, "
                      "%.2f at %d check points\n",
                      naxis, cardo_force_table_nnode(table), table->nevaluation, worst,
                      table->worst, table->ncheck);
        assert_true(worst <= 1);
        assert_true(worst > 1e-3);
        cardo_force_table_destroy(table);
    }
}

static void forces_are_the_gradient_of_the_energy(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_force_table *table;
    int naxis = 2;
    unsigned seed = 3;
    cardo_force_table_plan plan = plan_for(&naxis, 1, 1e-3);
    assert_ok(cardo_force_table_create(&plan, &table, &error), &error);
    for (int n = 0; n < 200; ++n) {
        const double h = 1e-6;
        double x[2] = {-0.15 + 1.2 * uniform(&seed), -0.1 + uniform(&seed)}, gradient[2], at[2];
        double middle, ignored[2];
        assert_true(cardo_force_table_at(table, x, &middle, gradient));
        for (int k = 0; k < 2; ++k) {
            double moved[2] = {x[0], x[1]};
            for (int side = 0; side < 2; ++side) {
                moved[k] = x[k] + (side ? h : -h);
                assert_true(cardo_force_table_at(table, moved, &at[side], ignored));
            }
            assert_close((at[1] - at[0]) / (2 * h), gradient[k], 1e-6 * (100 + fabs(gradient[k])));
        }
    }
    cardo_force_table_destroy(table);
}

static void what_lies_outside_is_refused(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_force_table *table;
    int naxis = 1;
    double energy = 7, gradient = 8;
    cardo_force_table_plan plan = plan_for(&naxis, 1, 0);
    assert_ok(cardo_force_table_create(&plan, &table, &error), &error);
    assert_false(cardo_force_table_at(table, (double[]){-0.2000001}, &energy, &gradient));
    assert_false(cardo_force_table_at(table, (double[]){NAN}, &energy, &gradient));
    assert_true(energy == 7 && gradient == 8);
    assert_true(cardo_force_table_at(table, (double[]){-0.2}, &energy, &gradient));
    assert_true(cardo_force_table_at(table, (double[]){1.1}, &energy, &gradient));
    cardo_force_table_destroy(table);
}

static cardo_status failing(void *user, const double *x, double *energy, double *gradient,
                            cardo_error *error)
{
    if (x[0] > 0.9)
        return CARDO_FAIL(error, CARDO_RECOVERABLE, "atoms 3 and 4 clash");
    return rugged(user, x, energy, gradient, error);
}

/* As single precision has it. */
static cardo_status noisy(void *user, const double *x, double *energy, double *gradient,
                          cardo_error *error)
{
    cardo_status status = rugged(user, x, energy, gradient, error);
    *energy = (float)*energy;
    return status;
}

static bool stop_at_five(void *user, int nevaluation)
{
    (void)user;
    return nevaluation < 5;
}

static void failures_are_told(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_force_table *table;
    int naxis = 1;
    cardo_force_table_plan plan = plan_for(&naxis, 1e-3, 0);
    plan.most_evaluations = 50;
    assert_fails(cardo_force_table_create(&plan, &table, &error), &error, CARDO_ERROR_NUMERICAL,
                 "more than 50 evaluations");
    plan.function = noisy;
    plan.most_evaluations = 20000;
    assert_fails(cardo_force_table_create(&plan, &table, &error), &error, CARDO_ERROR_NUMERICAL,
                 "noise or jumps");
    plan.function = failing;
    assert_fails(cardo_force_table_create(&plan, &table, &error), &error, CARDO_RECOVERABLE,
                 "the force table at (0.9375): atoms 3 and 4 clash");
    plan.progress = stop_at_five;
    assert_fails(cardo_force_table_create(&plan, &table, &error), &error, CARDO_ERROR_INTERRUPTED,
                 "after 5 evaluations");
    plan.absolute = 0;
    assert_fails(cardo_force_table_create(&plan, &table, &error), &error, CARDO_ERROR_ARGUMENT,
                 "one above 0");
    plan.absolute = 1;
    plan.to[0] = plan.from[0];
    assert_fails(cardo_force_table_create(&plan, &table, &error), &error, CARDO_ERROR_ARGUMENT,
                 "is empty");
}

/* Replaces the model's provider by a table of its own forces over its coordinates. */
static cardo_force_provider *tabulate(test_model *model, double from, double to)
{
    cardo_error error;
    cardo_table_source *source;
    cardo_force_table *table;
    cardo_force_provider *provider;
    assert_ok(
        cardo_table_source_create(model->system, model->state, model->provider, &source, &error),
        &error);
    cardo_force_table_plan plan = {
        .naxis = cardo_table_source_coordinates(source)->count,
        .from = {from, from},
        .to = {to, to},
        .absolute = 0.01,
        .most_evaluations = 10000,
        .function = cardo_table_source_evaluate,
        .user = source,
    };
    assert_ok(cardo_force_table_create(&plan, &table, &error), &error);
    assert_ok(cardo_table_provider_create(source, table, &provider, &error), &error);
    return provider;
}

static void end_of_run(test_model *model, cardo_force_provider *provider, double *q, double *energy)
{
    cardo_error error;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    cardo_end end;
    cardo_frame frame;
    const double start[2] = {0.7, -0.4};
    cardo_state_set_q(model->state, start);
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = 0.005;
    assert_ok(cardo_simulation_create(model->system, model->state, provider,
                                      &cardo_integrator_verlet, &options, NULL, &simulation,
                                      &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    assert_ok(cardo_simulation_run(simulation, 400, NULL, &end, &error), &error);
    cardo_simulation_frame(simulation, &frame);
    *energy = frame.total;
    memcpy(q, cardo_state_q(model->state), 2 * sizeof *q);
    cardo_simulation_destroy(simulation);
}

/* Two coupled coordinates; a range that the motion leaves falls back on the provider itself. */
static void a_run_with_a_table_is_the_run_without(void **unused)
{
    (void)unused;
    const double ranges[2][2] = {{-4, 4}, {-0.3, 0.75}};
    double q[2], energy, with[2], with_energy;
    test_model model;
    model_double(&model);
    end_of_run(&model, model.provider, q, &energy);
    for (int k = 0; k < 2; ++k) {
        cardo_force_provider *provider = tabulate(&model, ranges[k][0], ranges[k][1]);
        int calls = model.calls;
        end_of_run(&model, provider, with, &with_energy);
        assert_close(with_energy, energy, 1e-6 * fabs(energy));
        assert_close(with[0], q[0], 1e-6);
        assert_close(with[1], q[1], 1e-6);
        assert_int_equal(model.calls - calls, cardo_table_provider_outside(provider));
        assert_true(k == 0 ? model.calls == calls : model.calls > calls);
        cardo_force_provider_destroy(provider);
    }
    model_destroy(&model);
}

static void systems_with_other_coordinates_are_refused(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_table_coordinates coordinates;
    test_model model;
    model_free(&model);
    /* A spring holds this base: its place counts. */
    assert_fails(cardo_table_coordinates_find(model.system, model.provider, &coordinates, &error),
                 &error, CARDO_ERROR_UNSUPPORTED, "body 'base', free");
    model.provider->traits |= CARDO_FORCE_INVARIANT;
    assert_ok(cardo_table_coordinates_find(model.system, model.provider, &coordinates, &error),
              &error);
    assert_int_equal(coordinates.count, 1);
    assert_int_equal(coordinates.q[0], 7);
    assert_int_equal(coordinates.u[0], 6);
    model_destroy(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stated_error_holds_between_the_nodes),
        cmocka_unit_test(forces_are_the_gradient_of_the_energy),
        cmocka_unit_test(what_lies_outside_is_refused),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(a_run_with_a_table_is_the_run_without),
        cmocka_unit_test(systems_with_other_coordinates_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
