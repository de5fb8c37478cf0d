/* The constrained halves of Seth et al. 2010, Tables 1 and 2, in the states of tests/reference/multibody/constrained_tables.json.gz:
 * an ellipsoid as a free body and three rows of the user's, or three couplers; a knee as a planar body and two couplers. */
#include "multibody/constraints/table_models.h"
#include "multibody/reference_json.h"
#include "support/reference.h"
#include "support/support.h"

#include "cardo/manifold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance = 1e-11;

static void compare(const json_t *state, const char *key, const double *got, int n)
{
    int found;
    double *expected = reference_numbers(state, key, &found), scale = 0;
    assert_int_equal(found, n);
    for (int i = 0; i < n; ++i)
        scale = fmax(scale, fabs(expected[i]));
    for (int i = 0; i < n; ++i)
        support_assert_close(got[i], expected[i], tolerance * scale, key, __FILE__, __LINE__);
    free(expected);
}

static void numbers(const json_t *object, const char *key, double *out, int n)
{
    assert_int_equal(reference_flatten(json_object_get(object, key), out, n), n);
}

static void read_mass(const json_t *file, cardo_mass_properties *mass)
{
    mass->mass = json_number_value(json_object_get(file, "mass"));
    mass->com = reference_vec3(json_object_get(file, "com_B"));
    numbers(file, "inertia_OB_B", mass->inertia, 6);
}

/* Coordinates and speeds of a model at a state's pose and velocity. */
static void set_ellipsoid(const ellipsoid_model *model, const cardo_system *system,
                          const json_t *json, cardo_state *state)
{
    double R[9], q[7], u[6];
    cardo_transform X = {0};
    cardo_spatial V;
    numbers(json, "R", R, 9);
    memcpy(X.R.m, R, sizeof R);
    X.p = reference_vec3(json_object_get(json, "p"));
    V.angular = reference_vec3(json_object_get(json, "w"));
    V.linear = reference_vec3(json_object_get(json, "v"));
    memcpy(q, cardo_state_q(state), (size_t)cardo_system_nq(system) * sizeof *q);
    assert_ok(cardo_fit_q(system, 1, &X, q, NULL, NULL), NULL);
    if (model->euler)
        numbers(json, "euler", q, 3);
    assert_ok(cardo_fit_u(system, 1, q, &V, u, NULL, NULL), NULL);
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
}

static void check_ellipsoid(const json_t *file, const ellipsoid_model *model)
{
    static ellipsoid_rows rows;
    cardo_error error = {0};
    cardo_mass_properties mass;
    cardo_state *state;
    const json_t *states = json_object_get(file, "states");
    read_mass(file, &mass);
    cardo_system *system =
        build_ellipsoid(model, &mass, reference_vec3(json_object_get(file, "radii")), &rows);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    for (size_t i = 0; i < json_array_size(states); ++i) {
        const json_t *json = json_array_get(states, i);
        double Y[9], errors[3];
        set_ellipsoid(model, system, json, state);
        assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
        const cardo_spatial *A = cardo_state_A_GB(state) + 1;
        compare(json, "wdot", &A->angular.x, 3);
        compare(json, "vdot", &A->linear.x, 3);
        compare(json, "lambda", cardo_state_multipliers(state), 3);
        assert_ok(cardo_constraint_compliance(system, state, Y, &error), &error);
        compare(json, "GMInvGT", Y, 9);
        assert_ok(cardo_constraint_position_errors(system, state, errors, &error), &error);
        for (int k = 0; k < 3; ++k)
            assert_close(errors[k], 0, 1e-15);
        assert_ok(cardo_constraint_velocity_errors(system, state, errors, &error), &error);
        for (int k = 0; k < 3; ++k)
            assert_close(errors[k], 0, 1e-14);
    }
    assert_true(json_array_size(states) == 21);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void test_ellipsoid(void **unused)
{
    (void)unused;
    json_t *files =
        support_json(support_source("tests/reference/multibody/constrained_tables.json.gz"));
    assert_non_null(files);
    for (int i = 0; i < ELLIPSOID_MODELS; ++i)
        check_ellipsoid(json_object_get(files, "table1_ellipsoid"), &ellipsoid_models[i]);
    json_decref(files);
}

static void test_knee(void **unused)
{
    (void)unused;
    json_t *files =
        support_json(support_source("tests/reference/multibody/constrained_tables.json.gz"));
    assert_non_null(files);
    const json_t *file = json_object_get(files, "table2_knee");
    const json_t *states = json_object_get(file, "states");
    cardo_error error = {0};
    cardo_mass_properties mass;
    cardo_state *state;
    int n[2];
    double *knots[2] = {reference_numbers(file, "x_knots", &n[0]),
                        reference_numbers(file, "y_knots", &n[1])};
    double *values[2] = {reference_numbers(file, "x_values", &n[0]),
                         reference_numbers(file, "y_values", &n[1])};
    knee_curves curves = {0};
    read_mass(file, &mass);
    cardo_system *system = build_knee(&mass, n, knots, values, &curves);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    for (size_t i = 0; i < json_array_size(states); ++i) {
        const json_t *json = json_array_get(states, i);
        double q[3], u[3], Y[4];
        numbers(json, "q", q, 3);
        numbers(json, "u", u, 3);
        cardo_state_set_q(state, q);
        cardo_state_set_u(state, u);
        assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
        compare(json, "udot", cardo_state_udot(state), 3);
        compare(json, "lambda", cardo_state_multipliers(state), 2);
        assert_ok(cardo_constraint_compliance(system, state, Y, &error), &error);
        compare(json, "GMInvGT", Y, 4);
    }
    assert_true(json_array_size(states) == 21);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    release_knee(&curves);
    for (int k = 0; k < 2; ++k) {
        free(knots[k]);
        free(values[k]);
    }
    json_decref(files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ellipsoid),
        cmocka_unit_test(test_knee),
    };
    return support_run(tests, NULL, NULL);
}
