/* Every mobilizer of the table against what its position alone implies: H, Hdot, N by differences;
 * fits; reversal. */
#include "multibody/random_tree.h"

#include "base/memory.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/quantities/fit.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 7 };

/* One body on ground by a mobilizer, and a state of it. */
typedef struct fixture {
    cardo_system *system;
    cardo_state *state;
    int nq, nu;
    double q[MOST], u[MOST];
} fixture;

static void open_fixture(fixture *f, const cardo_mobilizer *mobilizer, bool euler, bool reversed,
                         uint64_t *seed)
{
    cardo_error error = {0};
    static random_parameters room;
    cardo_body_definition body = random_body(mobilizer, 0, seed, &room);
    body.euler = euler;
    body.reversed = reversed;
    assert_ok(cardo_system_create(&f->system, &error), &error);
    assert_ok(cardo_system_add_body(f->system, &body, NULL, &error), &error);
    assert_ok(cardo_system_finalize(f->system, &error), &error);
    assert_ok(cardo_state_create(f->system, &f->state, &error), &error);
    f->nq = cardo_system_nq(f->system);
    f->nu = cardo_system_nu(f->system);
    random_coordinates(f->system, seed, f->q);
    random_numbers(f->nu, seed, f->u);
}

static void close_fixture(fixture *f)
{
    cardo_state_destroy(f->state);
    cardo_system_destroy(f->system);
}

static cardo_mobilizer_motion motion_at(fixture *f, const double *q, const double *u)
{
    cardo_error error = {0};
    cardo_mobilizer_motion motion;
    cardo_state_set_q(f->state, q);
    cardo_state_set_u(f->state, u);
    assert_ok(cardo_realize(f->system, f->state, CARDO_STAGE_VELOCITY, &error), &error);
    assert_ok(cardo_body_mobilizer_motion(f->system, f->state, 1, &motion, &error), &error);
    return motion;
}

/* q a time h after f->q at speeds f->u, to second order in qdot alone. */
static void advance(fixture *f, double h, double *q)
{
    motion_at(f, f->q, f->u);
    for (int i = 0; i < f->nq; ++i)
        q[i] = f->q[i] + h * cardo_state_qdot(f->state)[i];
}

static void assert_close_v3(cardo_vec3 a, cardo_vec3 b, double tolerance)
{
    assert_close(a.x, b.x, tolerance);
    assert_close(a.y, b.y, tolerance);
    assert_close(a.z, b.z, tolerance);
}

/* V_FM = H u is the rate of X_FM, and Hdot u that of H, by central differences along qdot = N u. */
static void check_rates(fixture *f)
{
    const double h = 1e-5;
    double qa[MOST], qb[MOST];
    const cardo_mobilizer_motion m = motion_at(f, f->q, f->u);
    advance(f, -h, qa);
    advance(f, h, qb);
    const cardo_mobilizer_motion a = motion_at(f, qa, f->u), b = motion_at(f, qb, f->u);
    assert_close_v3(v3_scale(0.5 / h, v3_sub(b.X_FM.p, a.X_FM.p)), m.V_FM.linear, 2e-8);
    cardo_mat33 Rdot;
    for (int i = 0; i < 9; ++i)
        Rdot.m[i / 3][i % 3] = (b.X_FM.R.m[i / 3][i % 3] - a.X_FM.R.m[i / 3][i % 3]) * (0.5 / h);
    const cardo_mat33 W = m33_mul(Rdot, m33_transpose(m.X_FM.R));
    assert_close_v3(v3(W.m[2][1], W.m[0][2], W.m[1][0]), m.V_FM.angular, 2e-8);
    cardo_vec3 angular = v3(0, 0, 0), linear = v3(0, 0, 0);
    for (int j = 0; j < f->nu; ++j) {
        angular =
            v3_add_scaled(angular, f->u[j] * 0.5 / h, v3_sub(b.H_FM[j].angular, a.H_FM[j].angular));
        linear =
            v3_add_scaled(linear, f->u[j] * 0.5 / h, v3_sub(b.H_FM[j].linear, a.H_FM[j].linear));
    }
    assert_close_v3(angular, m.Hdot_FM_u.angular, 1e-7);
    assert_close_v3(linear, m.Hdot_FM_u.linear, 1e-7);
}

/* N^-1 N = 1, and qdotdot = N udot + Ndot u against the difference of qdot. */
static void check_n(fixture *f)
{
    const double h = 1e-5;
    cardo_error error = {0};
    double qa[MOST], qb[MOST], rates[2][MOST], u[MOST], back[MOST];
    advance(f, -h, qa);
    advance(f, h, qb);
    assert_ok(cardo_realize(f->system, f->state, CARDO_STAGE_ACCELERATION, &error), &error);
    assert_ok(
        cardo_multiply_n_inverse(f->system, f->state, cardo_state_qdot(f->state), back, &error),
        &error);
    double udot[MOST], qdotdot[MOST];
    for (int j = 0; j < f->nu; ++j) {
        assert_close(back[j], f->u[j], 1e-12);
        udot[j] = cardo_state_udot(f->state)[j];
    }
    for (int i = 0; i < f->nq; ++i)
        qdotdot[i] = cardo_state_qdotdot(f->state)[i];
    for (int side = 0; side < 2; ++side) {
        for (int j = 0; j < f->nu; ++j)
            u[j] = f->u[j] + (side ? h : -h) * udot[j];
        motion_at(f, side ? qb : qa, u);
        memcpy(rates[side], cardo_state_qdot(f->state), sizeof(double) * (size_t)f->nq);
    }
    /* the speeds change as fast as gravity makes them: the tolerance goes with them */
    for (int i = 0; i < f->nq; ++i)
        assert_close((rates[1][i] - rates[0][i]) * (0.5 / h), qdotdot[i],
                     1e-6 * (1 + fabs(qdotdot[i])));
}

/* A pose that the mobilizer can take is found again, from elsewhere; and a velocity that it can
 * have. */
static void check_fits(fixture *f, uint64_t *seed)
{
    cardo_error error = {0};
    const cardo_mobilizer_motion m = motion_at(f, f->q, f->u);
    double q[MOST], u[MOST], residual, start[MOST];
    random_numbers(f->nq, seed, start);
    for (int i = 0; i < f->nq; ++i)
        q[i] = f->q[i] + 0.05 * start[i];
    assert_ok(cardo_fit_q(f->system, 1, &m.X_FM, q, &residual, &error), &error);
    assert_close(residual, 0, 1e-9);
    const cardo_mobilizer_motion again = motion_at(f, q, f->u);
    for (int i = 0; i < 9; ++i)
        assert_close(again.X_FM.R.m[i / 3][i % 3], m.X_FM.R.m[i / 3][i % 3], 1e-9);
    assert_close_v3(again.X_FM.p, m.X_FM.p, 1e-9);
    assert_ok(cardo_fit_u(f->system, 1, f->q, &m.V_FM, u, &residual, &error), &error);
    assert_close(residual, 0, 1e-12);
    for (int j = 0; j < f->nu; ++j)
        assert_close(u[j], f->u[j], 1e-9);
}

static void for_each_mobilizer(void (*check)(fixture *f, uint64_t *seed))
{
    uint64_t seed = 20260101;
    for (int i = 0; cardo_mobilizers[i]; ++i)
        for (int variant = 0; variant < 12; ++variant) {
            fixture f;
            open_fixture(&f, cardo_mobilizers[i], variant & 1, variant & 2, &seed);
            check(&f, &seed);
            close_fixture(&f);
        }
}

static void rates(fixture *f, uint64_t *seed)
{
    (void)seed;
    check_rates(f);
    check_n(f);
}

static void test_rates(void **state)
{
    (void)state;
    for_each_mobilizer(rates);
}

static void test_fits(void **state)
{
    (void)state;
    for_each_mobilizer(check_fits);
}

/* ground - free - A - mobilizer - B against ground - free - B - reversed mobilizer - A: same
 * motion. */
static cardo_state *make_pair(const cardo_body_definition *joint, bool swapped,
                              const cardo_mass_properties mass[2], cardo_system **system)
{
    cardo_error error = {0};
    cardo_state *state;
    cardo_body_definition base = {.mobilizer = &cardo_mobilizer_free,
                                  .X_PF = xform_identity(),
                                  .X_BM = xform_identity(),
                                  .mass = mass[swapped]};
    cardo_body_definition second = *joint;
    second.parent = 1;
    second.mass = mass[!swapped];
    if (swapped) {
        second.reversed = !joint->reversed;
        second.X_PF = joint->X_BM;
        second.X_BM = joint->X_PF;
    }
    assert_ok(cardo_system_create(system, &error), &error);
    assert_ok(cardo_system_add_body(*system, &base, NULL, &error), &error);
    assert_ok(cardo_system_add_body(*system, &second, NULL, &error), &error);
    assert_ok(cardo_system_finalize(*system, &error), &error);
    assert_ok(cardo_state_create(*system, &state, &error), &error);
    return state;
}

static void check_rerooted(const cardo_mobilizer *mobilizer, int variant, uint64_t *seed)
{
    cardo_error error = {0};
    static random_parameters room;
    cardo_body_definition joint = random_body(mobilizer, 1, seed, &room);
    const cardo_mass_properties mass[2] = {random_mass(seed), random_mass(seed)};
    joint.euler = variant & 1;
    joint.reversed = variant & 2;
    cardo_system *plain, *swapped;
    cardo_state *a = make_pair(&joint, false, mass, &plain);
    cardo_state *b = make_pair(&joint, true, mass, &swapped);
    double q[16], u[16];
    random_coordinates(plain, seed, q);
    random_numbers(cardo_system_nu(plain), seed, u);
    cardo_state_set_q(a, q);
    cardo_state_set_u(a, u);
    cardo_spatial force[3] = {0};
    force[1] = (cardo_spatial){random_vec3(seed), random_vec3(seed)};
    force[2] = (cardo_spatial){random_vec3(seed), random_vec3(seed)};
    cardo_state_set_forces(a, force, NULL);
    assert_ok(cardo_realize(plain, a, CARDO_STAGE_ACCELERATION, &error), &error);
    /* the other root is where body 2 is, and moves as it does */
    const cardo_transform X = cardo_state_X_GB(a)[2];
    const cardo_spatial V = cardo_state_V_GB(a)[2];
    const cardo_quaternion r = quat_from_m33(X.R);
    const double root_q[7] = {r.w, r.x, r.y, r.z, X.p.x, X.p.y, X.p.z};
    memcpy(q, root_q, sizeof root_q);
    v3_store(u, V.angular);
    v3_store(u + 3, V.linear);
    cardo_state_set_q(b, q);
    cardo_state_set_u(b, u);
    const cardo_spatial moved[3] = {force[0], force[2], force[1]};
    cardo_state_set_forces(b, moved, NULL);
    assert_ok(cardo_realize(swapped, b, CARDO_STAGE_ACCELERATION, &error), &error);
    for (int k = 1; k <= 2; ++k) {
        const cardo_spatial x = cardo_state_A_GB(a)[k], y = cardo_state_A_GB(b)[3 - k];
        const double scale = 1 + v3_norm(x.angular) + v3_norm(x.linear);
        assert_close_v3(x.angular, y.angular, 1e-12 * scale);
        assert_close_v3(x.linear, y.linear, 1e-12 * scale);
        assert_close_v3(cardo_state_V_GB(a)[k].linear, cardo_state_V_GB(b)[3 - k].linear,
                        1e-12 * scale);
    }
    for (int j = 6; j < cardo_system_nu(plain); ++j)
        assert_close(cardo_state_udot(a)[j], cardo_state_udot(b)[j],
                     1e-11 * (1 + fabs(cardo_state_udot(a)[j])));
    cardo_state_destroy(a);
    cardo_state_destroy(b);
    cardo_system_destroy(plain);
    cardo_system_destroy(swapped);
}

static void test_rerooted(void **state)
{
    (void)state;
    uint64_t seed = 4711;
    for (int i = 0; cardo_mobilizers[i]; ++i)
        for (int variant = 0; variant < 8; ++variant)
            check_rerooted(cardo_mobilizers[i], variant, &seed);
}

static void test_table(void **state)
{
    (void)state;
    for (int i = 0; cardo_mobilizers[i]; ++i) {
        const char *name = cardo_mobilizer_name(cardo_mobilizers[i]);
        assert_ptr_equal(cardo_mobilizer_find(name), cardo_mobilizers[i]);
        assert_true(strlen(cardo_mobilizer_doc(cardo_mobilizers[i])) > 10);
    }
    assert_null(cardo_mobilizer_find("hinge"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_fits),
        cmocka_unit_test(test_rerooted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
