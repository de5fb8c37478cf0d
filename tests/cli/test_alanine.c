/* The mixed sampler on alanine dipeptide in vacuum (ff14SB, 700 K, where phi crosses its barriers in a
 * test's time): phi's histogram against a long run of OpenMM's own Langevin dynamics, whose counts are
 * in alanine_reference.txt (made by alanine_reference.py). Both are of the time when the peptide bonds are
 * trans: at 700 K one turns to cis a few times in tens of nanoseconds and stays for one, so no run knows how
 * often.
 *
 * test_alanine long CYCLES SEED [TORSIONS] prints the angles and energies of a long run instead, for
 * alanine_reference.py to compare. */
#include "support/support.h"

#include "analysis/free_energy/statistics.h"
#include "multibody/tree/operators.h"
#include "sampling/mixed/mixed.h"
#include "study/sample/mixed_hinges.h"
#include "study/sample/variable_options.h"
#include "study/session/forces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 12 };

typedef struct sampler {
    cardo_session *session;
    cardo_mixed_hinges hinges;
    cardo_force_provider *provider;
    cardo_variable *phi, *psi, *omega[2];
    cardo_mixed *mixed;
} sampler;

static void open_sampler(sampler *s, const char *torsions, const char *base,
                         const cardo_mixed_options *options)
{
    static char text[2048];
    cardo_error error = {0};
    const cardo_variable_options torsion[4] = {
        {.kind = 3, .group = {"A:1@C", "A:2@N", "A:2@CA", "A:2@C"}},
        {.kind = 3, .group = {"A:2@N", "A:2@CA", "A:2@C", "A:3@N"}},
        {.kind = 3, .group = {"A:1@CH3", "A:1@C", "A:2@N", "A:2@CA"}},
        {.kind = 3, .group = {"A:2@CA", "A:2@C", "A:3@N", "A:3@C"}},
    };
    cardo_variable **variable[4] = {&s->phi, &s->psi, &s->omega[0], &s->omega[1]};
    double positions[3 * 22];
    memset(s, 0, sizeof *s);
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"a\"><structure id=\"a\" file=\"%s\"/>"
             "<domain name=\"d\" residues=\"A:1-3\"/><body name=\"all\" domains=\"d\" base=\"%s\"/>"
             "<flexible residues=\"A:1-3\" torsions=\"%s\"/>"
             "<forcefield files=\"ff14SB.xml\" solvent=\"none\" platform=\"Reference\"/>"
             "</model></cardo>",
             support_source("pdb/alanine.pdb"), base, torsions);
    const char *path = support_write("alanine.xml", text);
    assert_ok(cardo_session_open(path, NULL, NULL, &s->session, &error), &error);
    assert_int_equal(cardo_system_nstation(s->session->system), 22);
    assert_ok(cardo_mixed_hinges_make(s->session, &s->hinges, &error), &error);
    assert_ok(cardo_session_whole_provider(s->session, &s->provider, &error), &error);
    for (int k = 0; k < 4; ++k)
        assert_ok(cardo_variable_from_options(s->session, &torsion[k], variable[k], &error),
                  &error);
    assert_ok(cardo_station_positions(s->session->system, s->session->state, positions, &error),
              &error);
    assert_ok(
        cardo_mixed_create(&s->hinges.hinges, s->provider, options, positions, &s->mixed, &error),
        &error);
}

static void close_sampler(sampler *s)
{
    cardo_mixed_destroy(s->mixed);
    cardo_variable_destroy(s->phi);
    cardo_variable_destroy(s->psi);
    cardo_variable_destroy(s->omega[0]);
    cardo_variable_destroy(s->omega[1]);
    cardo_force_provider_destroy(s->provider);
    cardo_mixed_hinges_clear(&s->hinges);
    cardo_session_close(s->session);
}

static cardo_mixed_options options_of(long long seed)
{
    cardo_mixed_options options;
    cardo_fields_default(cardo_mixed_fields, &options);
    options.temperature = 700;
    options.hinge_turns = 8;
    options.seed = seed;
    return options;
}

static double value_of(const sampler *s, const cardo_variable *variable)
{
    cardo_error error = {0};
    double value;
    assert_ok(cardo_variable_value_at(variable, cardo_mixed_positions(s->mixed), &value, &error),
              &error);
    return value;
}

/* phi of every cycle behind burn-in in which both peptide bonds are trans (*n). */
static double *run(sampler *s, int burn_in, int cycles, int *n)
{
    cardo_error error = {0};
    double *phi = calloc((size_t)cycles, sizeof *phi);
    *n = 0;
    for (int k = 0; k < burn_in + cycles; ++k) {
        assert_ok(cardo_mixed_cycle(s->mixed, &error), &error);
        if (k >= burn_in && fabs(value_of(s, s->omega[0])) > acos(0) &&
            fabs(value_of(s, s->omega[1])) > acos(0))
            phi[(*n)++] = value_of(s, s->phi);
    }
    print_message("%d of %d cycles with trans peptide bonds\n", *n, cycles);
    return phi;
}

static int bin_of(double phi)
{
    const int b = (int)((phi + acos(-1)) / (2 * acos(-1)) * BINS);
    return b < 0 ? 0 : b < BINS ? b : BINS - 1;
}

/* Half the range of kT/2 ln det M over all values of the model's torsions, in kT: what the moves of
 * hinges would get wrong without Fixman's potential. */
static double metric_range(const char *torsions, const char *base)
{
    enum { STEPS = 36 };
    const double step = 2 * acos(-1) / STEPS;
    cardo_error error = {0};
    cardo_mixed_options options = options_of(1);
    sampler s;
    open_sampler(&s, torsions, base, &options);
    const int nq = cardo_system_nq(s.session->system), ntorsion = s.session->model->nbody - 1;
    double q[16], log_det, low = INFINITY, high = -INFINITY;
    memcpy(q, cardo_state_q(s.session->state), (size_t)nq * sizeof *q);
    for (int i = 0; i < (ntorsion == 2 ? STEPS * STEPS : STEPS); ++i) {
        q[nq - 1] = step * (i % STEPS);
        if (ntorsion == 2)
            q[nq - 2] = step * (i / STEPS);
        cardo_state_set_q(s.session->state, q);
        assert_ok(cardo_realize(s.session->system, s.session->state, CARDO_STAGE_DYNAMICS, &error),
                  &error);
        assert_ok(cardo_log_det_m(s.session->system, s.session->state, &log_det, &error), &error);
        low = fmin(low, log_det);
        high = fmax(high, log_det);
    }
    close_sampler(&s);
    return 0.25 * (high - low);
}

static void the_metric_is_known(void **test)
{
    (void)test;
    const double one = metric_range("phi", "free"), two = metric_range("phi psi", "free");
    print_message("half the range of kT/2 ln det M: %.3f kT over phi, %.3f kT over phi and psi\n",
                  one, two);
    assert_true(metric_range("phi", "welded") < 1e-12);
    assert_true(one > 0.05 && one < 0.2 && two > 0.1 && two < 0.3);
}

/* Shares and their standard errors of the long run. */
static void read_reference(double *share, double *sigma)
{
    char line[256];
    int n = 0, centre;
    FILE *file = fopen(support_source("tests/cli/alanine_reference.txt"), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (line[0] != '#') {
            assert_true(n < BINS);
            assert_int_equal(sscanf(line, "%d %lf %lf", &centre, &share[n], &sigma[n]), 3);
            assert_int_equal(bin_of(centre * acos(-1) / 180), n++);
        }
    assert_int_equal(n, BINS);
    fclose(file);
}

/* The side where phi is positive, behind barriers on both ends: bins from 0 to 150 degrees. */
static bool is_beyond(int bin)
{
    return bin >= BINS / 2 && bin < BINS - 1;
}

static double inefficiency(int n, const double *values)
{
    cardo_error error = {0};
    cardo_series_mean mean;
    assert_ok(cardo_series_statistics(n, values, &mean, &error), &error);
    return fmax(1, mean.inefficiency);
}

/* Pearson's chi-square of the bins on this side of the barriers, of one sample in as many as cosine or
 * sine remember, over bins joined until 5 counts are expected in each. The reference's own errors
 * make the variance of a count larger. Returns how many standard normal deviations it lies above its
 * mean (Wilson & Hilferty 1931). */
static double excess(const double *phi, int n, const double *share, const double *sigma)
{
    double counts[BINS] = {0}, sum = 0, expected = 0, variance = 0, found = 0, all = 0;
    double *here = calloc((size_t)n, sizeof *here), *values = calloc((size_t)n, sizeof *values);
    int m = 0, total = 0, joined = 0, gap;
    for (int i = 0; i < n; ++i)
        if (!is_beyond(bin_of(phi[i])))
            here[m++] = phi[i];
    for (int i = 0; i < m; ++i)
        values[i] = cos(here[i]);
    double memory = inefficiency(m, values);
    for (int i = 0; i < m; ++i)
        values[i] = sin(here[i]);
    gap = (int)ceil(fmax(memory, inefficiency(m, values)));
    for (int i = gap / 2; i < m; i += gap, ++total)
        counts[bin_of(here[i])] += 1;
    for (int b = 0; b < BINS; ++b)
        all += is_beyond(b) ? 0 : share[b];
    for (int b = 0; b < BINS; ++b) {
        if (is_beyond(b))
            continue;
        expected += total * share[b] / all;
        variance += total * share[b] / all + total * total * sigma[b] * sigma[b];
        found += counts[b];
        if (expected < 5 && b < BINS - 1)
            continue;
        sum += (found - expected) * (found - expected) / variance;
        expected = variance = found = 0;
        ++joined;
    }
    free(here);
    free(values);
    const double k = joined - 1, spread = 2 / (9 * k);
    print_message("chi-square %.1f of %d bins, %d independent samples, one in %d\n", sum, joined,
                  total, gap);
    assert_true(total >= 200 && joined >= 4);
    return (cbrt(sum / k) - (1 - spread)) / sqrt(spread);
}

/* How many standard errors the share beyond the barriers lies from the reference's, whose bins there rise
 * and fall together. */
static double side_deviation(const double *phi, int n, const double *share, const double *sigma)
{
    cardo_error error = {0};
    cardo_series_mean mean;
    double *beyond = calloc((size_t)n, sizeof *beyond), expected = 0, uncertain = 0;
    for (int i = 0; i < n; ++i)
        beyond[i] = is_beyond(bin_of(phi[i]));
    for (int b = 0; b < BINS; ++b) {
        expected += is_beyond(b) ? share[b] : 0;
        uncertain += is_beyond(b) ? sigma[b] : 0;
    }
    assert_ok(cardo_series_statistics(n, beyond, &mean, &error), &error);
    free(beyond);
    print_message("beyond the barriers %.4f +- %.4f, reference %.4f +- %.4f\n", mean.mean,
                  mean.sigma, expected, uncertain);
    return (mean.mean - expected) / hypot(mean.sigma, uncertain);
}

/* 3.1 above the mean: a right run fails once in 1000. The run is long enough to tell another density: the
 * reference's shares at 400 K, were the energy alone to change. Turns bring it over the barriers often enough
 * to know the share beyond them as well as the reference does. */
static void phi_is_unbiased(void **test)
{
    (void)test;
    enum { CYCLES = 14000 };
    double share[BINS], sigma[BINS], colder[BINS], sum = 0;
    cardo_mixed_options options = options_of((long long)support_seed(2));
    sampler s;
    read_reference(share, sigma);
    open_sampler(&s, "phi", "free", &options);
    int n;
    double *phi = run(&s, options.burn_in, CYCLES, &n);
    assert_true(excess(phi, n, share, sigma) < 3.1);
    assert_true(fabs(side_deviation(phi, n, share, sigma)) < 3.3);
    for (int b = 0; b < BINS; ++b)
        sum += colder[b] = pow(share[b], 700.0 / 400);
    for (int b = 0; b < BINS; ++b)
        colder[b] /= sum;
    assert_true(excess(phi, n, colder, sigma) > 3.1);
    free(phi);
    close_sampler(&s);
}

/* The columns of alanine_reference.py: phi, psi, both omegas, energy. */
static int print_long_run(int cycles, long long seed, const char *torsions)
{
    cardo_error error = {0};
    char report[512];
    sampler s;
    cardo_mixed_options options = options_of(seed);
    options.burn_in = 2000;
    open_sampler(&s, torsions, "free", &options);
    for (int k = 0; k < options.burn_in + cycles; ++k) {
        assert_ok(cardo_mixed_cycle(s.mixed, &error), &error);
        if (k >= options.burn_in)
            printf("%.4f %.4f %.4f %.4f %.3f\n", value_of(&s, s.phi), value_of(&s, s.psi),
                   value_of(&s, s.omega[0]), value_of(&s, s.omega[1]), cardo_mixed_energy(s.mixed));
    }
    cardo_mixed_report(s.mixed, report, sizeof report);
    fprintf(stderr, "%s%lld evaluations\n", report, cardo_mixed_evaluations(s.mixed));
    close_sampler(&s);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_metric_is_known),
                                       statistical_test(phi_is_unbiased)};
    if (argc > 3 && strcmp(argv[1], "long") == 0)
        return print_long_run(atoi(argv[2]), atoll(argv[3]), argc > 4 ? argv[4] : "phi");
    return support_run(tests, NULL, NULL);
}
