/* A torque-free asymmetric top against Jacobi's elliptic functions (Landau and Lifshitz, Mechanics,
 * section 37): angular velocity in the body, and the attitude. */
#include "base/units.h"
#include "models.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* sn, cn and dn of x at modulus k, by the arithmetic-geometric mean (Abramowitz and Stegun 16.4). */
static void jacobi(double x, double k, double *sn, double *cn, double *dn)
{
    double a[16], c[16], b = sqrt(1 - k * k);
    int n = 0;
    a[0] = 1;
    c[0] = k;
    while (n < 15 && fabs(c[n]) > 1e-16) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        ++n;
    }
    double angle = ldexp(a[n] * x, n);
    for (; n > 0; --n)
        angle = 0.5 * (angle + asin(c[n] / a[n] * sin(angle)));
    *sn = sin(angle);
    *cn = cos(angle);
    *dn = sqrt(1 - k * k * *sn * *sn);
}

static void elliptic_functions_are_right(void **test)
{
    (void)test;
    double sn, cn, dn;
    jacobi(0.7, 0.0, &sn, &cn, &dn);
    assert_close(sn, sin(0.7), 1e-15);
    assert_close(dn, 1.0, 1e-15);
    jacobi(0.7, 1.0 - 1e-15, &sn, &cn, &dn);
    assert_close(sn, tanh(0.7), 1e-12);
    assert_close(cn, 1 / cosh(0.7), 1e-12);
    /* sn' = cn dn, by differences; and sn(K) = 1 with K of k^2 = 1/2 */
    double plus, minus, unused;
    jacobi(1.3 + 1e-5, 0.8, &plus, &unused, &unused);
    jacobi(1.3 - 1e-5, 0.8, &minus, &unused, &unused);
    jacobi(1.3, 0.8, &sn, &cn, &dn);
    assert_close((plus - minus) / 2e-5, cn * dn, 1e-10);
    jacobi(1.854074677301371918, sqrt(0.5), &sn, &cn, &dn);
    assert_close(sn, 1, 1e-15);
    assert_close(cn, 0, 1e-14);
}

static const double I[3] = {1.0, 2.0, 2.7}; /* Da nm^2 */

/* The exact motion that begins with the angular velocity (3, 0, 2.5) rad/ps, which is beyond the
 * separatrix on the side of the greatest moment. */
typedef struct exact_top {
    double w1, w2, w3, rate, k, L;
} exact_top;

static const double start_w[3] = {3.0, 0.0, 2.5};

static exact_top make_exact(void)
{
    double E2 = 0, L2 = 0;
    for (int i = 0; i < 3; ++i) {
        E2 += I[i] * start_w[i] * start_w[i];
        L2 += I[i] * I[i] * start_w[i] * start_w[i];
    }
    assert_true(L2 > E2 * I[1]);
    return (exact_top){
        .w1 = sqrt((E2 * I[2] - L2) / (I[0] * (I[2] - I[0]))),
        .w2 = sqrt((E2 * I[2] - L2) / (I[1] * (I[2] - I[1]))),
        .w3 = sqrt((L2 - E2 * I[0]) / (I[2] * (I[2] - I[0]))),
        .rate = sqrt((I[2] - I[1]) * (L2 - E2 * I[0]) / (I[0] * I[1] * I[2])),
        .k = sqrt((I[1] - I[0]) * (E2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - E2 * I[0]))),
        .L = sqrt(L2),
    };
}

static cardo_vec3 exact_w(const exact_top *top, double time)
{
    double sn, cn, dn;
    jacobi(top->rate * time, top->k, &sn, &cn, &dn);
    return v3(top->w1 * cn, top->w2 * sn, top->w3 * dn);
}

/* Azimuth of the third axis about the angular momentum, by Simpson's rule over the exact rate. */
static double exact_azimuth(const exact_top *top, double time)
{
    enum { PIECES = 20000 };
    double sum = 0;
    for (int n = 0; n <= PIECES; ++n) {
        cardo_vec3 w = exact_w(top, time * n / PIECES);
        double a = I[0] * w.x * w.x + I[1] * w.y * w.y;
        double b = I[0] * I[0] * w.x * w.x + I[1] * I[1] * w.y * w.y;
        sum += (n == 0 || n == PIECES ? 1 : n % 2 ? 4 : 2) * top->L * a / b;
    }
    return sum * time / (3 * PIECES);
}

/* Azimuth of the third axis about L in ground. */
static double azimuth(cardo_mat33 R, cardo_vec3 L)
{
    cardo_vec3 z = v3_scale(1 / v3_norm(L), L), x = v3(z.z, 0, -z.x), y = v3_cross(z, x);
    cardo_vec3 axis = m33_column(R, 2);
    return atan2(v3_dot(axis, y), v3_dot(axis, x));
}

static void make_top(test_model *model, const cardo_mobilizer *mobilizer)
{
    cardo_error error;
    const cardo_body_definition body = {
        .name = "top",
        .mobilizer = mobilizer,
        .X_PF = xform_identity(),
        .X_BM = xform_identity(),
        .mass = {10, {0, 0, 0}, {I[0], I[1], I[2], 0, 0, 0}},
    };
    memset(model, 0, sizeof *model);
    assert_ok(cardo_system_create(&model->system, &error), &error);
    assert_ok(cardo_system_add_body(model->system, &body, NULL, &error), &error);
    assert_ok(cardo_system_finalize(model->system, &error), &error);
    assert_ok(cardo_state_create(model->system, &model->state, &error), &error);
}

/* Greatest errors over 10 ps of the angular velocity in the body (rad/ps) and of the azimuth. */
static void follow(const cardo_mobilizer *mobilizer, const cardo_integrator *integrator,
                   const void *own, double timestep, double *speed_error, double *azimuth_error)
{
    const exact_top exact = make_exact();
    test_model model;
    cardo_error error;
    cardo_end end;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    double u[6] = {start_w[0], start_w[1], start_w[2], 0.1, 0.2, 0.3};
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = timestep;
    options.velocities = CARDO_VELOCITIES_KEEP;
    make_top(&model, mobilizer);
    cardo_state_set_u(model.state, u);
    assert_ok(cardo_simulation_create(model.system, model.state, NULL, integrator, &options, own,
                                      &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    const cardo_vec3 L = v3(I[0] * start_w[0], 0, I[2] * start_w[2]);
    const double first = azimuth(m33_identity(), L);
    *speed_error = *azimuth_error = 0;
    for (int n = 1; n <= 20; ++n) {
        double time = 0.5 * n;
        assert_ok(cardo_simulation_run(simulation, llround(time / timestep), NULL, &end, &error),
                  &error);
        cardo_mat33 R = cardo_state_X_GB(model.state)[1].R;
        cardo_vec3 w = m33_mul_v3(m33_transpose(R), v3_load(cardo_state_u(model.state)));
        *speed_error = fmax(*speed_error, v3_norm(v3_sub(w, exact_w(&exact, time))));
        double miss = azimuth(R, L) - first - exact_azimuth(&exact, time);
        *azimuth_error = fmax(*azimuth_error, fabs(remainder(miss, 2 * CARDO_PI)));
    }
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

static void a_free_top_moves_by_elliptic_functions(void **test)
{
    (void)test;
    const cardo_adaptive_options fine = {1e-13, 1000000};
    const cardo_verlet_options flight = {1e-13};
    const struct {
        const cardo_integrator *integrator;
        const void *own;
        double timestep, tolerance;
    } cases[] = {
        {&cardo_integrator_verlet, &flight, 0.05, 1e-9},
        {&cardo_integrator_adams, &fine, 0.5, 1e-9},
        {&cardo_integrator_merson, &fine, 0.5, 1e-9},
        {&cardo_integrator_bdf, &fine, 0.5, 1e-6},
        {&cardo_integrator_rk4, NULL, 0.0005, 1e-9},
        {&cardo_integrator_leapfrog, NULL, 0.0005, 1e-4},
    };
    const cardo_mobilizer *const joints[] = {&cardo_mobilizer_ball, &cardo_mobilizer_free};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int j = 0; j < 2; ++j) {
            double speed, angle;
            follow(joints[j], cases[i].integrator, cases[i].own, cases[i].timestep, &speed, &angle);
            print_message("%s on a %s: angular velocity within %.1e rad/ps, azimuth within %.1e\n",
                          cases[i].integrator->name, joints[j]->name, speed, angle);
            assert_true(speed < cases[i].tolerance);
            assert_true(angle < cases[i].tolerance);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elliptic_functions_are_right),
        cmocka_unit_test(a_free_top_moves_by_elliptic_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
