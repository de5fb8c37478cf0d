/* Minimization: charts and their gradients for every kind of mobilizer, minima that are known, and
 * what may go wrong. */
#include "base/random.h"
#include "base/units.h"
#include "dynamics/coordinates/chart.h"
#include "dynamics/minimization.h"
#include "models.h"
#include "multibody/forces/elements.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 };

/* A trunk of three bodies held to ground by springs: joined by mobilizers of one kind, the second
 * reversed. At q0 no spring is stretched. */
typedef struct held {
    cardo_system *system;
    cardo_state *state;
    cardo_evaluator *evaluator;
    int nu, nq;
} held;

static const cardo_mobilizer *const kinds[] = {
    &cardo_mobilizer_pin,
    &cardo_mobilizer_slider,
    &cardo_mobilizer_universal,
    &cardo_mobilizer_cylinder,
    &cardo_mobilizer_bend_stretch,
    &cardo_mobilizer_planar,
    &cardo_mobilizer_gimbal,
    &cardo_mobilizer_ball,
    &cardo_mobilizer_translation,
    &cardo_mobilizer_free,
    &cardo_mobilizer_line_orientation,
    &cardo_mobilizer_free_line,
};

static void add_body(held *h, int parent, const cardo_mobilizer *kind, bool euler, bool reversed)
{
    cardo_error error;
    cardo_body_definition body = {
        .parent = parent,
        .mobilizer = kind,
        .euler = euler,
        .reversed = reversed,
        .X_PF = {m33_rotation(v3(0.6, 0.0, 0.8), 0.4 + parent), v3(0.3, 0.5 * parent, -0.2)},
        .X_BM = {m33_rotation(v3(0.0, 0.6, 0.8), 0.7), v3(0.1, -0.3, 0.2)},
        .mass = {.mass = 12 + 3 * parent, .com = {0, 0, 0}, .inertia = {3, 4, 5, 0, 0, 0}},
    };
    assert_ok(cardo_system_add_body(h->system, &body, NULL, &error), &error);
}

/* Springs of no length from points of each body to where they are. */
static void add_springs(held *h, const cardo_transform *X_GB, int nbody)
{
    static const cardo_vec3 points[4] = {
        {0.4, 0.1, -0.2}, {-0.3, 0.5, 0.1}, {0.2, -0.4, 0.6}, {-0.1, -0.2, -0.5}};
    cardo_error error;
    for (int b = 1; b < nbody; ++b)
        for (int k = 0; k < 4; ++k) {
            cardo_vec3 here = xform_point(X_GB[b], points[k]);
            cardo_two_point_spring spring = {.body1 = 0,
                                             .body2 = b,
                                             .point1 = here,
                                             .point2 = points[k],
                                             .stiffness = 300 + 50 * k};
            assert_ok(cardo_system_add_force(h->system, &cardo_force_two_point_spring, &spring,
                                             NULL, &error),
                      &error);
        }
}

static void begin(held *h, const cardo_mobilizer *kind, bool euler)
{
    cardo_error error;
    assert_ok(cardo_system_create(&h->system, &error), &error);
    for (int b = 0; b < 3; ++b)
        add_body(h, b, kind, euler, b == 1);
}

static void end(held *h)
{
    cardo_error error;
    assert_ok(cardo_system_finalize(h->system, &error), &error);
    assert_ok(cardo_state_create(h->system, &h->state, &error), &error);
    assert_ok(cardo_evaluator_create(h->system, NULL, &h->evaluator, &error), &error);
    h->nq = cardo_system_nq(h->system);
    h->nu = cardo_system_nu(h->system);
}

static void release(held *h)
{
    cardo_evaluator_destroy(h->evaluator);
    cardo_state_destroy(h->state);
    cardo_system_destroy(h->system);
}

/* A q away from the default, and the springs at rest there. */
static void make(held *h, const cardo_mobilizer *kind, bool euler, double *q)
{
    cardo_error error;
    held plain;
    uint64_t seed = 7;
    begin(&plain, kind, euler);
    end(&plain);
    memcpy(q, cardo_state_q(plain.state), (size_t)plain.nq * sizeof *q);
    for (int k = 0; k < plain.nq; ++k)
        q[k] += 0.4 + 0.2 * support_random(&seed);
    cardo_state_set_q(plain.state, q);
    memcpy(q, cardo_state_q(plain.state), (size_t)plain.nq * sizeof *q);
    assert_ok(cardo_realize(plain.system, plain.state, CARDO_STAGE_POSITION, &error), &error);
    begin(h, kind, euler);
    add_springs(h, cardo_state_X_GB(plain.state), 4);
    end(h);
    release(&plain);
}

static void make_at(held *h, const cardo_mobilizer *kind, bool euler, double away, double *q)
{
    uint64_t seed = 11;
    double p[MOST];
    make(h, kind, euler, q);
    for (int k = 0; k < h->nq; ++k)
        p[k] = q[k] + away * support_random(&seed);
    cardo_state_set_q(h->state, p);
}

static double energy_of(held *h)
{
    cardo_error error;
    double energy;
    assert_ok(cardo_realize(h->system, h->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_potential_energy(h->system, h->state, NULL, &energy, &error), &error);
    return energy;
}

/* The gradient by directions of the speeds, from the forces of the elements. */
static void gradient_of(held *h, double *gradient)
{
    cardo_error error;
    cardo_spatial bodies[8];
    double mobilities[MOST], zero[MOST] = {0};
    cardo_state_set_u(h->state, zero);
    assert_ok(cardo_realize(h->system, h->state, CARDO_STAGE_VELOCITY, &error), &error);
    assert_ok(cardo_element_forces(h->system, h->state, bodies, mobilities, &error), &error);
    assert_ok(
        cardo_inverse_dynamics(h->system, h->state, zero, bodies, mobilities, gradient, &error),
        &error);
}

/* Against central differences, far out in the chart, where quaternions have been turned. */
static void chart_gradients_are_slopes(void **test)
{
    (void)test;
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; ++i) {
        cardo_error error;
        held h;
        cardo_chart *chart;
        uint64_t seed = 3;
        double q[MOST], y[MOST], gradient[MOST], by_y[MOST], worst = 0, size = 0;
        make_at(&h, kinds[i / 2], i % 2, 0.2, q);
        assert_ok(cardo_chart_create(h.system, &chart, &error), &error);
        assert_ok(cardo_chart_centre(chart, h.state, &error), &error);
        /* What turns a line leaves out its spin: exact at the centre. */
        bool line = strstr(cardo_mobilizer_name(kinds[i / 2]), "line") != NULL;
        for (int k = 0; k < h.nu; ++k)
            y[k] = line ? 0 : support_random(&seed);
        assert_ok(cardo_chart_move(chart, y, h.state, &error), &error);
        gradient_of(&h, gradient);
        assert_ok(cardo_chart_pull(chart, gradient, by_y, &error), &error);
        for (int k = 0; k < h.nu; ++k) {
            const double step = 1e-5;
            double at[MOST], up, down;
            memcpy(at, y, sizeof at);
            at[k] = y[k] + step;
            assert_ok(cardo_chart_move(chart, at, h.state, &error), &error);
            up = energy_of(&h);
            at[k] = y[k] - step;
            assert_ok(cardo_chart_move(chart, at, h.state, &error), &error);
            down = energy_of(&h);
            worst = fmax(worst, fabs(by_y[k] - (up - down) / (2 * step)));
            size = fmax(size, fabs(by_y[k]));
        }
        print_message("%s%s: gradient off by %.1e of %.3g\n", cardo_mobilizer_name(kinds[i / 2]),
                      i % 2 ? " (Euler)" : "", worst, size);
        assert_true(size > 1);
        assert_close(worst, 0, 1e-6 * (1 + size));
        cardo_chart_destroy(chart);
        release(&h);
    }
}

/* Springs that can all be satisfied are. */
static void minima_are_found(void **test)
{
    (void)test;
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; ++i) {
        cardo_error error;
        held h;
        double q[MOST];
        const cardo_minimization_options options = {.iterations = 500, .tolerance = 1e-4};
        cardo_minimization_result result;
        make_at(&h, kinds[i / 2], i % 2, 0.3, q);
        assert_ok(
            cardo_minimization_run(h.system, h.state, h.evaluator, &options, NULL, &result, &error),
            &error);
        print_message("%s%s: %.3g to %.1e kJ/mol in %d iterations, %lld evaluations\n",
                      cardo_mobilizer_name(kinds[i / 2]), i % 2 ? " (Euler)" : "",
                      result.first.potential, result.last.potential, result.last.iteration,
                      result.last.evaluations);
        assert_true(result.first.potential > 1);
        assert_close(energy_of(&h), result.last.potential, 1e-12);
        if (strstr(cardo_mobilizer_name(kinds[i / 2]), "line")) {
            /* How a line is spun decides how low it can come. */
            assert_true(result.last.potential < 0.5 * result.first.potential);
            release(&h);
            continue;
        }
        assert_true(result.converged);
        assert_close(result.last.potential, 0, 1e-6);
        assert_true(result.last.evaluations < 4 * result.last.iteration + 20);
        release(&h);
    }
}

/* Minimizations from places near by begin with what those before have learned: as deep, in two thirds of the steps at most. */
static void curvature_is_handed_on(void **test)
{
    (void)test;
    cardo_error error;
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; ++i) {
        int iterations[2] = {0, 0};
        cardo_curvature curvature = {0};
        uint64_t seed = 5;
        held h;
        double q[MOST], p[MOST];
        /* How a line is spun is no coordinate. */
        if (strstr(cardo_mobilizer_name(kinds[i / 2]), "line"))
            continue;
        make_at(&h, kinds[i / 2], i % 2, 0, q);
        assert_ok(cardo_curvature_open(&curvature, h.nu, &error), &error);
        for (int place = 0; place < 12; ++place) {
            for (int k = 0; k < h.nq; ++k)
                p[k] = q[k] + 0.02 * support_random(&seed);
            for (int shared = 0; shared < 2; ++shared) {
                const cardo_minimization_options options = {
                    .iterations = 500, .tolerance = 1e-3, .curvature = shared ? &curvature : NULL};
                cardo_minimization_result result;
                cardo_state_set_q(h.state, p);
                assert_ok(cardo_minimization_run(h.system, h.state, h.evaluator, &options, NULL,
                                                 &result, &error),
                          &error);
                assert_true(result.converged);
                assert_close(result.last.potential, 0, 1e-6);
                iterations[shared] += place > 5 ? result.last.iteration : 0;
            }
        }
        print_message("%s%s: %d iterations alone, %d with the curvature of those before\n",
                      cardo_mobilizer_name(kinds[i / 2]), i % 2 ? " (Euler)" : "", iterations[0],
                      iterations[1]);
        assert_true(3 * iterations[1] < 2 * iterations[0]);
        cardo_curvature_clear(&curvature);
        release(&h);
    }
}

/* A body turned nearly all round finds back: no chart of its orientation reaches that far. */
static void a_long_turn_takes_several_charts(void **test)
{
    (void)test;
    cardo_error error;
    test_model model;
    cardo_evaluator *evaluator;
    const cardo_minimization_options options = {.iterations = 500, .tolerance = 1e-6};
    cardo_minimization_result result;
    model_top(&model);
    double q[4] = {cos(1.5), 0, 0, sin(1.5)}; /* 172 degrees about an axis across its weight */
    cardo_state_set_q(model.state, q);
    assert_ok(cardo_evaluator_create(model.system, model.provider, &evaluator, &error), &error);
    assert_ok(cardo_minimization_run(model.system, model.state, evaluator, &options, NULL, &result,
                                     &error),
              &error);
    print_message("%.3f to %.1e kJ/mol in %d iterations\n", result.first.potential,
                  result.last.potential, result.last.iteration);
    assert_true(result.converged);
    assert_true(result.first.potential > 590);
    assert_close(result.last.potential, 0, 1e-9);
    cardo_evaluator_destroy(evaluator);
    model_destroy(&model);
}

/* What is prescribed stays where its motion says, and is no force that counts. */
static void prescribed_coordinates_stand(void **test)
{
    (void)test;
    cardo_error error;
    held h;
    double q[MOST];
    static const double place[1] = {0.9};
    const cardo_function stand = {
        .kind = CARDO_FUNCTION_CONSTANT, .ncoefficient = 1, .coefficients = place};
    const cardo_minimization_options options = {.iterations = 500, .tolerance = 1e-4};
    cardo_minimization_result result;
    begin(&h, &cardo_mobilizer_pin, false);
    assert_ok(cardo_system_prescribe(h.system, 2, CARDO_MOTION_POSITION, &stand, &error), &error);
    held free_one;
    make(&free_one, &cardo_mobilizer_pin, false, q);
    cardo_state_set_q(free_one.state, q);
    assert_ok(cardo_realize(free_one.system, free_one.state, CARDO_STAGE_POSITION, &error), &error);
    add_springs(&h, cardo_state_X_GB(free_one.state), 4);
    end(&h);
    assert_ok(
        cardo_minimization_run(h.system, h.state, h.evaluator, &options, NULL, &result, &error),
        &error);
    print_message("%.6f to %.6f kJ/mol in %d iterations, %lld evaluations, force %.2e\n",
                  result.first.potential, result.last.potential, result.last.iteration,
                  result.last.evaluations, result.last.largest_force);
    assert_true(result.converged);
    assert_true(result.last.potential > 1);
    assert_true(cardo_state_q(h.state)[1] == 0.9);
    release(&free_one);
    release(&h);
}

typedef struct watch {
    int calls, stop_at;
    double last;
    volatile sig_atomic_t flag;
} watch;

static cardo_status look(void *user, const cardo_minimization_frame *frame, cardo_error *error)
{
    (void)error;
    watch *w = user;
    assert_int_equal(frame->iteration, w->calls);
    assert_true(w->calls == 0 || frame->potential <= w->last);
    w->last = frame->potential;
    w->flag = ++w->calls == w->stop_at;
    return CARDO_OK;
}

static void it_can_be_watched_and_stopped(void **test)
{
    (void)test;
    cardo_error error;
    held h;
    double q[MOST];
    watch w = {.stop_at = 4};
    const cardo_minimization_observer observer = {&w, look, &w.flag};
    const cardo_minimization_options options = {.iterations = 500, .tolerance = 1e-9};
    cardo_minimization_result result;
    make_at(&h, &cardo_mobilizer_free, false, 0.3, q);
    assert_ok(cardo_minimization_run(h.system, h.state, h.evaluator, &options, &observer, &result,
                                     &error),
              &error);
    assert_true(result.interrupted && !result.converged);
    assert_int_equal(w.calls, 5);
    assert_close(energy_of(&h), result.last.potential, 1e-12);
    assert_true(result.last.potential < result.first.potential);
    release(&h);
}

/* A provider that cannot evaluate somewhere on the way makes that place a high one; at the start it
 * is an error. */
static void places_that_cannot_be_evaluated(void **test)
{
    (void)test;
    cardo_error error;
    const cardo_minimization_options options = {.iterations = 100, .tolerance = 1e-6};
    cardo_minimization_result result;
    for (int call = 1; call <= 3; ++call) {
        test_model model;
        cardo_evaluator *evaluator;
        model_double(&model);
        model.fail_at = call;
        model.fail_with = CARDO_RECOVERABLE;
        assert_ok(cardo_evaluator_create(model.system, model.provider, &evaluator, &error), &error);
        cardo_status status = cardo_minimization_run(model.system, model.state, evaluator, &options,
                                                     NULL, &result, &error);
        if (call == 1) {
            assert_fails(status, &error, CARDO_RECOVERABLE, "clash");
        } else {
            assert_ok(status, &error);
            assert_true(result.converged);
            assert_close(cardo_state_q(model.state)[1], model.rest, 1e-6);
        }
        cardo_evaluator_destroy(evaluator);
        model_destroy(&model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chart_gradients_are_slopes),
        cmocka_unit_test(minima_are_found),
        cmocka_unit_test(curvature_is_handed_on),
        cmocka_unit_test(a_long_turn_takes_several_charts),
        cmocka_unit_test(prescribed_coordinates_stand),
        cmocka_unit_test(it_can_be_watched_and_stopped),
        cmocka_unit_test(places_that_cannot_be_evaluated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
