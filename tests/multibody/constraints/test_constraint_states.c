/* Constraints in systems and states: what is refused, switches, copies and records, bits, memory, prescribed motions, assembly that
 * fails. */
#include "multibody/constraints/random_loops.h"
#include "multibody/random_tree.h"
#include "support/support.h"

#include "base/memory.h"
#include "cardo/manifold.h"
#include "cardo/multibody.h"
#include "multibody/manifold/excess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 160 };

static const cardo_transform identity = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}};

/* Links of length 1 in a plane: pins about z, one after the other along x. */
static cardo_system *links(int n)
{
    cardo_error error = {0};
    cardo_system *system;
    assert_ok(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, v3(0, -9.81, 0));
    for (int k = 0; k < n; ++k) {
        cardo_body_definition body = {.name = k == 0 ? "crank" : NULL,
                                      .mobilizer = cardo_mobilizer_find("pin"),
                                      .parent = k,
                                      .X_PF = identity,
                                      .X_BM = identity,
                                      .mass = {1, {0.5, 0, 0}, {0.01, 0.34, 0.34, 0, 0, 0}}};
        if (k > 0)
            body.X_PF.p = v3(1, 0, 0);
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    return system;
}

static void constrain(cardo_system *system, const char *kind, const char *name,
                      const void *parameters)
{
    cardo_error error = {0};
    assert_ok(cardo_system_add_constraint(system, cardo_constraint_find(kind), name, parameters,
                                          NULL, &error),
              &error);
}

static void finish(cardo_system *system, cardo_state **state)
{
    cardo_error error = {0};
    assert_ok(cardo_system_finalize(system, &error), &error);
    assert_ok(cardo_state_create(system, state, &error), &error);
}

static void refuse(const char *kind, const void *parameters, const char *why)
{
    cardo_error error = {0};
    cardo_system *system = links(3);
    const cardo_status status = cardo_system_add_constraint(system, cardo_constraint_find(kind),
                                                            "mine", parameters, NULL, &error);
    assert_true(status == CARDO_ERROR_ARGUMENT || status == CARDO_ERROR_INPUT);
    if (!strstr(error.message, why))
        print_error("%s\n", error.message);
    assert_non_null(strstr(error.message, why));
    assert_true(strstr(error.message, "constraint mine") != NULL);
    /* what was refused leaves nothing behind */
    assert_ok(cardo_system_finalize(system, &error), &error);
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(system, &counts);
    assert_int_equal(counts.nconstraint, 0);
    cardo_state *state;
    assert_ok(cardo_state_create(system, &state, &error), &error);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
    assert_ok(cardo_assemble_q(system, state, NULL, NULL, &error), &error);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void test_refusals(void **unused)
{
    (void)unused;
    refuse("rod", &(cardo_rod){.body1 = 1, .body2 = 9, .length = 1}, "no body 9");
    refuse("rod", &(cardo_rod){.body1 = 1, .body2 = 1, .length = 1}, "to itself");
    refuse("rod", &(cardo_rod){.body1 = 0, .body2 = 1, .length = 0}, "a ball's");
    refuse("rod", &(cardo_rod){.body1 = 0, .body2 = 1, .length = NAN}, "nan");
    refuse("weld", &(cardo_welded_frames){.body1 = 0, .body2 = 1}, "not a rotation");
    refuse("constant-angle",
           &(cardo_constant_angle){.body1 = 0, .body2 = 1, .axis1 = {1, 0, 0}, .axis2 = {0, 1, 0}},
           "between 0 and pi");
    refuse("point-on-plane", &(cardo_point_on_plane){.body1 = 0, .body2 = 1}, "no length");
    refuse("constant-speed", &(cardo_constant_speed){{1, 1}, 0}, "no speed number 1");
    refuse("coordinate-coupler", &(cardo_coordinate_coupler){.ncoordinate = 0}, "1 to 6");
    refuse("speed-coupler", &(cardo_speed_coupler){.nmobility = 7}, "1 to 6");
    refuse("joint",
           &(cardo_joint_closure){.body1 = 0, .body2 = 1, .frame1 = identity, .frame2 = identity},
           "no mobilizer");
    refuse("joint",
           &(cardo_joint_closure){.body1 = 0,
                                  .body2 = 1,
                                  .frame1 = identity,
                                  .frame2 = identity,
                                  .mobilizer = cardo_mobilizer_find("free")},
           "constrains nothing");
    refuse("callback", &(cardo_constraint_callback_parameters){.nposition = 1}, "missing");
}

/* A parallelogram: the ball's third row is redundant, whatever moves. */
static cardo_system *parallelogram(cardo_state **state)
{
    cardo_system *system = links(3);
    const cardo_coincident_points closure = {0, 3, {1, 0, 0}, {1, 0, 0}};
    const double q[3] = {1, -1, -2.1415926535897931};
    constrain(system, "ball", "closure", &closure);
    finish(system, state);
    cardo_state_set_q(*state, q);
    return system;
}

static void test_redundant_rows_are_named(void **unused)
{
    cardo_error error = {0};
    cardo_state *state;
    char text[256];
    int rank, freedoms, redundant[3];
    (void)unused;
    cardo_system *system = parallelogram(&state);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
    assert_ok(cardo_constraint_rank(system, state, &rank, redundant, &error), &error);
    assert_int_equal(rank, 2);
    assert_int_equal(redundant[0] + redundant[1], 0);
    assert_int_equal(redundant[2], 1);
    assert_ok(cardo_degrees_of_freedom(system, state, &freedoms, &error), &error);
    assert_int_equal(freedoms, 1);
    assert_ok(cardo_redundant_rows(system, state, text, sizeof text, &error), &error);
    assert_string_equal(text, "closure (ball), z");
    assert_int_equal(cardo_system_find_constraint(system, "closure"), 0);
    cardo_constraint_info info;
    assert_ok(cardo_system_constraint(system, 0, &info, &error), &error);
    assert_int_equal(info.ancestor, 0);
    assert_int_equal(info.nposition, 3);
    /* a mechanism of one freedom that falls: crank and rocker alike */
    assert_close(cardo_state_udot(state)[0] + cardo_state_udot(state)[1], 0, 1e-12);
    assert_close(cardo_state_multipliers(state)[2], 0, 1e-12);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void test_assembly_fails_clearly(void **unused)
{
    cardo_error error = {0};
    (void)unused;
    cardo_system *system = links(2);
    const cardo_coincident_points far = {0, 2, {5, 0, 0}, {1, 0, 0}};
    const double q[2] = {0.3, 0.4};
    cardo_state *state;
    constrain(system, "ball", "hook", &far);
    finish(system, &state);
    cardo_state_set_q(state, q);
    assert_fails(cardo_assemble_q(system, state, NULL, NULL, &error), &error, CARDO_ERROR_NUMERICAL,
                 "hook (ball), x");
    assert_memory_equal(cardo_state_q(state), q, sizeof q);
    assert_fails(cardo_project_q(system, state, 0, &error), &error, CARDO_ERROR_NUMERICAL,
                 "hook (ball)");
    assert_memory_equal(cardo_state_q(state), q, sizeof q);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    /* a weld that starts upside down does not pass for closed */
    system = links(1);
    const cardo_welded_frames weld = {0, 1, identity, identity};
    const double turned[1] = {3.1};
    constrain(system, "weld", "glue", &weld);
    finish(system, &state);
    cardo_state_set_q(state, turned);
    assert_fails(cardo_assemble_q(system, state, NULL, NULL, &error), &error, CARDO_ERROR_NUMERICAL,
                 "180 degrees");
    cardo_state_set_q(state, (const double[1]){0.4});
    assert_ok(cardo_assemble_q(system, state, NULL, NULL, &error), &error);
    assert_close(cardo_state_q(state)[0], 0, 1e-13);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

/* A state with random loops at rest on its constraints, but for their velocities. */
static cardo_system *loops(uint64_t seed, bool redundant, cardo_state **state)
{
    cardo_error error = {0};
    double q[MOST], u[MOST];
    cardo_system *system = random_loops(12, 4, redundant, NULL, &seed, q);
    assert_ok(cardo_state_create(system, state, &error), &error);
    random_numbers(cardo_system_nu(system), &seed, u);
    cardo_state_set_q(*state, q);
    cardo_state_set_u(*state, u);
    return system;
}

static void same_accelerations(const cardo_system *system, cardo_state *a, cardo_state *b)
{
    cardo_error error = {0};
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(system, &counts);
    assert_ok(cardo_realize(system, a, CARDO_STAGE_ACCELERATION, &error), &error);
    assert_ok(cardo_realize(system, b, CARDO_STAGE_ACCELERATION, &error), &error);
    assert_memory_equal(cardo_state_udot(a), cardo_state_udot(b),
                        sizeof(double) * (size_t)cardo_system_nu(system));
    assert_memory_equal(cardo_state_multipliers(a), cardo_state_multipliers(b),
                        sizeof(double) * (size_t)counts.nrow);
}

/* The same bits from a copy, from a record, stage by stage, and after another question. */
static void test_bits(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed < 40; ++seed) {
        cardo_error error = {0};
        cardo_state *state, *other;
        int rank;
        cardo_system *system = loops(seed, seed % 3 == 0, &state);
        assert_ok(cardo_state_create(system, &other, &error), &error);
        assert_ok(cardo_state_set_constraint(state, 1, false, &error), &error);
        assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
        cardo_state_copy(other, state);
        same_accelerations(system, state, other);
        void *record = calloc(1, cardo_state_record_size(state));
        cardo_state_write(state, record);
        assert_ok(cardo_state_set_constraint(other, 1, true, &error), &error);
        assert_int_equal(cardo_state_compare(state, other, &error), CARDO_ERROR_NUMERICAL);
        assert_ok(cardo_state_read(other, record, cardo_state_record_size(state), &error), &error);
        assert_ok(cardo_state_compare(state, other, &error), &error);
        assert_false(cardo_state_has_constraint(other, 1));
        for (int stage = CARDO_STAGE_POSITION; stage <= CARDO_STAGE_DYNAMICS; ++stage)
            assert_ok(cardo_realize(system, other, (cardo_stage)stage, &error), &error);
        assert_ok(cardo_constraint_rank(system, other, &rank, NULL, &error), &error);
        cardo_state_set_forces(other, NULL, NULL);
        same_accelerations(system, state, other);
        free(record);
        cardo_state_destroy(other);
        cardo_state_destroy(state);
        cardo_system_destroy(system);
    }
}

/* Infinite weights hold coordinates to the bit, and the others change as little as they can; where loops do not close without
 * them assembly fails. */
static void test_held_coordinates(void **unused)
{
    enum { LINKS = 7 };
    cardo_error error = {0};
    cardo_state *state;
    cardo_system *system = links(LINKS);
    const cardo_coincident_points closure = {0, LINKS, {2, 1, 0}, {1, 0, 0}};
    const double start[LINKS] = {0.9, -0.4, 0, -0.7, -0.5, 1e-40, -1.2};
    double weights[LINKS] = {1, 1, INFINITY, 1, 1, INFINITY, 1}, held[LINKS];
    cardo_assembly_options options = {.size = sizeof options, .weights = weights};
    cardo_assembly made;
    (void)unused;
    constrain(system, "ball", NULL, &closure);
    finish(system, &state);
    cardo_state_set_q(state, start);
    assert_ok(cardo_assemble_q(system, state, &options, &made, &error), &error);
    assert_true(made.violation <= 1e-13 && made.change > 0.01);
    memcpy(held, cardo_state_q(state), sizeof held);
    assert_memory_equal(&held[2], &start[2], sizeof(double));
    assert_memory_equal(&held[5], &start[5], sizeof(double));
    weights[2] = weights[5] = 1e12;
    cardo_state_set_q(state, start);
    assert_ok(cardo_assemble_q(system, state, &options, &made, &error), &error);
    for (int i = 0; i < LINKS; ++i)
        assert_close(held[i], cardo_state_q(state)[i], 1e-6);
    for (int i = 0; i < LINKS; ++i)
        weights[i] = i == 3 ? 1 : INFINITY;
    cardo_state_set_q(state, start);
    assert_int_equal(cardo_assemble_q(system, state, &options, &made, &error),
                     CARDO_ERROR_NUMERICAL);
    assert_non_null(strstr(error.message, "or what is held"));
    assert_memory_equal(cardo_state_q(state), start, sizeof start);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

/* One component of a quaternion that is held holds the joint, wherever the others stand. */
static void test_a_held_quaternion(void **unused)
{
    cardo_error error = {0};
    cardo_state *state;
    cardo_system *system = links(4);
    const cardo_body_definition body = {.mobilizer = cardo_mobilizer_find("ball"),
                                        .parent = 4,
                                        .X_PF = {.R = identity.R, .p = {1, 0, 0}},
                                        .X_BM = identity,
                                        .mass = {1, {0.5, 0, 0}, {0.01, 0.34, 0.34, 0, 0, 0}}};
    const cardo_coincident_points closure = {0, 5, {2, 1, 0}, {1, 0, 0}};
    const double start[8] = {0.9, -0.4, 0.3, -0.7, 1, 0, 0, 0};
    double weights[8] = {1, 1, 1, 1, INFINITY, 1, 1, 1};
    const cardo_assembly_options options = {.size = sizeof options, .weights = weights};
    cardo_assembly made;
    (void)unused;
    assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    constrain(system, "ball", NULL, &closure);
    finish(system, &state);
    cardo_state_set_q(state, start);
    assert_ok(cardo_assemble_q(system, state, &options, &made, &error), &error);
    assert_true(made.violation <= 1e-13 && isfinite(made.change) && made.change > 0.01);
    assert_memory_equal(cardo_state_q(state) + 4, start + 4, 4 * sizeof(double));
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

/* Rows that are too many by their number are redundant by their rank; a weld and a ball between the same bodies are found, and
 * with the ball switched off there is nothing to find. */
static void test_rows_in_excess_are_redundant(void **unused)
{
    int found = 0;
    (void)unused;
    for (uint64_t seed = 1; seed < 100; ++seed) {
        cardo_error error = {0};
        cardo_state *state;
        cardo_constraint_counts counts;
        int rank;
        cardo_system *system = loops(seed, seed % 2 == 0, &state);
        cardo_system_constraint_counts(system, &counts);
        assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
        assert_ok(cardo_constraint_rank(system, state, &rank, NULL, &error), &error);
        if (cardo_excess_is_certain(system, state, counts.nrow)) {
            assert_true(rank < counts.nrow);
            ++found;
        }
        cardo_state_destroy(state);
        cardo_system_destroy(system);
    }
    assert_true(found > 10);
    cardo_error error = {0};
    cardo_state *state;
    cardo_system *system = links(9);
    const cardo_transform place = cardo_transform_identity();
    const cardo_welded_frames weld = {1, 8, place, place};
    const cardo_coincident_points ball = {8, 1, {0, 0, 0}, {0, 0, 0}};
    constrain(system, "weld", NULL, &weld);
    constrain(system, "ball", NULL, &ball);
    finish(system, &state);
    assert_true(cardo_excess_is_certain(system, state, 9));
    assert_false(cardo_excess_is_certain(system, state, 6));
    assert_ok(cardo_state_set_constraint(state, 1, false, &error), &error);
    assert_false(cardo_excess_is_certain(system, state, 9));
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

/* That a line does not spin is no condition on positions: a body that has been brought round is where it may be. Its row is one of
 * velocities. */
static void test_closing_lines(void **unused)
{
    (void)unused;
    for (int slides = 0; slides < 2; ++slides) {
        cardo_error error = {0};
        cardo_state *state;
        cardo_system *system;
        cardo_constraint_counts counts;
        double errors[4], u[6] = {0.3, -0.2, 0.9, 0.1, 0.2, 0.3};
        int freedoms;
        const cardo_body_definition body = {.mobilizer = cardo_mobilizer_find("free"),
                                            .X_PF = identity,
                                            .X_BM = identity,
                                            .mass = {1, {0, 0, 0}, {0.4, 0.3, 0.2, 0, 0, 0}}};
        const cardo_joint_closure line = {
            .body2 = 1,
            .frame1 = identity,
            .frame2 = identity,
            .mobilizer = cardo_mobilizer_find(slides ? "free-line" : "line-orientation")};
        const cardo_quaternion turned = quat_unit((cardo_quaternion){0.7, 0.2, -0.4, 0.5});
        const double q[7] = {turned.w, turned.x, turned.y, turned.z, 0, 0, 0};
        assert_ok(cardo_system_create(&system, &error), &error);
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
        constrain(system, "joint", NULL, &line);
        finish(system, &state);
        cardo_system_constraint_counts(system, &counts);
        assert_int_equal(counts.nposition, slides ? 0 : 3);
        assert_int_equal(counts.nvelocity, 1);
        cardo_state_set_q(state, q);
        cardo_state_set_u(state, u);
        assert_ok(cardo_assemble_q(system, state, NULL, NULL, &error), &error);
        assert_memory_equal(cardo_state_q(state), q, sizeof q);
        assert_ok(cardo_project_u(system, state, 0, &error), &error);
        assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
        const cardo_vec3 axis = m33_column(m33_from_quat(turned), 2);
        const cardo_spatial V = cardo_state_V_GB(state)[1];
        assert_close(v3_dot(V.angular, axis), 0, 1e-13);
        assert_true(v3_norm(V.angular) > 0.3);
        assert_close(v3_norm(V.linear) > 0.1, slides, 0);
        assert_ok(cardo_constraint_acceleration_errors(system, state, errors, &error), &error);
        for (int i = 0; i < counts.nrow; ++i)
            assert_close(errors[i], 0, 1e-12);
        assert_ok(cardo_degrees_of_freedom(system, state, &freedoms, &error), &error);
        assert_int_equal(freedoms, slides ? 5 : 2);
        cardo_state_destroy(state);
        cardo_system_destroy(system);
    }
}

static void test_nothing_is_allocated(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed < 20; ++seed) {
        cardo_error error = {0};
        cardo_state *state;
        double q[MOST], gradient[MOST], log_det;
        cardo_system *system = loops(seed, seed % 3 == 0, &state);
        const unsigned long before = cardo_allocation_count();
        memcpy(q, cardo_state_q(state), sizeof(double) * (size_t)cardo_system_nq(system));
        for (int i = 0; i < cardo_system_nq(system); ++i)
            q[i] += 1e-4 * sin(i);
        cardo_state_set_q(state, q);
        /* whether it can be done is not what is asked here */
        cardo_project_q(system, state, 1e-11, &error);
        cardo_assemble_q(system, state, NULL, NULL, &error);
        cardo_project_u(system, state, 1e-9, &error);
        assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
        assert_ok(cardo_log_det_y(system, state, &log_det, &error), &error);
        cardo_log_det_y_gradient(system, state, gradient, &error);
        assert_ok(cardo_project_free_speeds(system, state, gradient, &error), &error);
        assert_int_equal(cardo_allocation_count(), before);
        cardo_state_destroy(state);
        cardo_system_destroy(system);
    }
}

/* What is prescribed moves as it must, and the rest obeys the constraints. */
static void test_with_prescribed_motion(void **unused)
{
    cardo_error error = {0};
    const double coefficients[3] = {0.4, 2.1, 0.3};
    const cardo_function wave = {.kind = CARDO_FUNCTION_SINUSOID,
                                 .narg = 1,
                                 .ncoefficient = 3,
                                 .coefficients = coefficients};
    cardo_system *system = links(4);
    const cardo_coincident_points closure = {0, 4, {1.5, 0.2, 0}, {1, 0, 0}};
    double q[4] = {0, 1, 1, 1}, errors[3], forces[4];
    cardo_state *state;
    int freedoms;
    (void)unused;
    constrain(system, "ball", NULL, &closure);
    assert_ok(cardo_system_prescribe(system, 1, CARDO_MOTION_POSITION, &wave, &error), &error);
    finish(system, &state);
    cardo_state_set_time(state, 0.7);
    cardo_state_set_q(state, q);
    cardo_state_prescribe(system, state);
    const double held = cardo_state_q(state)[0];
    assert_ok(cardo_assemble_q(system, state, NULL, NULL, &error), &error);
    assert_close(cardo_state_q(state)[0], held, 0);
    assert_ok(cardo_project_u(system, state, 0, &error), &error);
    assert_close(cardo_state_u(state)[0], 0.4 * 2.1 * cos(2.1 * 0.7 + 0.3), 1e-15);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
    assert_close(cardo_state_udot(state)[0], -0.4 * 2.1 * 2.1 * sin(2.1 * 0.7 + 0.3), 1e-14);
    assert_ok(cardo_constraint_acceleration_errors(system, state, errors, &error), &error);
    for (int i = 0; i < 3; ++i)
        assert_close(errors[i], 0, 1e-12);
    assert_ok(cardo_degrees_of_freedom(system, state, &freedoms, &error), &error);
    assert_int_equal(freedoms, 1);
    /* the motive force is what inverse dynamics with the constraint's forces misses */
    cardo_spatial bodies[5];
    double mobilities[4], tau[4];
    assert_ok(cardo_motive_forces(system, state, forces, &error), &error);
    assert_ok(cardo_constraint_forces(system, state, cardo_state_multipliers(state), bodies,
                                      mobilities, &error),
              &error);
    assert_ok(cardo_inverse_dynamics(system, state, cardo_state_udot(state), bodies, mobilities,
                                     tau, &error),
              &error);
    for (int j = 0; j < 4; ++j)
        assert_close(tau[j], forces[j], 1e-11);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_redundant_rows_are_named),
        cmocka_unit_test(test_assembly_fails_clearly),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_held_coordinates),
        cmocka_unit_test(test_a_held_quaternion),
        cmocka_unit_test(test_rows_in_excess_are_redundant),
        cmocka_unit_test(test_closing_lines),
        cmocka_unit_test(test_nothing_is_allocated),
        cmocka_unit_test(test_with_prescribed_motion),
    };
    return support_run(tests, NULL, NULL);
}
