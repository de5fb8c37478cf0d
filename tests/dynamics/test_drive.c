/* Driven coordinates: their courses, the work they take, and the force that it takes to hold or to
 * lead them. */
#include "base/units.h"
#include "dynamics/drive.h"
#include "dynamics/minimization.h"
#include "models.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"
#include "sampling.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static cardo_drive_options course(int motion)
{
    cardo_drive_options options;
    cardo_fields_default(cardo_drive_fields, &options);
    options.motion = motion;
    options.from = 0.1;
    options.to = 0.7;
    options.duration = 5;
    options.passes = motion == CARDO_DRIVE_RAMP ? 1 : 3;
    options.statically = false;
    strcpy(options.points, "0 0.1, 2 0.9; 3 0.2\n5 0.7");
    return options;
}

static cardo_drive *drive_of(const cardo_drive_options *options)
{
    cardo_error error;
    cardo_drive *drive;
    assert_ok(cardo_drive_create(options, &drive, &error), &error);
    return drive;
}

static void courses_are_smooth_and_end_where_they_should(void **test)
{
    (void)test;
    for (int motion = CARDO_DRIVE_RAMP; motion <= CARDO_DRIVE_SPLINE; ++motion) {
        const cardo_drive_options options = course(motion);
        cardo_drive *drive = drive_of(&options);
        double length = cardo_drive_length(drive), out[3], up[3], down[3];
        assert_close(length, 5.0 * options.passes, 1e-12);
        for (int pass = 0; pass <= options.passes; ++pass) {
            cardo_drive_evaluate(drive, 5.0 * pass, out);
            assert_close(out[0], pass % 2 ? 0.7 : 0.1, 1e-12);
            if (motion != CARDO_DRIVE_RAMP)
                assert_close(out[1], 0, 1e-12);
        }
        for (double t = 0.013; t < length - 0.01; t += 0.0637) {
            const double h = 1e-5;
            cardo_drive_evaluate(drive, t, out);
            cardo_drive_evaluate(drive, t + h, up);
            cardo_drive_evaluate(drive, t - h, down);
            assert_close(out[1], (up[0] - down[0]) / (2 * h), 1e-8);
            assert_close(out[2], (up[1] - down[1]) / (2 * h), 1e-4);
        }
        cardo_drive_evaluate(drive, length + 1, up);
        assert_close(up[0], options.passes % 2 ? 0.7 : 0.1, 1e-12);
        assert_true(up[1] == 0 && up[2] == 0);
        cardo_drive_destroy(drive);
    }
    cardo_drive_options options = course(CARDO_DRIVE_SPLINE);
    cardo_drive *drive = drive_of(&options);
    double out[3];
    cardo_drive_evaluate(drive, 2, out);
    assert_close(out[0], 0.9, 1e-12);
    cardo_drive_evaluate(drive, 5 + 2, out); /* coming back */
    assert_close(out[0], 0.2, 1e-12);
    cardo_drive_destroy(drive);
}

static void courses_that_make_no_sense_are_refused(void **test)
{
    (void)test;
    static const struct {
        const char *points, *message;
    } cases[] = {{"", "two or more"},          {"0 1", "two or more"},
                 {"1 0.1, 2 0.2", "time 0"},   {"0 0.1, 2 0.2, 2 0.3", "does not come after"},
                 {"0 0.1, 2 x", "coordinate"}, {"0 0.1, y 1", "time"},
                 {"0 0.1, 2", "coordinate"},   {"0 0.1, 2 inf", "coordinate"}};
    cardo_error error;
    cardo_drive *drive;
    cardo_drive_options options = course(CARDO_DRIVE_SPLINE);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        strcpy(options.points, cases[k].points);
        assert_fails(cardo_drive_create(&options, &drive, &error), &error, CARDO_ERROR_INPUT,
                     cases[k].message);
    }
    options = course(CARDO_DRIVE_RAMP);
    options.passes = 2;
    assert_fails(cardo_drive_create(&options, &drive, &error), &error, CARDO_ERROR_INPUT,
                 "cannot turn round");
    options.statically = true;
    assert_ok(cardo_drive_create(&options, &drive, &error), &error);
    cardo_drive_destroy(drive);
}

/* What a run of a driven model showed. */
typedef struct record {
    double work, half_way_work, half_way_potential, first_potential, worst_balance, conserved;
    double highest_work;
} record;

static record run(test_model *model, const cardo_integrator *integrator, const void *own,
                  double timestep, double length)
{
    cardo_error error;
    cardo_end end;
    cardo_frame frame;
    record r = {0};
    cardo_simulation *simulation;
    cardo_simulation_options options;
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = timestep;
    options.velocities = CARDO_VELOCITIES_ZERO;
    options.max_energy_jump = 1e6;
    assert_ok(cardo_simulation_create(model->system, model->state, model->provider, integrator,
                                      &options, own, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    cardo_simulation_frame(simulation, &frame);
    r.first_potential = frame.potential;
    double start = frame.conserved;
    assert_true(frame.work == 0);
    long long steps = llround(length / timestep);
    for (long long step = 1; step <= steps; ++step) {
        assert_ok(cardo_simulation_run(simulation, step, NULL, &end, &error), &error);
        cardo_simulation_frame(simulation, &frame);
        assert_close(frame.conserved, frame.total - frame.work, 1e-9);
        r.worst_balance = fmax(r.worst_balance, fabs(frame.conserved - start));
        r.highest_work = fmax(r.highest_work, fabs(frame.work));
        if (step == steps / 2) {
            r.half_way_work = frame.work;
            r.half_way_potential = frame.potential;
        }
    }
    r.work = frame.work;
    cardo_simulation_destroy(simulation);
    return r;
}

/* One coordinate in all, whose M changes: a cycle costs nothing at any speed, and half of it the
 * difference in potential, as far as the trapezoidal rule can tell. */
static void a_cycle_costs_nothing(void **test)
{
    (void)test;
    for (int motion = CARDO_DRIVE_SMOOTH; motion <= CARDO_DRIVE_SPLINE; ++motion) {
        double balance[2];
        for (int fine = 0; fine < 2; ++fine) {
            test_model model;
            cardo_drive_options options = course(motion);
            options.passes = 2;
            cardo_drive *drive = drive_of(&options);
            const cardo_function f = cardo_drive_function(drive);
            model_driven_path(&model, &f);
            record r = run(&model, &cardo_integrator_verlet, NULL, fine ? 0.02 : 0.04, 10);
            print_message("motion %d: work %.2e of up to %.3g; half-way %.5f for %.5f kJ/mol; "
                          "balance to %.2e\n",
                          motion, r.work, r.highest_work, r.half_way_work,
                          r.half_way_potential - r.first_potential, r.worst_balance);
            assert_true(r.highest_work > 20);
            assert_close(r.work, 0, 2e-3 * r.highest_work);
            balance[fine] = r.worst_balance;
            model_destroy(&model);
            cardo_drive_destroy(drive);
        }
        assert_close(balance[0] / balance[1], 4, 0.6);
    }
}

/* Work, kinetic and potential energy of a free body with a swinging arm balance to second order. */
static void the_books_balance(void **test)
{
    (void)test;
    double balance[2];
    for (int fine = 0; fine < 2; ++fine) {
        test_model model;
        model_swung(&model, 4.0);
        record r =
            run(&model, &cardo_integrator_verlet, NULL, fine ? 0.005 : 0.01, 2 * CARDO_PI / 4);
        balance[fine] = r.worst_balance;
        print_message("work up to %.3g, %.3g at the end; balance to %.2e kJ/mol\n", r.highest_work,
                      r.work, r.worst_balance);
        assert_true(r.highest_work > 1);
        model_destroy(&model);
    }
    assert_close(balance[0] / balance[1], 4, 0.6);
}

/* At rest the motive force is the slope of the energy in the driven coordinate, everything else at
 * its minimum, and its integral the energy. */
static void quasi_static_work_is_the_energy(void **test)
{
    (void)test;
    test_model model;
    cardo_drive_options options = course(CARDO_DRIVE_SINUSOID);
    options.passes = 2;
    options.statically = true;
    cardo_drive *drive = drive_of(&options);
    const cardo_function f = cardo_drive_function(drive);
    const cardo_minimization_options own = {.iterations = 200, .tolerance = 1e-7};
    model_driven_arm(&model, &f);
    double q[8] = {1, 0, 0, 0, 0.3, -0.2, 0.1, 0.1}; /* the base is off its place */
    cardo_state_set_q(model.state, q);
    record r = run(&model, &cardo_integrator_quasi_static, &own, 0.05, 10);
    print_message("work half-way %.6f for %.6f kJ/mol, %.1e at the end\n", r.half_way_work,
                  r.half_way_potential - r.first_potential, r.work);
    assert_close(r.half_way_potential, 0.5 * model.stiffness * 0.5 * 0.5, 1e-9);
    assert_close(r.first_potential, 0.5 * model.stiffness * 0.1 * 0.1, 1e-9);
    /* The trapezoidal rule is exact for a force that is linear in q. */
    assert_close(r.half_way_work, r.half_way_potential - r.first_potential, 1e-9);
    assert_close(r.work, 0, 1e-9);
    double motive[7];
    cardo_error error;
    cardo_state_set_time(model.state, 5.0);
    cardo_state_prescribe(model.system, model.state);
    cardo_evaluator *evaluator;
    assert_ok(cardo_evaluator_create(model.system, model.provider, &evaluator, &error), &error);
    assert_ok(cardo_evaluate(evaluator, model.state, &error), &error);
    assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_ACCELERATION, &error), &error);
    assert_ok(cardo_motive_forces(model.system, model.state, motive, &error), &error);
    assert_close(motive[6], model.stiffness * (0.7 - model.rest), 1e-9);
    cardo_evaluator_destroy(evaluator);
    model_destroy(&model);
    cardo_drive_destroy(drive);
}

static double held_angle;

static void make_held(test_model *model)
{
    model_held(model, &held_angle);
}

/* The second angle of a double pendulum without potential, held: the free energy of the rest is -kT/2
 * ln M_11, so the motive force is on average its slope, -kT/2 d ln M_11/dq. */
static void mean_motive_force_is_the_slope_of_the_free_energy(void **test)
{
    (void)test;
    enum { SAMPLES = 30000 };
    static double motive[SAMPLES];
    const double temperature = 3000, kT = CARDO_BOLTZMANN * temperature;
    const double angles[] = {0.6, 1.6, 2.6};
    for (int i = 0; i < 3; ++i) {
        cardo_error error;
        cardo_end end;
        test_model model;
        cardo_simulation *simulation;
        cardo_simulation_options options;
        cardo_langevin_options own;
        double inertia[2], M[4];
        held_angle = angles[i];
        make_held(&model);
        for (int side = 0; side < 2; ++side) {
            const double q[2] = {0, angles[i] + (side ? 1e-5 : -1e-5)};
            cardo_state_set_q(model.state, q);
            assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_POSITION, &error),
                      &error);
            assert_ok(cardo_mass_matrix(model.system, model.state, M, &error), &error);
            inertia[side] = M[0];
        }
        double expected = -0.5 * kT * log(inertia[1] / inertia[0]) / 2e-5;
        cardo_fields_default(cardo_simulation_fields, &options);
        cardo_fields_default(cardo_langevin_fields, &own);
        own.friction = 4;
        options.timestep = 0.02;
        options.temperature = temperature;
        options.seed = (long long)support_seed(4) + i;
        assert_ok(cardo_simulation_create(model.system, model.state, model.provider,
                                          &cardo_integrator_langevin, &options, &own, &simulation,
                                          &error),
                  &error);
        assert_int_equal(cardo_simulation_degrees(simulation), 1);
        assert_ok(cardo_simulation_start(simulation, &error), &error);
        for (int k = 0; k < SAMPLES; ++k) {
            double forces[2];
            assert_ok(cardo_simulation_run(simulation, 5 * (k + 1), NULL, &end, &error), &error);
            assert_ok(cardo_motive_forces(model.system, model.state, forces, &error), &error);
            motive[k] = forces[1];
        }
        assert_mean("mean motive force", motive, SAMPLES, expected, 3.5, 0.3);
        assert_true(fabs(expected) > 3);
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(courses_are_smooth_and_end_where_they_should),
        cmocka_unit_test(courses_that_make_no_sense_are_refused),
        cmocka_unit_test(a_cycle_costs_nothing),
        cmocka_unit_test(the_books_balance),
        cmocka_unit_test(quasi_static_work_is_the_energy),
        statistical_test(mean_motive_force_is_the_slope_of_the_free_energy),
    };
    return support_run(tests, NULL, NULL);
}
