/* Coordinates along constant speeds: exact rotations, reversible, and the Taylor series to second
 * order. */
#include "support/support.h"

#include "multibody/advance.h"
#include "multibody/operators.h"

#include <math.h>
#include <string.h>

static cardo_system *one_body(const cardo_mobilizer *mobilizer, bool euler, bool reversed)
{
    cardo_error error = {0};
    cardo_system *system;
    cardo_body_definition body = {.name = "body",
                                  .mobilizer = mobilizer,
                                  .euler = euler,
                                  .reversed = reversed,
                                  .X_PF = xform_identity(),
                                  .X_BM = xform_identity(),
                                  .mass = {2.0, {0.1, 0.2, 0.3}, {1.3, 1.4, 1.5, 0.1, 0.05, -0.1}}};
    assert_ok(cardo_system_create(&system, &error), &error);
    assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    assert_ok(cardo_system_finalize(system, &error), &error);
    return system;
}

static void set(cardo_system *system, cardo_state *state, const double *q, const double *u)
{
    cardo_error error = {0};
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
}

static void rotations_about_a_fixed_axis_are_exact(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_system *system = one_body(&cardo_mobilizer_free, false, false);
    cardo_state *state;
    assert_ok(cardo_state_create(system, &state, &error), &error);
    double u[6] = {0, 0, 0.7, 1, 2, 3}, q[7];
    set(system, state, cardo_state_q(state), u);
    assert_ok(cardo_advance(system, state, u, 3.0, q, &error), &error);
    assert_close(q[0], cos(0.5 * 2.1), 1e-15);
    assert_close(q[3], sin(0.5 * 2.1), 1e-15);
    assert_close(q[4], 3, 1e-15);
    assert_close(q[6], 9, 1e-15);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void a_step_back_returns(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    uint64_t seed = 11;
    for (const cardo_mobilizer *const *m = cardo_mobilizers; *m; ++m)
        for (int reversed = 0; reversed < 2; ++reversed) {
            const char *name = cardo_mobilizer_name(*m);
            if (strcmp(name, "free") != 0 && strcmp(name, "ball") != 0 &&
                strcmp(name, "free-line") != 0)
                continue;
            cardo_system *system = one_body(*m, false, reversed);
            cardo_state *state;
            double q[7], q0[7], q1[7], u[6] = {0};
            int nq = cardo_system_nq(system), nu = cardo_system_nu(system);
            assert_ok(cardo_state_create(system, &state, &error), &error);
            for (int k = 0; k < nq; ++k)
                q[k] = support_random(&seed);
            for (int k = 0; k < nu; ++k)
                u[k] = support_random(&seed);
            set(system, state, q, u);
            memcpy(q0, cardo_state_q(state), sizeof(double) * (size_t)nq);
            assert_ok(cardo_advance(system, state, u, 0.8, q1, &error), &error);
            set(system, state, q1, u);
            assert_ok(cardo_advance(system, state, u, -0.8, q, &error), &error);
            for (int k = 0; k < nq; ++k)
                assert_close(q[k], q0[k], 1e-14);
            cardo_state_destroy(state);
            cardo_system_destroy(system);
        }
}

/* Against q + h qdot + h^2/2 qdotdot with u in the middle of the step: what is left is of third
 * order. */
static void the_series_agrees_to_second_order(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    uint64_t seed = 12;
    for (int euler = 0; euler < 2; ++euler) {
        cardo_system *system = one_body(&cardo_mobilizer_free, euler, false);
        cardo_state *state;
        double q[7], u[6], middle[6], q1[7], miss[2] = {0};
        int nq = cardo_system_nq(system);
        assert_ok(cardo_state_create(system, &state, &error), &error);
        for (int k = 0; k < nq; ++k)
            q[k] = support_random(&seed);
        for (int k = 0; k < 6; ++k)
            u[k] = support_random(&seed);
        set(system, state, q, u);
        for (int halved = 0; halved < 2; ++halved) {
            double h = halved ? 0.01 : 0.02;
            const double *udot = cardo_state_udot(state), *qdot = cardo_state_qdot(state),
                         *qdotdot = cardo_state_qdotdot(state);
            for (int k = 0; k < 6; ++k)
                middle[k] = u[k] + 0.5 * h * udot[k];
            assert_ok(cardo_advance(system, state, middle, h, q1, &error), &error);
            for (int k = 0; k < nq; ++k) {
                double series = cardo_state_q(state)[k] + h * qdot[k] + 0.5 * h * h * qdotdot[k];
                miss[halved] = fmax(miss[halved], fabs(q1[k] - series));
            }
        }
        assert_true(miss[0] < 1e-5);
        if (!euler)
            assert_close(miss[0] / miss[1], 8, 0.5);
        cardo_state_destroy(state);
        cardo_system_destroy(system);
    }
}

static void the_stage_is_checked(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_system *system = one_body(&cardo_mobilizer_free, false, false);
    cardo_state *state;
    double u[6] = {0}, q[7];
    assert_ok(cardo_state_create(system, &state, &error), &error);
    assert_fails(cardo_advance(system, state, u, 1, q, &error), &error, CARDO_ERROR_STAGE,
                 "velocity");
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_about_a_fixed_axis_are_exact),
        cmocka_unit_test(a_step_back_returns),
        cmocka_unit_test(the_series_agrees_to_second_order),
        cmocka_unit_test(the_stage_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
