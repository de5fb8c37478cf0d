/* The dynamic Jacobian, linear equations of motion, and chains of joints with massless bodies between. */
#include "multibody/constraints/random_loops.h"
#include "random_tree.h"
#include "support/support.h"

#include "cardo/elements.h"
#include "cardo/manifold.h"
#include "cardo/operators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

static cardo_body_definition body_on(const char *mobilizer, int parent, double mass)
{
    return (cardo_body_definition){.parent = parent,
                                   .mobilizer = cardo_mobilizer_find(mobilizer),
                                   .X_PF = cardo_transform_identity(),
                                   .X_BM = cardo_transform_identity(),
                                   .mass = {mass, {0, 0, 0}, {0, 0, 0, 0, 0, 0}}};
}

static void add(cardo_system *system, const cardo_body_definition *body)
{
    cardo_error error = {0};
    assert_ok(cardo_system_add_body(system, body, NULL, &error), &error);
}

/* A point in polar coordinates, drawn to the origin by a spring with a damper on the length: r'' = r w^2 - k (r - 1) - c r', phi'' = -2 r' w / r. */
static void a_point_in_polar_coordinates(void **unused)
{
    const double k = 3, c = 0.4, r = 1.3, v = 0.7, w = 1.9, q[2] = {0.4, r}, u[2] = {w, v};
    double qq[4], qu[4], uq[4], uu[4];
    const cardo_dynamic_derivatives out = {qq, qu, uq, uu};
    const cardo_body_definition body = body_on("bend-stretch", 0, 1);
    const cardo_mobility_spring spring = {1, 1, k, 1};
    const cardo_mobility_damper damper = {1, 1, c};
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    (void)unused;
    assert_ok(cardo_system_create(&system, &error), &error);
    add(system, &body);
    assert_ok(cardo_system_add_force(system, cardo_force_element_find("mobility-spring"), &spring,
                                     NULL, &error),
              &error);
    assert_ok(cardo_system_add_force(system, cardo_force_element_find("mobility-damper"), &damper,
                                     NULL, &error),
              &error);
    assert_ok(cardo_system_finalize(system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    assert_ok(cardo_dynamic_jacobian(system, state, &out, &error), &error);
    const double expected_uq[4] = {0, 2 * v * w / (r * r), 0, w * w - k};
    const double expected_uu[4] = {-2 * v / r, -2 * w / r, 2 * r * w, -c};
    for (int i = 0; i < 4; ++i) {
        assert_close(qq[i], 0, 1e-12);
        assert_close(qu[i], i % 3 == 0, 1e-15);
        assert_close(uq[i], expected_uq[i], 1e-10);
        assert_close(uu[i], expected_uu[i], 1e-11);
    }
    assert_memory_equal(cardo_state_q(state), q, sizeof q);
    assert_memory_equal(cardo_state_u(state), u, sizeof u);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

/* The derivatives at q and u, along a direction of their own, against a plain difference of the fourth order. */
static void check_jacobian(const cardo_system *system, const double *q_given, const double *u,
                           uint64_t *seed)
{
    cardo_error error = {0};
    cardo_state *state, *near;
    const int nq = cardo_system_nq(system), nu = cardo_system_nu(system);
    double q[MOST], dy[MOST], du[MOST], dq[MOST], rate[4][2][MOST], size = 1;
    double *all = calloc((size_t)(2 * nq + 2 * nu) * (size_t)nu + 1, sizeof *all);
    const cardo_dynamic_derivatives out = {all, all + nq * nu, all + 2 * nq * nu,
                                           all + (2 * nq + nu) * nu};
    const double h = 3e-4, steps[4] = {-2, -1, 1, 2}, weights[4] = {1, -8, 8, -1};
    assert_true(nq <= MOST);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    assert_ok(cardo_state_create(system, &near, &error), &error);
    random_numbers(nu, seed, dy);
    random_numbers(nu, seed, du);
    cardo_state_set_q(state, q_given);
    cardo_state_set_u(state, u);
    assert_ok(cardo_dynamic_jacobian(system, state, &out, &error), &error);
    memcpy(q, cardo_state_q(state), (size_t)nq * sizeof *q);
    assert_ok(cardo_multiply_n(system, state, dy, dq, &error), &error);
    for (int i = 0; i < nu; ++i)
        size = fmax(size, fabs(cardo_state_udot(state)[i]));
    for (int side = 0; side < 4; ++side) {
        double at[2][MOST];
        for (int i = 0; i < nq; ++i)
            at[0][i] = q[i] + steps[side] * h * dq[i];
        for (int i = 0; i < nu; ++i)
            at[1][i] = u[i] + steps[side] * h * du[i];
        cardo_state_set_q(near, at[0]);
        cardo_state_set_u(near, at[1]);
        assert_ok(cardo_realize(system, near, CARDO_STAGE_ACCELERATION, &error), &error);
        memcpy(rate[side][0], cardo_state_qdot(near), (size_t)nq * sizeof(double));
        memcpy(rate[side][1], cardo_state_udot(near), (size_t)nu * sizeof(double));
    }
    for (int i = 0; i < nq + nu; ++i) {
        const bool of_q = i < nq;
        const int row = of_q ? i : i - nq;
        const double *by_q = of_q ? out.qdot_by_q : out.udot_by_q;
        const double *by_u = of_q ? out.qdot_by_u : out.udot_by_u;
        double sum = 0, plain = 0;
        for (int j = 0; j < nu; ++j)
            sum += by_q[row * nu + j] * dy[j] + by_u[row * nu + j] * du[j];
        for (int side = 0; side < 4; ++side)
            plain += weights[side] * rate[side][of_q ? 0 : 1][row] / (12 * h);
        assert_close(sum / size, plain / size, 1e-7);
    }
    free(all);
    cardo_state_destroy(near);
    cardo_state_destroy(state);
}

/* Trees of all joints. */
static void random_trees(void **unused)
{
    uint64_t seed = 5;
    (void)unused;
    for (int tree = 0; tree < 12; ++tree) {
        cardo_system *system = random_tree(5, &seed);
        double q[MOST], u[MOST];
        random_coordinates(system, &seed, q);
        random_numbers(cardo_system_nu(system), &seed, u);
        check_jacobian(system, q, u, &seed);
        cardo_system_destroy(system);
    }
}

/* Rods, balls and points on planes, whose forces are among what is differentiated. */
static void constrained_trees(void **unused)
{
    static const char *const kinds[] = {"rod", "ball", "point-on-plane", "constant-angle"};
    uint64_t seed = 9;
    (void)unused;
    for (int k = 0; k < 4; ++k)
        for (int again = 0; again < 3; ++again) {
            double q[MOST], u[MOST];
            cardo_system *system =
                random_loops(5, 1, false, cardo_constraint_find(kinds[k]), &seed, q);
            random_numbers(cardo_system_nu(system), &seed, u);
            check_jacobian(system, q, u, &seed);
            cardo_system_destroy(system);
        }
}

/* Two equal points on strings of equal length: frequencies squared (2 -+ sqrt 2) g/l, as pins and as points on rods. */
static void small_motions(void **unused)
{
    const double g = 9.81, l = 0.7;
    (void)unused;
    for (int rods = 0; rods < 2; ++rods) {
        cardo_error error = {0};
        cardo_system *system;
        cardo_state *state;
        double A[12 * 12], T[36], values[2];
        int freedoms;
        assert_ok(cardo_system_create(&system, &error), &error);
        cardo_system_set_gravity(system, (cardo_vec3){0, -g, 0});
        for (int k = 0; k < 2; ++k) {
            cardo_body_definition body = body_on(rods ? "planar" : "pin", rods ? 0 : k, 1.5);
            /* a small disc that turns by itself, which nothing asks for */
            body.mass.inertia[0] = body.mass.inertia[1] = 0.5e-9;
            body.mass.inertia[2] = 1e-9;
            if (!rods) {
                body.X_BM.p.y = l;
                memset(body.mass.inertia, 0, sizeof body.mass.inertia);
            }
            add(system, &body);
        }
        for (int k = 0; k < 2 && rods; ++k) {
            const cardo_rod rod = {k, k + 1, {0, 0, 0}, {0, 0, 0}, l};
            const cardo_prescribed_coordinate held = {
                {k + 1, 0},
                {.kind = CARDO_FUNCTION_CONSTANT, .ncoefficient = 1, .coefficients = &(double){0}}};
            assert_ok(cardo_system_add_constraint(system, cardo_constraint_find("rod"), NULL, &rod,
                                                  NULL, &error),
                      &error);
            assert_ok(cardo_system_add_constraint(system,
                                                  cardo_constraint_find("prescribed-motion"), NULL,
                                                  &held, NULL, &error),
                      &error);
        }
        assert_ok(cardo_system_finalize(system, &error), &error);
        assert_ok(cardo_state_create(system, &state, &error), &error);
        const double hanging[6] = {0, 0, -l, 0, 0, -2 * l};
        if (rods)
            cardo_state_set_q(state, hanging);
        assert_ok(cardo_linearize(system, state, 0, A, T, &freedoms, &error), &error);
        assert_int_equal(freedoms, 2);
        /* of the symmetric part that is left */
        const double a = -A[8], b = -A[9], c = -A[12], d = -A[13];
        assert_close(b, c, 1e-8);
        const double middle = 0.5 * (a + d), apart = sqrt(0.25 * (a - d) * (a - d) + b * c);
        values[0] = middle - apart;
        values[1] = middle + apart;
        assert_close(values[0] / (g / l), 2 - sqrt(2), 1e-9);
        assert_close(values[1] / (g / l), 2 + sqrt(2), 1e-9);
        assert_close(A[2], 1, 0);
        for (int k = 0; k < 4; ++k)
            assert_close(A[8 + 2 + 4 * (k / 2) + k % 2], 0, 1e-10);
        double u[6] = {0.1};
        cardo_state_set_u(state, u);
        assert_fails(cardo_linearize(system, state, 0, A, T, &freedoms, &error), &error,
                     CARDO_ERROR_ARGUMENT, "moves");
        u[0] = 0;
        cardo_state_set_u(state, u);
        double swung[6] = {0.2, 0, -l, 0, 0, -2 * l};
        if (!rods) {
            cardo_state_set_q(state, swung);
            assert_fails(cardo_linearize(system, state, 0, A, T, &freedoms, &error), &error,
                         CARDO_ERROR_ARGUMENT, "no equilibrium");
        }
        cardo_state_destroy(state);
        cardo_system_destroy(system);
    }
}

/* ---- massless bodies between joints ---- */

/* z of a frame along axis 0, 1 or 2. */
static cardo_transform axis_frame(int axis)
{
    const cardo_vec3 about[3] = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
    const double angle[3] = {acos(0), acos(0), 0};
    return cardo_transform_turn(about[axis], angle[axis], (cardo_vec3){0, 0, 0});
}

/* x of a frame along an axis. */
static cardo_transform slide_frame(int axis)
{
    const cardo_vec3 about[3] = {{0, 0, 1}, {0, 0, 1}, {0, -1, 0}};
    const double angle[3] = {0, acos(0), acos(0)};
    return cardo_transform_turn(about[axis], angle[axis], (cardo_vec3){0, 0, 0});
}

/* A chain of single joints with massless bodies between them, on a moving body, with another body on it; or one joint in their place. */
static cardo_system *jointed(const char *joint, const char *parts, bool as_parts, uint64_t seed)
{
    cardo_error error = {0};
    cardo_system *system;
    random_parameters room;
    uint64_t own = seed;
    const cardo_transform X_PF = random_transform(&own), X_BM = random_transform(&own);
    const cardo_mass_properties mass = random_mass(&own);
    assert_ok(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, random_vec3(&own));
    const cardo_body_definition first = random_body(cardo_mobilizer_find("pin"), 0, &own, &room);
    add(system, &first);
    cardo_body_definition body = body_on(joint, 1, 0);
    int parent = 1;
    const int n = (int)strlen(parts);
    for (int k = 0; k < n && as_parts; ++k) {
        /* "xyz": turns, "XYZ": slides */
        const bool slides = parts[k] < 'a';
        const int axis = slides ? parts[k] - 'X' : parts[k] - 'x';
        body = body_on(slides ? "slider" : "pin", parent, 0);
        body.X_PF = body.X_BM = slides ? slide_frame(axis) : axis_frame(axis);
        if (k == 0)
            body.X_PF = cardo_transform_multiply(X_PF, body.X_PF);
        if (k + 1 < n) {
            add(system, &body);
            ++parent;
        }
    }
    if (!as_parts)
        body.X_PF = X_PF;
    body.X_BM = as_parts ? cardo_transform_multiply(X_BM, body.X_BM) : X_BM;
    body.mass = mass;
    add(system, &body);
    const cardo_body_definition last =
        random_body(cardo_mobilizer_find("ball"), parent + 1, &own, &room);
    add(system, &last);
    assert_ok(cardo_system_finalize(system, &error), &error);
    return system;
}

static void massless_bodies_are_no_bodies(void **unused)
{
    static const char *const joints[][2] = {{"gimbal", "xyz"},      {"universal", "xy"},
                                            {"translation", "XYZ"}, {"bushing", "XYZxyz"},
                                            {"cylinder", "Zz"},     {"planar", "XYz"}};
    uint64_t seed = 77;
    (void)unused;
    for (int j = 0; j < 6; ++j)
        for (int again = 0; again < 4; ++again) {
            cardo_error error = {0};
            cardo_system *systems[2];
            cardo_state *states[2];
            double q[MOST], u[MOST];
            const int n = (int)strlen(joints[j][1]);
            seed += 31;
            for (int s = 0; s < 2; ++s) {
                systems[s] = jointed(joints[j][0], joints[j][1], s == 1, seed);
                assert_ok(cardo_state_create(systems[s], &states[s], &error), &error);
            }
            assert_int_equal(cardo_system_nu(systems[0]), cardo_system_nu(systems[1]));
            const int nu = cardo_system_nu(systems[0]);
            random_coordinates(systems[0], &seed, q);
            random_numbers(nu, &seed, u);
            /* where the joint's coordinates are in the chain: turns of a bushing and a cylinder come first, and of planar */
            int order[6];
            for (int k = 0; k < n; ++k)
                order[k] = k;
            if (strcmp(joints[j][0], "bushing") == 0)
                for (int k = 0; k < 6; ++k)
                    order[k] = (k + 3) % 6;
            if (strcmp(joints[j][0], "cylinder") == 0 || strcmp(joints[j][0], "planar") == 0)
                for (int k = 0; k < n; ++k)
                    order[k] = (k + 1) % n;
            double own[2][MOST];
            memcpy(own[0], q, sizeof q);
            memcpy(own[1], u, sizeof u);
            cardo_state_set_q(states[0], q);
            cardo_state_set_u(states[0], u);
            for (int k = 0; k < n; ++k) {
                own[0][1 + k] = q[1 + order[k]];
                own[1][1 + k] = u[1 + order[k]];
            }
            cardo_state_set_q(states[1], own[0]);
            cardo_state_set_u(states[1], own[1]);
            for (int s = 0; s < 2; ++s)
                assert_ok(cardo_realize(systems[s], states[s], CARDO_STAGE_ACCELERATION, &error),
                          &error);
            const double *a = cardo_state_udot(states[0]), *b = cardo_state_udot(states[1]);
            double size = 1;
            for (int k = 0; k < nu; ++k)
                size = fmax(size, fabs(a[k]));
            for (int k = 0; k < nu; ++k) {
                const int at = k >= 1 && k <= n ? 1 + order[k - 1] : k;
                support_assert_close(b[k] / size, a[at] / size, 1e-10, joints[j][0], __FILE__,
                                     __LINE__);
            }
            for (int s = 0; s < 2; ++s) {
                cardo_state_destroy(states[s]);
                cardo_system_destroy(systems[s]);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_in_polar_coordinates),
        cmocka_unit_test(random_trees),
        cmocka_unit_test(constrained_trees),
        cmocka_unit_test(small_motions),
        cmocka_unit_test(massless_bodies_are_no_bodies),
    };
    return support_run(tests, NULL, NULL);
}
