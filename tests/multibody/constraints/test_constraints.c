/* Every kind of constraints by differences; accelerations of random trees with loops against the dense equations of motion. */
#include "multibody/constraints/random_loops.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/random_tree.h"
#include "support/support.h"

#include "base/linalg.h"
#include "cardo/manifold.h"
#include "cardo/multibody.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 160 };

static void set(cardo_state *state, const double *q, const double *u)
{
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
}

/* q and u moved by h along u and udot. */
static void moved(const cardo_system *system, const cardo_state *state, const double *qdot,
                  const double *udot, double h, double *q, double *u)
{
    for (int i = 0; i < cardo_system_nq(system); ++i)
        q[i] = cardo_state_q(state)[i] + h * qdot[i];
    for (int i = 0; i < cardo_system_nu(system); ++i)
        u[i] = cardo_state_u(state)[i] + h * udot[i];
}

/* Velocity errors are the rates of position errors, acceleration errors those of velocity errors. */
static void check_rates(const char *name, const cardo_system *system, cardo_state *state,
                        cardo_state *near, uint64_t *seed)
{
    const double h = 1e-5;
    cardo_error error = {0};
    cardo_constraint_counts counts;
    double q[MOST], u[MOST], udot[MOST], p[2][MOST], v[2][MOST], bias[MOST], product[MOST],
        rate[MOST];
    cardo_system_constraint_counts(system, &counts);
    const int first = counts.nposition, level = counts.nposition + counts.nvelocity;
    random_numbers(cardo_system_nu(system), seed, udot);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
    for (int side = 0; side < 2; ++side) {
        moved(system, state, cardo_state_qdot(state), udot, side ? h : -h, q, u);
        set(near, q, u);
        assert_ok(cardo_realize(system, near, CARDO_STAGE_VELOCITY, &error), &error);
        assert_ok(cardo_constraint_position_errors(system, near, p[side], &error), &error);
        assert_ok(cardo_constraint_velocity_errors(system, near, v[side], &error), &error);
    }
    assert_ok(cardo_constraint_velocity_errors(system, state, rate, &error), &error);
    for (int i = 0; i < first; ++i)
        support_assert_close(rate[i], (p[1][i] - p[0][i]) / (2 * h), 3e-8, name, __FILE__,
                             __LINE__);
    assert_ok(cardo_constraint_bias(system, state, bias, &error), &error);
    assert_ok(cardo_multiply_g(system, state, udot, product, &error), &error);
    for (int i = 0; i < level; ++i)
        support_assert_close(product[i] + bias[i], (v[1][i] - v[0][i]) / (2 * h), 3e-8, name,
                             __FILE__, __LINE__);
}

static void test_rates_of_kinds(void **unused)
{
    uint64_t seed = 11;
    (void)unused;
    for (int k = 0; cardo_constraint_list()[k]; ++k)
        for (int again = 0; again < 12; ++again) {
            cardo_error error = {0};
            const cardo_constraint *kind = cardo_constraint_list()[k];
            if (strncmp(cardo_constraint_name(kind), "planar-", 7) == 0)
                continue; /* bodies that leave the plane are not for them: tests/dynamics/planar */
            double q[MOST], u[MOST];
            cardo_state *state, *near;
            cardo_system *system = random_loops(6, 1, false, kind, &seed, q);
            cardo_constraint_counts counts;
            cardo_system_constraint_counts(system, &counts);
            assert_ok(cardo_state_create(system, &state, &error), &error);
            assert_ok(cardo_state_create(system, &near, &error), &error);
            random_numbers(cardo_system_nu(system), &seed, u);
            if (strcmp(cardo_constraint_name(kind), "joint") != 0) {
                /* off the manifold too */
                for (int i = 0; i < cardo_system_nq(system); ++i)
                    q[i] += 0.05 * support_random(&seed);
            }
            set(state, q, u);
            /* a joint's rows are exact where it is closed, and their rates where it moves as it may */
            if (strcmp(cardo_constraint_name(kind), "joint") == 0)
                assert_ok(cardo_project_u(system, state, 0, &error), &error);
            check_rates(cardo_constraint_name(kind), system, state, near, &seed);
            cardo_state_destroy(near);
            cardo_state_destroy(state);
            cardo_system_destroy(system);
        }
}

/* The gradient of ln det Y by central differences of the fourth order, along the speeds that constraints leave. */
static void check_gradient(const cardo_system *system, cardo_state *state, cardo_state *near,
                           uint64_t *seed)
{
    const double h = 2e-4, weights[4] = {1, -8, 8, -1}, steps[4] = {-2, -1, 1, 2};
    cardo_error error = {0};
    double gradient[MOST], q[MOST], u[MOST], zero[MOST] = {0}, difference = 0, value, size = 1;
    random_numbers(cardo_system_nu(system), seed, u);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, &error), &error);
    assert_ok(cardo_project_free_speeds(system, state, u, &error), &error);
    cardo_state_set_u(state, u);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, &error), &error);
    assert_ok(cardo_log_det_y_gradient(system, state, gradient, &error), &error);
    assert_memory_equal(u, cardo_state_u(state), sizeof *u * (size_t)cardo_system_nu(system));
    for (int i = 0; i < 4; ++i) {
        moved(system, state, cardo_state_qdot(state), zero, h * steps[i], q, u);
        set(near, q, zero);
        assert_ok(cardo_realize(system, near, CARDO_STAGE_DYNAMICS, &error), &error);
        assert_ok(cardo_log_det_y(system, near, &value, &error), &error);
        difference += weights[i] * value / (12 * h);
    }
    for (int j = 0; j < cardo_system_nu(system); ++j)
        size = fmax(size, fabs(gradient[j]));
    assert_close(cardo_dot(cardo_system_nu(system), gradient, cardo_state_u(state)), difference,
                 1e-7 * size);
}

static void test_gradient_of_log_det(void **unused)
{
    static const char *const kinds[] = {"rod",
                                        "ball",
                                        "weld",
                                        "point-on-plane",
                                        "point-on-line",
                                        "constant-angle",
                                        "constant-orientation",
                                        "internal-coordinates",
                                        "joint",
                                        "coordinate-coupler",
                                        "prescribed-motion",
                                        "callback"};
    uint64_t seed = 77;
    (void)unused;
    for (int k = 0; k < (int)(sizeof kinds / sizeof *kinds); ++k)
        for (int again = 0; again < 24; ++again) {
            cardo_error error = {0};
            double q[MOST];
            cardo_state *state, *near;
            cardo_system *system = random_loops(8, 1 + again % 2, again % 6 == 5,
                                                cardo_constraint_find(kinds[k]), &seed, q);
            assert_ok(cardo_state_create(system, &state, &error), &error);
            assert_ok(cardo_state_create(system, &near, &error), &error);
            cardo_state_set_q(state, q);
            check_gradient(system, state, near, &seed);
            cardo_state_destroy(near);
            cardo_state_destroy(state);
            cardo_system_destroy(system);
        }
}

/* Rank of G by its singular values, the roots of the eigenvalues of G G^T after rows are made unit vectors. */
static int rank_of(const double *G, int nrow, int nu)
{
    double *square = calloc((size_t)nrow * (size_t)nrow + 1, 8), values[MOST];
    int rank = 0;
    for (int i = 0; i < nrow; ++i)
        for (int j = 0; j < nrow; ++j) {
            const double *a = G + i * nu, *b = G + j * nu;
            const double size = sqrt(cardo_dot(nu, a, a) * cardo_dot(nu, b, b));
            /* rows between bodies that nothing moves against each other are rounding */
            const bool real = cardo_dot(nu, a, a) > 1e-24 && cardo_dot(nu, b, b) > 1e-24;
            square[i * nrow + j] = real ? cardo_dot(nu, a, b) / size : 0;
        }
    assert_int_equal(cardo_symmetric_eigen(nrow, square, values, NULL), CARDO_OK);
    for (int i = 0; i < nrow; ++i)
        rank += values[i] > 1e-11;
    free(square);
    return rank;
}

/* The dense equations [M G^T; G 0] (udot, lambda) = (f - c, -b), of least norm in lambda. */
static void solve_dense(const cardo_system *system, const cardo_state *state, const double *G,
                        const double *f, int nrow, double *x)
{
    const int nu = cardo_system_nu(system), n = nu + nrow;
    double *K = calloc((size_t)n * (size_t)n, 8), *M = calloc((size_t)nu * (size_t)nu, 8);
    double bias[MOST], zero[MOST] = {0};
    int rank;
    assert_ok(cardo_mass_matrix(system, state, M, NULL), NULL);
    for (int i = 0; i < nu; ++i)
        for (int j = 0; j < nu; ++j)
            K[i * n + j] = M[i * nu + j];
    for (int r = 0; r < nrow; ++r)
        for (int j = 0; j < nu; ++j)
            K[(nu + r) * n + j] = K[j * n + nu + r] = G[r * nu + j];
    /* gravity and Coriolis forces */
    assert_ok(cardo_inverse_dynamics(system, state, zero, NULL, f, x, NULL), NULL);
    assert_ok(cardo_constraint_bias(system, state, bias, NULL), NULL);
    for (int i = 0; i < nu; ++i)
        x[i] = -x[i];
    for (int r = 0; r < nrow; ++r)
        x[nu + r] = -bias[r];
    assert_int_equal(cardo_least_squares(n, n, K, x, 1e-13, &rank, NULL), CARDO_OK);
    free(K);
    free(M);
}

/* Largest difference, relative to the largest entry or 1. */
static double difference(const double *a, const double *b, int n)
{
    double worst = 0, scale = 1;
    for (int i = 0; i < n; ++i) {
        worst = fmax(worst, fabs(a[i] - b[i]));
        scale = fmax(scale, fabs(b[i]));
    }
    return worst / scale;
}

static void check_identities(const cardo_system *system, const cardo_state *state, int nrow,
                             uint64_t *seed)
{
    cardo_error error = {0};
    const int nu = cardo_system_nu(system);
    double x[MOST], y[MOST], u[MOST], f[MOST], rows[MOST], back[MOST];
    double *Y = calloc((size_t)nrow * (size_t)nrow + 1, 8);
    random_numbers(nrow, seed, x);
    assert_ok(cardo_constraint_compliance(system, state, Y, &error), &error);
    assert_ok(cardo_multiply_y(system, state, x, y, &error), &error);
    for (int i = 0; i < nrow; ++i)
        rows[i] = cardo_dot(nrow, Y + i * nrow, x);
    assert_true(difference(y, rows, nrow) < 1e-11);
    /* Y Y^-1 Y x = Y x */
    assert_ok(cardo_solve_y(system, state, y, back, &error), &error);
    assert_ok(cardo_multiply_y(system, state, back, rows, &error), &error);
    assert_true(difference(rows, y, nrow) < 1e-9);
    /* powers: (G u) . x = u . (G^T x) */
    random_numbers(nu, seed, u);
    assert_ok(cardo_multiply_g(system, state, u, rows, &error), &error);
    assert_ok(cardo_multiply_gt(system, state, x, f, &error), &error);
    assert_close(cardo_dot(nrow, rows, x), cardo_dot(nu, u, f), 1e-11);
    free(Y);
}

/* C = A B, row-major: rows x inner times inner x columns. */
static void multiply(int rows, int inner, int columns, const double *A, const double *B, double *C)
{
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            C[i * columns + j] = 0;
            for (int k = 0; k < inner; ++k)
                C[i * columns + j] += A[i * inner + k] * B[k * columns + j];
        }
}

static void check_unit(const double *A, int n, double tolerance)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            assert_close(A[i * n + j], i == j, tolerance);
}

static double largest(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(a[i]));
    return most;
}

/* Operational space of a point: identities of its inertia, inverse and projector, and forces' shares of the acceleration. */
static void check_operational_space(const cardo_system *system, const cardo_state *state,
                                    const double *G, int nrow, const double *f)
{
    const int nu = cardo_system_nu(system), body = cardo_system_nbody(system) - 1;
    const size_t square = (size_t)nu * (size_t)nu;
    cardo_error error = {0};
    double J[3 * MOST], compliance[9], inertia[9], unit[9], a[MOST], b[MOST];
    double *inverse = calloc(3 * (size_t)nu, 8), *projector = calloc(square, 8);
    double *product = calloc(square + (size_t)nrow * (size_t)nu, 8);
    cardo_task task = {compliance, inertia, inverse, projector, 0};
    assert_ok(cardo_point_jacobian(system, state, body, v3(0.1, -0.2, 0.3), J, &error), &error);
    assert_ok(cardo_operational_space(system, state, 3, J, &task, &error), &error);
    if (task.rank == 3) {
        const double condition = largest(inertia, 9) * largest(compliance, 9);
        multiply(3, 3, 3, inertia, compliance, unit);
        check_unit(unit, 3, 1e-11 * condition);
        multiply(3, nu, 3, J, inverse, unit);
        check_unit(unit, 3, 1e-11 * condition);
    }
    multiply(nrow, nu, 3, G, inverse, product);
    assert_close(largest(product, 3 * nrow), 0, 1e-11 * (1 + largest(inverse, 3 * nu)) * 10);
    multiply(nu, nu, nu, projector, projector, product);
    assert_close(difference(product, projector, nu * nu), 0, 1e-9);
    /* gravity, applied forces and what velocities call for make the acceleration */
    double zero[MOST] = {0}, *T = product;
    int freedoms;
    assert_ok(cardo_inverse_dynamics(system, state, zero, NULL, f, a, &error), &error);
    for (int j = 0; j < nu; ++j)
        a[j] = -a[j];
    assert_ok(cardo_induced_accelerations(system, state, NULL, a, b, &error), &error);
    memcpy(a, cardo_state_udot(state), sizeof(double) * (size_t)nu);
    assert_ok(cardo_project_free_speeds(system, state, a, &error), &error);
    assert_close(difference(b, a, nu), 0, 1e-9);
    /* a basis of free speeds */
    double *M = calloc(square, 8), *MT = calloc(square, 8), *reduced = calloc(square, 8);
    double *transposed = calloc(square, 8);
    assert_ok(cardo_free_basis(system, state, T, &freedoms, &error), &error);
    assert_ok(cardo_mass_matrix(system, state, M, &error), &error);
    multiply(nu, nu, freedoms, M, T, MT);
    for (int i = 0; i < nu; ++i)
        for (int j = 0; j < freedoms; ++j)
            transposed[j * nu + i] = T[i * freedoms + j];
    multiply(freedoms, nu, freedoms, transposed, MT, reduced);
    check_unit(reduced, freedoms, 1e-9);
    multiply(nrow, nu, freedoms, G, T, MT);
    assert_close(largest(MT, nrow * freedoms), 0, 1e-10 * (1 + largest(T, nu * freedoms)));
    free(M);
    free(MT);
    free(reduced);
    free(transposed);
    free(inverse);
    free(projector);
    free(product);
}

static void check_tree(int nbody, int nloop, bool redundant, uint64_t *seed)
{
    cardo_error error = {0};
    double q[MOST], u[MOST], f[MOST], x[2 * MOST], errors[MOST];
    cardo_constraint_counts counts;
    cardo_state *state;
    cardo_system *system = random_loops(nbody, nloop, redundant, NULL, seed, q);
    const int nu = cardo_system_nu(system);
    const double slip = 1e-12;
    cardo_system_constraint_counts(system, &counts);
    double *G = calloc((size_t)counts.nrow * (size_t)nu + 1, 8);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    random_numbers(nu, seed, u);
    random_numbers(nu, seed, f);
    set(state, q, u);
    cardo_state_set_forces(state, NULL, f);
    assert_ok(cardo_project_u(system, state, slip, &error), &error);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
    assert_ok(cardo_constraint_matrix(system, state, G, &error), &error);
    solve_dense(system, state, G, f, counts.nrow, x);
    const double udot_error = difference(cardo_state_udot(state), x, nu);
    const double lambda_error = difference(cardo_state_multipliers(state), x + nu, counts.nrow);
    int rank;
    assert_ok(cardo_constraint_rank(system, state, &rank, NULL, &error), &error);
    assert_int_equal(rank, rank_of(G, counts.nrow, nu));
    if (!(udot_error < 1e-8 && lambda_error < 1e-7))
        print_error("%d bodies, %d rows of rank %d: udot %.2g, lambda %.2g\n", nbody, counts.nrow,
                    rank, udot_error, lambda_error);
    assert_true(udot_error < 1e-8);
    assert_true(lambda_error < 1e-7);
    assert_ok(cardo_constraint_acceleration_errors(system, state, errors, &error), &error);
    /* what is left of velocity errors has the power of the forces along them */
    const double forces = largest(cardo_state_multipliers(state), counts.nrow);
    double power[MOST];
    assert_ok(cardo_constraint_power(system, state, power, &error), &error);
    for (int i = 0; i < counts.nconstraint; ++i) {
        cardo_constraint_info info;
        assert_ok(cardo_system_constraint(system, i, &info, &error), &error);
        if (info.nacceleration == 0)
            assert_close(power[i], 0, fmax(1e-9, slip * forces));
    }
    check_identities(system, state, counts.nrow, seed);
    if (counts.nacceleration == 0)
        check_operational_space(system, state, G, counts.nrow, f);
    free(G);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void test_random_loops(void **unused)
{
    /* of the second one has a task that rows which nearly depend on one another block */
    const uint64_t seeds[2] = {2026, 801};
    const int trees = SUPPORT_SANITIZED ? 20 : 200;
    (void)unused;
    for (int s = 0; s < 2; ++s) {
        uint64_t seed = seeds[s];
        for (int t = 0; t < trees; ++t)
            check_tree(6 + t % 15, 1 + t % 8, t % 3 == 2, &seed);
    }
}

/* Chains and trees of pins, long enough that rows are taken out on the way: accelerations obey the constraints, and with the
 * constraints' forces nothing is missing in the equations of motion. */
enum { LONG = 300 };

static void fill_long(cardo_system *system, int n, bool tree, uint64_t *seed)
{
    cardo_error error = {0};
    static random_parameters room;
    for (int k = 1; k <= n; ++k) {
        const cardo_body_definition body =
            random_body(cardo_mobilizer_find("pin"), tree ? k / 2 : k - 1, seed, &room);
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
}

/* what: 0 rods every three bodies of a chain, 1 the last body welded to ground, 2 rods between siblings of a tree, 3 rods that
 * overlap. */
static void close_long(cardo_system *system, int n, int what, const cardo_transform *X)
{
    cardo_error error = {0};
    const cardo_vec3 p = v3(0.1, -0.2, 0.3), q = v3(-0.3, 0.1, 0.2);
    if (what == 1) {
        const cardo_welded_frames weld = {0, n, X[n], cardo_transform_identity()};
        assert_ok(cardo_system_add_constraint(system, cardo_constraint_find("weld"), NULL, &weld,
                                              NULL, &error),
                  &error);
    }
    for (int k = 0; what != 1 && k + 3 <= n; k += what == 3 ? 2 : 3) {
        const int other = what == 2 ? k + 1 : k + 3, first = what == 2 ? k + 2 : k;
        const double length = v3_norm(v3_sub(xform_point(X[other], q), xform_point(X[first], p)));
        const cardo_rod rod = {first, other, p, q, length};
        assert_ok(cardo_system_add_constraint(system, cardo_constraint_find("rod"), NULL, &rod,
                                              NULL, &error),
                  &error);
    }
}

static void check_long(int n, int what, uint64_t seed)
{
    cardo_error error = {0};
    cardo_system *open, *system;
    cardo_state *state;
    cardo_constraint_counts counts;
    static double q[LONG], u[LONG], tau[LONG], errors[LONG], mobilities[LONG];
    static cardo_spatial bodies[LONG + 1];
    const uint64_t first = seed;
    assert_ok(cardo_system_create(&open, &error), &error);
    fill_long(open, n, what == 2, &seed);
    assert_ok(cardo_system_finalize(open, &error), &error);
    random_numbers(n, &seed, q);
    random_numbers(n, &seed, u);
    assert_ok(cardo_state_create(open, &state, &error), &error);
    cardo_state_set_q(state, q);
    assert_ok(cardo_realize(open, state, CARDO_STAGE_POSITION, &error), &error);
    seed = first;
    assert_ok(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, v3(0, -9.81, 0));
    fill_long(system, n, what == 2, &seed);
    close_long(system, n, what, cardo_state_X_GB(state));
    cardo_state_destroy(state);
    cardo_system_destroy(open);
    assert_ok(cardo_system_finalize(system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    set(state, q, u);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
    cardo_system_constraint_counts(system, &counts);
    const double *lambda = cardo_state_multipliers(state), *udot = cardo_state_udot(state);
    double scale = 1, forces = 1;
    for (int j = 0; j < n; ++j)
        scale = fmax(scale, fabs(udot[j]));
    for (int i = 0; i < counts.nrow; ++i)
        forces = fmax(forces, fabs(lambda[i]));
    assert_ok(cardo_constraint_acceleration_errors(system, state, errors, &error), &error);
    for (int i = 0; i < counts.nrow; ++i)
        assert_close(errors[i], 0, 1e-10 * scale);
    assert_ok(cardo_constraint_forces(system, state, lambda, bodies, mobilities, &error), &error);
    assert_ok(cardo_inverse_dynamics(system, state, udot, bodies, mobilities, tau, &error), &error);
    for (int j = 0; j < n; ++j)
        assert_close(tau[j], 0, 1e-10 * (forces + scale));
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void test_long_chains(void **unused)
{
    (void)unused;
    for (int what = 0; what < 4; ++what)
        for (uint64_t seed = 1; seed < 6; ++seed)
            check_long(what == 1 ? 100 : LONG, what, seed);
}

/* Two bodies of a kind on ground, the first of which carries a third; constraints between ground and these two alone. */
static cardo_system *build_root_hinges(const cardo_mobilizer *mobilizer, uint64_t *seed)
{
    cardo_error error = {0};
    cardo_system *system;
    random_parameters room;
    assert_ok(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, v3(0, -9.81, 0));
    for (int k = 0; k < 3; ++k) {
        const cardo_body_definition body = random_body(
            k < 2 ? mobilizer : cardo_mobilizer_find("pin"), k < 2 ? 0 : 1, seed, &room);
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    for (int k = 1; k < 3; ++k) {
        const int nu = cardo_system_joint(system, k)->nu;
        const cardo_point_on_plane plane = {0, k, random_vec3(seed), 0.1, random_vec3(seed)};
        const cardo_rod rod = {k, 0, random_vec3(seed), random_vec3(seed), 0.5};
        const cardo_speed_coupler speeds = {2, {{k, 0}, {k, nu - 1}}, {1, -0.4}, 0.3};
        if (nu > 1 || k == 1)
            assert_ok(cardo_system_add_constraint(system, cardo_constraint_find("point-on-plane"),
                                                  NULL, &plane, NULL, &error),
                      &error);
        if (nu > 2)
            assert_ok(cardo_system_add_constraint(system, cardo_constraint_find("rod"), NULL, &rod,
                                                  NULL, &error),
                      &error);
        if (nu > 1 && k == 2)
            assert_ok(cardo_system_add_constraint(system, cardo_constraint_find("speed-coupler"),
                                                  NULL, &speeds, NULL, &error),
                      &error);
    }
    assert_ok(cardo_system_finalize(system, &error), &error);
    return system;
}

/* Accelerations and multipliers are those of the dense equations, all constraints on or one off. */
static void check_root_hinges(const cardo_mobilizer *mobilizer, uint64_t *seed)
{
    cardo_error error = {0};
    double q[MOST], u[MOST], f[MOST], x[2 * MOST];
    cardo_constraint_counts counts;
    cardo_state *state;
    cardo_system *system = build_root_hinges(mobilizer, seed);
    const int nu = cardo_system_nu(system);
    cardo_system_constraint_counts(system, &counts);
    double *G = calloc((size_t)counts.nrow * (size_t)nu, 8);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    random_coordinates(system, seed, q);
    random_numbers(nu, seed, u);
    random_numbers(nu, seed, f);
    for (int off = -1; off < counts.nconstraint; ++off) {
        if (off >= 0)
            assert_ok(cardo_state_set_constraint(state, off, false, &error), &error);
        set(state, q, u);
        cardo_state_set_forces(state, NULL, f);
        assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
        assert_ok(cardo_constraint_matrix(system, state, G, &error), &error);
        solve_dense(system, state, G, f, counts.nrow, x);
        const double udot_error = difference(cardo_state_udot(state), x, nu);
        const double lambda_error = difference(cardo_state_multipliers(state), x + nu, counts.nrow);
        if (!(udot_error < 1e-9 && lambda_error < 1e-9))
            print_error("%s, %d off: udot %.2g, lambda %.2g\n", cardo_mobilizer_name(mobilizer),
                        off, udot_error, lambda_error);
        assert_true(udot_error < 1e-9 && lambda_error < 1e-9);
        if (off >= 0)
            assert_ok(cardo_state_set_constraint(state, off, true, &error), &error);
    }
    free(G);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void test_root_hinges(void **unused)
{
    const cardo_mobilizer *const *mobilizers = cardo_mobilizer_list();
    uint64_t seed = 7;
    (void)unused;
    for (int i = 0; mobilizers[i]; ++i)
        for (int t = 0; t < 3 && strcmp(cardo_mobilizer_name(mobilizers[i]), "weld") != 0; ++t)
            check_root_hinges(mobilizers[i], &seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates_of_kinds), cmocka_unit_test(test_gradient_of_log_det),
        cmocka_unit_test(test_random_loops),   cmocka_unit_test(test_long_chains),
        cmocka_unit_test(test_root_hinges),
    };
    return support_run(tests, NULL, NULL);
}
