/* LAO on a table of its forces: the stated error at random places, and a long run whose histogram is
 * the exact density of its one inner coordinate, exp(-U/kT) sqrt(det M).
 *
 *   test_force_table_lao [PLACES]   (default 1000) */
#include "base/memory.h"
#include "base/units.h"
#include "dynamics/simulation.h"
#include "dynamics/tables/table_provider.h"
#include "multibody/tree/operators.h"
#include "study/session/session.h"
#include "study/session/table.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 24, SAMPLES = 6000, STRIDE = 50 };

static int places = 1000;
static const double low = -0.12, high = 0.25, temperature = 300;

static cardo_session *build(void)
{
    static char text[2048];
    cardo_session *session = NULL;
    cardo_error error = {0};
    snprintf(
        text, sizeof text,
        "<cardo version=\"1\"><model name=\"LAO\">"
        "<structure id=\"open\" file=\"%s\"/><structure id=\"closed\" file=\"%s\"/>"
        "<domain name=\"stationary\" residues=\"A:1-89,A:194-238\"/>"
        "<domain name=\"mobile\" residues=\"A:92-191\"/>"
        "<hinge residues=\"A:90-91,A:192-193\"/>"
        "<body name=\"stationary\" domains=\"stationary\"/>"
        "<body name=\"mobile\" domains=\"mobile\" parent=\"stationary\"><path/></body>"
        "<forcefield files=\"ff14SB.xml\" provider=\"rigid\" precision=\"double\" solvent=\"none\" "
        "table=\"%g:%g\" table-error=\"0.05\"/></model></cardo>",
        support_shared("reference/openmm/2lao_min/2lao_min.pdb"), support_shared("pdb/1lst.pdb"),
        low, high);
    const char *path = support_write("lao.xml", text);
    assert_ok(cardo_session_open(path, NULL, NULL, &session, &error), &error);
    assert_ok(cardo_session_tabulate(session, NULL, false, NULL, &error), &error);
    assert_non_null(session->table);
    return session;
}

static void the_error_holds_at_random_places(cardo_session *session)
{
    cardo_error error = {0};
    cardo_table_source *source;
    cardo_evaluator *table;
    double generalized[7], q[8];
    unsigned seed = 11;
    assert_ok(cardo_table_source_create(session->system, session->state, session->provider, &source,
                                        &error),
              &error);
    assert_ok(cardo_evaluator_create(session->system, session->table, &table, &error), &error);
    memcpy(q, cardo_state_q(session->state), sizeof q);
    double worst = 0;
    for (int n = 0; n < places; ++n) {
        double energy, gradient;
        seed = seed * 1664525u + 1013904223u;
        q[7] = low + (high - low) * (seed >> 8) / 16777216.0;
        assert_ok(cardo_table_source_evaluate(source, &q[7], &energy, &gradient, &error), &error);
        cardo_state_set_q(session->state, q);
        assert_ok(cardo_evaluate(table, session->state, &error), &error);
        assert_ok(cardo_evaluator_generalized_forces(table, session->state, generalized, &error),
                  &error);
        double miss = fabs(generalized[6] + gradient) / (0.05 + 1e-4 * fabs(gradient));
        worst = fmax(worst, miss);
        assert_close(cardo_evaluator_energy(table), energy, 1e-3 + 1e-6 * fabs(gradient));
    }
    print_message("force error %.3f of what is allowed at %d places\n", worst, places);
    assert_true(worst <= 1);
    cardo_evaluator_destroy(table);
    cardo_table_source_destroy(source);
}

static int bin_of(double q)
{
    /* About the open minimum, where the run lives. */
    const double from = -0.045, to = 0.015;
    int bin = (int)floor((q - from) / (to - from) * BINS);
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

static void expected_density(cardo_session *session, double *density)
{
    enum { POINTS = 6000 };
    const double kT = CARDO_BOLTZMANN * temperature;
    cardo_error error = {0};
    cardo_evaluator *table;
    double q[8], sum = 0, reference = 0;
    assert_ok(cardo_evaluator_create(session->system, session->table, &table, &error), &error);
    memcpy(q, cardo_state_q(session->state), sizeof q);
    memset(density, 0, BINS * sizeof *density);
    for (int n = 0; n < POINTS; ++n) {
        double log_det;
        q[7] = low + (high - low) * (n + 0.5) / POINTS;
        cardo_state_set_q(session->state, q);
        assert_ok(cardo_evaluate(table, session->state, &error), &error);
        assert_ok(cardo_realize(session->system, session->state, CARDO_STAGE_DYNAMICS, &error),
                  &error);
        assert_ok(cardo_log_det_m(session->system, session->state, &log_det, &error), &error);
        double exponent = 0.5 * log_det - cardo_evaluator_energy(table) / kT;
        if (n == 0)
            reference = exponent;
        double weight = exp(exponent - reference);
        density[bin_of(q[7])] += weight;
        sum += weight;
    }
    for (int k = 0; k < BINS; ++k)
        density[k] /= sum;
    cardo_evaluator_destroy(table);
}

static void run(cardo_session *session, int *count, double *correlation)
{
    static double series[SAMPLES];
    cardo_error error = {0};
    cardo_simulation *simulation;
    cardo_end end;
    cardo_simulation_options options;
    cardo_langevin_options own;
    cardo_fields_default(cardo_simulation_fields, &options);
    cardo_fields_default(cardo_integrator_baoab.fields, &own);
    options.timestep = 0.1;
    options.temperature = temperature;
    options.seed = (long long)support_seed(23);
    own.friction = 2;
    assert_ok(cardo_simulation_create(session->system, session->state,
                                      cardo_session_forces(session), &cardo_integrator_baoab,
                                      &options, &own, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    double mean = 0, square = 0, product = 0;
    for (int n = 0; n < SAMPLES; ++n) {
        assert_ok(
            cardo_simulation_run(simulation, (long long)STRIDE * (n + 20), NULL, &end, &error),
            &error);
        series[n] = cardo_state_q(session->state)[7];
        ++count[bin_of(series[n])];
        mean += series[n] / SAMPLES;
    }
    for (int n = 0; n + 1 < SAMPLES; ++n) {
        square += (series[n] - mean) * (series[n] - mean);
        product += (series[n] - mean) * (series[n + 1] - mean);
    }
    *correlation = product / square;
    assert_int_equal(cardo_table_provider_outside(session->table), 0);
    cardo_simulation_destroy(simulation);
}

/* Chi squared by the cube-root approximation (Wilson & Hilferty 1931): a standard normal number. */
static double normal_of(double chi_squared, int degrees)
{
    double part = 2.0 / (9.0 * degrees);
    return (cbrt(chi_squared / degrees) - (1 - part)) / sqrt(part);
}

static void the_histogram_is_the_exact_density(cardo_session *session)
{
    double density[BINS], correlation, chi_squared = 0;
    int count[BINS] = {0}, bins = 0;
    expected_density(session, density);
    double q[8];
    memcpy(q, cardo_state_q(session->state), sizeof q);
    q[7] = -0.018;
    cardo_state_set_q(session->state, q);
    run(session, count, &correlation);
    double expected = 0, found = 0;
    for (int k = 0; k < BINS; ++k) {
        /* Bins are joined until ten are expected. */
        expected += SAMPLES * density[k];
        found += count[k];
        if (expected < 10 && k + 1 < BINS)
            continue;
        if (expected > 0) {
            chi_squared += (found - expected) * (found - expected) / expected;
            ++bins;
        }
        expected = found = 0;
    }
    double z = normal_of(chi_squared, bins - 1);
    print_message("chi squared %.1f in %d bins: %.2f standard deviations; samples correlate by "
                  "%.3f\n",
                  chi_squared, bins, z, correlation);
    assert_true(bins >= 10);
    assert_true(fabs(correlation) < 0.05);
    assert_true(z < 3.09); /* p > 0.001 */
}

static void lao_on_a_table(void **unused)
{
    (void)unused;
    cardo_session *session = build();
    the_error_holds_at_random_places(session);
    the_histogram_is_the_exact_density(session);
    cardo_session_close(session);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        places = atoi(argv[1]);
    const struct CMUnitTest tests[] = {shared_statistical_test(lao_on_a_table)};
    return support_run(tests, NULL, NULL);
}
