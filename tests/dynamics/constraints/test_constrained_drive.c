/* Driven coordinates of linkages: round and round, as far as a dead point, and not at all. */
#include "base/units.h"
#include "cardo/manifold.h"
#include "dynamics/drive.h"
#include "dynamics/evaluation/callback_provider.h"
#include "dynamics/minimization.h"
#include "dynamics/motion_way.h"
#include "dynamics/simulation.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* Crank and rocker on ground, a coupler between them whose end a ball closes, one row of it redundant; a spring on the rocker, and a
 * pendulum on the coupler with another, so that there is something left that moves. */
typedef struct linkage {
    double crank, coupler, rocker, ground;
    cardo_system *system;
    cardo_state *state;
    cardo_force_provider *provider;
} linkage;

enum { CRANK, COUPLER, ROCKER, PENDULUM, NQ };

static const double stiffness = 40, rest = 1.5;

static cardo_status pull(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)user;
    (void)error;
    const double a = evaluation->q[ROCKER] - rest, b = evaluation->q[PENDULUM] - 0.5 * rest;
    evaluation->energy = 0.5 * stiffness * (a * a + b * b);
    evaluation->mobility_forces[ROCKER] -= stiffness * a;
    evaluation->mobility_forces[PENDULUM] -= stiffness * b;
    return CARDO_OK;
}

static void make(linkage *l, const cardo_function *motion, bool locked)
{
    cardo_error error = {0};
    const double lengths[NQ] = {l->crank, l->coupler, l->rocker, 0.4},
                 at[NQ] = {0, l->crank, l->ground, 0.5 * l->coupler};
    static const int parents[NQ] = {0, 1, 0, 2};
    static const char *const names[NQ] = {"crank", "coupler", "rocker", "pendulum"};
    assert_ok(cardo_system_create(&l->system, &error), &error);
    for (int k = 0; k < NQ; ++k) {
        const double m = 5 * lengths[k], along = m * lengths[k] * lengths[k] / 3;
        const cardo_body_definition body = {
            .name = names[k],
            .parent = parents[k],
            .mobilizer = &cardo_mobilizer_pin,
            .X_PF = {m33_identity(), {at[k], 0, 0}},
            .X_BM = xform_identity(),
            .mass = {m, {0.5 * lengths[k], 0, 0}, {0.01, along, along, 0, 0, 0}}};
        assert_ok(cardo_system_add_body(l->system, &body, NULL, &error), &error);
    }
    const cardo_coincident_points closure = {2, 3, {l->coupler, 0, 0}, {l->rocker, 0, 0}};
    assert_ok(cardo_system_add_constraint(l->system, cardo_constraint_find("ball"), "closure",
                                          &closure, NULL, &error),
              &error);
    static const double coefficients[2] = {1, -2.2};
    const cardo_coordinate_coupler lock = {.ncoordinate = 1,
                                           .coordinates = {{3, 0}},
                                           .function = {.kind = CARDO_FUNCTION_LINEAR,
                                                        .narg = 1,
                                                        .ncoefficient = 2,
                                                        .coefficients = coefficients}};
    if (locked)
        assert_ok(cardo_system_add_constraint(l->system,
                                              cardo_constraint_find("coordinate-coupler"), "lock",
                                              &lock, NULL, &error),
                  &error);
    if (motion)
        assert_ok(cardo_system_prescribe(l->system, 1, CARDO_MOTION_POSITION, motion, &error),
                  &error);
    assert_ok(cardo_system_finalize(l->system, &error), &error);
    assert_ok(cardo_state_create(l->system, &l->state, &error), &error);
    assert_ok(
        cardo_callback_provider_create(pull, l, CARDO_FORCE_DETERMINISTIC, &l->provider, &error),
        &error);
    const double open[NQ] = {0.9, -0.5, 2.0, 0.7};
    cardo_state_set_q(l->state, open);
    cardo_state_prescribe(l->system, l->state);
    assert_ok(cardo_assemble_q(l->system, l->state, NULL, NULL, &error), &error);
}

static void destroy(linkage *l)
{
    cardo_force_provider_destroy(l->provider);
    cardo_state_destroy(l->state);
    cardo_system_destroy(l->system);
}

/* Freudenstein (1955): zero for the angles of crank and rocker of a closed linkage. */
static double freudenstein(const linkage *l, const double *q)
{
    const double phi = q[CRANK], psi = q[ROCKER];
    const double K3 = (l->crank * l->crank - l->coupler * l->coupler + l->rocker * l->rocker +
                       l->ground * l->ground) /
                      (2 * l->crank * l->rocker);
    return l->ground / l->crank * cos(psi) - l->ground / l->rocker * cos(phi) + K3 - cos(phi - psi);
}

static cardo_drive *drive_of(double from, double to, int passes, bool statically)
{
    cardo_error error = {0};
    cardo_drive *drive;
    cardo_drive_options options;
    cardo_fields_default(cardo_drive_fields, &options);
    options.motion = CARDO_DRIVE_SMOOTH;
    options.from = from;
    options.to = to;
    options.duration = 10;
    options.passes = passes;
    options.statically = statically;
    assert_ok(cardo_drive_create(&options, &drive, &error), &error);
    return drive;
}

static cardo_simulation *simulate(const linkage *l, bool statically, double timestep)
{
    cardo_error error = {0};
    cardo_simulation *simulation;
    cardo_simulation_options options;
    const cardo_minimization_options rests = {.iterations = 500, .tolerance = 1e-7};
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = timestep;
    options.velocities = CARDO_VELOCITIES_ZERO;
    assert_ok(cardo_simulation_create(l->system, l->state, l->provider,
                                      statically ? &cardo_integrator_quasi_static
                                                 : &cardo_integrator_verlet,
                                      &options, statically ? &rests : NULL, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    return simulation;
}

/* A crank that can go round does, there and back: closed all the way, for no work in the end. */
static void a_crank_goes_round(void **test)
{
    (void)test;
    for (int mode = 0; mode < 2; ++mode) {
        linkage l = {.crank = 1, .coupler = 2.5, .rocker = 2, .ground = 3};
        cardo_error error = {0};
        cardo_end end;
        cardo_frame frame;
        const bool statically = mode == 1;
        const double timestep = statically ? 0.1 : 0.01;
        const int steps = (int)lround(20 / timestep);
        cardo_drive *drive = drive_of(0.9, 0.9 + 2 * CARDO_PI, 2, statically);
        const cardo_function f = cardo_drive_function(drive);
        double worst = 0, most_work = 0, balance = 0, first, round = 0;
        make(&l, &f, false);
        cardo_simulation *simulation = simulate(&l, statically, timestep);
        assert_int_equal(cardo_simulation_degrees(simulation), 1);
        cardo_simulation_frame(simulation, &frame);
        first = frame.conserved;
        for (int step = 1; step <= steps; ++step) {
            assert_ok(cardo_simulation_run(simulation, step, NULL, &end, &error), &error);
            cardo_simulation_frame(simulation, &frame);
            worst = fmax(worst, fabs(freudenstein(&l, cardo_state_q(frame.state))));
            most_work = fmax(most_work, fabs(frame.work));
            balance = fmax(balance, fabs(frame.conserved - first));
            if (2 * step == steps)
                round = frame.work;
        }
        print_message("%s: off the manifold by %.1e, work up to %.4g, %.2e after a round, %.2e in "
                      "the end, balance %.1e\n",
                      statically ? "quasi-static" : "verlet", worst, most_work, round, frame.work,
                      balance);
        assert_close(cardo_state_q(frame.state)[CRANK], 0.9, 1e-9);
        assert_true(worst < 1e-11);
        assert_true(most_work > 5);
        assert_true(!statically || fabs(frame.work) < 1e-6);
        assert_true(balance < 1e-3 * most_work || statically);
        cardo_simulation_destroy(simulation);
        destroy(&l);
        cardo_drive_destroy(drive);
    }
}

/* One that cannot ends where coupler and rocker are stretched, located to rounding, and says so. */
static void a_dead_point_is_told(void **test)
{
    (void)test;
    linkage l = {.crank = 2, .coupler = 1.2, .rocker = 1.5, .ground = 2.2};
    const double dead = acos((l.crank * l.crank + l.ground * l.ground -
                              (l.coupler + l.rocker) * (l.coupler + l.rocker)) /
                             (2 * l.crank * l.ground));
    for (int mode = 0; mode < 2; ++mode) {
        cardo_error error = {0};
        cardo_end end;
        cardo_frame frame;
        const bool statically = mode == 1;
        cardo_drive *drive = drive_of(0.9, 2.5, 1, statically);
        const cardo_function f = cardo_drive_function(drive);
        make(&l, &f, false);
        cardo_simulation *simulation = simulate(&l, statically, 0.02);
        const cardo_status status = cardo_simulation_run(simulation, 500, NULL, &end, &error);
        cardo_simulation_frame(simulation, &frame);
        print_message("%s\n  ended %.3g before the dead point, %.9g\n", error.message,
                      dead - cardo_state_q(frame.state)[CRANK], dead);
        assert_int_equal(status, CARDO_ERROR_NUMERICAL);
        assert_int_equal(end, CARDO_END_FAILED);
        assert_true(!statically || strstr(error.message, "crank") != NULL);
        assert_true(cardo_state_q(frame.state)[CRANK] < dead);
        assert_true(cardo_state_q(frame.state)[CRANK] > dead - 0.1);
        assert_close(freudenstein(&l, cardo_state_q(frame.state)), 0, 1e-11);
        /* from the step that is kept the way is followed to its end */
        assert_fails(cardo_follow_motions(l.system, l.state, 10, &error), &error,
                     CARDO_ERROR_NUMERICAL, "closure (ball)");
        print_message("%s\n  %.3g from the dead point\n", error.message,
                      cardo_state_q(l.state)[CRANK] - dead);
        assert_close(cardo_state_q(l.state)[CRANK], dead, 1e-9);
        cardo_simulation_destroy(simulation);
        destroy(&l);
        cardo_drive_destroy(drive);
    }
}

/* Back in time the same way is gone, however far at once: a projection over the whole of it closes the linkage on its other side, or not
 * at all. */
static void the_way_back_is_the_way_there(void **test)
{
    (void)test;
    linkage l = {.crank = 1, .coupler = 2.5, .rocker = 2, .ground = 3};
    cardo_error error = {0};
    double first[NQ];
    cardo_drive *drive = drive_of(0.9, 0.9 + 1.25 * CARDO_PI, 1, true);
    const cardo_function f = cardo_drive_function(drive);
    make(&l, &f, false);
    memcpy(first, cardo_state_q(l.state), sizeof first);
    assert_ok(cardo_follow_motions(l.system, l.state, 10, &error), &error);
    assert_close(cardo_state_q(l.state)[CRANK], 0.9 + 1.25 * CARDO_PI, 1e-9);
    assert_true(fabs(cardo_state_q(l.state)[ROCKER] - first[ROCKER]) > 0.5);
    assert_ok(cardo_follow_motions(l.system, l.state, 0, &error), &error);
    print_message("back: off by %.1e and %.1e\n", cardo_state_q(l.state)[CRANK] - first[CRANK],
                  cardo_state_q(l.state)[ROCKER] - first[ROCKER]);
    assert_close(cardo_state_q(l.state)[CRANK], first[CRANK], 1e-9);
    assert_close(cardo_state_q(l.state)[ROCKER], first[ROCKER], 1e-9);
    assert_close(freudenstein(&l, cardo_state_q(l.state)), 0, 1e-11);
    destroy(&l);
    cardo_drive_destroy(drive);
}

/* What a constraint holds cannot be driven; the pendulum, which it does not touch, can. */
static void what_is_held_is_known(void **test)
{
    (void)test;
    linkage l = {.crank = 1, .coupler = 2.5, .rocker = 2, .ground = 3};
    for (int locked = 0; locked < 2; ++locked) {
        cardo_error error = {0};
        char name[CARDO_CONSTRAINT_ROW_NAME];
        make(&l, NULL, locked);
        assert_ok(cardo_realize(l.system, l.state, CARDO_STAGE_DYNAMICS, &error), &error);
        for (int u = 0; u < NQ; ++u) {
            bool is_free;
            int row;
            assert_ok(cardo_mobility_is_free(l.system, l.state, u, &is_free, &row, &error), &error);
            assert_int_equal(is_free, !locked || u == PENDULUM);
            if (u == ROCKER && locked)
                assert_non_null(strstr(cardo_constraint_row_name(l.system, row, name), "lock"));
        }
        destroy(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crank_goes_round),
        cmocka_unit_test(a_dead_point_is_told),
        cmocka_unit_test(the_way_back_is_the_way_there),
        cmocka_unit_test(what_is_held_is_known),
    };
    return support_run(tests, NULL, NULL);
}
