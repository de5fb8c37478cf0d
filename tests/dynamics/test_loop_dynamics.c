/* Motion on constraints: molecular loops that stay closed, energies that stay, continuation to the bit, and kinetic
 * energies (tests/reference/multibody/loops.json.gz). */
#include "loop_model.h"
#include "sampling.h"

#include "base/units.h"
#include "cardo/manifold.h"
#include "multibody/reference_json.h"
#include "support/reference.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *files;

static int open_files(void **unused)
{
    (void)unused;
    files = support_json(support_source("tests/reference/multibody/loops.json.gz"));
    return files ? 0 : -1;
}

static int close_files(void **unused)
{
    (void)unused;
    json_decref(files);
    return 0;
}

static cardo_simulation *begin(const loop_model *model, const char *integrator, int noption,
                               const char *const *options)
{
    cardo_error error = {0};
    cardo_simulation *simulation;
    assert_ok(cardo_simulation_open(model->system, model->state, model->provider, integrator,
                                    noption, options, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    return simulation;
}

static void run_to(cardo_simulation *simulation, long long step)
{
    cardo_error error = {0};
    cardo_end end;
    assert_ok(cardo_simulation_run(simulation, step, NULL, &end, &error), &error);
    assert_int_equal(end, CARDO_END_DONE);
}

static double largest(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(a[i]));
    return most;
}

/* Loops of one and of several freedoms, redundant rows among them: closed to 1e-12 in positions and velocities at every look, and
 * without drift of the energy. */
static void stays_closed(void **unused)
{
    static const char *const names[] = {"loop_k3_ball", "loop_k6_weld_redundant", "loop_k9_weld"};
    static const char *const options[] = {"timestep=0.02", "velocities=draw", "temperature=300"};
    const int steps = SUPPORT_SANITIZED ? 200 : 4000;
    (void)unused;
    for (int l = 0; l < 3; ++l) {
        loop_model model;
        cardo_frame frame;
        double errors[32], first = 0, mean[2] = {0, 0};
        cardo_constraint_counts counts;
        loop_open(&model, json_object_get(files, names[l]), 1);
        cardo_system_constraint_counts(model.system, &counts);
        cardo_simulation *simulation = begin(&model, "verlet", 3, options);
        assert_int_equal(cardo_simulation_degrees(simulation),
                         json_integer_value(json_object_get(model.file, "dof")));
        cardo_simulation_frame(simulation, &frame);
        first = frame.total;
        for (int s = 1; s <= 20; ++s) {
            run_to(simulation, (long long)s * steps / 20);
            cardo_simulation_frame(simulation, &frame);
            mean[s > 10] += frame.total / 10;
            assert_ok(cardo_constraint_position_errors(model.system, model.state, errors, NULL),
                      NULL);
            assert_true(largest(errors, counts.nposition) <= 1e-12);
            assert_ok(cardo_constraint_velocity_errors(model.system, model.state, errors, NULL),
                      NULL);
            assert_true(largest(errors, counts.nposition) <= 1e-12);
            assert_close(frame.total, first, 0.1);
        }
        assert_close(mean[1], mean[0], 0.02);
        cardo_simulation_destroy(simulation);
        loop_close(&model);
    }
}

/* A run that is stored and taken up goes on with the same bits. */
static void continues_to_the_bit(void **unused)
{
    static const char *const options[] = {"timestep=0.05", "seed=3"};
    static const char *const integrators[] = {"verlet",   "langevin", "baoab",
                                              "andersen", "hmc",      "ghmc"};
    (void)unused;
    for (int i = 0; i < 6; ++i) {
        loop_model model, other;
        cardo_error error = {0};
        loop_open(&model, json_object_get(files, "loop_k6_weld_redundant"), 1);
        loop_open(&other, json_object_get(files, "loop_k6_weld_redundant"), 1);
        cardo_simulation *a = begin(&model, integrators[i], 2, options);
        cardo_simulation *b = begin(&other, integrators[i], 2, options);
        cardo_snapshot snapshot = {.nvalue = cardo_simulation_snapshot_size(a)};
        snapshot.values = calloc((size_t)snapshot.nvalue, sizeof *snapshot.values);
        run_to(a, 10);
        cardo_simulation_save(a, &snapshot);
        run_to(a, 25);
        assert_ok(cardo_simulation_restore(b, &snapshot, &error), &error);
        run_to(b, 25);
        assert_memory_equal(cardo_state_q(model.state), cardo_state_q(other.state),
                            sizeof(double) * (size_t)cardo_system_nq(model.system));
        assert_memory_equal(cardo_state_u(model.state), cardo_state_u(other.state),
                            sizeof(double) * (size_t)cardo_system_nu(model.system));
        free(snapshot.values);
        cardo_simulation_destroy(a);
        cardo_simulation_destroy(b);
        loop_close(&model);
        loop_close(&other);
    }
}

static void others_say_so(void **unused)
{
    loop_model model;
    cardo_simulation *simulation;
    cardo_error error = {0};
    static const char *const closure[] = {"ensemble=closure"};
    (void)unused;
    loop_open(&model, json_object_get(files, "loop_k3_ball"), 1);
    assert_fails(cardo_simulation_open(model.system, model.state, model.provider, "rk4", 0, NULL,
                                       &simulation, &error),
                 &error, CARDO_ERROR_UNSUPPORTED, "does not stay on constraints");
    loop_close(&model);
    test_model spring;
    model_spring(&spring);
    assert_fails(cardo_simulation_open(spring.system, spring.state, spring.provider, "verlet", 1,
                                       closure, &simulation, &error),
                 &error, CARDO_ERROR_INPUT, "there are none");
    model_destroy(&spring);
}

enum { SAMPLES = 2500 };

/* Half a kT for each degree of freedom that constraints leave, and its fluctuation: marginals of coordinates, which take minutes, are
 * the program loop_marginals'. */
static void check_kinetic_energy(const char *loop, const char *integrator)
{
    static const char *const options[] = {
        "timestep=0.02",       "friction=10", "flight-tolerance=1e-8",
        "max-energy-jump=1e6", "seed=5",      "temperature=300"};
    static double series[2][SAMPLES];
    loop_model model;
    cardo_frame frame;
    loop_open(&model, json_object_get(files, loop), 1);
    cardo_simulation *simulation = begin(&model, integrator, 6, options);
    const double n = cardo_simulation_degrees(simulation), kT = CARDO_BOLTZMANN * 300;
    for (int s = 0; s < SAMPLES; ++s) {
        run_to(simulation, 20 + s);
        cardo_simulation_frame(simulation, &frame);
        series[0][s] = frame.kinetic;
        series[1][s] = frame.kinetic * frame.kinetic;
    }
    print_message("%s, %s\n", loop, integrator);
    assert_mean("kinetic energy", series[0], SAMPLES, 0.5 * n * kT, 4, 0.2 * n * kT);
    assert_mean("its square", series[1], SAMPLES, 0.25 * n * (n + 2) * kT * kT, 4,
                0.5 * n * (n + 2) * kT * kT);
    cardo_simulation_destroy(simulation);
    loop_close(&model);
}

static void kinetic_energy_of_one_freedom(void **unused)
{
    (void)unused;
    check_kinetic_energy("loop_k6_weld", "langevin");
}

static void kinetic_energy_of_four_freedoms(void **unused)
{
    (void)unused;
    check_kinetic_energy("loop_k9_weld", "langevin");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stays_closed),
        cmocka_unit_test(continues_to_the_bit),
        cmocka_unit_test(others_say_so),
        figures_test(kinetic_energy_of_one_freedom),
        figures_test(kinetic_energy_of_four_freedoms),
    };
    return support_run(tests, open_files, close_files);
}
