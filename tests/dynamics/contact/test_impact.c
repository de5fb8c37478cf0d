/* Hard contacts and impacts against analytic times, laws and balances. */
#include "support/support.h"

#include "cardo/dynamics.h"
#include "cardo/impact.h"

#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* A system with contacts, and a run of it. */
typedef struct scene {
    cardo_system *system;
    cardo_state *state;
    cardo_impacts *impacts;
    cardo_simulation *simulation;
    int ncontact;
    cardo_unilateral contacts[MOST];
} scene;

static scene begin(double gravity)
{
    cardo_error error = {0};
    scene s = {0};
    assert_ok(cardo_system_create(&s.system, &error), &error);
    cardo_system_set_gravity(s.system, v3(0, 0, -gravity));
    return s;
}

static int add_body(scene *s, const char *mobilizer, cardo_transform X_PF, cardo_vec3 com,
                    double mass, cardo_vec3 central)
{
    cardo_error error = {0};
    int body;
    cardo_body_definition d = {.mobilizer = cardo_mobilizer_find(mobilizer),
                               .X_PF = X_PF,
                               .X_BM = cardo_transform_identity(),
                               .mass = {mass, com, {central.x, central.y, central.z, 0, 0, 0}}};
    v3_add_inertia(d.mass.inertia, mass, com);
    assert_ok(cardo_system_add_body(s->system, &d, &body, &error), &error);
    return body;
}

static cardo_unilateral *add_contact(scene *s, const char *kind, const void *parameters,
                                     double restitution)
{
    cardo_error error = {0};
    int index;
    assert_ok(cardo_system_add_constraint(s->system, cardo_constraint_find(kind), NULL, parameters,
                                          &index, &error),
              &error);
    cardo_unilateral *c = &s->contacts[s->ncontact++];
    *c = (cardo_unilateral){
        .constraint = index, .sign = 1, .restitution = restitution, .stiction = -1};
    return c;
}

static void complete(scene *s, cardo_impact_law law)
{
    cardo_error error = {0};
    assert_ok(cardo_system_finalize(s->system, &error), &error);
    assert_ok(cardo_state_create(s->system, &s->state, &error), &error);
    assert_ok(
        cardo_impacts_create(s->system, s->ncontact, s->contacts, law, 0, &s->impacts, &error),
        &error);
}

static void start(scene *s, const char *integrator, const char *step)
{
    cardo_error error = {0};
    char text[64];
    snprintf(text, sizeof text, "timestep=%s", step);
    const char *options[] = {text, "velocities=keep", "accuracy=1e-10"};
    const int n = strcmp(integrator, "rk-merson") == 0 ? 3 : 2;
    assert_ok(cardo_simulation_open(s->system, s->state, NULL, integrator, n, options,
                                    &s->simulation, &error),
              &error);
    assert_ok(cardo_impacts_begin(s->impacts, s->state, &error), &error);
    assert_ok(cardo_simulation_add_impacts(s->simulation, s->impacts, &error), &error);
    assert_ok(cardo_simulation_start(s->simulation, &error), &error);
}

static void run(scene *s, long long steps)
{
    cardo_error error = {0};
    cardo_end ended;
    assert_ok(cardo_simulation_run(s->simulation, steps, NULL, &ended, &error), &error);
}

static void finish(scene *s)
{
    cardo_simulation_destroy(s->simulation);
    cardo_impacts_destroy(s->impacts);
    cardo_state_destroy(s->state);
    cardo_system_destroy(s->system);
}

/* ------------ a bouncing ball ------------ */

/* Let go at h, it is at t_k = t_0 + sum 2 v_0 e^j / g on the ground, v_0 = sqrt(2 g h), and in between at z = v (t - t_k) - g (t - t_k)^2 / 2. */
static double height_at(double t, double h, double g, double e)
{
    double v = sqrt(2 * g * h), since = sqrt(2 * h / g);
    if (t < since)
        return h - 0.5 * g * t * t;
    for (;;) {
        v *= e;
        if (t < since + 2 * v / g)
            return v * (t - since) - 0.5 * g * (t - since) * (t - since);
        since += 2 * v / g;
    }
}

static void bounces_are_where_they_should_be(void **unused)
{
    (void)unused;
    const double h = 1.3, g = 9.81, e = 0.8, r = 0.2;
    const char *const integrators[] = {"verlet", "rk-merson", "rk4"};
    for (int k = 0; k < 3; ++k)
        for (int law = CARDO_IMPACT_SEQUENTIAL; law <= CARDO_IMPACT_POISSON; ++law) {
            scene s = begin(g);
            double worst = 0;
            const int ball = add_body(&s, "free", cardo_transform_identity(), v3(0, 0, 0), 2,
                                      v3(0.03, 0.03, 0.03));
            const cardo_point_on_plane ground = {0, ball, {0, 0, 1}, r, {0, 0, 0}};
            const double q[7] = {1, 0, 0, 0, 0, 0, h + r}, u[6] = {0.1, 0.2, 0.3, 0.5, 0, 0};
            add_contact(&s, "point-on-plane", &ground, e);
            complete(&s, (cardo_impact_law)law);
            cardo_state_set_q(s.state, q);
            cardo_state_set_u(s.state, u);
            start(&s, integrators[k], "0.05");
            for (int step = 1; step <= 60; ++step) {
                run(&s, step);
                const double t = cardo_state_time(s.state);
                worst = fmax(worst, fabs(cardo_state_q(s.state)[6] - r - height_at(t, h, g, e)));
            }
            print_message("%s, law %d: %.1e off after 3\n", integrators[k], law, worst);
            assert_true(worst <= 1e-10);
            assert_close(cardo_state_u(s.state)[3], 0.5, 1e-12);
            finish(&s);
        }
}

/* Captured, it rests, and its weight is borne. */
static void a_ball_comes_to_rest(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    scene s = begin(9.81);
    double force;
    const int ball =
        add_body(&s, "free", cardo_transform_identity(), v3(0, 0, 0), 2, v3(0.03, 0.03, 0.03));
    const cardo_point_on_plane ground = {0, ball, {0, 0, 1}, 0.2, {0, 0, 0}};
    const double q[7] = {1, 0, 0, 0, 0, 0, 0.3};
    add_contact(&s, "point-on-plane", &ground, 0.6)->capture = 0.01;
    complete(&s, CARDO_IMPACT_SEQUENTIAL);
    cardo_state_set_q(s.state, q);
    start(&s, "verlet", "0.02");
    run(&s, 100);
    assert_close(cardo_state_q(s.state)[6], 0.2, 1e-12);
    assert_close(cardo_state_u(s.state)[5], 0, 1e-12);
    assert_true(cardo_state_has_constraint(s.state, 0));
    assert_ok(cardo_impacts_forces(s.impacts, s.state, &force, &error), &error);
    assert_close(force, 2 * 9.81, 1e-10);
    finish(&s);
}

/* ------------ the cradle ------------ */

enum { BALLS = 5 };

/* Balls that hang side by side; speeds of the balls along x. */
static scene cradle(cardo_impact_law law, double e)
{
    scene s = begin(9.81);
    const double r = 0.1, length = 1;
    for (int k = 0; k < BALLS; ++k) {
        /* a pin about -y, so that an angle above 0 goes to +x */
        cardo_transform X =
            cardo_transform_turn(v3(1, 0, 0), 0.5 * acos(-1), v3(2 * r * k, 0, length));
        add_body(&s, "pin", X, v3(0, -length, 0), 0.5, v3(1e-9, 1e-9, 1e-9));
    }
    for (int k = 1; k < BALLS; ++k) {
        const cardo_rod rod = {k, k + 1, {0, -length, 0}, {0, -length, 0}, 2 * r};
        add_contact(&s, "rod", &rod, e);
    }
    complete(&s, law);
    return s;
}

static void laws_of_impact_differ(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    const double expected[3][BALLS] = {
        {0, 0, 0, 0, 1}, {-0.6, 0.4, 0.4, 0.4, 0.4}, {-0.6, 0.4, 0.4, 0.4, 0.4}};
    for (int law = CARDO_IMPACT_SEQUENTIAL; law <= CARDO_IMPACT_POISSON; ++law) {
        scene s = cradle((cardo_impact_law)law, 1);
        double u[BALLS] = {1, 0, 0, 0, 0}, impulses[BALLS - 1], before, after;
        cardo_state_set_u(s.state, u);
        assert_ok(cardo_realize(s.system, s.state, CARDO_STAGE_VELOCITY, &error), &error);
        assert_ok(cardo_kinetic_energy(s.system, s.state, &before, &error), &error);
        assert_ok(cardo_impacts_strike(s.impacts, s.state, impulses, &error), &error);
        assert_ok(cardo_realize(s.system, s.state, CARDO_STAGE_VELOCITY, &error), &error);
        assert_ok(cardo_kinetic_energy(s.system, s.state, &after, &error), &error);
        const double *v = cardo_state_u(s.state);
        print_message("law %d: %.6f %.6f %.6f %.6f %.6f\n", law, v[0], v[1], v[2], v[3], v[4]);
        double momentum = 0;
        for (int k = 0; k < BALLS; ++k) {
            assert_close(v[k], expected[law][k], 1e-8);
            momentum += v[k];
        }
        assert_close(momentum, 1, 1e-12);
        assert_close(after, before, 1e-12);
        finish(&s);
    }
}

static void the_cradle_swings(void **unused)
{
    (void)unused;
    scene s = cradle(CARDO_IMPACT_SEQUENTIAL, 1);
    double q[BALLS] = {-0.4, 0, 0, 0, 0};
    cardo_state_set_q(s.state, q);
    start(&s, "verlet", "0.01");
    double most = 0, inner = 0;
    for (int step = 1; step <= 400; ++step) {
        run(&s, step);
        most = fmax(most, cardo_state_q(s.state)[BALLS - 1]);
        for (int k = 1; k < BALLS - 1; ++k)
            inner = fmax(inner, fabs(cardo_state_q(s.state)[k]));
    }
    print_message("the last ball swings to %.6f of 0.4, the inner ones by %.1e\n", most, inner);
    assert_close(most, 0.4, 1e-3);
    assert_true(inner < 1e-6);
    finish(&s);
}

/* ------------ momentum ------------ */

/* Balls that fly into each other anywhere keep momentum and angular momentum, whatever the law; energy falls for e < 1. */
static void impulses_conserve_momentum(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    for (int law = CARDO_IMPACT_SEQUENTIAL; law <= CARDO_IMPACT_POISSON; ++law) {
        scene s = begin(0);
        const double at[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.75, 0}, {0.5, 0.25, 0.707}};
        double q[28], u[24], mass, energy[2];
        cardo_vec3 com;
        cardo_spatial momentum[2];
        for (int k = 0; k < 4; ++k) {
            add_body(&s, "free", cardo_transform_identity(), v3(0.01, 0, 0.02), 1 + 0.5 * k,
                     v3(0.1, 0.12, 0.09));
            const double own[7] = {1, 0, 0, 0, at[k][0], at[k][1], at[k][2]};
            memcpy(q + 7 * k, own, sizeof own);
            for (int i = 0; i < 6; ++i)
                u[6 * k + i] = sin(3.7 * (6 * k + i)) - (i > 2 ? 2 * (at[k][i - 3] - 0.3) : 0);
        }
        for (int a = 0; a < 4; ++a)
            for (int b = a + 1; b < 4; ++b) {
                const double d = sqrt(pow(at[a][0] - at[b][0], 2) + pow(at[a][1] - at[b][1], 2) +
                                      pow(at[a][2] - at[b][2], 2));
                const cardo_rod rod = {a + 1, b + 1, {0, 0, 0}, {0, 0, 0}, d};
                add_contact(&s, "rod", &rod, 0.7);
            }
        complete(&s, (cardo_impact_law)law);
        cardo_state_set_q(s.state, q);
        cardo_state_set_u(s.state, u);
        for (int side = 0; side < 2; ++side) {
            assert_ok(cardo_realize(s.system, s.state, CARDO_STAGE_VELOCITY, &error), &error);
            assert_ok(
                cardo_system_momentum(s.system, s.state, &mass, &com, &momentum[side], &error),
                &error);
            assert_ok(cardo_kinetic_energy(s.system, s.state, &energy[side], &error), &error);
            if (side == 0)
                assert_ok(cardo_impacts_strike(s.impacts, s.state, NULL, &error), &error);
        }
        const double *x = &momentum[0].angular.x, *y = &momentum[1].angular.x;
        for (int i = 0; i < 6; ++i)
            assert_close(y[i], x[i], 1e-12);
        double gaps[6], rates[6];
        assert_ok(cardo_impacts_gaps(s.impacts, s.state, gaps, rates, &error), &error);
        for (int i = 0; i < 6; ++i)
            assert_true(rates[i] >= -1e-9);
        print_message("law %d: energy %.6f -> %.6f\n", law, energy[0], energy[1]);
        assert_true(energy[1] < energy[0]);
        finish(&s);
    }
}

/* ------------ stacks ------------ */

static const double half = 0.1;

/* Boxes on boxes, each shifted along x by `shift` from the one below; their lower corners on the plane beneath. */
static scene stack(int boxes, double shift, bool stiction)
{
    scene s = begin(9.81);
    cardo_error error = {0};
    const double m = 1, I = 2.0 / 3 * m * half * half;
    double q[7 * 16];
    for (int k = 0; k < boxes; ++k) {
        add_body(&s, "free", cardo_transform_identity(), v3(0, 0, 0), m, v3(I, I, I));
        const double own[7] = {1, 0, 0, 0, shift * k, 0, half * (2 * k + 1)};
        memcpy(q + 7 * k, own, sizeof own);
    }
    for (int k = 1; k <= boxes; ++k)
        for (int c = 0; c < 4; ++c) {
            const cardo_vec3 corner = v3(c & 1 ? half : -half, c & 2 ? half : -half, -half);
            const cardo_point_on_plane on = {k - 1, k, {0, 0, 1}, k == 1 ? 0 : half, corner};
            cardo_unilateral *contact = add_contact(&s, "point-on-plane", &on, 0);
            if (!stiction)
                continue;
            const cardo_stiction holds = {k - 1, k, {0, 0, 1}, corner, 0};
            contact->static_friction = 0.5;
            assert_ok(cardo_system_add_constraint(s.system, cardo_constraint_find("stiction"), NULL,
                                                  &holds, &contact->stiction, &error),
                      &error);
            assert_ok(cardo_system_start_constraint(s.system, contact->stiction, false, &error),
                      &error);
        }
    complete(&s, CARDO_IMPACT_SEQUENTIAL);
    cardo_state_set_q(s.state, q);
    return s;
}

static void ten_boxes_stand_still(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    for (int friction = 0; friction < 2; ++friction) {
        const int boxes = 10;
        scene s = stack(boxes, 0.002, friction);
        double q[70], forces[MOST], moved = 0;
        memcpy(q, cardo_state_q(s.state), sizeof q);
        start(&s, "rk4", friction ? "0.5" : "0.1");
        run(&s, friction ? 20 : 100);
        assert_close(cardo_state_time(s.state), 10, 1e-9);
        for (int i = 0; i < 7 * boxes; ++i)
            moved = fmax(moved, fabs(cardo_state_q(s.state)[i] - q[i]));
        assert_ok(cardo_impacts_forces(s.impacts, s.state, forces, &error), &error);
        print_message("ten boxes moved by %.1e in 10\n", moved);
        assert_true(moved < 1e-8);
        for (int k = 0; k < boxes; ++k) {
            const double *f = forces + 4 * k;
            assert_close(f[0] + f[1] + f[2] + f[3], 9.81 * (boxes - k), 1e-8);
            for (int c = 0; c < 4; ++c)
                assert_true(f[c] >= -1e-7);
        }
        finish(&s);
    }
}

/* A stack that leans out too far tips over. */
static void what_leans_too_far_falls(void **unused)
{
    (void)unused;
    scene s = stack(4, 0.09, true);
    start(&s, "rk-merson", "0.02");
    run(&s, 10);
    assert_true(cardo_state_q(s.state)[7 * 3 + 6] < 7 * half - 1e-3);
    finish(&s);
}

/* ------------ stiction ------------ */

/* A box on a slope stays where tan(slope) is below the coefficient and goes with g (sin) where it is above, frictionless. */
static void stiction_has_a_cone(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    for (int steep = 0; steep < 2; ++steep) {
        const double slope = steep ? 0.55 : 0.45, g = 9.81;
        scene s = begin(0);
        cardo_system_set_gravity(s.system, v3(g * sin(slope), 0, -g * cos(slope)));
        const int body =
            add_body(&s, "free", cardo_transform_identity(), v3(0, 0, 0), 1, v3(0.01, 0.01, 0.01));
        for (int c = 0; c < 4; ++c) {
            const cardo_vec3 corner = v3(c & 1 ? half : -half, c & 2 ? half : -half, -0.2 * half);
            const cardo_point_on_plane on = {0, body, {0, 0, 1}, 0, corner};
            cardo_unilateral *contact = add_contact(&s, "point-on-plane", &on, 0);
            const cardo_stiction holds = {0, body, {0, 0, 1}, corner, 0};
            contact->static_friction = 0.5463; /* tan 0.5 */
            assert_ok(cardo_system_add_constraint(s.system, cardo_constraint_find("stiction"), NULL,
                                                  &holds, &contact->stiction, &error),
                      &error);
        }
        complete(&s, CARDO_IMPACT_SEQUENTIAL);
        const double q[7] = {1, 0, 0, 0, 0, 0, 0.2 * half};
        cardo_state_set_q(s.state, q);
        start(&s, "verlet", "0.01");
        run(&s, 30);
        const double way = steep ? 0.5 * g * sin(slope) * 0.09 : 0;
        print_message("slope %.2f: slid by %.6f\n", slope, cardo_state_q(s.state)[4]);
        assert_close(cardo_state_q(s.state)[4], way, 1e-9);
        assert_close(cardo_state_q(s.state)[6], 0.2 * half, 1e-10);
        finish(&s);
    }
}

/* A ball that is set down rolling goes on doing so, down a slope with 5/7 g sin. */
static void a_ball_rolls(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    const double slope = 0.3, g = 9.81, r = 0.1, m = 1, I = 0.4 * m * r * r;
    scene s = begin(0);
    cardo_system_set_gravity(s.system, v3(g * sin(slope), 0, -g * cos(slope)));
    const int body = add_body(&s, "free", cardo_transform_identity(), v3(0, 0, 0), m, v3(I, I, I));
    const cardo_point_on_plane on = {0, body, {0, 0, 1}, r, {0, 0, 0}};
    const cardo_stiction rolls = {0, body, {0, 0, 1}, {0, 0, 0}, r};
    cardo_unilateral *contact = add_contact(&s, "point-on-plane", &on, 0);
    contact->static_friction = 1;
    assert_ok(cardo_system_add_constraint(s.system, cardo_constraint_find("stiction"), NULL, &rolls,
                                          &contact->stiction, &error),
              &error);
    complete(&s, CARDO_IMPACT_SEQUENTIAL);
    const double q[7] = {1, 0, 0, 0, 0, 0, r};
    cardo_state_set_q(s.state, q);
    start(&s, "rk-merson", "0.05");
    run(&s, 20);
    assert_close(cardo_state_q(s.state)[4], 0.5 * 5.0 / 7 * g * sin(slope), 1e-8);
    assert_close(cardo_state_u(s.state)[1], 5.0 / 7 * g * sin(slope) / r, 1e-7);
    finish(&s);
}

/* ------------ stops ------------ */

/* A pendulum that meets a stop at the lowest place on its way: half a swing lasts half a period, and e^2 of the energy comes back. */
static void a_coordinate_has_a_stop(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    scene s = begin(9.81);
    const double e = 0.5, from = 0.6, zero = 0;
    const int body =
        add_body(&s, "pin", cardo_transform_turn(v3(1, 0, 0), 0.5 * acos(-1), v3(0, 0, 0)),
                 v3(0, -1, 0), 1, v3(0.01, 0.01, 0.01));
    const cardo_prescribed_coordinate stop = {
        .coordinate = {body, 0},
        .function = {.kind = CARDO_FUNCTION_CONSTANT, .ncoefficient = 1, .coefficients = &zero}};
    add_contact(&s, "prescribed-motion", &stop, e);
    complete(&s, CARDO_IMPACT_POISSON);
    cardo_state_set_q(s.state, &from);
    start(&s, "rk-merson", "0.01");
    double least = 1, highest = 0;
    bool struck = false;
    for (int step = 1; step <= 150; ++step) {
        run(&s, step);
        const double q = cardo_state_q(s.state)[0];
        least = fmin(least, q);
        struck = struck || cardo_state_u(s.state)[0] > 0;
        if (struck)
            highest = fmax(highest, q);
    }
    const double back = acos(1 - e * e * (1 - cos(from)));
    print_message("comes back to %.5f, %.5f by the energy\n", highest, back);
    assert_true(least >= -1e-12);
    assert_close(highest, back, 1e-3);
    finish(&s);
    (void)error;
}

/* ------------ impulses ------------ */

static void impulse_problems(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    scene s = begin(9.81);
    add_body(&s, "pin", cardo_transform_identity(), v3(0.5, 0, 0), 2, v3(0.1, 0.1, 0.2));
    cardo_transform X = cardo_transform_identity();
    X.p = v3(1, 0, 0);
    cardo_error e2 = {0};
    int second;
    const cardo_body_definition d = {.parent = 1,
                                     .mobilizer = cardo_mobilizer_find("pin"),
                                     .X_PF = X,
                                     .X_BM = cardo_transform_identity(),
                                     .mass = {1, {0.5, 0, 0}, {0.1, 0.4, 0.45, 0, 0, 0}}};
    assert_ok(cardo_system_add_body(s.system, &d, &second, &e2), &e2);
    assert_ok(cardo_system_finalize(s.system, &error), &error);
    assert_ok(cardo_state_create(s.system, &s.state, &error), &error);
    const double q[2] = {0.3, 0.7}, p[2] = {0.4, -0.2};
    double change[2], back[2], J[2] = {1, 1}, wanted = 0.6, impulse;
    cardo_state_set_q(s.state, q);
    assert_ok(cardo_realize(s.system, s.state, CARDO_STAGE_DYNAMICS, &error), &error);
    assert_ok(cardo_impulse_response(s.system, s.state, NULL, p, change, &error), &error);
    assert_ok(cardo_multiply_m(s.system, s.state, change, back, &error), &error);
    assert_close(back[0], p[0], 1e-12);
    assert_close(back[1], p[1], 1e-12);
    assert_ok(cardo_impulse_for_change(s.system, s.state, 1, J, &wanted, &impulse, change, &error),
              &error);
    assert_close(change[0] + change[1], wanted, 1e-12);
    assert_ok(cardo_multiply_m(s.system, s.state, change, back, &error), &error);
    assert_close(back[0], impulse, 1e-12);
    assert_close(back[1], impulse, 1e-12);
    const double twice[4] = {1, 1, 1, 1}, different[2] = {0.6, 0.5};
    double two[2];
    assert_fails(
        cardo_impulse_for_change(s.system, s.state, 2, twice, different, two, NULL, &error), &error,
        CARDO_ERROR_SINGULAR, "depend on each other");
    finish(&s);
}

/* A Zeno motion that nothing captures is named, and no hang. */
static void a_ball_that_is_never_captured_is_an_error(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_end ended;
    scene s = begin(9.81);
    const int ball =
        add_body(&s, "free", cardo_transform_identity(), v3(0, 0, 0), 2, v3(0.03, 0.03, 0.03));
    const cardo_point_on_plane ground = {0, ball, {0, 0, 1}, 0.2, {0, 0, 0}};
    const double q[7] = {1, 0, 0, 0, 0, 0, 0.3}, below[7] = {1, 0, 0, 0, 0, 0, 0.1};
    add_contact(&s, "point-on-plane", &ground, 0.3);
    complete(&s, CARDO_IMPACT_SEQUENTIAL);
    cardo_state_set_q(s.state, below);
    assert_fails(cardo_impacts_begin(s.impacts, s.state, &error), &error, CARDO_ERROR_INPUT,
                 "surfaces overlap by 0.1");
    cardo_state_set_q(s.state, q);
    start(&s, "verlet", "0.05");
    const cardo_status status = cardo_simulation_run(s.simulation, 100, NULL, &ended, &error);
    print_message("%s\n", status == CARDO_OK ? "came to rest" : error.message);
    if (status == CARDO_OK)
        assert_close(cardo_state_q(s.state)[6], 0.2, 1e-9);
    else
        assert_non_null(strstr(error.message, "impact"));
    finish(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces_are_where_they_should_be),
        cmocka_unit_test(a_ball_comes_to_rest),
        cmocka_unit_test(laws_of_impact_differ),
        cmocka_unit_test(the_cradle_swings),
        cmocka_unit_test(impulses_conserve_momentum),
        cmocka_unit_test(ten_boxes_stand_still),
        cmocka_unit_test(what_leans_too_far_falls),
        cmocka_unit_test(stiction_has_a_cone),
        cmocka_unit_test(a_ball_rolls),
        cmocka_unit_test(a_coordinate_has_a_stop),
        cmocka_unit_test(impulse_problems),
        cmocka_unit_test(a_ball_that_is_never_captured_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
