/* Spheres that bounce, roll and slide on compliant ground, against closed forms. */
#include "support/support.h"

#include "cardo/contact.h"
#include "cardo/dynamics.h"

#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double radius = 0.1, mass = 2, stiffness = 1e6, gravity = 9.81;

/* A ball of uniform density over z = 0, its centre at rest at `height`. */
typedef struct drop {
    cardo_system *system;
    cardo_state *state;
    cardo_simulation *simulation;
} drop;

static drop let_go(double height, const double velocity[6], double g, double dissipation,
                   double friction, const char *timestep, const char *accuracy)
{
    cardo_error error = {0};
    drop d;
    char step[64], digits[64];
    const double I = 0.4 * mass * radius * radius;
    const double q[7] = {1, 0, 0, 0, 0, 0, height};
    const cardo_contact_sphere ball = {radius};
    const cardo_body_definition body = {.mobilizer = cardo_mobilizer_find("free"),
                                        .X_PF = cardo_transform_identity(),
                                        .X_BM = cardo_transform_identity(),
                                        .mass = {mass, {0, 0, 0}, {I, I, I, 0, 0, 0}}};
    cardo_contact_surface on[2] = {
        {.body = 0,
         .X_BS = cardo_transform_turn(v3(0, 1, 0), 0.5 * acos(-1), v3(0, 0, 0)),
         .shape = cardo_contact_shape_find("half-space")},
        {.body = 1,
         .X_BS = cardo_transform_identity(),
         .shape = cardo_contact_shape_find("sphere"),
         .parameters = &ball}};
    for (int k = 0; k < 2; ++k)
        on[k].material = (cardo_contact_material){stiffness, dissipation, friction, friction, 0};
    const cardo_contact_parameters contact = {2, on, 1e-3, false};
    assert_ok(cardo_system_create(&d.system, &error), &error);
    assert_ok(cardo_system_add_body(d.system, &body, NULL, &error), &error);
    assert_ok(cardo_system_add_force(d.system, cardo_force_element_find("contact"), &contact, NULL,
                                     &error),
              &error);
    cardo_system_set_gravity(d.system, v3(0, 0, -g));
    assert_ok(cardo_system_finalize(d.system, &error), &error);
    assert_ok(cardo_state_create(d.system, &d.state, &error), &error);
    cardo_state_set_q(d.state, q);
    cardo_state_set_u(d.state, velocity);
    snprintf(step, sizeof step, "timestep=%s", timestep);
    snprintf(digits, sizeof digits, "accuracy=%s", accuracy);
    const char *options[] = {step, digits, "velocities=keep"};
    assert_ok(cardo_simulation_open(d.system, d.state, NULL, "rk-merson", 3, options, &d.simulation,
                                    &error),
              &error);
    return d;
}

static void finish(drop *d)
{
    cardo_simulation_destroy(d->simulation);
    cardo_state_destroy(d->state);
    cardo_system_destroy(d->system);
}

/* Times at which the centre is at the height of the radius, and the speed there. */
typedef struct passages {
    int n;
    double time[64], speed[64];
} passages;

static cardo_status height_above(void *user, double time, const double *q, const double *u,
                                 double *value, cardo_error *error)
{
    (void)user;
    (void)time;
    (void)u;
    (void)error;
    *value = q[6] - radius;
    return CARDO_OK;
}

static cardo_status note(void *user, const cardo_event_report *report, cardo_error *error)
{
    passages *p = user;
    (void)error;
    if (p->n < 64) {
        p->time[p->n] = report->time;
        p->speed[p->n++] = report->u[5];
    }
    return CARDO_OK;
}

static passages watch(drop *d, long long steps)
{
    cardo_error error = {0};
    cardo_end end;
    passages p = {0};
    const cardo_event event = {.name = "surface", .witness = height_above};
    assert_ok(cardo_simulation_add_event(d->simulation, &event, &error), &error);
    cardo_simulation_listen(d->simulation, note, &p);
    assert_ok(cardo_simulation_start(d->simulation, &error), &error);
    assert_ok(cardo_simulation_run(d->simulation, steps, NULL, &end, &error), &error);
    return p;
}

/* F = K x^1.5 */
static double hertz(void)
{
    const double k = stiffness * pow(2, -1.5); /* two equal materials */
    return 4.0 / 3 * k * sqrt(radius);
}

/* Without gravity m x'^2 / 2 + 2/5 K x^2.5 is kept: a contact lasts 2 x_m / v sqrt(pi) Gamma(7/5) / Gamma(9/10). */
static void contact_time_is_hertzs(void **unused)
{
    (void)unused;
    const double v = 0.7, pi = acos(-1);
    const double deepest = pow(1.25 * mass * v * v / hertz(), 0.4);
    const double lasts = 2 * deepest / v * sqrt(pi) * tgamma(1.4) / tgamma(0.9);
    const double u[6] = {0, 0, 0, 0, 0, -v};
    drop d = let_go(radius + 0.001, u, 0, 0, 0, "1e-4", "1e-13");
    const passages p = watch(&d, 600);
    assert_int_equal(p.n, 2);
    print_message("contact lasts %.12g, %.12g by Hertz\n", p.time[1] - p.time[0], lasts);
    assert_close((p.time[1] - p.time[0]) / lasts, 1, 1e-8);
    assert_close(p.speed[1], v, 1e-9 * v);
    finish(&d);
}

/* With gravity: the flight takes 2 v / g, and the contact the integral of dx / x' = 2 dx / sqrt(v^2 + 2 g x - 4/5 K/m x^2.5) to where that is 0. With x = x_m (1 -
 * s^2) nothing in it is singular. */
static double period_of(double v)
{
    const double K = hertz() / mass;
    double deepest = pow(1.25 * v * v / K, 0.4);
    for (int i = 0; i < 60; ++i)
        deepest -= (v * v + 2 * gravity * deepest - 0.8 * K * pow(deepest, 2.5)) /
                   (2 * gravity - 2 * K * pow(deepest, 1.5));
    enum { N = 20000 };
    double sum = 0;
    for (int i = 0; i < N; ++i) {
        const double s = (i + 0.5) / N, x = deepest * (1 - s * s);
        sum += 2 * deepest * s / sqrt(v * v + 2 * gravity * x - 0.8 * K * pow(x, 2.5)) / N;
    }
    return 2 * v / gravity + 2 * sum;
}

static void bounces_have_hertzs_period(void **unused)
{
    (void)unused;
    const double drop_from = 0.05, u[6] = {0};
    drop d = let_go(radius + drop_from, u, gravity, 0, 0, "1e-2", "1e-13");
    const passages p = watch(&d, 160);
    const double period = period_of(sqrt(2 * gravity * drop_from));
    assert_true(p.n >= 10);
    for (int k = 2; k + 1 < p.n; k += 2)
        assert_close(p.time[k] - p.time[k - 2], period, 1e-7 * period);
    print_message("%d bounces; period %.12g, %.12g by quadrature\n", p.n / 2,
                  (p.time[p.n - 2 - p.n % 2] - p.time[0]) / (p.n / 2 - 1), period);
    finish(&d);
}

/* v dv / (1 + a v) between both ends of a collision is 0, a = 3/2 c: w - ln(1 + w) of w = a v is the same at v and at -e v. */
static double hunt_crossley(double a, double v)
{
    const double w = a * v, level = w - log1p(w);
    double back = w * (1 - 2 * w / 3);
    for (int i = 0; i < 50; ++i)
        back -= (-back - log1p(-back) - level) / (back / (1 - back));
    return back / w;
}

static void restitution_is_one_less_cv(void **unused)
{
    (void)unused;
    const double c = 0.4;
    for (double v = 1; v > 1e-4; v /= 4) {
        const double u[6] = {0, 0, 0, 0, 0, -v};
        const double lasts = 3 * pow(1.25 * mass * v * v / hertz(), 0.4) / v;
        char step[32];
        snprintf(step, sizeof step, "%.17g", lasts / 20);
        drop d = let_go(radius + 1e-9 * v, u, 0, c, 0, step, "1e-13");
        const passages p = watch(&d, 40);
        assert_int_equal(p.n, 2);
        const double e = p.speed[1] / v;
        print_message("v = %8.2g: e = %.12f, (1 - e)/(c v) = %.8f\n", v, e, (1 - e) / (c * v));
        assert_close(e, hunt_crossley(1.5 * c, v), 1e-9);
        assert_close((1 - e) / (c * v), 1, c * v + 1e-9 / (c * v));
        finish(&d);
    }
}

/* A ball that is set down sliding keeps its angular momentum about a line along the ground, and rolls in the end. */
static void sliding_becomes_rolling(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_end end;
    const double u[6] = {0, 0, 0, 1, 0, 0};
    const double depth = pow(mass * gravity / hertz(), 2.0 / 3);
    drop d = let_go(radius - depth, u, gravity, 1, 0.3, "1e-2", "1e-9");
    assert_ok(cardo_simulation_start(d.simulation, &error), &error);
    assert_ok(cardo_simulation_run(d.simulation, 200, NULL, &end, &error), &error);
    const double *w = cardo_state_u(d.state);
    const double R = radius - 0.5 * depth, I = 0.4 * mass * radius * radius;
    assert_close(mass * w[3] * R + I * w[1], mass * R, 1e-7);
    const double rolling =
        1 / (1 + I / (mass * R * R)); /* of its speed; 5/7 where R is the radius */
    print_message("rolls with %.7f of its speed, %.7f expected, slip %.1e\n", w[3], rolling,
                  w[3] - w[1] * R);
    assert_close(w[3], rolling, 1e-5);
    finish(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_time_is_hertzs),
        cmocka_unit_test(bounces_have_hertzs_period),
        cmocka_unit_test(restitution_is_one_less_cv),
        cmocka_unit_test(sliding_becomes_rolling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
