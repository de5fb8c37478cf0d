/* Tables of forces: the stated error between the nodes, exact gradients, and the provider that looks
 * them up. */
#include "base/units.h"
#include "cardo/manifold.h"
#include "dynamics/tables/table_provider.h"
#include "multibody/tree/operators.h"
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

/* Wells 0.05 wide about centres, one along each axis, on a flat ground; user: of what they are. */
typedef struct wells {
    int naxis;
    double centre[3];
} wells;

static cardo_status well(void *user, const double *x, double *energy, double *gradient,
                         cardo_error *error)
{
    (void)error;
    const wells *w = user;
    const double width = 0.05;
    *energy = 0;
    for (int k = 0; k < w->naxis; ++k) {
        double y = (x[k] - w->centre[k]) / width, e = -20 * exp(-0.5 * y * y);
        *energy += e;
        gradient[k] = -y / width * e;
    }
    return CARDO_OK;
}

/* Largest force error over the cube of 8 widths about the wells, of what is allowed. */
static double worst_in_wells(const cardo_force_table *table, const cardo_force_table_plan *plan)
{
    const wells *w = plan->user;
    unsigned seed = 5;
    double worst = 0;
    for (int n = 0; n < 3000; ++n) {
        double x[3], energy, gradient[3], true_energy, truth[3], error = 0, size = 0;
        for (int k = 0; k < w->naxis; ++k) {
            x[k] = w->centre[k] + 0.4 * (uniform(&seed) - 0.5);
            x[k] = fmin(fmax(x[k], plan->from[k]), plan->to[k]);
        }
        assert_true(cardo_force_table_at(table, x, &energy, gradient));
        well(plan->user, x, &true_energy, truth, NULL);
        for (int k = 0; k < w->naxis; ++k) {
            error = fmax(error, fabs(gradient[k] - truth[k]));
            size += truth[k] * truth[k];
        }
        worst = fmax(worst, error / (plan->absolute + plan->relative * sqrt(size)));
    }
    return worst;
}

/* Wherever a well lies, nodes as near as its width find it, however wide the range. */
static void narrow_wells_are_found(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_force_table *table;
    unsigned seed = 1;
    for (int naxis = 1; naxis <= 3; ++naxis)
        for (int n = 0; n < (naxis == 1 ? 40 : naxis == 2 ? 6 : 1); ++n) {
            const double range = naxis == 1 ? 100 : naxis == 2 ? 8 : 1.5;
            wells w = {.naxis = naxis};
            cardo_force_table_plan plan = {
                .naxis = naxis,
                .absolute = naxis < 3 ? 1 : 5,
                .relative = 1e-2,
                .most_evaluations = 1000000,
                .function = well,
                .user = &w,
            };
            for (int k = 0; k < naxis; ++k) {
                plan.from[k] = -range * uniform(&seed);
                plan.to[k] = plan.from[k] + range;
                w.centre[k] = plan.from[k] + range * uniform(&seed);
                plan.spacing[k] = 0.05;
            }
            assert_ok(cardo_force_table_create(&plan, &table, &error), &error);
            double worst = worst_in_wells(table, &plan);
            assert_true(worst <= 1);
            cardo_force_table_destroy(table);
        }
}

/* Ranges with more nodes than may be are refused before anything is evaluated; without a spacing the
 * start alone tells that the table is not flat, and none is made. */
static void ranges_that_are_too_wide(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_force_table *table;
    for (int naxis = 1; naxis <= 3; ++naxis) {
        wells w = {.naxis = naxis};
        const double start[3] = {0.03, -0.02, 0.01};
        cardo_force_table_plan plan = {
            .naxis = naxis,
            .from = {-1e6, -10, -10},
            .to = {1e6, 10, 10},
            .absolute = 5,
            .relative = 0.05,
            .most_evaluations = 400000,
            .function = well,
            .user = &w,
            .spacing = {0.1, 0.1, 0.1},
            .start = start,
        };
        assert_fails(cardo_force_table_create(&plan, &table, &error), &error, CARDO_ERROR_INPUT,
                     "too wide");
        memset(plan.spacing, 0, sizeof plan.spacing);
        if (naxis > 1)
            continue;
        assert_fails(cardo_force_table_create(&plan, &table, &error), &error, CARDO_ERROR_NUMERICAL,
                     "far less than the range");
    }
}

/* The fastest atom by differences of positions: a table's lines are as near as it asks. */
static void rates_are_those_of_the_fastest_atom(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_table_source *source;
    double rates[3], start[3], at[2][6], expected = 0;
    test_model model;
    model_pendulum(&model);
    const int nstation = cardo_system_nstation(model.system);
    assert_true(nstation > 0 && nstation <= 2);
    assert_ok(cardo_table_source_create(model.system, model.state, model.provider, &source, &error),
              &error);
    assert_int_equal(cardo_table_source_coordinates(source)->count, 1);
    cardo_table_source_start(source, start);
    assert_close(start[0], cardo_state_q(model.state)[0], 0);
    const double from = start[0] - 20, to = start[0] + 20; /* several turns */
    assert_ok(cardo_table_source_rates(source, &from, &to, rates, &error), &error);
    double *q = malloc((size_t)cardo_system_nq(model.system) * sizeof *q);
    memcpy(q, cardo_state_q(model.state), (size_t)cardo_system_nq(model.system) * sizeof *q);
    for (int side = 0; side < 2; ++side) {
        q[0] = start[0] + (side ? 1e-5 : -1e-5);
        cardo_state_set_q(model.state, q);
        assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_POSITION, &error), &error);
        assert_ok(cardo_station_positions(model.system, model.state, at[side], &error), &error);
    }
    for (int i = 0; i < nstation; ++i)
        expected = fmax(expected, v3_norm(v3_sub(v3_load(at[1] + 3 * i), v3_load(at[0] + 3 * i))));
    assert_true(expected > 0);
    assert_close(rates[0], expected / 2e-5, 1e-6 * rates[0]);
    free(q);
    cardo_table_source_destroy(source);
    model_destroy(&model);
}

/* The same at all lines that a range is first cut by, at their middles and at their quarters. */
static cardo_status periodic(void *user, const double *x, double *energy, double *gradient,
                             cardo_error *error)
{
    (void)error;
    const int naxis = *(const int *)user;
    *energy = 0;
    for (int k = 0; k < naxis; ++k) {
        *energy += 10 * cos(64 * CARDO_PI * x[k]);
        gradient[k] = -640 * CARDO_PI * sin(64 * CARDO_PI * x[k]);
    }
    return CARDO_OK;
}

static void waves_that_fit_between_lines_are_found(void **unused)
{
    (void)unused;
    for (int naxis = 1; naxis <= 2; ++naxis) {
        cardo_error error;
        cardo_force_table *table;
        double worst;
        cardo_force_table_plan plan = {
            .naxis = naxis,
            .to = {1, 1},
            .absolute = 10,
            .relative = 0.02,
            .most_evaluations = 1000000,
            .function = periodic,
            .user = &naxis,
        };
        assert_ok(cardo_force_table_create(&plan, &table, &error), &error);
        assert_ok(cardo_force_table_check(table, &plan, 5000, &worst, &error), &error);
        print_message("%d coordinates: %d nodes, error %.2f of what is allowed\n", naxis,
                      cardo_force_table_nnode(table), worst);
        assert_true(worst <= 1 && table->worst <= 0.5 && table->largest > 0);
        /* Another function's table is none of this one's. */
        table->node[0] += 100;
        for (int k = 0; k < cardo_force_table_nnode(table); ++k)
            table->node[(size_t)k << naxis] *= 1.5;
        assert_ok(cardo_force_table_check(table, &plan, 16, &worst, &error), &error);
        assert_true(worst > 1);
        cardo_force_table_destroy(table);
    }
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

static bool stop_at_five(void *user, int nevaluation, int expected)
{
    (void)user;
    assert_true(expected > nevaluation);
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
        .most_evaluations = 100000,
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
    /* Beyond a full turn either way; and so that the run leaves it. */
    const double ranges[2][2] = {{-7, 7}, {-0.3, 0.75}};
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

static double violation(const test_model *model)
{
    cardo_error error;
    double off;
    assert_ok(cardo_realize(model->system, model->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_constraint_position_errors(model->system, model->state, &off, &error), &error);
    return fabs(off);
}

/* A table is of the potential off the manifold too: under a constraint its slope along the manifold counts, and what the rod
 * bears is the same. */
static void a_table_holds_under_constraints(void **unused)
{
    (void)unused;
    double q[2], energy, with[2], with_energy;
    cardo_error error;
    test_model model;
    model_tied(&model);
    end_of_run(&model, model.provider, q, &energy);
    assert_true(violation(&model) < 1e-12);
    cardo_force_provider *provider = tabulate(&model, -7, 7);
    int calls = model.calls, freedoms;
    end_of_run(&model, provider, with, &with_energy);
    assert_true(violation(&model) < 1e-12);
    assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_DYNAMICS, &error), &error);
    assert_ok(cardo_degrees_of_freedom(model.system, model.state, &freedoms, &error), &error);
    assert_int_equal(freedoms, 1);
    assert_int_equal(model.calls, calls);
    assert_close(with_energy, energy, 1e-6 * fabs(energy));
    for (int k = 0; k < 2; ++k)
        assert_close(with[k], q[k], 1e-6);
    assert_true(fabs(q[0] - 0.7) > 0.01);
    cardo_force_provider_destroy(provider);
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
        cmocka_unit_test(narrow_wells_are_found),
        cmocka_unit_test(ranges_that_are_too_wide),
        cmocka_unit_test(rates_are_those_of_the_fastest_atom),
        cmocka_unit_test(waves_that_fit_between_lines_are_found),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(a_run_with_a_table_is_the_run_without),
        cmocka_unit_test(a_table_holds_under_constraints),
        cmocka_unit_test(systems_with_other_coordinates_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
