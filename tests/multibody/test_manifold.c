/* After a million steps a mobilizer's motion is still on its manifold: ellipsoid, knee and screw, to 1e-13 relative. */
#include "multibody/random_tree.h"

#include "multibody/mobilizers/function_based.h"
#include "multibody/mobilizers/parameters.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>

enum { STEPS = 1000000, KNOTS = 9 };

static const double angle[KNOTS] = {-2.0944,   -1.74533,  -1.39626, -1.0472, -0.698132,
                                    -0.349066, -0.174533, 0.197344, 2.0944};
static const double along_x[KNOTS] = {-0.0032, 0.00179, 0.00411,  0.0041, 0.00212,
                                      -0.001,  -0.0031, -0.00525, -0.0056};

/* A body hung on ground by a mobilizer, in gravity, walked with a semi-implicit step. */
static cardo_state *walk(const cardo_mobilizer *mobilizer, const void *parameters,
                         cardo_system **system)
{
    cardo_error error = {0};
    cardo_state *state;
    uint64_t seed = 17;
    const double h = 1e-4;
    double q[4], u[3];
    cardo_body_definition body = {.mobilizer = mobilizer, .parameters = parameters};
    body.X_PF = body.X_BM = xform_identity();
    body.mass = random_mass(&seed);
    assert_ok(cardo_system_create(system, &error), &error);
    cardo_system_set_gravity(*system, v3(0.3, -9.81, 0.2));
    assert_ok(cardo_system_add_body(*system, &body, NULL, &error), &error);
    assert_ok(cardo_system_finalize(*system, &error), &error);
    assert_ok(cardo_state_create(*system, &state, &error), &error);
    const int nq = cardo_system_nq(*system), nu = cardo_system_nu(*system);
    for (int i = 0; i < STEPS; ++i) {
        if (cardo_realize(*system, state, CARDO_STAGE_ACCELERATION, &error) != CARDO_OK)
            fail_msg("step %d: %s", i, error.message);
        for (int j = 0; j < nu; ++j)
            u[j] = cardo_state_u(state)[j] + h * cardo_state_udot(state)[j];
        cardo_state_set_u(state, u);
        cardo_multiply_n(*system, state, u, q, NULL);
        for (int j = 0; j < nq; ++j)
            q[j] = cardo_state_q(state)[j] + h * q[j];
        cardo_state_set_q(state, q);
    }
    assert_ok(cardo_realize(*system, state, CARDO_STAGE_ACCELERATION, &error), &error);
    return state;
}

static void check_rotation(cardo_mat33 R)
{
    const cardo_mat33 one = m33_mul(R, m33_transpose(R));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            assert_close(one.m[i][j], i == j, 1e-14);
}

static void test_ellipsoid(void **unused)
{
    (void)unused;
    const cardo_ellipsoid parameters = {{0.2, 0.35, 0.15}};
    cardo_system *system;
    cardo_state *state = walk(&cardo_mobilizer_ellipsoid, &parameters, &system);
    const cardo_transform X = cardo_state_X_GB(state)[1];
    const cardo_vec3 r = parameters.radii;
    const double x = X.p.x / r.x, y = X.p.y / r.y, z = X.p.z / r.z;
    assert_close(x * x + y * y + z * z, 1, 1e-13);
    check_rotation(X.R);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void test_screw(void **unused)
{
    (void)unused;
    const cardo_screw_thread parameters = {0.03};
    cardo_system *system;
    cardo_state *state = walk(&cardo_mobilizer_screw, &parameters, &system);
    const cardo_transform X = cardo_state_X_GB(state)[1];
    const double turn = X.p.z / parameters.pitch; /* the angle that the height stands for */
    const cardo_mat33 R = m33_rotation(v3(0, 0, 1), turn);
    for (int i = 0; i < 9; ++i)
        assert_close(X.R.m[i / 3][i % 3], R.m[i / 3][i % 3], 1e-13 * (1 + fabs(turn)));
    assert_close(hypot(X.p.x, X.p.y), 0, 1e-13);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

/* The natural cubic spline at x, by its moments: solved densely, as a check that shares no code. */
static double natural_spline(const double *knots, const double *values, double x)
{
    double A[KNOTS][KNOTS + 1] = {{0}}, m[KNOTS];
    A[0][0] = A[KNOTS - 1][KNOTS - 1] = 1;
    for (int i = 1; i < KNOTS - 1; ++i) {
        const double a = knots[i] - knots[i - 1], b = knots[i + 1] - knots[i];
        A[i][i - 1] = a / 6;
        A[i][i] = (a + b) / 3;
        A[i][i + 1] = b / 6;
        A[i][KNOTS] = (values[i + 1] - values[i]) / b - (values[i] - values[i - 1]) / a;
    }
    for (int i = 0; i < KNOTS; ++i)
        for (int r = 0; r < KNOTS; ++r) {
            const double factor = A[r][i] / A[i][i];
            for (int c = 0; r != i && c <= KNOTS; ++c)
                A[r][c] -= factor * A[i][c];
        }
    for (int i = 0; i < KNOTS; ++i)
        m[i] = A[i][KNOTS] / A[i][i];
    int i = 0;
    while (i < KNOTS - 2 && x > knots[i + 1])
        ++i;
    const double h = knots[i + 1] - knots[i], a = (knots[i + 1] - x) / h, b = (x - knots[i]) / h;
    return a * values[i] + b * values[i + 1] +
           ((a * a * a - a) * m[i] + (b * b * b - b) * m[i + 1]) * h * h / 6;
}

static void test_knee(void **unused)
{
    (void)unused;
    static const double identity[2] = {1, 0}, zero[1] = {0};
    const cardo_function none = {
        .kind = CARDO_FUNCTION_CONSTANT, .ncoefficient = 1, .coefficients = zero};
    const cardo_function turn = {
        .kind = CARDO_FUNCTION_LINEAR, .narg = 1, .ncoefficient = 2, .coefficients = identity};
    const cardo_function curve = {.kind = CARDO_FUNCTION_SPLINE,
                                  .narg = 1,
                                  .nknot = KNOTS,
                                  .knots = angle,
                                  .values = along_x};
    const cardo_function_based joint = {.ncoordinate = 1,
                                        .functions = {none, none, turn, curve, none, none}};
    cardo_system *system;
    cardo_state *state = walk(&cardo_mobilizer_function_based, &joint, &system);
    const cardo_transform X = cardo_state_X_GB(state)[1];
    const double q = cardo_state_q(state)[0];
    if (q > angle[0] && q < angle[KNOTS - 1])
        assert_close(X.p.x, natural_spline(angle, along_x, q), 1e-15);
    assert_close(X.R.m[1][0], sin(q), 1e-13);
    assert_close(X.p.y, 0, 0);
    check_rotation(X.R);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ellipsoid),
        cmocka_unit_test(test_screw),
        cmocka_unit_test(test_knee),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
