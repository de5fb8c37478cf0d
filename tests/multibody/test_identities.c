/* Identities of the operators on 200 random trees of 1 to 60 bodies. Each tree's seed is printed
 * when it fails. */
#include "multibody/random_tree.h"

#include "base/linalg.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TREES = 200, MOST_BODIES = 60 };

/* A tree, a state realized to ACCELERATION under random forces, and room. */
typedef struct fixture {
    uint64_t seed;
    cardo_system *system;
    cardo_state *state, *other;
    int nbody, nq, nu;
    double *q, *u, *v, *a, *b, *tau, *M, *J;
    cardo_spatial *force, *spatial;
} fixture;

static double *room(size_t n)
{
    return calloc(n + 1, sizeof(double));
}

static void open_fixture(fixture *f, int index)
{
    cardo_error error = {0};
    uint64_t seed = f->seed = 977 + 7919 * (uint64_t)index;
    /* small trees are the likeliest to be looked at when one fails */
    f->system = random_tree(1 + index * MOST_BODIES / TREES, &seed);
    f->nbody = cardo_system_nbody(f->system);
    f->nq = cardo_system_nq(f->system);
    f->nu = cardo_system_nu(f->system);
    const size_t nu = (size_t)f->nu, nb = (size_t)f->nbody;
    f->q = room((size_t)f->nq);
    f->u = room(nu);
    f->v = room(nu);
    f->a = room(nu + (size_t)f->nq);
    f->b = room(nu + (size_t)f->nq);
    f->tau = room(nu);
    f->M = room(nu * nu);
    f->J = room(6 * nb * nu);
    f->force = calloc(nb, sizeof *f->force);
    f->spatial = calloc(nb, sizeof *f->spatial);
    random_coordinates(f->system, &seed, f->q);
    random_numbers(f->nu, &seed, f->u);
    random_numbers(f->nu, &seed, f->v);
    random_numbers(f->nu, &seed, f->tau);
    for (int k = 1; k < f->nbody; ++k)
        f->force[k] = (cardo_spatial){random_vec3(&seed), random_vec3(&seed)};
    assert_ok(cardo_state_create(f->system, &f->state, &error), &error);
    assert_ok(cardo_state_create(f->system, &f->other, &error), &error);
    cardo_state_set_q(f->state, f->q);
    cardo_state_set_u(f->state, f->u);
    cardo_state_set_forces(f->state, f->force, f->tau);
    assert_ok(cardo_realize(f->system, f->state, CARDO_STAGE_ACCELERATION, &error), &error);
}

static void close_fixture(fixture *f)
{
    cardo_state_destroy(f->state);
    cardo_state_destroy(f->other);
    cardo_system_destroy(f->system);
    double *const arrays[] = {f->q, f->u, f->v, f->a, f->b, f->tau, f->M, f->J};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        free(arrays[i]);
    free(f->force);
    free(f->spatial);
}

static double largest(const double *a, int n)
{
    double m = 0;
    for (int i = 0; i < n; ++i)
        m = fabs(a[i]) > m || isnan(a[i]) ? fabs(a[i]) : m;
    return m;
}

/* Largest difference relative to the larger of the arrays' largest magnitudes. */
static void assert_same(const fixture *f, const char *what, const double *a, const double *b, int n,
                        double tolerance)
{
    double worst = 0, scale = fmax(largest(a, n), largest(b, n));
    for (int i = 0; i < n; ++i)
        worst = !(fabs(a[i] - b[i]) <= worst) ? fabs(a[i] - b[i]) : worst;
    if (!(worst <= tolerance * scale) && n > 0)
        fail_msg("%s: relative error %.2e beyond %.0e for the tree of seed %llu, %d bodies, %d "
                 "speeds",
                 what, worst / scale, tolerance, (unsigned long long)f->seed, f->nbody - 1, f->nu);
}

static void for_each_tree(void (*check)(fixture *f))
{
    for (int i = 0; i < TREES; ++i) {
        fixture f;
        open_fixture(&f, i);
        if (f.nu > 0)
            check(&f);
        close_fixture(&f);
    }
}

/* M udot + c = J^T F + tau: inverse dynamics of forward dynamics leaves nothing. */
static void forward_inverse(fixture *f)
{
    cardo_error error = {0};
    const double *udot = cardo_state_udot(f->state);
    assert_ok(cardo_inverse_dynamics(f->system, f->state, udot, f->force, NULL, f->a, &error),
              &error);
    assert_same(f, "inverse of forward dynamics", f->a, f->tau, f->nu, 1e-8);
    /* and by parts: M udot + bias - J^T(F + gravity), gravity's share as inverse dynamics at rest
     */
    assert_ok(cardo_multiply_m(f->system, f->state, udot, f->a, &error), &error);
    assert_ok(cardo_bias(f->system, f->state, f->b, &error), &error);
    double scale = fmax(largest(f->a, f->nu), largest(f->b, f->nu));
    for (int i = 0; i < f->nu; ++i)
        f->a[i] += f->b[i];
    assert_ok(cardo_multiply_jt(f->system, f->state, f->force, f->b, &error), &error);
    for (int i = 0; i < f->nu; ++i)
        f->a[i] -= f->b[i] + f->tau[i];
    memset(f->v, 0, sizeof(double) * (size_t)f->nu);
    cardo_state_copy(f->other, f->state);
    cardo_state_set_u(f->other, f->v);
    assert_ok(cardo_realize(f->system, f->other, CARDO_STAGE_VELOCITY, &error), &error);
    assert_ok(cardo_inverse_dynamics(f->system, f->other, f->v, NULL, NULL, f->b, &error), &error);
    for (int i = 0; i < f->nu; ++i)
        assert_close(f->a[i] + f->b[i], 0, 1e-9 * (scale + 1));
}

static void test_forward_inverse(void **state)
{
    (void)state;
    for_each_tree(forward_inverse);
}

/* M is the sum of J_k^T M_k J_k, symmetric; M v, M^-1 v, the factors and det M belong to it. */
static void check_mass_matrix(fixture *f)
{
    cardo_error error = {0};
    const int n = f->nu;
    double *sum = room((size_t)n * (size_t)n);
    assert_ok(cardo_mass_matrix(f->system, f->state, f->M, &error), &error);
    assert_ok(cardo_jacobian(f->system, f->state, f->J, &error), &error);
    for (int k = 1; k < f->nbody; ++k) {
        cardo_body_info info;
        cardo_system_body(f->system, k, &info);
        const cardo_mat33 R = cardo_state_X_GB(f->state)[k].R;
        const double *I = info.mass.inertia;
        const cardo_mat33 B = {{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
        const cardo_mat33 G = m33_mul(m33_mul(R, B), m33_transpose(R));
        const cardo_vec3 h = v3_scale(info.mass.mass, m33_mul_v3(R, info.mass.com));
        for (int j = 0; j < n; ++j) {
            double column[6];
            for (int r = 0; r < 6; ++r)
                column[r] = f->J[(6 * k + r) * n + j];
            const cardo_vec3 w = v3_load(column), v = v3_load(column + 3);
            const cardo_vec3 L = v3_add(m33_mul_v3(G, w), v3_cross(h, v));
            const cardo_vec3 p = v3_add(v3_scale(info.mass.mass, v), v3_cross(w, h));
            for (int i = 0; i < n; ++i) {
                const double *row = f->J + (size_t)(6 * k) * (size_t)n + i;
                sum[i * n + j] += row[0] * L.x + row[n] * L.y + row[2 * n] * L.z +
                                  row[3 * n] * p.x + row[4 * n] * p.y + row[5 * n] * p.z;
            }
        }
    }
    assert_same(f, "M = sum J^T M J", f->M, sum, n * n, 1e-12);
    free(sum);
}

static void check_products(fixture *f)
{
    cardo_error error = {0};
    const int n = f->nu;
    assert_ok(cardo_multiply_m(f->system, f->state, f->v, f->a, &error), &error);
    for (int i = 0; i < n; ++i) {
        f->b[i] = 0;
        for (int j = 0; j < n; ++j)
            f->b[i] += f->M[i * n + j] * f->v[j];
    }
    assert_same(f, "M v", f->a, f->b, n, 1e-12);
    assert_ok(cardo_multiply_minv(f->system, f->state, f->a, f->b, &error), &error);
    assert_same(f, "M^-1 M v", f->b, f->v, n, 1e-7);
    /* M v = W^-T W^-1 v */
    assert_ok(cardo_multiply_sqrt_m(f->system, f->state, f->v, f->b, &error), &error);
    double square = 0, form = 0;
    for (int i = 0; i < n; ++i) {
        square += f->b[i] * f->b[i];
        form += f->v[i] * f->a[i];
    }
    assert_close(square, form, 1e-10 * form);
    double *back = room((size_t)n);
    assert_ok(cardo_multiply_sqrt_m_transposed(f->system, f->state, f->b, back, &error), &error);
    assert_same(f, "W^-T W^-1 v = M v", back, f->a, n, 1e-10);
    assert_ok(cardo_multiply_sqrt_minv(f->system, f->state, f->b, back, &error), &error);
    assert_same(f, "W W^-1 v = v", back, f->v, n, 1e-9);
    assert_ok(cardo_multiply_sqrt_minv_transposed(f->system, f->state, f->a, back, &error), &error);
    assert_same(f, "W^T M v = W^-1 v", back, f->b, n, 1e-9);
    free(back);
    /* energy, two ways */
    double energy;
    assert_ok(cardo_kinetic_energy(f->system, f->state, &energy, &error), &error);
    assert_ok(cardo_multiply_m(f->system, f->state, f->u, f->a, &error), &error);
    double half = 0;
    for (int i = 0; i < n; ++i)
        half += 0.5 * f->u[i] * f->a[i];
    assert_close(half, energy, 1e-12 * energy);
}

static void check_determinant(fixture *f)
{
    cardo_error error = {0};
    const int n = f->nu;
    double log_det, sum = 0;
    assert_ok(cardo_log_det_m(f->system, f->state, &log_det, &error), &error);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double s = f->M[i * n + j];
            for (int k = 0; k < j; ++k)
                s -= f->M[i * n + k] * f->M[j * n + k];
            f->M[i * n + j] = i == j ? sqrt(s) : s / f->M[j * n + j];
            if (i == j)
                sum += 2 * log(f->M[i * n + i]);
        }
    assert_close(log_det, sum, 1e-8);
}

static void mass_matrix(fixture *f)
{
    check_mass_matrix(f);
    check_products(f);
    check_determinant(f);
}

static void test_mass_matrix(void **state)
{
    (void)state;
    for_each_tree(mass_matrix);
}

/* Sets other to q + h N u. */
static void displace(fixture *f, const double *u, double h)
{
    cardo_error error = {0};
    assert_ok(cardo_multiply_n(f->system, f->state, u, f->b, &error), &error);
    for (int i = 0; i < f->nq; ++i)
        f->a[i] = cardo_state_q(f->state)[i] + h * f->b[i];
    cardo_state_set_q(f->other, f->a);
    assert_ok(cardo_realize(f->system, f->other, CARDO_STAGE_POSITION, &error), &error);
}

/* J u is the rate of poses; J^T F its transpose; Jdot u is what A_GB has at udot = 0. */
static void jacobian(fixture *f)
{
    cardo_error error = {0};
    const double h = 1e-5;
    double power = 0, generalized = 0;
    assert_ok(cardo_multiply_j(f->system, f->state, f->u, f->spatial, &error), &error);
    const cardo_spatial *V = cardo_state_V_GB(f->state);
    for (int k = 1; k < f->nbody; ++k) {
        const double scale = 1 + v3_norm(V[k].linear) + v3_norm(V[k].angular);
        assert_close(v3_norm(v3_sub(V[k].linear, f->spatial[k].linear)), 0, 1e-12 * scale);
        assert_close(v3_norm(v3_sub(V[k].angular, f->spatial[k].angular)), 0, 1e-12 * scale);
        power +=
            v3_dot(f->force[k].angular, V[k].angular) + v3_dot(f->force[k].linear, V[k].linear);
    }
    assert_ok(cardo_multiply_jt(f->system, f->state, f->force, f->a, &error), &error);
    for (int i = 0; i < f->nu; ++i)
        generalized += f->a[i] * f->u[i];
    assert_close(generalized, power, 1e-11 * (1 + fabs(power)));
    cardo_vec3 *ahead = calloc((size_t)f->nbody, sizeof *ahead);
    displace(f, f->u, h);
    for (int k = 1; k < f->nbody; ++k)
        ahead[k] = cardo_state_X_GB(f->other)[k].p;
    displace(f, f->u, -h);
    for (int k = 1; k < f->nbody; ++k) {
        const cardo_vec3 rate =
            v3_scale(0.5 / h, v3_sub(ahead[k], cardo_state_X_GB(f->other)[k].p));
        const double scale = 1 + v3_norm(V[k].linear);
        assert_close(v3_norm(v3_sub(rate, V[k].linear)), 0, 1e-6 * scale * scale * scale);
    }
    free(ahead);
}

static void test_jacobian(void **state)
{
    (void)state;
    for_each_tree(jacobian);
}

/* d/dt ln det M = gradient . u along any u, by central differences extrapolated once. */
static void gradient(fixture *f)
{
    cardo_error error = {0};
    double *g = room((size_t)f->nu), slope[2], expected = 0, size = 0;
    assert_ok(cardo_log_det_m_gradient(f->system, f->state, g, &error), &error);
    for (int i = 0; i < f->nu; ++i) {
        expected += g[i] * f->v[i];
        size += fabs(g[i] * f->v[i]);
    }
    for (int fine = 0; fine < 2; ++fine) {
        const double h = fine ? 5e-5 : 1e-4;
        double value[2];
        for (int side = 0; side < 2; ++side) {
            displace(f, f->v, side ? h : -h);
            assert_ok(cardo_realize(f->system, f->other, CARDO_STAGE_DYNAMICS, &error), &error);
            assert_ok(cardo_log_det_m(f->system, f->other, &value[side], &error), &error);
        }
        slope[fine] = (value[1] - value[0]) / (2 * h);
    }
    const double rate = (4 * slope[1] - slope[0]) / 3;
    if (!(fabs(rate - expected) <= 2e-6 * (1 + size)))
        fail_msg("d ln det M/dt is %.12g by differences, %.12g by the gradient (seed %llu)", rate,
                 expected, (unsigned long long)f->seed);
    free(g);
}

static void test_gradient(void **state)
{
    (void)state;
    for_each_tree(gradient);
}

/* The kinetic energy changes as fast as forces and gravity work: u . (M udot) + u Mdot u / 2, by
 * differences in time. */
static void power_balance(fixture *f)
{
    cardo_error error = {0};
    const double h = 1e-5;
    double power, energy[2], kinetic;
    assert_ok(cardo_power(f->system, f->state, f->force, f->tau, &power, &error), &error);
    assert_ok(cardo_kinetic_energy(f->system, f->state, &kinetic, &error), &error);
    const double *udot = cardo_state_udot(f->state);
    double speed = largest(udot, f->nu) / (1 + largest(f->u, f->nu));
    const double step = h / (1 + speed);
    for (int side = 0; side < 2; ++side) {
        const double t = side ? step : -step;
        displace(f, f->u, t);
        for (int i = 0; i < f->nu; ++i)
            f->a[i] = f->u[i] + t * udot[i];
        cardo_state_set_u(f->other, f->a);
        assert_ok(cardo_realize(f->system, f->other, CARDO_STAGE_VELOCITY, &error), &error);
        assert_ok(cardo_kinetic_energy(f->system, f->other, &energy[side], &error), &error);
    }
    const double rate = (energy[1] - energy[0]) / (2 * step);
    if (!(fabs(rate - power) <= 1e-5 * (fabs(power) + kinetic * (1 + speed))))
        fail_msg("kinetic energy rises by %.10g, power is %.10g (seed %llu)", rate, power,
                 (unsigned long long)f->seed);
}

static void test_power_balance(void **state)
{
    (void)state;
    for_each_tree(power_balance);
}

/* Reactions on ground are what momentum changes by, and a body's mobilizer does no other work than
 * its mobility force. */
static void reactions(fixture *f)
{
    cardo_error error = {0};
    cardo_spatial *at_F = calloc((size_t)f->nbody, sizeof *at_F);
    assert_ok(cardo_reactions(f->system, f->state, f->spatial, &error), &error);
    assert_ok(cardo_reactions_at_parent(f->system, f->state, at_F, &error), &error);
    for (int k = 1; k < f->nbody; ++k) {
        cardo_body_info info;
        cardo_mobilizer_motion motion;
        cardo_system_body(f->system, k, &info);
        assert_ok(cardo_body_mobilizer_motion(f->system, f->state, k, &motion, &error), &error);
        const cardo_mat33 R_GF = m33_mul(cardo_state_X_GB(f->state)[info.parent].R, info.X_PF.R);
        const double scale = 1 + v3_norm(f->spatial[k].angular) + v3_norm(f->spatial[k].linear);
        for (int j = 0; j < info.nu; ++j) {
            const double along =
                v3_dot(m33_mul_v3(R_GF, motion.H_FM[j].angular), f->spatial[k].angular) +
                v3_dot(m33_mul_v3(R_GF, motion.H_FM[j].linear), f->spatial[k].linear);
            assert_close(along, f->tau[info.u_first + j], 1e-8 * scale);
        }
        assert_close(v3_norm(v3_add(f->spatial[k].linear, at_F[k].linear)), 0, 1e-12 * scale);
    }
    free(at_F);
}

static void test_reactions(void **state)
{
    (void)state;
    for_each_tree(reactions);
}

/* Rows of M that belong to joints on ground. */
static bool is_overall(const fixture *f, int row)
{
    for (int body = 1; body < f->nbody; ++body) {
        cardo_body_info info;
        cardo_system_body(f->system, body, &info);
        if (info.parent == 0 && row >= info.u_first && row < info.u_first + info.nu)
            return true;
    }
    return false;
}

/* Overall speeds move joints on ground alone and carry the momenta there: so v less those of M v has
 * none there, is orthogonal to them in M, and the kinetic energies add up. */
static void overall(fixture *f)
{
    cardo_error error = {0};
    int count = 0;
    double whole = 0, parts = 0;
    assert_ok(cardo_multiply_m(f->system, f->state, f->v, f->tau, &error), &error);
    assert_ok(cardo_overall_speeds(f->system, f->state, f->tau, f->a, &error), &error);
    assert_ok(cardo_mass_matrix(f->system, f->state, f->M, &error), &error);
    for (int i = 0; i < f->nu; ++i) {
        const bool counts = is_overall(f, i);
        double momentum = 0, own = 0;
        count += counts;
        assert_true(counts || f->a[i] == 0);
        for (int j = 0; j < f->nu; ++j) {
            own += f->M[i * f->nu + j] * (f->v[j] - f->a[j]);
            momentum += f->M[i * f->nu + j] * f->a[j];
        }
        f->b[i] = counts ? momentum : 0;
        f->u[i] = counts ? f->tau[i] : 0;
        whole += f->v[i] * f->tau[i];
        parts += f->a[i] * momentum + (f->v[i] - f->a[i]) * own;
    }
    assert_int_equal(cardo_system_noverall(f->system), count);
    assert_same(f, "momenta of overall motion", f->b, f->u, f->nu, 1e-9);
    assert_close(parts, whole, 1e-9 * whole);
}

static void test_overall_motion(void **state)
{
    (void)state;
    for_each_tree(overall);
}

/* A tree on a free root in no field keeps its momentum: sum over bodies of d(momentum)/dt is the
 * applied force. */
static void test_free_momentum(void **state)
{
    (void)state;
    cardo_error error = {0};
    static random_parameters parameters;
    for (int tree = 0; tree < 40; ++tree) {
        uint64_t seed = 31 + 101 * (uint64_t)tree;
        cardo_system *system;
        cardo_state *s;
        assert_ok(cardo_system_create(&system, &error), &error);
        for (int k = 0; k < 1 + tree % 12; ++k) {
            cardo_body_definition body = random_body(k == 0 ? &cardo_mobilizer_free : NULL,
                                                     k == 0 ? 0 : (k + 1) / 2, &seed, &parameters);
            assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
        }
        assert_ok(cardo_system_finalize(system, &error), &error);
        assert_ok(cardo_state_create(system, &s, &error), &error);
        double *q = room((size_t)cardo_system_nq(system));
        double *u = room((size_t)cardo_system_nu(system));
        random_coordinates(system, &seed, q);
        random_numbers(cardo_system_nu(system), &seed, u);
        cardo_state_set_q(s, q);
        cardo_state_set_u(s, u);
        assert_ok(cardo_realize(system, s, CARDO_STAGE_ACCELERATION, &error), &error);
        cardo_spatial reaction[16], momentum;
        cardo_vec3 com;
        double mass;
        assert_ok(cardo_reactions(system, s, reaction, &error), &error);
        assert_ok(cardo_system_momentum(system, s, &mass, &com, &momentum, &error), &error);
        const double scale = 1 + v3_norm(momentum.linear) + v3_norm(momentum.angular);
        assert_close(v3_norm(reaction[0].linear), 0, 1e-9 * scale);
        assert_close(v3_norm(reaction[0].angular), 0, 1e-9 * scale);
        free(q);
        free(u);
        cardo_state_destroy(s);
        cardo_system_destroy(system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forward_inverse), cmocka_unit_test(test_mass_matrix),
        cmocka_unit_test(test_jacobian),        cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_power_balance),   cmocka_unit_test(test_reactions),
        cmocka_unit_test(test_free_momentum),   cmocka_unit_test(test_overall_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
