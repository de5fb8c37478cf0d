/* Modes on the manifold of constraints against dense algebra: the null space of G by LAPACK's singular values, the curvature of the
 * manifold by differences of high order. */
#include "analysis/modes/force_stiffness.h"
#include "analysis/modes/mode_motion.h"
#include "analysis/modes/modes.h"
#include "analysis/modes/network_stiffness.h"
#include "cardo/manifold.h"
#include "dynamics/constraints/loop_models.h"
#include "dynamics/minimization.h"
#include "multibody/constraints/anchored.h"
#include "multibody/constraints/random_loops.h"
#include "multibody/random_tree.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { MOST = 96, MOST_ROWS = 64 };

/* A system at a place of its manifold, with what makes its forces. */
typedef struct constrained {
    const cardo_system *system;
    cardo_state *state;
    cardo_evaluator *evaluator;
    int nu, nq, nrow;
} constrained;

static constrained constrained_of(const cardo_system *system, cardo_state *state,
                                  cardo_force_provider *provider)
{
    cardo_error error = {0};
    cardo_constraint_counts counts;
    constrained c = {.system = system, .state = state};
    cardo_system_constraint_counts(system, &counts);
    c.nu = cardo_system_nu(system);
    c.nq = cardo_system_nq(system);
    c.nrow = counts.nrow;
    assert_true(c.nu <= MOST && c.nrow <= MOST_ROWS);
    assert_ok(cardo_evaluator_create(system, provider, &c.evaluator, &error), &error);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, &error), &error);
    return c;
}

/* Rows of N (nu x freedoms by columns: N[j * nu + k]) span what G leaves. Returns how many. */
static int null_space(const constrained *c, double *N)
{
    static double G[MOST_ROWS * MOST], U[MOST_ROWS * MOST_ROWS], VT[MOST * MOST];
    double s[MOST], unconverged[MOST];
    cardo_error error = {0};
    int rank = 0;
    assert_ok(cardo_constraint_matrix(c->system, c->state, G, &error), &error);
    /* rows that are rounding alone would count */
    for (int i = 0; i < c->nrow; ++i)
        for (int k = 0; k < c->nu; ++k)
            if (fabs(G[i * c->nu + k]) < 1e-13)
                G[i * c->nu + k] = 0;
    assert_int_equal(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'A', c->nrow, c->nu, G, c->nu, s, U,
                                    c->nrow, VT, c->nu, unconverged),
                     0);
    const int n = c->nrow < c->nu ? c->nrow : c->nu;
    while (rank < n && s[rank] > 1e-8 * fmax(1, s[0]))
        ++rank;
    memcpy(N, VT + (size_t)rank * (size_t)c->nu,
           (size_t)(c->nu - rank) * (size_t)c->nu * sizeof *N);
    return c->nu - rank;
}

/* Eigenvalues (rising) of N^T K N by N^T M N; returns how many. */
static int dense_eigenvalues(const constrained *c, const double *K, double *values)
{
    static double N[MOST * MOST], M[MOST * MOST], k[MOST * MOST], m[MOST * MOST];
    cardo_error error = {0};
    const int nu = c->nu, n = null_space(c, N);
    assert_ok(cardo_mass_matrix(c->system, c->state, M, &error), &error);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double stiffness = 0, mass = 0;
            for (int a = 0; a < nu; ++a)
                for (int b = 0; b < nu; ++b) {
                    stiffness += N[i * nu + a] * K[a * nu + b] * N[j * nu + b];
                    mass += N[i * nu + a] * M[a * nu + b] * N[j * nu + b];
                }
            k[i * n + j] = stiffness;
            m[i * n + j] = mass;
        }
    if (n > 0)
        assert_int_equal(LAPACKE_dsygvd(LAPACK_ROW_MAJOR, 1, 'N', 'U', n, k, n, m, n, values), 0);
    return n;
}

static void forces_of(const constrained *c, double *forces)
{
    cardo_error error = {0};
    assert_ok(cardo_evaluate(c->evaluator, c->state, &error), &error);
    assert_ok(cardo_evaluator_generalized_forces(c->evaluator, c->state, forces, &error), &error);
}

/* Multipliers that bear the forces in the metric of M: the least squares of M^-1/2 (f - G^T l), by the pseudo-inverse of Y. */
static void dense_multipliers(const constrained *c, double *multipliers)
{
    static double G[MOST_ROWS * MOST], M[MOST * MOST], Y[MOST_ROWS * MOST_ROWS],
        U[MOST_ROWS * MOST_ROWS], VT[MOST_ROWS * MOST_ROWS], response[MOST * (MOST_ROWS + 1)];
    double f[MOST], r[MOST_ROWS], s[MOST_ROWS], unconverged[MOST_ROWS];
    cardo_error error = {0};
    const int nu = c->nu, nrow = c->nrow, columns = nrow + 1;
    forces_of(c, f);
    assert_ok(cardo_realize(c->system, c->state, CARDO_STAGE_DYNAMICS, &error), &error);
    assert_ok(cardo_constraint_matrix(c->system, c->state, G, &error), &error);
    assert_ok(cardo_mass_matrix(c->system, c->state, M, &error), &error);
    for (int k = 0; k < nu; ++k) {
        for (int i = 0; i < nrow; ++i)
            response[k * columns + i] = G[i * nu + k];
        response[k * columns + nrow] = f[k];
    }
    assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', nu, columns, M, nu, response, columns),
                     0);
    for (int i = 0; i < nrow; ++i) {
        r[i] = 0;
        for (int k = 0; k < nu; ++k)
            r[i] += G[i * nu + k] * response[k * columns + nrow];
        for (int j = 0; j < nrow; ++j) {
            Y[i * nrow + j] = 0;
            for (int k = 0; k < nu; ++k)
                Y[i * nrow + j] += G[i * nu + k] * response[k * columns + j];
        }
    }
    assert_int_equal(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'A', nrow, nrow, Y, nrow, s, U, nrow, VT,
                                    nrow, unconverged),
                     0);
    memset(multipliers, 0, (size_t)nrow * sizeof *multipliers);
    for (int m = 0; m < nrow && s[m] > 1e-11 * s[0]; ++m) {
        double share = 0;
        for (int i = 0; i < nrow; ++i)
            share += U[i * nrow + m] * r[i] / s[m];
        for (int i = 0; i < nrow; ++i)
            multipliers[i] += share * VT[m * nrow + i];
    }
}

/* The Hessian of U + l^T p by differences of sixth order along curves of constant speeds, made symmetric. */
static void dense_stiffness(const constrained *c, double step, double *K)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    static double rows[MOST * MOST];
    double q[2 * MOST], multipliers[MOST_ROWS], speeds[MOST], forces[MOST], borne[MOST];
    cardo_error error = {0};
    const int nu = c->nu;
    memcpy(q, cardo_state_q(c->state), (size_t)c->nq * sizeof *q);
    dense_multipliers(c, multipliers);
    for (int a = 0; a < nu; ++a) {
        double *row = rows + a * nu;
        memset(row, 0, (size_t)nu * sizeof *row);
        memset(speeds, 0, sizeof speeds);
        speeds[a] = 1;
        for (int s = 0; s < 6; ++s) {
            const int steps = s / 2 + 1, sign = s % 2 ? 1 : -1;
            cardo_state_set_q(c->state, q);
            assert_ok(cardo_move_along(c->system, c->state, speeds, sign * steps * step, &error),
                      &error);
            forces_of(c, forces);
            assert_ok(cardo_multiply_gt(c->system, c->state, multipliers, borne, &error), &error);
            for (int b = 0; b < nu; ++b)
                row[b] -= sign * weight[steps - 1] * (forces[b] - borne[b]) / step;
        }
    }
    cardo_state_set_q(c->state, q);
    assert_ok(cardo_realize(c->system, c->state, CARDO_STAGE_DYNAMICS, &error), &error);
    for (int a = 0; a < nu; ++a)
        for (int b = 0; b < nu; ++b)
            K[a * nu + b] = 0.5 * (rows[a * nu + b] + rows[b * nu + a]);
}

/* Modes in number, on the manifold, M-orthonormal, with the dense algebra's eigenvalues; returns the largest error of these over the
 * largest of them. */
static double compare(const constrained *c, const cardo_modes *modes, const double *K)
{
    cardo_error error = {0};
    double values[MOST], rows[MOST_ROWS], momenta[MOST], worst = 0, scale = 0;
    const int n = dense_eigenvalues(c, K, values);
    assert_int_equal(modes->freedoms, n);
    assert_int_equal(modes->count + modes->nheld, n);
    for (int m = 0; m < n; ++m)
        scale = fmax(scale, fabs(values[m]));
    for (int m = 0; m < modes->count; ++m) {
        const double *speed = modes->speed + (size_t)m * (size_t)c->nu;
        double size = 0;
        worst = fmax(worst, fabs(modes->eigenvalue[m] - values[m]) / scale);
        for (int k = 0; k < c->nu; ++k)
            size = fmax(size, fabs(speed[k]));
        assert_ok(cardo_multiply_g(c->system, c->state, speed, rows, &error), &error);
        for (int i = 0; i < c->nrow; ++i)
            assert_close(rows[i], 0, 1e-9 * (1 + size));
        assert_ok(cardo_multiply_m(c->system, c->state, speed, momenta, &error), &error);
        for (int k = 0; k <= m; ++k) {
            double product = 0;
            for (int a = 0; a < c->nu; ++a)
                product += momenta[a] * modes->speed[(size_t)k * (size_t)c->nu + (size_t)a];
            assert_close(product, k == m, 1e-9);
        }
    }
    return worst;
}

static double compare_forces(const constrained *c, cardo_stiffness_quality *quality, int *negative)
{
    static double K[MOST * MOST], dense[MOST * MOST];
    cardo_error error = {0};
    cardo_modes *modes;
    int freedoms;
    assert_ok(cardo_force_stiffness(c->system, c->state, c->evaluator, 0, false, NULL, K, quality,
                                    &error),
              &error);
    dense_stiffness(c, 4e-3, dense);
    assert_ok(cardo_mode_freedoms(c->system, c->state, &freedoms, &error), &error);
    if (freedoms == 0) {
        assert_fails(cardo_modes_create(c->system, c->state, K, false, 1, &modes, &error), &error,
                     CARDO_ERROR_ARGUMENT, "no degree of freedom");
        return 0;
    }
    assert_ok(cardo_modes_create(c->system, c->state, K, false, freedoms, &modes, &error), &error);
    const double worst = compare(c, modes, dense);
    *negative = modes->eigenvalue[0] < 0;
    cardo_modes_destroy(modes);
    return worst;
}

/* At their minima, and where they were assembled. */
static void reference_loops_have_the_dense_modes(void **test)
{
    (void)test;
    static const char *const names[] = {"loop_k3_ball",       "loop_k4_ball",
                                        "loop_k4_ball_angle", "loop_k5_ball_angle",
                                        "loop_k6_weld",       "loop_k6_weld_redundant",
                                        "loop_k7_weld",       "loop_k9_weld",
                                        "loop_k12_weld",      "loop_kic6"};
    const cardo_minimization_options options = {.iterations = 1000, .tolerance = 1e-6};
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; ++i) {
        cardo_error error = {0};
        cardo_minimization_result result = {0};
        cardo_stiffness_quality quality;
        loop_model model;
        int negative = 0;
        loop_model_create(&model, names[i / 2]);
        constrained c = constrained_of(model.system, model.state, model.provider);
        if (i % 2)
            assert_ok(cardo_minimization_run(model.system, model.state, c.evaluator, &options, NULL,
                                             &result, &error),
                      &error);
        assert_ok(cardo_realize(c.system, c.state, CARDO_STAGE_DYNAMICS, &error), &error);
        const double worst = compare_forces(&c, &quality, &negative);
        print_message("%s%s: %d modes, off by %.1e; forces left %.1e, asymmetry %.1e\n",
                      names[i / 2], i % 2 ? " at rest" : "", model.freedoms, worst,
                      quality.residual, quality.asymmetry);
        assert_true(worst <= 1e-9);
        assert_true(i % 2 == 0 || quality.residual <= 2e-6);
        assert_true(i % 2 == 0 || !negative);
        cardo_evaluator_destroy(c.evaluator);
        loop_model_destroy(&model);
    }
}

/* Every kind of joint and of constraints of positions, redundant ones among them. */
static void random_loops_have_the_dense_modes(void **test)
{
    (void)test;
    uint64_t seed = 23;
    double worst = 0;
    for (int trial = 0; trial < (SUPPORT_SANITIZED ? 1 : 3) * RANDOM_POSITION_KINDS; ++trial) {
        cardo_error error = {0};
        cardo_stiffness_quality quality;
        cardo_state *state;
        anchored springs;
        int negative;
        double q[MOST];
        cardo_system *system = random_loops(
            3 + trial % 5, 1 + trial % 4, trial % 2,
            cardo_constraint_find(random_position_kinds[trial % RANDOM_POSITION_KINDS]), &seed, q);
        assert_ok(cardo_state_create(system, &state, &error), &error);
        cardo_state_set_q(state, q);
        anchored_create(&springs, system, 30, &seed);
        constrained c = constrained_of(system, state, springs.provider);
        const double off = compare_forces(&c, &quality, &negative);
        if (off > 1e-10)
            print_message("%d %s: off by %.1e\n", trial,
                          random_position_kinds[trial % RANDOM_POSITION_KINDS], off);
        worst = fmax(worst, off);
        cardo_evaluator_destroy(c.evaluator);
        anchored_destroy(&springs);
        cardo_state_destroy(state);
        cardo_system_destroy(system);
    }
    print_message("random trees: modes off by %.1e of the largest\n", worst);
    assert_true(worst <= 1e-9);
}

/* A constant force on a body: 3 Da at 10 nm/ps^2. */
static cardo_status weigh(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)user;
    (void)error;
    evaluation->energy = 30 * evaluation->X_GB[1].p.y;
    evaluation->body_forces[1].linear.y -= 30;
    return CARDO_OK;
}

/* The potential has no curvature; that of the sphere makes both modes: omega^2 = g/L. */
static void a_pendulum_swings_as_by_hand(void **test)
{
    (void)test;
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    cardo_force_provider *provider;
    cardo_stiffness_quality quality;
    cardo_modes *modes;
    double K[9];
    const double hanging[3] = {0, -1.6, 0};
    const cardo_rod rod = {0, 1, {0, 0, 0}, {0, 0, 0}, 1.6};
    const cardo_body_definition mass = {.mobilizer = &cardo_mobilizer_translation,
                                        .X_PF = xform_identity(),
                                        .X_BM = xform_identity(),
                                        .mass = {3, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}};
    assert_ok(cardo_system_create(&system, &error), &error);
    assert_ok(cardo_system_add_body(system, &mass, NULL, &error), &error);
    assert_ok(
        cardo_system_add_constraint(system, cardo_constraint_find("rod"), NULL, &rod, NULL, &error),
        &error);
    assert_ok(cardo_system_finalize(system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    assert_ok(
        cardo_callback_provider_create(weigh, NULL, CARDO_FORCE_DETERMINISTIC, &provider, &error),
        &error);
    cardo_state_set_q(state, hanging);
    constrained c = constrained_of(system, state, provider);
    assert_ok(
        cardo_force_stiffness(system, state, c.evaluator, 0, false, NULL, K, &quality, &error),
        &error);
    assert_ok(cardo_modes_create(system, state, K, false, 2, &modes, &error), &error);
    assert_close(modes->eigenvalue[0], 10 / 1.6, 1e-9);
    assert_close(modes->eigenvalue[1], 10 / 1.6, 1e-9);
    assert_close(quality.residual, 0, 1e-12);
    cardo_modes_destroy(modes);
    cardo_evaluator_destroy(c.evaluator);
    cardo_force_provider_destroy(provider);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

/* Chains of bodies on pins, the first of each free, with points on them that a network joins. */
typedef struct chain {
    cardo_system *system;
    cardo_state *state;
    cardo_spring_network *network;
} chain;

enum { POINTS = 4, MOST_LINKS = 64 };

static void begin_chain(chain *t, int nbody, int second, uint64_t *seed)
{
    cardo_error error = {0};
    assert_ok(cardo_system_create(&t->system, &error), &error);
    for (int b = 1; b <= nbody; ++b) {
        const bool first = b == 1 || b == second;
        double points[3 * POINTS];
        const cardo_body_definition body = {
            .parent = first ? 0 : b - 1,
            .mobilizer = first ? &cardo_mobilizer_free : &cardo_mobilizer_pin,
            .X_PF = {m33_from_euler(0.4 * b, 0.9 * b, -0.3),
                     first ? v3(0.6 * b, 0.5, 0.1) : v3(0.5, 0.1, 0)},
            .X_BM = xform_identity(),
            .mass = random_mass(seed)};
        assert_ok(cardo_system_add_body(t->system, &body, NULL, &error), &error);
        random_numbers(3 * POINTS, seed, points);
        assert_ok(cardo_system_add_stations(t->system, b, (b - 1) * POINTS, POINTS, points, &error),
                  &error);
    }
}

/* A rod between points of two bodies (0: ground) that is as long as they are apart. */
static void add_rod(chain *t, const cardo_state *state, int body1, int body2)
{
    cardo_error error = {0};
    const cardo_transform *X = cardo_state_X_GB(state);
    const cardo_vec3 p1 = {0.2, sin(body2), cos(3 * body2)}, p2 = {-0.1, 0.5, 0.3};
    const cardo_rod rod = {body1, body2, p1, p2,
                           v3_norm(v3_sub(xform_point(X[body2], p2), xform_point(X[body1], p1)))};
    assert_ok(cardo_system_add_constraint(t->system, cardo_constraint_find("rod"), NULL, &rod, NULL,
                                          &error),
              &error);
}

/* rods: pairs of bodies (nrod x 2). */
static void make_chain(chain *t, int nbody, int second, int nrod, const int *rods, uint64_t *seed)
{
    static double position[3 * POINTS * MOST_LINKS];
    cardo_error error = {0};
    chain plain;
    uint64_t same = *seed;
    const cardo_spring_options options = {3, 50, 2, 0.5};
    begin_chain(&plain, nbody, second, seed);
    begin_chain(t, nbody, second, &same);
    assert_ok(cardo_system_finalize(plain.system, &error), &error);
    assert_ok(cardo_state_create(plain.system, &plain.state, &error), &error);
    assert_ok(cardo_realize(plain.system, plain.state, CARDO_STAGE_POSITION, &error), &error);
    for (int r = 0; r < nrod; ++r)
        add_rod(t, plain.state, rods[2 * r], rods[2 * r + 1]);
    assert_ok(cardo_system_finalize(t->system, &error), &error);
    assert_ok(cardo_state_create(t->system, &t->state, &error), &error);
    assert_ok(cardo_realize(t->system, t->state, CARDO_STAGE_DYNAMICS, &error), &error);
    assert_ok(cardo_station_positions(t->system, t->state, position, &error), &error);
    assert_ok(cardo_spring_network_create(POINTS * nbody, position, &options, &t->network, &error),
              &error);
    cardo_state_destroy(plain.state);
    cardo_system_destroy(plain.system);
}

static void destroy_chain(chain *t)
{
    cardo_spring_network_destroy(t->network);
    cardo_state_destroy(t->state);
    cardo_system_destroy(t->system);
}

/* Rods within and between molecules leave the six rigid motions of the whole; each to ground takes one away. */
static void networks_have_the_dense_modes(void **test)
{
    (void)test;
    static double K[MOST * MOST], kept[MOST * MOST];
    static const int inner[] = {1, 7, 2, 5, 3, 8}, between[] = {2, 7, 1, 8},
                     ground[] = {0, 3, 1, 6, 0, 7},
                     held[] = {0, 1, 0, 2, 0, 4, 0, 5, 0, 7, 0, 8, 2, 6};
    static const struct {
        int second, nrod;
        const int *rods;
        int nrigid;
    } cases[] = {{0, 3, inner, 6},
                 {5, 2, between, 6},
                 {0, 3, ground, 4},
                 {5, 3, ground, 4},
                 {0, 7, held, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        cardo_error error = {0};
        cardo_modes *modes;
        chain t;
        uint64_t seed = 77;
        int freedoms;
        make_chain(&t, 8, cases[i].second, cases[i].nrod, cases[i].rods, &seed);
        constrained c = constrained_of(t.system, t.state, NULL);
        assert_ok(cardo_network_stiffness(t.system, t.state, t.network, NULL, K, &error), &error);
        memcpy(kept, K, sizeof kept);
        assert_ok(cardo_mode_freedoms(t.system, t.state, &freedoms, &error), &error);
        assert_int_equal(freedoms, c.nu - cases[i].nrod);
        assert_ok(cardo_modes_create(t.system, t.state, K, true, freedoms, &modes, &error), &error);
        const double worst = compare(&c, modes, kept);
        print_message("%d rods: %d modes, %d of them rigid, off by %.1e\n", cases[i].nrod, freedoms,
                      modes->nrigid, worst);
        assert_int_equal(modes->nrigid, cases[i].nrigid);
        assert_true(worst <= 1e-9);
        cardo_modes_destroy(modes);
        cardo_evaluator_destroy(c.evaluator);
        destroy_chain(&t);
    }
}

/* The method for large systems finds the dense solver's, and refuses what it cannot do. */
static void subspace_iteration_finds_the_same(void **test)
{
    (void)test;
    enum { LINKS = MOST_LINKS, COUNT = 10, NU = LINKS + 5 };
    static double K[NU * NU];
    static const int rods[] = {1, 9, 20, 30, 20, 30, 5, 60, 33, 41}, grounded[] = {0, 9};
    cardo_error error = {0};
    cardo_modes *dense, *large;
    chain t;
    uint64_t seed = 5;
    double rows[5], worst = 0;
    make_chain(&t, LINKS, 0, 5, rods, &seed);
    assert_ok(cardo_network_stiffness(t.system, t.state, t.network, NULL, K, &error), &error);
    assert_ok(cardo_modes_create(t.system, t.state, K, true, COUNT, &dense, &error), &error);
    assert_ok(cardo_modes_create_large(t.system, t.state, t.network, NULL, COUNT, &large, &error),
              &error);
    assert_int_equal(large->nrigid, 6);
    assert_int_equal(large->freedoms, NU - 4);
    for (int m = 6; m < COUNT; ++m) {
        worst = fmax(worst, fabs(large->eigenvalue[m] / dense->eigenvalue[m] - 1));
        assert_ok(cardo_multiply_g(t.system, t.state, large->speed + m * NU, rows, &error), &error);
        for (int i = 0; i < 5; ++i)
            assert_close(rows[i], 0, 1e-9);
    }
    print_message("%d modes by subspace iteration: off by %.1e\n", COUNT - 6, worst);
    assert_true(worst < 1e-8);
    cardo_modes_destroy(dense);
    cardo_modes_destroy(large);
    destroy_chain(&t);
    make_chain(&t, LINKS, 0, 1, grounded, &seed);
    assert_fails(
        cardo_modes_create_large(t.system, t.state, t.network, NULL, COUNT, &large, &error), &error,
        CARDO_ERROR_ARGUMENT, "to ground");
    destroy_chain(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_loops_have_the_dense_modes),
        cmocka_unit_test(random_loops_have_the_dense_modes),
        cmocka_unit_test(a_pendulum_swings_as_by_hand),
        cmocka_unit_test(networks_have_the_dense_modes),
        cmocka_unit_test(subspace_iteration_finds_the_same),
    };
    return support_run(tests, NULL, NULL);
}
