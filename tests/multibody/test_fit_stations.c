/* Fits of stations on the manifold of constraints: what can be reached is, else the sum is the least along the manifold. */
#include "base/linalg.h"
#include "base/memory.h"
#include "cardo/fit.h"
#include "cardo/manifold.h"
#include "cardo/operators.h"
#include "multibody/algebra/exponential.h"
#include "multibody/algebra/spatial.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { LINKS = 9, STATIONS = 2 * LINKS, MOST_ROWS = 8 };

typedef struct chain {
    cardo_system *system;
    cardo_state *state;
    int station[STATIONS];
    double x[3 * STATIONS];
} chain;

static double span(uint64_t *seed, double size)
{
    return size * support_random(seed);
}

/* Links on pins in turned directions, two stations on each. The last one's end is held at a point of ground by balls, as many as are asked for, and
 * one speed of it is constant, which says nothing of positions. */
static chain make(int balls, cardo_vec3 point)
{
    chain c = {0};
    cardo_error error;
    uint64_t seed = 11;
    assert_ok(cardo_system_create(&c.system, &error), &error);
    for (int k = 0; k < LINKS; ++k) {
        cardo_body_definition body = {.parent = k,
                                      .mobilizer = cardo_mobilizer_find("pin"),
                                      .X_PF = cardo_transform_identity(),
                                      .X_BM = cardo_transform_identity(),
                                      .mass = {1, {0.5, 0, 0}, {0.2, 0.5, 0.5, 0, 0, 0}}};
        body.X_PF.R =
            m33_rotation(v3_unit(v3(span(&seed, 1), span(&seed, 1), span(&seed, 1))), 1.3);
        if (k > 0)
            body.X_PF.p = v3(0.9, 0.2, 0);
        assert_ok(cardo_system_add_body(c.system, &body, NULL, &error), &error);
    }
    for (int k = 0; k < LINKS; ++k) {
        double at[6] = {0.3, 0.4, 0.1, 0.8, -0.2, 0.3};
        assert_ok(cardo_system_add_stations(c.system, k + 1, 2 * k, 2, at, &error), &error);
    }
    const cardo_coincident_points ball = {0, LINKS, point, {1, 0, 0}};
    for (int i = 0; i < balls; ++i)
        assert_ok(cardo_system_add_constraint(c.system, cardo_constraint_find("ball"), "closure",
                                              &ball, NULL, &error),
                  &error);
    const cardo_constant_speed speed = {{LINKS, 0}, 0.1};
    assert_ok(cardo_system_add_constraint(c.system, cardo_constraint_find("constant-speed"), "last",
                                          &speed, NULL, &error),
              &error);
    assert_ok(cardo_system_finalize(c.system, &error), &error);
    assert_ok(cardo_state_create(c.system, &c.state, &error), &error);
    return c;
}

static void destroy(chain *c)
{
    cardo_state_destroy(c->state);
    cardo_system_destroy(c->system);
}

/* A closed configuration near angles that are drawn around others. */
static void close_near(chain *c, const double *around, double size, uint64_t *seed)
{
    cardo_error error;
    double q[LINKS];
    for (int i = 0; i < LINKS; ++i)
        q[i] = (around ? around[i] : 0) + span(seed, size);
    cardo_state_set_q(c->state, q);
    assert_ok(cardo_assemble_q(c->system, c->state, NULL, NULL, &error), &error);
    assert_ok(cardo_realize(c->system, c->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_station_positions(c->system, c->state, c->x, &error), &error);
}

static double violation(const chain *c)
{
    cardo_error error;
    double errors[MOST_ROWS], most = 0;
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(c->system, &counts);
    assert_true(counts.nrow <= MOST_ROWS);
    assert_ok(cardo_constraint_position_errors(c->system, c->state, errors, &error), &error);
    for (int i = 0; i < counts.nposition; ++i)
        most = fmax(most, fabs(errors[i]));
    return most;
}

static double squares(const chain *c, const cardo_station_targets *t)
{
    cardo_error error;
    double x[3 * STATIONS], sum = 0;
    assert_ok(cardo_realize(c->system, c->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_station_positions(c->system, c->state, x, &error), &error);
    for (int i = 0; i < t->n; ++i)
        for (int k = 0; k < 3; ++k) {
            const double d = x[3 * t->station[i] + k] - t->position[3 * i + k];
            sum += t->weight[i] * d * d;
        }
    return sum;
}

/* What is left of the sum's gradient J^T W r when the multipliers of position rows have done what they can, relative to W r. */
static double kkt_residual(const chain *c, const cardo_station_targets *t)
{
    cardo_error error;
    double f[3 * STATIONS] = {0}, x[3 * STATIONS], g[LINKS], G[MOST_ROWS * LINKS],
                 A[LINKS * MOST_ROWS], b[LINKS], left = 0, all = 0;
    int rank;
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(c->system, &counts);
    assert_ok(cardo_station_positions(c->system, c->state, x, &error), &error);
    for (int i = 0; i < t->n; ++i)
        for (int k = 0; k < 3; ++k)
            f[3 * t->station[i] + k] =
                t->weight[i] * (x[3 * t->station[i] + k] - t->position[3 * i + k]);
    assert_ok(cardo_multiply_station_jt(c->system, c->state, f, g, &error), &error);
    assert_ok(cardo_constraint_matrix(c->system, c->state, G, &error), &error);
    for (int i = 0; i < LINKS; ++i) {
        b[i] = g[i];
        for (int j = 0; j < counts.nposition; ++j)
            A[i * counts.nposition + j] = G[j * LINKS + i];
    }
    assert_ok(cardo_least_squares(LINKS, counts.nposition, A, b, 1e-10, &rank, &error), &error);
    for (int i = 0; i < LINKS; ++i) {
        double r = g[i];
        for (int j = 0; j < counts.nposition; ++j)
            r -= G[j * LINKS + i] * b[j];
        left += r * r;
    }
    for (int i = 0; i < 3 * STATIONS; ++i)
        all += f[i] * f[i];
    return sqrt(left / all);
}

static void fit(chain *c, const cardo_station_targets *t, cardo_station_fit *made)
{
    cardo_error error;
    assert_ok(cardo_fit_stations(c->system, c->state, t, made, &error), &error);
    assert_true(made->converged);
    assert_true(made->violation <= 1e-12);
    assert_true(violation(c) <= 1e-12);
    /* rows that say nothing of positions are on as they were */
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(c->system, &counts);
    assert_true(cardo_state_has_constraint(c->state, counts.nconstraint - 1));
}

static void targets_are_met_or_missed_by_the_least(void **test)
{
    (void)test;
    for (int balls = 0; balls <= 2; ++balls) {
        chain c = make(balls, v3(1.5, 1.0, -0.5));
        uint64_t seed = 7;
        double met = 0, residual = 0;
        int steps = 0;
        for (int trial = 0; trial < 12; ++trial) {
            double q[LINKS], y[3 * STATIONS], weight[STATIONS];
            /* three stations of the middle and the end, or all of them; weights that differ */
            const int n = trial % 2 ? STATIONS : 3;
            cardo_station_targets t = {n, c.station, y, weight};
            close_near(&c, NULL, 1.5, &seed);
            memcpy(q, cardo_state_q(c.state), sizeof q);
            for (int i = 0; i < n; ++i) {
                c.station[i] = n == 3 ? 7 + 5 * i : i;
                weight[i] = 1 + span(&seed, 0.5);
                memcpy(y + 3 * i, c.x + 3 * c.station[i], 3 * sizeof *y);
            }
            cardo_station_fit made;
            close_near(&c, q, 0.2, &seed);
            fit(&c, &t, &made);
            met = fmax(met, made.rmsd);
            /* and from open loops, to places that cannot be reached */
            for (int i = 0; i < 3 * n; ++i)
                y[i] += span(&seed, 0.1);
            for (int i = 0; i < LINKS; ++i)
                q[i] += span(&seed, 0.1);
            cardo_state_set_q(c.state, q);
            fit(&c, &t, &made);
            steps += made.iterations;
            if (n == 3)
                continue; /* nine freedoms or six, nine numbers: may be reached */
            residual = fmax(residual, kkt_residual(&c, &t));
            const double least = squares(&c, &t);
            assert_true(least > 1e-4);
            memcpy(q, cardo_state_q(c.state), sizeof q);
            for (int other = 0; other < 20; ++other) {
                close_near(&c, q, 1e-3, &seed);
                assert_true(squares(&c, &t) > least * (1 - 1e-12));
            }
        }
        print_message("%d balls: met to %.1e, KKT residual %.1e, %d steps\n", balls, met, residual,
                      steps);
        assert_true(met <= 1e-10);
        assert_true(residual <= 1e-12);
        destroy(&c);
    }
}

static void what_cannot_be_closed_is_told(void **test)
{
    (void)test;
    cardo_error error;
    cardo_station_fit made;
    const double y[3] = {1, 1, 1};
    chain c = make(1, v3(50, 0, 0));
    const cardo_station_targets t = {1, c.station, y, NULL};
    assert_fails(cardo_fit_stations(c.system, c.state, &t, &made, &error), &error,
                 CARDO_ERROR_NUMERICAL, "closure (ball)");
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(c.system, &counts);
    assert_true(cardo_state_has_constraint(c.state, counts.nconstraint - 1));
    destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_are_met_or_missed_by_the_least),
        cmocka_unit_test(what_cannot_be_closed_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
