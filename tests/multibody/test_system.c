/* Building systems: what is refused and how it is said; stations; paths through given transforms; functions. */
#include "multibody/random_tree.h"

#include "multibody/mobilizers/descriptor.h"
#include "multibody/quantities/fit.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cardo_body_definition plain_body(const cardo_mobilizer *mobilizer, int parent)
{
    uint64_t seed = 3;
    return (cardo_body_definition){.mobilizer = mobilizer,
                                   .parent = parent,
                                   .X_PF = xform_identity(),
                                   .X_BM = xform_identity(),
                                   .mass = random_mass(&seed)};
}

/* All problems of a system are in one message. */
static void test_all_problems(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_system *system;
    cardo_body_definition body = plain_body(&cardo_mobilizer_pin, 0);
    assert_ok(cardo_system_create(&system, &error), &error);
    body.name = "left";
    body.X_PF.R.m[0][0] = 2;
    assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    body = plain_body(&cardo_mobilizer_pin, 1);
    body.name = "right";
    body.mass.mass = -1;
    assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    assert_fails(cardo_system_finalize(system, &error), &error, CARDO_ERROR_INPUT, "body 1 left");
    assert_non_null(strstr(error.message, "X_PF"));
    assert_non_null(strstr(error.message, "body 2 right"));
    cardo_system_destroy(system);
}

/* Atoms in a line cannot be a leaf that turns about their line. */
static void test_singular_leaf(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    for (int along = 0; along < 2; ++along) {
        cardo_system *system;
        cardo_body_definition body = plain_body(&cardo_mobilizer_pin, 0);
        body.name = "stick";
        /* two atoms on z, the pin's axis, or on x */
        body.mass = (cardo_mass_properties){.mass = 2};
        body.mass.inertia[0] = along ? 2 : 0;
        body.mass.inertia[1] = 2;
        body.mass.inertia[2] = along ? 0 : 2;
        assert_ok(cardo_system_create(&system, &error), &error);
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
        if (along)
            assert_fails(cardo_system_finalize(system, &error), &error, CARDO_ERROR_SINGULAR,
                         "body 1 stick");
        else
            assert_ok(cardo_system_finalize(system, &error), &error);
        cardo_system_destroy(system);
    }
    /* a free body of one atom */
    cardo_system *system;
    cardo_body_definition body = plain_body(&cardo_mobilizer_free, 0);
    body.mass = (cardo_mass_properties){.mass = 12};
    assert_ok(cardo_system_create(&system, &error), &error);
    assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    assert_fails(cardo_system_finalize(system, &error), &error, CARDO_ERROR_SINGULAR, "free");
    cardo_system_destroy(system);
}

/* All singular bodies are named, with their mobilizers; the others are not. */
static void test_singular_bodies(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_system *system;
    assert_ok(cardo_system_create(&system, &error), &error);
    for (int k = 0; k < 160; ++k) {
        char name[16];
        cardo_body_definition body = plain_body(&cardo_mobilizer_ball, k == 0 ? 0 : 1);
        snprintf(name, sizeof name, "atom%d", k + 1);
        body.name = name;
        if (k % 2 == 1) /* one atom at its own origin */
            body.mass = (cardo_mass_properties){.mass = 12};
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    assert_fails(cardo_system_finalize(system, &error), &error, CARDO_ERROR_SINGULAR,
                 "body 2 atom2 (ball), body 4 atom4 (ball)");
    assert_null(strstr(error.message, "atom1 "));
    assert_null(strstr(error.message, "atom3 "));
    assert_non_null(strstr(error.message, " more: no inertia"));
    /* what was refused can be mended: a child each with inertia of its own */
    for (int k = 1; k < 160; k += 2) {
        cardo_body_definition body = plain_body(&cardo_mobilizer_weld, k + 1);
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    assert_ok(cardo_system_finalize(system, &error), &error);
    cardo_system_destroy(system);
}

/* X_PF and X_BM are told as they were given. */
static void test_frames_told(void **unused)
{
    (void)unused;
    uint64_t seed = 21;
    cardo_error error = {0};
    cardo_system *system;
    cardo_body_definition body = plain_body(&cardo_mobilizer_pin, 0);
    assert_ok(cardo_system_create(&system, &error), &error);
    cardo_transform X_PF[3], X_BM[3];
    for (int k = 0; k < 3; ++k) {
        body.parent = k;
        body.X_PF = X_PF[k] = random_transform(&seed);
        body.X_BM = X_BM[k] = random_transform(&seed);
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    for (int finalized = 0; finalized < 2; ++finalized) {
        for (int k = 0; k < 3; ++k) {
            cardo_body_info info;
            cardo_system_body(system, k + 1, &info);
            for (int e = 0; e < 9; ++e) {
                assert_close(info.X_PF.R.m[e / 3][e % 3], X_PF[k].R.m[e / 3][e % 3], 1e-15);
                assert_close(info.X_BM.R.m[e / 3][e % 3], X_BM[k].R.m[e / 3][e % 3], 1e-15);
            }
            assert_close(v3_norm(v3_sub(info.X_PF.p, X_PF[k].p)), 0, 1e-15);
            assert_close(v3_norm(v3_sub(info.X_BM.p, X_BM[k].p)), 0, 1e-15);
        }
        assert_ok(cardo_system_finalize(system, &error), &error);
    }
    cardo_system_destroy(system);
}

/* A point mass at radius 0 of spherical coordinates: singular there, and only there; a gimbal at 90 degrees is told by its
 * regularity. */
static void test_singular_configuration(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    const cardo_spherical spherical = {0};
    cardo_body_definition body = plain_body(&cardo_mobilizer_spherical_coordinates, 0);
    body.parameters = &spherical;
    body.mass = (cardo_mass_properties){.mass = 12};
    assert_ok(cardo_system_create(&system, &error), &error);
    assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    assert_ok(cardo_system_finalize(system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    const double at_origin[3] = {0.3, 0.4, 0}, away[3] = {0.3, 0.4, 0.5};
    cardo_state_set_q(state, at_origin);
    assert_fails(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, &error), &error,
                 CARDO_ERROR_SINGULAR, "body 1");
    assert_int_equal(cardo_state_stage(state), CARDO_STAGE_VELOCITY);
    cardo_state_set_q(state, away);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, &error), &error);
    cardo_state_destroy(state);
    cardo_system_destroy(system);

    body = plain_body(&cardo_mobilizer_gimbal, 0);
    assert_ok(cardo_system_create(&system, &error), &error);
    assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    assert_ok(cardo_system_finalize(system, &error), &error);
    const double locked[3] = {0.2, 1.57079632679489661923, 0.1}, open[3] = {0.2, 0.3, 0.1};
    assert_true(cardo_mobilizer_regularity(system, 1, locked) < 1e-10);
    assert_true(cardo_mobilizer_regularity(system, 1, open) > 0.5);
    assert_fails(cardo_check_regularity(system, locked, 1e-3, &error), &error, CARDO_ERROR_SINGULAR,
                 "gimbal");
    assert_ok(cardo_check_regularity(system, open, 1e-3, &error), &error);
    cardo_system_destroy(system);
}

/* Stations of two bodies in runs that alternate: positions, velocities and force reduction by definition. */
static void test_stations(void **unused)
{
    (void)unused;
    enum { N = 40 };
    uint64_t seed = 12;
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    static random_parameters room;
    double x[3 * N], out[3 * N], v[3 * N], f[3 * N], q[16], u[16];
    const int owner[8] = {1, 2, 0, 2, 1, 1, 0, 2};
    assert_ok(cardo_system_create(&system, &error), &error);
    for (int k = 0; k < 2; ++k) {
        cardo_body_definition body = random_body(&cardo_mobilizer_free, k, &seed, &room);
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    random_numbers(3 * N, &seed, x);
    random_numbers(3 * N, &seed, f);
    for (int r = 0; r < 8; ++r)
        assert_ok(cardo_system_add_stations(system, owner[r], 5 * r, 5, x + 15 * r, &error),
                  &error);
    assert_ok(cardo_system_finalize(system, &error), &error);
    assert_int_equal(cardo_system_nstation(system), N);
    assert_int_equal(cardo_system_station_body(system, 17), 2);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    random_coordinates(system, &seed, q);
    random_numbers(cardo_system_nu(system), &seed, u);
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
    assert_ok(cardo_station_positions(system, state, out, &error), &error);
    assert_ok(cardo_station_velocities(system, state, v, &error), &error);
    cardo_spatial F[3] = {0}, expected[3] = {0};
    assert_ok(cardo_station_forces_to_bodies(system, state, f, F, &error), &error);
    for (int i = 0; i < N; ++i) {
        const int b = owner[i / 5];
        const cardo_transform X = cardo_state_X_GB(state)[b];
        const cardo_spatial V = cardo_state_V_GB(state)[b];
        const cardo_vec3 arm = m33_mul_v3(X.R, v3_load(x + 3 * i)), p = v3_add(X.p, arm);
        const cardo_vec3 w = v3_add(V.linear, v3_cross(V.angular, arm)), fi = v3_load(f + 3 * i);
        const double position[3] = {p.x, p.y, p.z}, velocity[3] = {w.x, w.y, w.z};
        for (int c = 0; c < 3; ++c) {
            assert_close(out[3 * i + c], position[c], 1e-14);
            assert_close(v[3 * i + c], velocity[c], 1e-13);
        }
        expected[b].linear = v3_add(expected[b].linear, fi);
        expected[b].angular = v3_add(expected[b].angular, v3_cross(arm, fi));
    }
    for (int b = 0; b < 3; ++b) {
        assert_close(v3_norm(v3_sub(F[b].linear, expected[b].linear)), 0, 1e-13);
        assert_close(v3_norm(v3_sub(F[b].angular, expected[b].angular)), 0, 1e-13);
    }
    /* J u and J^T f of all stations, and of one point, are these */
    double again[3 * N], generalized[16], by_bodies[16], power = 0, work = 0;
    cardo_vec3 point;
    assert_ok(cardo_multiply_station_j(system, state, u, again, &error), &error);
    assert_ok(cardo_multiply_station_jt(system, state, f, generalized, &error), &error);
    assert_ok(cardo_multiply_jt(system, state, F, by_bodies, &error), &error);
    assert_ok(cardo_multiply_point_j(system, state, owner[3], v3_load(x + 45), u, &point, &error),
              &error);
    for (int i = 0; i < 3 * N; ++i) {
        assert_close(again[i], v[i], 1e-13);
        power += f[i] * v[i];
    }
    assert_close(point.x, v[45], 1e-13);
    assert_close(point.z, v[47], 1e-13);
    for (int j = 0; j < cardo_system_nu(system); ++j) {
        assert_close(generalized[j], by_bodies[j], 1e-13);
        work += generalized[j] * u[j];
    }
    assert_close(work, power, 1e-12 * (1 + fabs(power)));
    for (int wrong = -1; wrong < 4; wrong += 4) {
        double P[36];
        cardo_mobilizer_motion motion;
        assert_ok(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, &error), &error);
        assert_fails(cardo_multiply_point_j(system, state, wrong, v3(0, 0, 0), u, &point, &error),
                     &error, CARDO_ERROR_ARGUMENT, "no body");
        assert_fails(cardo_body_mobilizer_motion(system, state, wrong, &motion, &error), &error,
                     CARDO_ERROR_ARGUMENT, "no body");
        assert_fails(cardo_articulated_inertia(system, state, wrong, P, &error), &error,
                     CARDO_ERROR_ARGUMENT, "no body");
    }
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void test_station_errors(void **unused)
{
    (void)unused;
    const double x[6] = {0};
    for (int mode = 0; mode < 2; ++mode) {
        cardo_error error = {0};
        cardo_system *system;
        cardo_body_definition body = plain_body(&cardo_mobilizer_pin, 0);
        assert_ok(cardo_system_create(&system, &error), &error);
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
        assert_ok(cardo_system_add_stations(system, 1, 0, 2, x, &error), &error);
        /* a gap, or a number given twice */
        assert_ok(cardo_system_add_stations(system, 0, mode ? 1 : 3, 1, x, &error), &error);
        assert_fails(cardo_system_finalize(system, &error), &error, CARDO_ERROR_INPUT,
                     mode ? "station 1 is on body 1 already" : "station 3 leaves a gap");
        cardo_system_destroy(system);
    }
}

/* A path passes through its transforms at q = 0, 1, ...; a spline through two is the screw; its screw axis is told. */
static void test_path(void **unused)
{
    (void)unused;
    for (uint64_t trial = 1; trial < 20; ++trial) {
        uint64_t seed = trial;
        static random_parameters room;
        for (int kind = CARDO_PATH_SCREW; kind <= CARDO_PATH_SPLINE; ++kind) {
            cardo_error error = {0};
            cardo_joint joint;
            double cache[CARDO_MOBILIZER_MAX_CACHE];
            do
                random_mobilizer_parameters(&cardo_mobilizer_path, &seed, &room);
            while ((int)room.path.kind != kind);
            room.path.nextra = 0;
            assert_ok(cardo_joint_compile(&cardo_mobilizer_path, &room.path, false, &joint, &error),
                      &error);
            for (int i = 0; i < room.path.count; ++i) {
                cardo_transform X;
                cardo_spatial H;
                const double q = i;
                cardo_mobilizer_path.position(&joint, &q, cache, &X, &H);
                for (int e = 0; e < 9; ++e)
                    assert_close(X.R.m[e / 3][e % 3], room.transforms[i].R.m[e / 3][e % 3], 2e-14);
                assert_close(v3_norm(v3_sub(X.p, room.transforms[i].p)), 0, 2e-14);
            }
            cardo_joint_release(&joint);
        }
    }
}

static void test_path_spline_of_two(void **unused)
{
    (void)unused;
    uint64_t seed = 8;
    cardo_error error = {0};
    const cardo_transform two[2] = {random_transform(&seed),
                                    {m33_rotation(v3_unit(v3(1, 2, 3)), 1.1), {0.3, 0.1, -0.2}}};
    cardo_path path = {.kind = CARDO_PATH_SCREW, .count = 2, .X_FM = two};
    cardo_joint screw, spline;
    double cache[CARDO_MOBILIZER_MAX_CACHE];
    assert_ok(cardo_joint_compile(&cardo_mobilizer_path, &path, false, &screw, &error), &error);
    path.kind = CARDO_PATH_SPLINE;
    assert_ok(cardo_joint_compile(&cardo_mobilizer_path, &path, false, &spline, &error), &error);
    const cardo_transform D = xform_mul(two[1], xform_inverse(two[0]));
    const cardo_screw_axis axis = cardo_screw_axis_of(&D);
    for (double q = -0.5; q < 1.6; q += 0.3) {
        cardo_transform a, b;
        cardo_spatial H, K;
        cardo_mobilizer_path.position(&screw, &q, cache, &a, &H);
        cardo_mobilizer_path.position(&spline, &q, cache, &b, &K);
        assert_close(v3_norm(v3_sub(a.p, b.p)), 0, 1e-13);
        assert_close(v3_norm(v3_sub(H.linear, K.linear)), 0, 1e-13);
        /* a point on the axis only shifts along it */
        const cardo_transform moved = xform_mul(a, xform_inverse(two[0]));
        const cardo_vec3 there = xform_point(moved, axis.point);
        const cardo_vec3 expected = v3_add_scaled(axis.point, q * axis.shift, axis.axis);
        assert_close(v3_norm(v3_sub(there, expected)), 0, 1e-13);
        assert_close(v3_norm(H.angular), axis.angle, 1e-13);
    }
    cardo_joint_release(&screw);
    cardo_joint_release(&spline);
    path.count = 1;
    assert_fails(cardo_joint_compile(&cardo_mobilizer_path, &path, false, &screw, &error), &error,
                 CARDO_ERROR_INPUT, "at least 2");
}

/* A quintic spline meets its points, its first four derivatives are continuous, and it is a straight line through points on
 * one; a clamped cubic has its slopes. */
static void test_splines(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    const double knots[6] = {0, 0.4, 1.1, 1.5, 2.3, 3.0},
                 values[6] = {1, -0.5, 0.3, 0.9, -0.2, 0.4};
    const double slopes[2] = {0.7, -1.3};
    double line[6], out[3], ahead[3], behind[3];
    cardo_compiled_function *f;
    cardo_function spline = {.kind = CARDO_FUNCTION_QUINTIC_SPLINE,
                             .narg = 1,
                             .nknot = 6,
                             .knots = knots,
                             .values = values};
    assert_ok(cardo_function_compile(&spline, &f, &error), &error);
    for (int i = 0; i < 6; ++i) {
        cardo_function_evaluate1(f, knots[i], out);
        assert_close(out[0], values[i], 1e-12);
        cardo_function_evaluate1(f, knots[i] - 1e-9, behind);
        cardo_function_evaluate1(f, knots[i] + 1e-9, ahead);
        assert_close(ahead[1], behind[1], 1e-6);
        assert_close(ahead[2], behind[2], 1e-5);
        /* third derivative by differences on either side */
        double far[3], near[3];
        const double h = 1e-4;
        cardo_function_evaluate1(f, knots[i] + h, far);
        cardo_function_evaluate1(f, knots[i] - h, near);
        if (i > 0 && i < 5)
            assert_close((far[2] - out[2]) / h, (out[2] - near[2]) / h, 0.1);
        else
            assert_close((far[2] - near[2]) / (2 * h), 0, 0.1);
    }
    cardo_function_destroy(f);
    for (int i = 0; i < 6; ++i)
        line[i] = 2 - 3 * knots[i];
    spline.values = line;
    assert_ok(cardo_function_compile(&spline, &f, &error), &error);
    cardo_function_evaluate1(f, 1.234, out);
    assert_close(out[0], 2 - 3 * 1.234, 1e-11);
    assert_close(out[1], -3, 1e-10);
    cardo_function_destroy(f);
    spline.kind = CARDO_FUNCTION_CLAMPED_SPLINE;
    spline.values = values;
    spline.ncoefficient = 2;
    spline.coefficients = slopes;
    assert_ok(cardo_function_compile(&spline, &f, &error), &error);
    cardo_function_evaluate1(f, knots[0], out);
    assert_close(out[1], slopes[0], 1e-12);
    cardo_function_evaluate1(f, knots[5], out);
    assert_close(out[1], slopes[1], 1e-12);
    assert_close(out[0], values[5], 1e-12);
    cardo_function_destroy(f);
    spline.nknot = 1;
    assert_fails(cardo_function_compile(&spline, &f, &error), &error, CARDO_ERROR_INPUT, "knots");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_problems),           cmocka_unit_test(test_singular_leaf),
        cmocka_unit_test(test_singular_bodies),        cmocka_unit_test(test_frames_told),
        cmocka_unit_test(test_singular_configuration), cmocka_unit_test(test_stations),
        cmocka_unit_test(test_station_errors),         cmocka_unit_test(test_path),
        cmocka_unit_test(test_path_spline_of_two),     cmocka_unit_test(test_splines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
