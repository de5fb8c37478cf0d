/* Force elements against the gradient of their energy and the power they take; prescribed motion
 * against what drives it. */
#include "multibody/random_tree.h"

#include "multibody/forces/elements.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ground - pin - ball - cylinder - free: bodies 1 to 4, plain coordinates and an orientation among
 * them. */
static cardo_system *chain(void)
{
    const cardo_mobilizer *const mobilizers[] = {&cardo_mobilizer_pin, &cardo_mobilizer_ball,
                                                 &cardo_mobilizer_cylinder, &cardo_mobilizer_free};
    static random_parameters room;
    uint64_t seed = 99;
    cardo_error error = {0};
    cardo_system *system;
    assert_ok(cardo_system_create(&system, &error), &error);
    for (int k = 0; k < 4; ++k) {
        cardo_body_definition body = random_body(mobilizers[k], k, &seed, &room);
        body.euler = false;
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    return system;
}

static const cardo_mobility_spring spring = {3, 1, 7.0, 0.3}, free_spring = {4, 5, 3.0, 0.1};
static const cardo_mobility_damper damper = {2, 1, 0.7};
static const cardo_mobility_constant constant = {1, 0, 0.9};
static const cardo_two_point_spring two_springs = {1, 4, {0.1, 0.2, 0}, {0, 0.3, 0.1}, 11, 0.4};
static const cardo_two_point_damper two_dampers = {0, 3, {0.1, 0.2, 0}, {0, 0.3, 0.1}, 0.8};
static const cardo_body_constant body_constant = {2, {0.1, 0, 0.2}, {1, -2, 0.5}, {0.1, 0.2, -0.3}};
static cardo_linear_bushing bushing = {.body1 = 2,
                                       .body2 = 4,
                                       .stiffness = {3, 4, 5, 6, 7, 8},
                                       .damping = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}};

/* Beyond some walls and within others; the random poses are a few nm apart. */
static cardo_flat_bottom box = {.body1 = 2,
                                .body2 = 4,
                                .point2 = {0.1, 0.2, -0.1},
                                .shape = CARDO_FLAT_BOTTOM_BOX,
                                .extent = {0.2, 5, 0.1},
                                .stiffness = 9};
static cardo_flat_bottom sphere = {.body1 = 0,
                                   .body2 = 3,
                                   .point2 = {0.1, 0.2, -0.1},
                                   .shape = CARDO_FLAT_BOTTOM_SPHERE,
                                   .extent = {0.3},
                                   .stiffness = 9};

/* A user's force: a spring of body 3's origin to a point, written as a callback. */
static double to_point(void *user, const cardo_force_work *work)
{
    const double *k = user;
    const cardo_vec3 x = work->X_GB[3].p;
    if (work->body_forces)
        work->body_forces[3].linear = v3_add_scaled(work->body_forces[3].linear, -*k, x);
    return 0.5 * *k * v3_dot(x, x);
}

static double user_stiffness = 2.5;
static const cardo_force_callback_parameters user = {to_point, &user_stiffness};

typedef struct sample {
    const cardo_force_element *element;
    const void *parameters;
    bool conservative;
} sample;

static const sample samples[] = {
    {&cardo_force_mobility_spring, &spring, true},
    {&cardo_force_mobility_spring, &free_spring, true},
    {&cardo_force_mobility_damper, &damper, false},
    {&cardo_force_mobility_constant, &constant, false},
    {&cardo_force_two_point_spring, &two_springs, true},
    {&cardo_force_two_point_damper, &two_dampers, false},
    {&cardo_force_body_constant, &body_constant, false},
    {&cardo_force_linear_bushing, &bushing, false},
    {&cardo_force_flat_bottom, &box, true},
    {&cardo_force_flat_bottom, &sphere, true},
    {&cardo_force_callback, &user, true},
};
enum { SAMPLES = sizeof samples / sizeof *samples, MOST = 20 };

static void set_random(const cardo_system *system, cardo_state *state, uint64_t seed, double speed)
{
    double q[MOST], u[MOST];
    random_coordinates(system, &seed, q);
    random_numbers(cardo_system_nu(system), &seed, u);
    for (int i = 0; i < cardo_system_nu(system); ++i)
        u[i] *= speed;
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
}

static double energy_ahead(const cardo_system *system, const cardo_state *state, cardo_state *other,
                           double h)
{
    double q[MOST], total;
    cardo_error error = {0};
    for (int i = 0; i < cardo_system_nq(system); ++i)
        q[i] = cardo_state_q(state)[i] + h * cardo_state_qdot(state)[i];
    cardo_state_set_q(other, q);
    assert_ok(cardo_realize(system, other, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_potential_energy(system, other, NULL, &total, &error), &error);
    return total;
}

/* Power of the element's forces = -dE/dt for springs; never positive for dampers; what is known for
 * the others. */
static void check_element(const sample *s)
{
    cardo_error error = {0};
    cardo_system *system = chain();
    cardo_state *state, *other;
    int index = -1;
    assert_ok(cardo_system_add_force(system, s->element, s->parameters, &index, &error), &error);
    assert_int_equal(index, 0);
    assert_ok(cardo_system_finalize(system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    assert_ok(cardo_state_create(system, &other, &error), &error);
    for (uint64_t seed = 1; seed < 6; ++seed) {
        cardo_spatial F[5];
        double f[MOST], power, rest;
        const double h = 1e-5;
        set_random(system, state, seed, 1);
        assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
        assert_ok(cardo_element_forces(system, state, F, f, &error), &error);
        assert_ok(cardo_power(system, state, F, f, &power, &error), &error);
        const double slope =
            (energy_ahead(system, state, other, h) - energy_ahead(system, state, other, -h)) /
            (2 * h);
        rest = power + slope;
        if (s->conservative)
            assert_close(rest, 0, 1e-6 * (1 + fabs(power)));
        if (s->element == &cardo_force_mobility_damper ||
            s->element == &cardo_force_two_point_damper)
            assert_true(rest < 0);
        if (s->element == &cardo_force_linear_bushing)
            assert_true(rest < 0); /* its dampers */
        if (s->element == &cardo_force_mobility_constant)
            assert_close(power, constant.force * cardo_state_u(state)[0], 1e-12);
        if (s->element == &cardo_force_body_constant)
            assert_close(rest, v3_dot(body_constant.torque, cardo_state_V_GB(state)[2].angular),
                         1e-6);
        /* the dynamics sees it: inverse dynamics with these forces leaves nothing */
        assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
        double tau[MOST];
        assert_ok(cardo_inverse_dynamics(system, state, cardo_state_udot(state), F, f, tau, &error),
                  &error);
        for (int j = 0; j < cardo_system_nu(system); ++j)
            assert_close(tau[j], 0, 1e-9);
    }
    cardo_state_destroy(state);
    cardo_state_destroy(other);
    cardo_system_destroy(system);
}

static void test_elements(void **unused)
{
    (void)unused;
    bushing.frame1 = (cardo_transform){m33_from_euler(0.1, 0.2, 0.3), {0.1, 0, 0.2}};
    bushing.frame2 = (cardo_transform){m33_from_euler(-0.3, 0.2, 0.1), {0, 0.1, 0.2}};
    box.frame1 = sphere.frame1 = bushing.frame1;
    for (int i = 0; i < SAMPLES; ++i)
        check_element(&samples[i]);
    for (int i = 0; cardo_force_elements[i]; ++i)
        assert_ptr_equal(cardo_force_element_find(cardo_force_elements[i]->name),
                         cardo_force_elements[i]);
}

/* Without its dampers the bushing is conservative. */
static void test_bushing_energy(void **unused)
{
    (void)unused;
    cardo_linear_bushing plain = bushing;
    memset(plain.damping, 0, sizeof plain.damping);
    const sample spring_only = {&cardo_force_linear_bushing, &plain, true};
    cardo_error error = {0};
    cardo_system *system = chain();
    cardo_state *state, *other;
    assert_ok(
        cardo_system_add_force(system, spring_only.element, spring_only.parameters, NULL, &error),
        &error);
    assert_ok(cardo_system_finalize(system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    assert_ok(cardo_state_create(system, &other, &error), &error);
    set_random(system, state, 3, 1);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
    cardo_spatial F[5];
    double f[MOST], power;
    assert_ok(cardo_element_forces(system, state, F, f, &error), &error);
    assert_ok(cardo_power(system, state, F, f, &power, &error), &error);
    const double h = 1e-5, slope = (energy_ahead(system, state, other, h) -
                                    energy_ahead(system, state, other, -h)) /
                                   (2 * h);
    assert_close(power, -slope, 1e-6 * (1 + fabs(power)));
    cardo_state_destroy(state);
    cardo_state_destroy(other);
    cardo_system_destroy(system);
}

static void test_refusals(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_system *system = chain();
    const cardo_mobility_spring on_quaternion = {2, 0, 1, 0}, no_body = {9, 0, 1, 0};
    const cardo_mobility_damper not_finite = {1, 0, NAN}, no_speed = {1, 1, 1};
    const cardo_force_callback_parameters nothing = {0};
    assert_fails(
        cardo_system_add_force(system, &cardo_force_mobility_spring, &on_quaternion, NULL, &error),
        &error, CARDO_ERROR_ARGUMENT, "no speed of its own");
    assert_fails(
        cardo_system_add_force(system, &cardo_force_mobility_spring, &no_body, NULL, &error),
        &error, CARDO_ERROR_ARGUMENT, "no body 9");
    assert_fails(
        cardo_system_add_force(system, &cardo_force_mobility_damper, &not_finite, NULL, &error),
        &error, CARDO_ERROR_INPUT, "nan");
    assert_fails(
        cardo_system_add_force(system, &cardo_force_mobility_damper, &no_speed, NULL, &error),
        &error, CARDO_ERROR_ARGUMENT, "speed number 1");
    assert_fails(cardo_system_add_force(system, &cardo_force_callback, &nothing, NULL, &error),
                 &error, CARDO_ERROR_ARGUMENT, "no function");
    cardo_system_destroy(system);
}

/* The gradient of ln det M, which knows of the free mobilities alone, is its slope. */
static void check_log_det(const cardo_system *system, const cardo_state *state)
{
    cardo_error error = {0};
    cardo_state *near;
    double gradient[MOST], rate[MOST], one[MOST] = {0};
    const double h = 1e-5;
    assert_ok(cardo_log_det_m_gradient(system, state, gradient, &error), &error);
    assert_ok(cardo_state_create(system, &near, &error), &error);
    for (int j = 0; j < cardo_system_nu(system); ++j) {
        double moved[MOST], end[2];
        memset(one, 0, sizeof one);
        one[j] = 1;
        assert_ok(cardo_multiply_n(system, state, one, rate, &error), &error);
        for (int side = 0; side < 2; ++side) {
            for (int k = 0; k < cardo_system_nq(system); ++k)
                moved[k] = cardo_state_q(state)[k] + (side ? h : -h) * rate[k];
            cardo_state_copy(near, state);
            cardo_state_set_q(near, moved);
            assert_ok(cardo_realize(system, near, CARDO_STAGE_DYNAMICS, &error), &error);
            assert_ok(cardo_log_det_m(system, near, &end[side], &error), &error);
        }
        assert_close(gradient[j], (end[1] - end[0]) / (2 * h), 1e-8);
    }
    cardo_state_destroy(near);
}

/* The free chain driven by the motive forces of one that is prescribed, all of a cylinder or one of
 * its mobilities, moves the same way, at every level of prescription. */
static void test_motion(void **unused)
{
    (void)unused;
    const double wave[3] = {0.4, 1.7, 0.3}, ramp[2] = {0.6, 0.1};
    for (int trial = 0; trial < 9; ++trial) {
        const int level = CARDO_MOTION_POSITION + trial % 3;
        const unsigned which = 1 + (unsigned)trial / 3;
        const bool turn = which & 1U, slide = which & 2U;
        cardo_error error = {0};
        cardo_system *driven = chain(), *plain = chain();
        cardo_state *a, *b;
        const cardo_function f[2] = {
            {.kind = CARDO_FUNCTION_SINUSOID, .narg = 1, .ncoefficient = 3, .coefficients = wave},
            {.kind = CARDO_FUNCTION_LINEAR, .narg = 1, .ncoefficient = 2, .coefficients = ramp}};
        assert_fails(
            cardo_system_prescribe_some(driven, 3, (cardo_motion_level)level, 4, f, &error), &error,
            CARDO_ERROR_ARGUMENT, "2 mobilities");
        assert_ok(
            cardo_system_prescribe_some(driven, 3, (cardo_motion_level)level, which, f, &error),
            &error);
        assert_int_equal(cardo_system_nprescribed(driven), turn + slide);
        assert_int_equal(cardo_system_prescribed(driven, 3), which);
        assert_fails(cardo_system_prescribe(driven, 3, (cardo_motion_level)level, f, &error),
                     &error, CARDO_ERROR_ARGUMENT, "motion already");
        assert_fails(cardo_system_prescribe(driven, 2, CARDO_MOTION_POSITION, f, &error), &error,
                     CARDO_ERROR_UNSUPPORTED, "speeds");
        assert_ok(cardo_system_finalize(driven, &error), &error);
        assert_ok(cardo_system_finalize(plain, &error), &error);
        assert_ok(cardo_state_create(driven, &a, &error), &error);
        assert_ok(cardo_state_create(plain, &b, &error), &error);
        set_random(driven, a, 21, 1);
        cardo_state_set_time(a, 0.7);
        cardo_state_prescribe(driven, a);
        assert_ok(cardo_realize(driven, a, CARDO_STAGE_ACCELERATION, &error), &error);
        double forces[MOST], power;
        assert_ok(cardo_motive_forces(driven, a, forces, &error), &error);
        assert_ok(cardo_motive_power(driven, a, &power, &error), &error);
        /* speeds 4 and 5 are those of the cylinder */
        const double phase = 1.7 * 0.7 + 0.3;
        const double expected = level == CARDO_MOTION_POSITION   ? -0.4 * 1.7 * 1.7 * sin(phase)
                                : level == CARDO_MOTION_VELOCITY ? 0.4 * 1.7 * cos(phase)
                                                                 : 0.4 * sin(phase);
        if (turn)
            assert_close(cardo_state_udot(a)[4], expected, 1e-14);
        assert_close(power, forces[4] * cardo_state_u(a)[4] + forces[5] * cardo_state_u(a)[5],
                     1e-12);
        /* W^T is W's transpose, with nothing for what is prescribed. */
        double x[MOST], y[MOST], Wx[MOST], Wy[MOST], left = 0, right = 0;
        for (int j = 0; j < cardo_system_nu(driven); ++j) {
            x[j] = sin(1 + j);
            y[j] = cos(2 + 3 * j);
        }
        assert_ok(cardo_multiply_sqrt_minv(driven, a, x, Wx, &error), &error);
        assert_ok(cardo_multiply_sqrt_minv_transposed(driven, a, y, Wy, &error), &error);
        for (int j = 0; j < cardo_system_nu(driven); ++j) {
            left += y[j] * Wx[j];
            right += Wy[j] * x[j];
        }
        assert_close(left, right, 1e-12);
        assert_true((Wy[4] == 0 && Wx[4] == 0) == turn && (Wy[5] == 0 && Wx[5] == 0) == slide);
        /* and W W^-1 is the identity of the others */
        assert_ok(cardo_multiply_sqrt_m(driven, a, Wx, y, &error), &error);
        for (int j = 0; j < cardo_system_nu(driven); ++j)
            assert_close(y[j], (j == 4 && turn) || (j == 5 && slide) ? 0 : x[j], 1e-12);
        check_log_det(driven, a);
        cardo_state_set_q(b, cardo_state_q(a));
        cardo_state_set_u(b, cardo_state_u(a));
        cardo_state_set_forces(b, NULL, forces);
        assert_ok(cardo_realize(plain, b, CARDO_STAGE_ACCELERATION, &error), &error);
        for (int j = 0; j < cardo_system_nu(plain); ++j) {
            assert_close(cardo_state_udot(b)[j], cardo_state_udot(a)[j], 1e-10);
            assert_true((j == 4 && turn) || (j == 5 && slide) || forces[j] == 0);
        }
        cardo_state_destroy(a);
        cardo_state_destroy(b);
        cardo_system_destroy(driven);
        cardo_system_destroy(plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_bushing_energy),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
