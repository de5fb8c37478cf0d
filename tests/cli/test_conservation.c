/* Constant-energy and constant-temperature dynamics of real proteins. The committed elbow: energy
 * error as h^2, mean kinetic energy under Langevin dynamics. LAO, 2500 steps of
 * 20 fs (`test_conservation long`: 20,000): no drift beyond the statistical error. */
#include "support/support.h"

#include "base/memory.h"
#include "base/units.h"
#include "dynamics/simulation.h"
#include "study/session/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 20000 };

typedef struct record {
    int count;
    double total[MOST_STEPS + 1], kinetic[MOST_STEPS + 1];
} record;

static cardo_status note(void *user, const cardo_frame *frame, cardo_error *error)
{
    (void)error;
    record *r = user;
    r->total[r->count] = frame->total;
    r->kinetic[r->count++] = frame->kinetic;
    return CARDO_OK;
}

static const char *elbow(const char *forces)
{
    static char text[2048];
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"elbow\">"
             "<structure id=\"first\" file=\"%s\"/><structure id=\"second\" file=\"%s\"/>"
             "<domain name=\"variable\" residues=\"1:2-108\"/><domain name=\"constant\" "
             "residues=\"1:114-216\"/>"
             "<hinge residues=\"1:109-113\"/><body name=\"variable\" domains=\"variable\"/>"
             "<body name=\"constant\" domains=\"constant\" parent=\"variable\"><path "
             "start=\"0.03\"/></body>"
             "<forcefield files=\"ff14SB.xml\" %s solvent=\"none\"/></model></cardo>",
             support_source("pdb/2mcg_1.pdb"), support_source("pdb/2mcg_2.pdb"), forces);
    return support_write("elbow.xml", text);
}

static const char *lao(void)
{
    static char text[2048];
    snprintf(
        text, sizeof text,
        "<cardo version=\"1\"><model name=\"LAO\">"
        "<structure id=\"open\" file=\"%s\"/><structure id=\"closed\" file=\"%s\"/>"
        "<domain name=\"stationary\" residues=\"A:1-89,A:194-238\"/><domain name=\"mobile\" "
        "residues=\"A:92-191\"/>"
        "<hinge residues=\"A:90-91,A:192-193\"/><body name=\"stationary\" domains=\"stationary\"/>"
        "<body name=\"mobile\" domains=\"mobile\" parent=\"stationary\"><path/></body>"
        "<forcefield files=\"ff14SB.xml\" provider=\"rigid\" solvent=\"none\"/></model></cardo>",
        support_shared("reference/openmm/2lao_min/2lao_min.pdb"), support_shared("pdb/1lst.pdb"));
    return support_write("lao.xml", text);
}

static void run(const char *model, const cardo_integrator *integrator, double timestep,
                long long steps, double friction, record *r)
{
    cardo_error error = {0};
    cardo_session *session = NULL;
    cardo_simulation *simulation;
    cardo_end end;
    cardo_simulation_options options;
    cardo_langevin_options own;
    cardo_fields_default(cardo_simulation_fields, &options);
    cardo_fields_default(integrator->fields, &own);
    options.timestep = timestep;
    options.seed = (long long)support_seed((uint64_t)options.seed);
    options.steps = steps;
    if (integrator == &cardo_integrator_langevin)
        own.friction = friction;
    r->count = 0;
    assert_ok(cardo_session_open(model, NULL, NULL, &session, &error), &error);
    assert_ok(cardo_simulation_create(session->system, session->state, session->provider,
                                      integrator, &options, &own, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_add_observer(
                  simulation, &(cardo_observer){.user = r, .interval = 1, .observe = note}, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    assert_ok(cardo_simulation_run(simulation, -1, NULL, &end, &error), &error);
    assert_int_equal(r->count, steps + 1);
    cardo_simulation_destroy(simulation);
    cardo_session_close(session);
}

static double spread(const record *r)
{
    double mean = 0, square = 0;
    for (int k = 0; k < r->count; ++k)
        mean += r->total[k] / r->count;
    for (int k = 0; k < r->count; ++k)
        square += (r->total[k] - mean) * (r->total[k] - mean) / r->count;
    return sqrt(square);
}

static record series;
static long long lao_steps = 2500;

static void energy_error_falls_as_the_square_of_the_step(void **unused)
{
    (void)unused;
    /* In double precision: the rounding of single precision, 0.015 kJ/mol here, would hide the
     * shorter steps' error. */
    double error[3];
    for (int k = 0; k < 3; ++k) {
        double h = 0.4 / (1 << k);
        run(elbow("provider=\"rigid\" precision=\"double\""), &cardo_integrator_verlet, h,
            (long long)(12 / h + 0.5), 0, &series);
        error[k] = spread(&series);
    }
    print_message("elbow in vacuum: energy spread %.4f, %.4f, %.4f kJ/mol at 400, 200, 100 fs: "
                  "ratios %.2f, %.2f\n",
                  error[0], error[1], error[2], error[0] / error[1], error[1] / error[2]);
    assert_close(error[0] / error[1], 4, 0.6);
    assert_close(error[1] / error[2], 4, 0.6);
}

/* Drift from the differences of consecutive block means, with its standard error from their scatter.
 * Single-precision forces make the energy a random walk: scatter about a fitted line would be far too
 * small a measure of what such a walk does by chance; the scatter of its steps is the right one. */
static void drift_of(const record *r, int blocks, double timestep, double *drift,
                     double *uncertainty)
{
    double mean[64], average, scatter = 0;
    int n = r->count / blocks;
    for (int b = 0; b < blocks; ++b) {
        mean[b] = 0;
        for (int k = 0; k < n; ++k)
            mean[b] += (r->total[b * n + k] - r->total[0]) / n;
    }
    average = (mean[blocks - 1] - mean[0]) / (blocks - 1);
    for (int b = 1; b < blocks; ++b)
        scatter += pow(mean[b] - mean[b - 1] - average, 2);
    *drift = average / (n * timestep);
    *uncertainty = sqrt(scatter / (blocks - 2) / (blocks - 1)) / (n * timestep);
}

static void energy_does_not_drift(void **unused)
{
    (void)unused;
    enum { DEGREES_OF_FREEDOM = 7 };
    double drift, uncertainty;
    run(lao(), &cardo_integrator_verlet, 0.02, lao_steps, 0, &series);
    drift_of(&series, 20, 0.02, &drift, &uncertainty);
    print_message(
        "LAO in vacuum, %lld steps of 20 fs: spread %.4f kJ/mol, drift %.1e +- %.1e kJ/mol/ps\n",
        lao_steps, spread(&series), drift, uncertainty);
    assert_close(drift, 0, 3 * uncertainty);
    assert_close(drift, 0, 1e-5 * DEGREES_OF_FREEDOM);
}

/* Mean kinetic energy within three standard errors of nu kT/2; the error from block means. */
static void temperature_is_the_baths(void **unused)
{
    (void)unused;
    enum { BLOCKS = 20, STEPS = 4000, LEFT_OUT = 200 };
    run(elbow("provider=\"rigid\""), &cardo_integrator_langevin, 0.1, STEPS, 5, &series);
    double mean = 0, scatter = 0, block[BLOCKS] = {0};
    int n = (series.count - LEFT_OUT) / BLOCKS;
    for (int b = 0; b < BLOCKS; ++b)
        for (int k = 0; k < n; ++k)
            block[b] += series.kinetic[LEFT_OUT + b * n + k] / n;
    for (int b = 0; b < BLOCKS; ++b)
        mean += block[b] / BLOCKS;
    for (int b = 0; b < BLOCKS; ++b)
        scatter += (block[b] - mean) * (block[b] - mean);
    double uncertainty = sqrt(scatter / (BLOCKS - 1) / BLOCKS),
           expected = 3.5 * CARDO_BOLTZMANN * 300;
    print_message("elbow at 300 K: mean kinetic energy %.3f +- %.3f kJ/mol, 7 kT/2 = %.3f\n", mean,
                  uncertainty, expected);
    assert_close(mean, expected, 3 * uncertainty);
    assert_true(uncertainty < 0.05 * expected);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "long") == 0)
        lao_steps = MOST_STEPS;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_error_falls_as_the_square_of_the_step),
        statistical_test(temperature_is_the_baths),
        shared_statistical_test(energy_does_not_drift),
    };
    return support_run(tests, NULL, NULL);
}
