/* Minima on the manifold of constraints: charts and their gradients, minima that are known, residuals of Kuhn and Tucker, starts that
 * violate, and what cannot be. */
#include "base/linalg.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/manifold_chart.h"
#include "dynamics/minimization.h"
#include "loop_models.h"
#include "multibody/constraints/anchored.h"
#include "multibody/constraints/random_loops.h"
#include "multibody/reference_json.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, MOST_ROWS = 64 };

/* A random tree with loops, springs on its bodies, at a place that the constraints allow. */
typedef struct looped {
    cardo_system *system;
    cardo_state *state;
    cardo_evaluator *evaluator;
    anchored springs;
    int nu, nq, nrow;
    double q[MOST];
} looped;

static void make(looped *l, const char *kind, int nbody, int nloop, bool redundant, uint64_t *seed)
{
    cardo_error error = {0};
    cardo_constraint_counts counts;
    l->system = random_loops(nbody, nloop, redundant, cardo_constraint_find(kind), seed, l->q);
    assert_ok(cardo_state_create(l->system, &l->state, &error), &error);
    anchored_create(&l->springs, l->system, 30, seed);
    assert_ok(cardo_evaluator_create(l->system, l->springs.provider, &l->evaluator, &error),
              &error);
    cardo_system_constraint_counts(l->system, &counts);
    l->nu = cardo_system_nu(l->system);
    l->nq = cardo_system_nq(l->system);
    l->nrow = counts.nrow;
    assert_true(l->nq <= MOST && l->nrow <= MOST_ROWS);
    cardo_state_set_q(l->state, l->q);
}

static void destroy(looped *l)
{
    cardo_evaluator_destroy(l->evaluator);
    anchored_destroy(&l->springs);
    cardo_state_destroy(l->state);
    cardo_system_destroy(l->system);
}

static double violation_of(const cardo_system *system, cardo_state *state)
{
    cardo_error error = {0};
    cardo_constraint_counts counts;
    double errors[MOST_ROWS], most = 0;
    cardo_system_constraint_counts(system, &counts);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_constraint_position_errors(system, state, errors, &error), &error);
    for (int i = 0; i < counts.nposition; ++i)
        most = fmax(most, fabs(errors[i]));
    return most;
}

/* Forces that the evaluator and gravity apply at rest, by the speeds. */
static void forces_at(const cardo_system *system, cardo_state *state, cardo_evaluator *evaluator,
                      double *forces)
{
    cardo_error error = {0};
    double zero[MOST] = {0};
    cardo_state_set_u(state, zero);
    assert_ok(cardo_evaluate(evaluator, state, &error), &error);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
    assert_ok(cardo_inverse_dynamics(system, state, zero, cardo_evaluator_body_forces(evaluator),
                                     cardo_evaluator_mobility_forces(evaluator), forces, &error),
              &error);
    for (int k = 0; k < cardo_system_nu(system); ++k)
        forces[k] = -forces[k];
}

/* The largest force that no multipliers bear, by least squares of LAPACK's; and the largest of all. */
static double kkt_residual(const cardo_system *system, cardo_state *state,
                           cardo_evaluator *evaluator, double *largest)
{
    cardo_error error = {0};
    static double G[MOST_ROWS * MOST], A[MOST_ROWS * MOST];
    double forces[MOST], b[MOST_ROWS + MOST], most = 0;
    cardo_constraint_counts counts;
    int rank;
    const int nu = cardo_system_nu(system);
    cardo_system_constraint_counts(system, &counts);
    forces_at(system, state, evaluator, forces);
    assert_ok(cardo_constraint_matrix(system, state, G, &error), &error);
    *largest = 0;
    for (int k = 0; k < nu; ++k) {
        *largest = fmax(*largest, fabs(forces[k]));
        b[k] = forces[k];
        for (int i = 0; i < counts.nrow; ++i)
            A[k * counts.nrow + i] = G[i * nu + k];
    }
    assert_ok(cardo_least_squares(nu, counts.nrow, A, b, 1e-9, &rank, &error), &error);
    for (int k = 0; k < nu; ++k) {
        double left = forces[k];
        for (int i = 0; i < counts.nrow; ++i)
            left -= G[i * nu + k] * b[i];
        most = fmax(most, fabs(left));
    }
    return most;
}

static double energy_at(looped *l)
{
    cardo_error error = {0};
    double energy, zero[MOST] = {0};
    cardo_state_set_u(l->state, zero);
    assert_ok(cardo_evaluate(l->evaluator, l->state, &error), &error);
    assert_ok(cardo_realize(l->system, l->state, CARDO_STAGE_VELOCITY, &error), &error);
    assert_ok(cardo_evaluator_potential(l->evaluator, l->state, &energy, &error), &error);
    return energy;
}

/* Whether a mobilizer's turns leave out a spin, so that charts have exact gradients at their centre alone. */
static bool has_lines(const cardo_system *system)
{
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        if (strstr(cardo_mobilizer_name(info.mobilizer), "line"))
            return true;
    }
    return false;
}

/* Far out from the centre: every place is on the manifold, and gradients are slopes. */
static void charts_stay_on_the_manifold(void **test)
{
    (void)test;
    uint64_t seed = 3;
    double worst = 0, worst_violation = 0;
    int moved = 0;
    for (int trial = 0; trial < 4 * RANDOM_POSITION_KINDS; ++trial) {
        cardo_error error = {0};
        looped l;
        cardo_manifold_chart *chart;
        double x[MOST], forces[MOST], by_x[MOST], size = 0;
        int freedoms;
        make(&l, random_position_kinds[trial % RANDOM_POSITION_KINDS], 4 + trial % 5, 1 + trial % 3,
             trial % 2, &seed);
        assert_ok(cardo_manifold_chart_create(l.system, &chart, &error), &error);
        assert_ok(cardo_realize(l.system, l.state, CARDO_STAGE_DYNAMICS, &error), &error);
        assert_ok(cardo_degrees_of_freedom(l.system, l.state, &freedoms, &error), &error);
        assert_ok(cardo_manifold_chart_centre(chart, l.state, &error), &error);
        assert_int_equal(cardo_manifold_chart_size(chart), freedoms);
        const bool lines = has_lines(l.system);
        for (int k = 0; k < freedoms; ++k)
            x[k] = lines ? 0 : 0.2 * support_random(&seed);
        if (cardo_manifold_chart_move(chart, x, l.state, &error) == CARDO_OK && freedoms > 0) {
            ++moved;
            worst_violation = fmax(worst_violation, violation_of(l.system, l.state));
            forces_at(l.system, l.state, l.evaluator, forces);
            for (int k = 0; k < l.nu; ++k)
                forces[k] = -forces[k];
            assert_ok(cardo_manifold_chart_pull(chart, l.state, forces, by_x, &error), &error);
            for (int k = 0; k < freedoms; ++k)
                size = fmax(size, fabs(by_x[k]));
            for (int k = 0; k < freedoms; ++k) {
                const double step = 1e-4;
                double at[MOST], energy[4];
                for (int s = 0; s < 4; ++s) {
                    memcpy(at, x, sizeof at);
                    at[k] += step * (s < 2 ? s - 2 : s - 1);
                    assert_ok(cardo_manifold_chart_move(chart, at, l.state, &error), &error);
                    energy[s] = energy_at(&l);
                }
                const double slope =
                    (8 * (energy[2] - energy[1]) - (energy[3] - energy[0])) / (12 * step);
                worst = fmax(worst, fabs(slope - by_x[k]) / (1 + size));
            }
        }
        cardo_manifold_chart_destroy(chart);
        destroy(&l);
    }
    print_message("%d charts: gradients off by %.1e, violation %.1e\n", moved, worst,
                  worst_violation);
    assert_true(moved > 3 * RANDOM_POSITION_KINDS);
    assert_true(worst < 1e-6);
    assert_true(worst_violation <= 1e-12);
}

/* From a start off the manifold, where what constraints do not bear is gone. */
static void random_loops_come_to_rest(void **test)
{
    (void)test;
    const cardo_minimization_options options = {.iterations = 3000, .tolerance = 1e-5};
    uint64_t seed = 11;
    double worst = 0, worst_violation = 0;
    int converged = 0, tried = 0;
    for (int trial = 0; trial < 3 * RANDOM_POSITION_KINDS; ++trial) {
        cardo_error error = {0};
        cardo_minimization_result result;
        looped l;
        double largest;
        make(&l, random_position_kinds[trial % RANDOM_POSITION_KINDS], 4 + trial % 5, 1 + trial % 3,
             trial % 2, &seed);
        for (int k = 0; k < l.nq; ++k)
            l.q[k] += 0.03 * support_random(&seed);
        cardo_state_set_q(l.state, l.q);
        const cardo_status status =
            cardo_minimization_run(l.system, l.state, l.evaluator, &options, NULL, &result, &error);
        if (status == CARDO_OK) {
            ++tried;
            worst_violation = fmax(worst_violation, violation_of(l.system, l.state));
            const double left = kkt_residual(l.system, l.state, l.evaluator, &largest);
            converged += result.converged;
            /* what is left over weighs as M does, and here every force alike */
            if (result.converged)
                worst = fmax(worst, left / sqrt(l.nu));
            else
                assert_true(has_lines(l.system));
            assert_true(result.converged || left < 1e-3);
            assert_true(result.last.potential <= result.first.potential);
        } else {
            /* assembly finds no way back now and then, and says so */
            assert_fails(status, &error, CARDO_ERROR_NUMERICAL, "the largest error that is left");
        }
        destroy(&l);
    }
    print_message("%d of %d converged: %.1e left, violation %.1e\n", converged, tried, worst,
                  worst_violation);
    assert_true(tried >= 3 * RANDOM_POSITION_KINDS - 2);
    assert_true(worst <= 1e-5);
    assert_true(worst_violation <= 1e-12);
}

/* From the violating starts of the reference loops. */
static void reference_loops_come_to_rest(void **test)
{
    (void)test;
    static const char *const names[] = {"loop_k3_ball",       "loop_k4_ball",
                                        "loop_k4_ball_angle", "loop_k5_ball_angle",
                                        "loop_k6_weld",       "loop_k6_weld_redundant",
                                        "loop_k7_weld",       "loop_k9_weld",
                                        "loop_k12_weld",      "loop_kic6"};
    const cardo_minimization_options options = {.iterations = 1000, .tolerance = 1e-6};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        cardo_error error = {0};
        cardo_minimization_result result;
        cardo_evaluator *evaluator;
        loop_model model;
        double start[LOOP_MOST_Q], largest;
        loop_model_create(&model, names[i]);
        const int freedoms = model.freedoms;
        reference_flatten(json_object_get(model.file, "q_start"), start, LOOP_MOST_Q);
        cardo_state_set_q(model.state, start);
        assert_true(violation_of(model.system, model.state) > 1e-3);
        assert_ok(cardo_evaluator_create(model.system, model.provider, &evaluator, &error), &error);
        assert_ok(cardo_minimization_run(model.system, model.state, evaluator, &options, NULL,
                                         &result, &error),
                  &error);
        const double left = kkt_residual(model.system, model.state, evaluator, &largest);
        print_message("%s: %.4f to %.4f kJ/mol in %d iterations, %d freedoms, %.1e of %.3g left, "
                      "violation %.1e\n",
                      names[i], result.first.potential, result.last.potential,
                      result.last.iteration, result.freedoms, left, largest,
                      violation_of(model.system, model.state));
        assert_true(result.converged);
        assert_int_equal(result.freedoms, freedoms);
        assert_true(freedoms == 0 || result.last.potential < result.first.potential);
        assert_true(left <= 1e-6 * LOOP_MOST_Q);
        assert_true(freedoms == 0 || largest > 0.1);
        assert_true(violation_of(model.system, model.state) <= 1e-12);
        cardo_evaluator_destroy(evaluator);
        loop_model_destroy(&model);
    }
}

/* A mass under gravity on a translation joint, with rods from places in ground. */
static void make_hung(cardo_system **system, cardo_state **state, int nrod, const cardo_vec3 *from,
                      const double *length)
{
    cardo_error error = {0};
    const cardo_body_definition mass = {.name = "mass",
                                        .mobilizer = &cardo_mobilizer_translation,
                                        .X_PF = xform_identity(),
                                        .X_BM = xform_identity(),
                                        .mass = {3, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}};
    assert_ok(cardo_system_create(system, &error), &error);
    cardo_system_set_gravity(*system, v3(0, -10, 0));
    assert_ok(cardo_system_add_body(*system, &mass, NULL, &error), &error);
    for (int i = 0; i < nrod; ++i) {
        const cardo_rod rod = {0, 1, from[i], {0, 0, 0}, length[i]};
        assert_ok(cardo_system_add_constraint(*system, cardo_constraint_find("rod"),
                                              i ? "second" : "first", &rod, NULL, &error),
                  &error);
    }
    assert_ok(cardo_system_finalize(*system, &error), &error);
    assert_ok(cardo_state_create(*system, state, &error), &error);
}

static cardo_status settle(const cardo_system *system, cardo_state *state,
                           cardo_minimization_result *result, cardo_error *error)
{
    const cardo_minimization_options options = {.iterations = 500, .tolerance = 1e-6};
    cardo_evaluator *evaluator;
    assert_ok(cardo_evaluator_create(system, NULL, &evaluator, error), error);
    const cardo_status status =
        cardo_minimization_run(system, state, evaluator, &options, NULL, result, error);
    cardo_evaluator_destroy(evaluator);
    return status;
}

/* A pendulum hangs straight down, its rod bearing the weight; on two rods, in the middle of the circle that both leave. */
static void rods_hang_as_by_hand(void **test)
{
    (void)test;
    const cardo_vec3 from[2] = {{-0.5, 0.2, 0}, {0.5, 0.2, 0}};
    const double length[2] = {1.3, 1.3}, height[2] = {-1.3, -1.2};
    for (int nrod = 1; nrod <= 2; ++nrod) {
        cardo_error error = {0};
        cardo_system *system;
        cardo_state *state;
        cardo_minimization_result result;
        const double start[3] = {0.3, 0.9, 0.8};
        make_hung(&system, &state, nrod, from, length);
        cardo_state_set_q(state, start);
        assert_ok(settle(system, state, &result, &error), &error);
        const double *q = cardo_state_q(state);
        print_message("%d rod(s): %.15g %.15g %.15g in %d iterations\n", nrod, q[0], q[1], q[2],
                      result.last.iteration);
        assert_true(result.converged);
        assert_int_equal(result.freedoms, 3 - nrod);
        assert_close(q[0], nrod == 1 ? -0.5 : 0, 1e-6);
        assert_close(q[1], 0.2 + height[nrod - 1], 1e-12);
        assert_close(q[2], 0, 1e-6);
        assert_true(violation_of(system, state) <= 1e-12);
        cardo_state_destroy(state);
        cardo_system_destroy(system);
    }
}

/* Rods that do not reach each other are told by name, a start is as it was, and a rod that is switched off counts for nothing. */
static void what_cannot_be_is_told(void **test)
{
    (void)test;
    const cardo_vec3 from[2] = {{0, 0, 0}, {5, 0, 0}};
    const double length[2] = {1, 1}, start[3] = {0.3, 0.9, 0.8};
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    cardo_minimization_result result;
    make_hung(&system, &state, 2, from, length);
    cardo_state_set_q(state, start);
    assert_fails(settle(system, state, &result, &error), &error, CARDO_ERROR_NUMERICAL,
                 "second (rod)");
    assert_memory_equal(cardo_state_q(state), start, sizeof start);
    assert_ok(cardo_state_set_constraint(state, 1, false, &error), &error);
    assert_ok(settle(system, state, &result, &error), &error);
    assert_close(cardo_state_q(state)[1], -1, 1e-12);
    assert_int_equal(result.freedoms, 2);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void speeds_have_no_manifold(void **test)
{
    (void)test;
    uint64_t seed = 4;
    cardo_error error = {0};
    cardo_minimization_result result;
    looped l;
    make(&l, "constant-speed", 4, 1, false, &seed);
    assert_fails(settle(l.system, l.state, &result, &error), &error, CARDO_ERROR_UNSUPPORTED,
                 "constant-speed");
    destroy(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(charts_stay_on_the_manifold),  cmocka_unit_test(random_loops_come_to_rest),
        cmocka_unit_test(reference_loops_come_to_rest), cmocka_unit_test(rods_hang_as_by_hand),
        cmocka_unit_test(what_cannot_be_is_told),       cmocka_unit_test(speeds_have_no_manifold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
