/* Texts in the manner of SD/FAST: read, written and read again. */
#include "random_tree.h"
#include "support/support.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/vec.h"
#include "cardo/constraints.h"
#include "cardo/manifold.h"
#include "cardo/operators.h"
#include "cardo/planar.h"
#include "cardo/sdfast.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

static const char pendulum[] = "# a rod that hangs from ground\n"
                               "language = c\n"
                               "gravity = 0 -9.81 0\n"
                               "BODY = rod inb=$ground Joint = pin\n"
                               "  mass=2 inertia = 0.1 0.01 0.1 # of a slender one\n"
                               "  bodytojoint = 0 0.5 0 inbtojoint = 0 0 0 pin = 0 0 2\n";

/* The reference figures' four-bar, with its coupler closed by a ball at the rocker, at angles of zero. */
static const char four_bar[] =
    "gravity = 0 -9.81 0\n"
    "body = crank inb = $ground joint = pin mass = 0.6 inertia = 0.001 0.001 0.002\n"
    "  bodytojoint = -0.1 0 0 inbtojoint = 0 0 0 pin = 0 0 1\n"
    "body = coupler inb = crank joint = pin mass = 1.8 inertia = 0.027 0.027 0.054\n"
    "  bodytojoint = -0.3 0 0 inbtojoint = 0.1 0 0 pin = 0 0 1\n"
    "body = rocker inb = $ground joint = pin mass = 1.35 inertia = 0.011 0.012 "
    "0.022781250000000003\n"
    "  bodytojoint = -0.225 0 0 inbtojoint = 0.5 0 0 pin = 0 0 1\n"
    "body = rocker inb = coupler joint = ball bodytojoint = 0.225 0 0 inbtojoint = 0.3 0 0\n";

static void read_text(const char *text, cardo_sdfast *d)
{
    cardo_error error = {0};
    assert_ok(cardo_sdfast_read(text, strlen(text), "test.sd", d, &error), &error);
}

static void accelerations(const cardo_sdfast *d, const double *q, const double *u, double *udot,
                          int *nu)
{
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    assert_ok(cardo_sdfast_system(d, &system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    assert_ok(cardo_project_q(system, state, 0, &error), &error);
    assert_ok(cardo_project_u(system, state, 0, &error), &error);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
    *nu = cardo_system_nu(system);
    memcpy(udot, cardo_state_udot(state), (size_t)*nu * sizeof *udot);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

/* The same accelerations from what was written, and the same text again; udot: what they are. */
static int there_and_back(const char *text, const double *q, const double *u, double *udot)
{
    cardo_error error = {0};
    cardo_sdfast first, second;
    char *written[2];
    double again[MOST];
    int nu;
    read_text(text, &first);
    accelerations(&first, q, u, udot, &nu);
    assert_ok(cardo_sdfast_write(&first, &written[0], &error), &error);
    read_text(written[0], &second);
    accelerations(&second, q, u, again, &nu);
    for (int j = 0; j < nu; ++j)
        assert_close(again[j], udot[j], 1e-12 * fmax(1, fabs(udot[j])));
    assert_ok(cardo_sdfast_write(&second, &written[1], &error), &error);
    assert_string_equal(written[0], written[1]);
    cardo_free(written[0]);
    cardo_free(written[1]);
    cardo_sdfast_free(&first);
    cardo_sdfast_free(&second);
    return nu;
}

static void a_pendulum(void **unused)
{
    const double q = 0.7, u = 1.1;
    double udot[MOST];
    (void)unused;
    assert_int_equal(there_and_back(pendulum, &q, &u, udot), 1);
    assert_close(udot[0], -2 * 9.81 * 0.5 * sin(q) / (0.1 + 2 * 0.25), 1e-13);
}

/* Against the same mechanism by its joints in the plane. */
static void a_four_bar(void **unused)
{
    const cardo_planar_body bodies[3] = {
        {"crank", 0.6, 0.002}, {"coupler", 1.8, 0.054}, {"rocker", 1.35, 0.022781250000000003}};
    const cardo_planar_joint joints[4] = {
        {.body1 = 1, .point1 = {-0.1, 0}},
        {.body1 = 1, .body2 = 2, .point1 = {0.1, 0}, .point2 = {-0.3, 0}},
        {.body1 = 2, .body2 = 3, .point1 = {0.3, 0}, .point2 = {0.225, 0}},
        {.body1 = 3, .point1 = {-0.225, 0}, .point2 = {0.5, 0}}};
    const cardo_planar planar = {
        .nbody = 3, .njoint = 4, .bodies = bodies, .joints = joints, .gravity = {0, -9.81}};
    const double open[9] = {0.05, 0.09, 1.1, 0.36, 0.3, 0.43, 0.57, 0.21, 1.26};
    cardo_error error = {0};
    cardo_mechanism *m;
    cardo_state *state;
    double c[9], v[9] = {0, 0, 6}, a[9], q[3], u[3], udot[MOST];
    (void)unused;
    assert_ok(cardo_mechanism_create(&planar, CARDO_PLANAR_ABSOLUTE, &m, &error), &error);
    const cardo_system *system = cardo_mechanism_system(m);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    assert_ok(cardo_mechanism_set(m, state, open, v, &error), &error);
    assert_ok(cardo_stabilize(system, state, 0, &error), &error);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
    assert_ok(cardo_mechanism_get(m, state, c, v, a, &error), &error);
    q[0] = c[2];
    q[1] = c[5] - c[2];
    q[2] = c[8];
    u[0] = v[2];
    u[1] = v[5] - v[2];
    u[2] = v[8];
    assert_int_equal(there_and_back(four_bar, q, u, udot), 3);
    assert_close(udot[0], a[2], 1e-9);
    assert_close(udot[1], a[5] - a[2], 1e-9);
    assert_close(udot[2], a[8], 1e-9);
    cardo_state_destroy(state);
    cardo_mechanism_destroy(m);
}

/* A joint that has no name of its own, made of two with a body of mass 0 between: it falls along its slider and spins about its third axis. */
static void a_bearing_of_two_joints(void **unused)
{
    static const char bearing[] =
        "gravity = 3 -9.81 0\n"
        "body = sleeve inb = $ground joint = slider mass = 0 inertia = 0 0 0\n"
        "  bodytojoint = 0 0 0 inbtojoint = 0 0 0 pin = 1 0 0\n"
        "body = shaft inb = sleeve joint = gimbal mass = 2 inertia = 0.1 0.2 0.25\n"
        "  bodytojoint = 0 0 0 inbtojoint = 0 0 0 pin = 1 0 0 pin = 0 1 0 pin = 0 0 1\n";
    const double q[4] = {0.2, 0, 0, 0.4}, u[4] = {-1, 0, 0, 2};
    double udot[MOST];
    (void)unused;
    assert_int_equal(there_and_back(bearing, q, u, udot), 4);
    assert_close(udot[0], 3, 1e-14);
    for (int j = 1; j < 4; ++j)
        assert_close(udot[j], 0, 1e-14);
}

/* Twelve joints of every kind. */
static void an_arm(void **unused)
{
    static const char *const joints[12] = {"pin",      "slider",  "ujoint", "gimbal",
                                           "cylinder", "planar",  "ball",   "rpin",
                                           "bushing",  "rujoint", "free",   "weld"};
    const double x[3] = {1, 2, 2}, y[3] = {-2, -1, 2}, z[3] = {2, -2, 1};
    char text[8192] = "gravity = 0.3 -9.81 0.2\n";
    uint64_t seed = 12;
    double q[MOST], u[MOST], udot[MOST];
    (void)unused;
    for (int k = 0; k < 12; ++k) {
        char inboard[16] = "$ground";
        if (k > 0)
            snprintf(inboard, sizeof inboard, "link%d", k - 1);
        cardo_append(text, sizeof text, "body = link%d inb = %s joint = %s mass = %d.5\n", k,
                     inboard, joints[k], 12 - k);
        cardo_append(text, sizeof text,
                     " inertia = 0.3 0.02 -0.01 0.02 0.4 0.03 -0.01 0.03 0.35\n"
                     " bodytojoint = 0.1 %.3f -0.2 inbtojoint = 0.05 -0.3 %.2f\n",
                     0.2 + 0.01 * k, 0.1 * k);
        const char *joint = joints[k][0] == 'r' ? joints[k] + 1 : joints[k];
        const int pins = strstr("pin slider cylinder", joint) ? 1
                         : strstr("ujoint planar", joint)     ? 2
                         : strstr("gimbal bushing", joint)    ? 3
                                                              : 0;
        const double *const axes[3] = {x, y, z};
        for (int i = 0; i < pins; ++i)
            cardo_append(text, sizeof text, " pin = %g %g %g", axes[i][0], axes[i][1], axes[i][2]);
        cardo_append(text, sizeof text, "\n");
    }
    cardo_sdfast d;
    cardo_error error = {0};
    cardo_system *system;
    read_text(text, &d);
    assert_int_equal(d.nbody, 12);
    assert_ok(cardo_sdfast_system(&d, &system, &error), &error);
    random_coordinates(system, &seed, q);
    random_numbers(cardo_system_nu(system), &seed, u);
    cardo_body_info info;
    cardo_system_body(system, 8, &info);
    assert_true(info.reversed);
    /* where all coordinates are zero, all axes are ground's */
    cardo_state *state;
    assert_ok(cardo_state_create(system, &state, &error), &error);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_POSITION, &error), &error);
    for (int k = 1; k <= 12; ++k)
        for (int i = 0; i < 9; ++i)
            assert_close(cardo_state_X_GB(state)[k].R.m[i / 3][i % 3], i % 4 == 0, 1e-14);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    cardo_sdfast_free(&d);
    assert_int_equal(there_and_back(text, q, u, udot), 1 + 1 + 2 + 3 + 2 + 3 + 3 + 1 + 6 + 2 + 6);
}

/* A chain of any frames, with loops that are closed at q where closed says so. */
static cardo_system *generic(const double *q, bool closed)
{
    static const char *const kinds[12] = {"free",      "pin",    "slider",    "cylinder",
                                          "universal", "gimbal", "planar",    "weld",
                                          "bushing",   "pin",    "universal", "pin"};
    static const int parents[12] = {0, 1, 2, 3, 4, 2, 6, 7, 8, 4, 10, 11};
    uint64_t seed = 77;
    cardo_error error = {0};
    cardo_system *system;
    random_parameters room;
    assert_ok(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, v3(0.4, -9.7, 1.1));
    for (int k = 0; k < 12; ++k) {
        cardo_body_definition body =
            random_body(cardo_mobilizer_find(kinds[k]), parents[k], &seed, &room);
        body.name = k == 3 ? "no name = here" : k == 4 ? "upper" : NULL;
        body.reversed = k % 3 == 1;
        body.euler = false;
        if (k == 0)
            body.X_PF.R = m33_identity();
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    for (int k = 0; closed && k < 2; ++k) {
        cardo_system *open = generic(q, false);
        cardo_state *state;
        cardo_joint_closure loop = {.body1 = k == 0 ? 5 : 3,
                                    .body2 = k == 0 ? 9 : 12,
                                    .frame1 = random_transform(&seed),
                                    .mobilizer = cardo_mobilizer_find("pin")};
        assert_ok(cardo_state_create(open, &state, &error), &error);
        cardo_state_set_q(state, q);
        assert_ok(cardo_realize(open, state, CARDO_STAGE_POSITION, &error), &error);
        const cardo_transform *X = cardo_state_X_GB(state);
        loop.frame2 =
            cardo_transform_multiply(cardo_transform_inverse(X[loop.body2]),
                                     cardo_transform_multiply(X[loop.body1], loop.frame1));
        const cardo_coincident_points ball = {loop.body1, loop.body2, loop.frame1.p, loop.frame2.p};
        assert_ok(cardo_system_add_constraint(system, cardo_constraint_find(k ? "joint" : "ball"),
                                              NULL, k ? (const void *)&loop : &ball, NULL, &error),
                  &error);
        cardo_state_destroy(state);
        cardo_system_destroy(open);
    }
    assert_ok(cardo_system_finalize(system, &error), &error);
    return system;
}

/* A system that was made otherwise is written, read and moves alike. */
static void systems_are_described(void **unused)
{
    uint64_t seed = 5;
    double q[MOST], u[MOST], udot[MOST];
    cardo_error error = {0};
    cardo_sdfast d, again;
    cardo_state *state;
    char *text;
    (void)unused;
    cardo_system *open = generic(NULL, false);
    random_coordinates(open, &seed, q);
    cardo_system_destroy(open);
    cardo_system *system = generic(q, true);
    const int nu = cardo_system_nu(system);
    random_numbers(nu, &seed, u);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    assert_ok(cardo_project_u(system, state, 0, &error), &error);
    memcpy(u, cardo_state_u(state), (size_t)nu * sizeof *u);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
    assert_ok(cardo_sdfast_describe(system, &d, &error), &error);
    assert_int_equal(d.nbody, 14);
    assert_string_equal(d.bodies[4].name, "upper");
    assert_string_equal(d.bodies[3].name, "body4");
    assert_string_equal(d.bodies[1].joint, "rpin");
    assert_ok(cardo_sdfast_write(&d, &text, &error), &error);
    read_text(text, &again);
    for (int k = 0; k < 2; ++k) {
        int n;
        accelerations(k == 0 ? &d : &again, q, u, udot, &n);
        assert_int_equal(n, nu);
        for (int j = 0; j < nu; ++j)
            assert_close(udot[j], cardo_state_udot(state)[j],
                         1e-10 * fmax(1, fabs(cardo_state_udot(state)[j])));
    }
    cardo_free(text);
    cardo_sdfast_free(&d);
    cardo_sdfast_free(&again);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    /* what such texts do not have */
    for (int k = 0; k < 3; ++k) {
        static const char *const words[3] = {"on a screw", "turned against ground's", "angles"};
        random_parameters room;
        assert_ok(cardo_system_create(&system, &error), &error);
        cardo_body_definition body =
            random_body(cardo_mobilizer_find(k == 0 ? "screw" : "ball"), 0, &seed, &room);
        body.euler = k == 2;
        if (k == 2)
            body.X_PF.R = m33_identity();
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
        assert_ok(cardo_system_finalize(system, &error), &error);
        assert_fails(cardo_sdfast_describe(system, &d, &error), &error, CARDO_ERROR_UNSUPPORTED,
                     words[k]);
        assert_null(d.bodies);
        cardo_system_destroy(system);
    }
}

static void refuse(const char *text, cardo_status code, const char *words)
{
    cardo_error error = {0};
    cardo_sdfast d;
    cardo_system *system = NULL;
    cardo_status status = cardo_sdfast_read(text, strlen(text), "bad.sd", &d, &error);
    if (status == CARDO_OK)
        status = cardo_sdfast_system(&d, &system, &error);
    assert_fails(status, &error, code, words);
    cardo_sdfast_free(&d);
    assert_null(system);
}

static void mistakes_are_named(void **unused)
{
    (void)unused;
    refuse("body = a\nmass = x", CARDO_ERROR_INPUT, "bad.sd:2: mass: 'x' is not a number");
    refuse("body = a\nmass = 1?", CARDO_ERROR_UNSUPPORTED, "left to run time");
    refuse("body = a joint = bearing", CARDO_ERROR_UNSUPPORTED, "a body of mass 0 between");
    refuse("body = a colour = 3", CARDO_ERROR_INPUT, "no keyword 'colour'");
    refuse("mass = 3", CARDO_ERROR_INPUT, "before the first body");
    refuse("body a", CARDO_ERROR_INPUT, "'='");
    refuse("body =", CARDO_ERROR_INPUT, "no value");
    refuse("body = a\n\ngravity = 0 1", CARDO_ERROR_INPUT, "bad.sd:3");
    refuse("body = a prescribed = 1", CARDO_ERROR_UNSUPPORTED, "cardo_system_prescribe");
    refuse("body = a inb = b", CARDO_ERROR_INPUT, "no body 'b'");
    refuse("body = a joint = pin mass = 1 inertia = 1 1 1", CARDO_ERROR_INPUT, "pins");
    refuse("body = a joint = pin mass = 1 inertia = 1 1 1 pin = 0 0 0", CARDO_ERROR_INPUT,
           "length");
    refuse("body = a joint = ujoint mass = 1 inertia = 1 1 1 pin = 0 0 1 pin = 0 1 1",
           CARDO_ERROR_INPUT, "right angles");
    refuse("body = a joint = gimbal mass = 1 inertia = 1 1 1 pin = 1 0 0 pin = 0 1 0 pin = 0 0 -1",
           CARDO_ERROR_INPUT, "left-handed");
    refuse("body = a joint = gimbal pin = 1 0 0 pin = 1 0 0 pin = 1 0 0 pin = 1 0 0",
           CARDO_ERROR_INPUT, "fourth");
    refuse("body = abcdefghijklmnopqrstuvwxyzabcdefghijklmn", CARDO_ERROR_INPUT, "31 letters");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum),
        cmocka_unit_test(a_four_bar),
        cmocka_unit_test(a_bearing_of_two_joints),
        cmocka_unit_test(an_arm),
        cmocka_unit_test(systems_are_described),
        cmocka_unit_test(mistakes_are_named),
    };
    return support_run(tests, NULL, NULL);
}
