/* Alanine dipeptide (ff14SB, in vacuum and in OBC2 water) that turns about phi and psi alone, all else rigid: where dynamics takes it
 * in either ensemble, against quadrature of exp(-U/kT), times sqrt(det M) in the rigid one, over all phi and psi. Walkers are drawn
 * independently from the density of quadrature and move on under `hmc`; they have that density ever after if the ensemble is what it is said
 * to be. Judged where they end: chi squared of both marginals, over bins of equal probability, and the mean of half ln det M, which is the
 * likelihood ratio of the two ensembles and tells them apart best.
 *
 * test_torsion_ensembles long [none|obc2 [TEMPERATURE [WALKERS [MOVES [SEED [UNDER]]]]]] makes more of them, of either density, and lets
 * them go on under either ensemble, or UNDER one. */
#include "support/support.h"

#include "base/units.h"
#include "dynamics/simulation.h"
#include "multibody/tree/operators.h"
#include "study/sample/variable_options.h"
#include "study/session/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRID = 180, BINS = 20, ENSEMBLES = 2 };
enum { PHI, PSI, ANGLES };

static const int ensembles[ENSEMBLES] = {CARDO_ENSEMBLE_RIGID, CARDO_ENSEMBLE_FIXMAN};

/* An ensemble by quadrature: the exponent of the density at the middles of cells (phi * GRID + psi), the density added up, and what
 * follows from it. */
typedef struct density {
    double exponent[GRID * GRID], sum[GRID * GRID];
    double edges[ANGLES][BINS + 1]; /* of bins of equal probability           */
    double beyond;                  /* share where phi is positive           */
    double half_log_det, spread;    /* mean and standard deviation           */
} density;

typedef struct dipeptide {
    cardo_session *session;
    double at_zero[ANGLES]; /* the angles where the model's coordinates are zero */
    double kT, least;       /* kJ/mol: lowest energy of the grid                 */
    double half_log_det[GRID * GRID];
    density by[ENSEMBLES];
} dipeptide;

static double pi(void)
{
    return acos(-1);
}

static double unit(uint64_t *seed)
{
    return 0.5 * (1 + support_random(seed));
}

static double middle_of(int cell)
{
    return -pi() + (cell + 0.5) * 2 * pi() / GRID;
}

static double turned(double angle)
{
    return remainder(angle, 2 * pi());
}

static void place(dipeptide *d, const double *angle)
{
    cardo_error error = {0};
    double q[ANGLES];
    for (int a = 0; a < ANGLES; ++a)
        q[a] = angle[a] - d->at_zero[a];
    cardo_state_set_q(d->session->state, q);
    assert_ok(cardo_realize(d->session->system, d->session->state, CARDO_STAGE_DYNAMICS, &error),
              &error);
}

static double half_log_det_at(dipeptide *d, const double *angle)
{
    cardo_error error = {0};
    double log_det;
    place(d, angle);
    assert_ok(cardo_log_det_m(d->session->system, d->session->state, &log_det, &error), &error);
    return 0.5 * log_det;
}

static double energy_at(dipeptide *d, const double *angle)
{
    cardo_error error = {0};
    place(d, angle);
    assert_ok(cardo_evaluate(d->session->evaluator, d->session->state, &error), &error);
    return cardo_evaluator_energy(d->session->evaluator);
}

static double angle_now(dipeptide *d, int angle)
{
    static const cardo_variable_options torsion[ANGLES] = {
        {.kind = 3, .group = {"A:1@C", "A:2@N", "A:2@CA", "A:2@C"}},
        {.kind = 3, .group = {"A:2@N", "A:2@CA", "A:2@C", "A:3@N"}}};
    cardo_error error = {0};
    cardo_variable *variable;
    double positions[3 * 22], value;
    assert_ok(cardo_variable_from_options(d->session, &torsion[angle], &variable, &error), &error);
    assert_ok(cardo_realize(d->session->system, d->session->state, CARDO_STAGE_POSITION, &error),
              &error);
    assert_ok(cardo_station_positions(d->session->system, d->session->state, positions, &error),
              &error);
    assert_ok(cardo_variable_value_at(variable, positions, &value, &error), &error);
    cardo_variable_destroy(variable);
    return value;
}

/* Edges between which the weights of cells add up to equal parts of all. */
static void equal_parts(const double *weight, double edges[BINS + 1])
{
    double all = 0, before = 0;
    for (int k = 0; k < GRID; ++k)
        all += weight[k];
    edges[0] = -HUGE_VAL;
    edges[BINS] = HUGE_VAL;
    for (int k = 0, bin = 1; bin < BINS; ++bin) {
        const double target = all * bin / BINS;
        while (before + weight[k] < target)
            before += weight[k++];
        edges[bin] = middle_of(k) + 2 * pi() / GRID * ((target - before) / weight[k] - 0.5);
    }
}

static void integrate(const dipeptide *d, density *by)
{
    double marginal[ANGLES][GRID] = {{0}}, all = 0, sum = 0, square = 0;
    const double zero = d->half_log_det[0];
    by->beyond = 0;
    for (int k = 0; k < GRID * GRID; ++k) {
        const double w = exp(by->exponent[k]), x = d->half_log_det[k] - zero;
        by->sum[k] = all += w;
        sum += w * x;
        square += w * x * x;
        by->beyond += k / GRID >= GRID / 2 ? w : 0;
        marginal[PHI][k / GRID] += w;
        marginal[PSI][k % GRID] += w;
    }
    by->beyond /= all;
    by->half_log_det = zero + sum / all;
    by->spread = sqrt(square / all - sum / all * (sum / all));
    for (int a = 0; a < ANGLES; ++a)
        equal_parts(marginal[a], by->edges[a]);
}

static double exponent_of(const dipeptide *d, int ensemble, double energy, double half_log_det)
{
    return (d->least - energy) / d->kT +
           (ensemble == CARDO_ENSEMBLE_RIGID ? half_log_det - d->half_log_det[0] : 0);
}

static void tabulate(dipeptide *d)
{
    static double energy[GRID * GRID];
    const double known[ANGLES] = {1, 2};
    for (int a = 0; a < ANGLES; ++a)
        d->at_zero[a] = angle_now(d, a) - cardo_state_q(d->session->state)[a];
    place(d, known);
    for (int a = 0; a < ANGLES; ++a)
        assert_close(turned(angle_now(d, a) - known[a]), 0, 1e-12);
    d->least = HUGE_VAL;
    for (int k = 0; k < GRID * GRID; ++k) {
        const double angle[ANGLES] = {middle_of(k / GRID), middle_of(k % GRID)};
        d->half_log_det[k] = half_log_det_at(d, angle);
        energy[k] = energy_at(d, angle);
        d->least = fmin(d->least, energy[k]);
    }
    for (int e = 0; e < ENSEMBLES; ++e) {
        for (int k = 0; k < GRID * GRID; ++k)
            d->by[e].exponent[k] = exponent_of(d, ensembles[e], energy[k], d->half_log_det[k]);
        integrate(d, &d->by[e]);
    }
}

static void open_dipeptide(dipeptide *d, const char *solvent, double temperature)
{
    char text[1024];
    cardo_error error = {0};
    d->kT = CARDO_BOLTZMANN * temperature;
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"a\"><structure id=\"a\" file=\"%s\"/>"
             "<domain name=\"acetyl\" residues=\"A:1\"/><domain name=\"amide\" residues=\"A:3\"/>"
             "<body name=\"acetyl\" domains=\"acetyl\" base=\"welded\"/>"
             "<body name=\"amide\" domains=\"amide\" parent=\"acetyl\"><strand/></body>"
             "<flexible residues=\"A:2\" torsions=\"phi psi\"/>"
             "<forcefield files=\"ff14SB.xml\" solvent=\"%s\" provider=\"rigid\" "
             "precision=\"double\"/></model></cardo>",
             support_source("pdb/alanine.pdb"), solvent);
    assert_ok(
        cardo_session_open(support_write("torsions.xml", text), NULL, NULL, &d->session, &error),
        &error);
    assert_int_equal(cardo_system_nq(d->session->system), ANGLES);
    tabulate(d);
}

/* A draw from a density: a cell by its weight, a place in it at random, taken with a chance that makes up for what the density varies within
 * the cell, which is less than fourfold where walkers are. */
static void draw(dipeptide *d, int e, uint64_t *seed, double *angle)
{
    const double most = 4, width = 2 * pi() / GRID;
    for (;;) {
        const double target = unit(seed) * d->by[e].sum[GRID * GRID - 1];
        int low = 0, high = GRID * GRID - 1;
        while (low < high) {
            const int half = (low + high) / 2;
            if (d->by[e].sum[half] > target)
                high = half;
            else
                low = half + 1;
        }
        angle[PHI] = middle_of(low / GRID) + width * (unit(seed) - 0.5);
        angle[PSI] = middle_of(low % GRID) + width * (unit(seed) - 0.5);
        const double here =
            exponent_of(d, ensembles[e], energy_at(d, angle), half_log_det_at(d, angle));
        if (unit(seed) * most < exp(here - d->by[e].exponent[low]))
            return;
    }
}

typedef struct walkers {
    int n;
    double *angle[ANGLES], *half_log_det;
} walkers;

/* Where walkers come from and what they move under. */
typedef struct journey {
    int from, under;    /* ensembles, by their places in the list  */
    double temperature; /* K: of the bath                      */
    int walkers, moves;
    uint64_t seed;
} journey;

static void walk(dipeptide *d, const journey *way, walkers *w)
{
    cardo_error error = {0};
    cardo_simulation *simulation;
    cardo_simulation_options options;
    cardo_end end;
    uint64_t seed = way->seed;
    double angle[ANGLES], q[ANGLES];
    w->n = way->walkers;
    for (int a = 0; a < ANGLES; ++a)
        w->angle[a] = calloc((size_t)w->n, sizeof(double));
    w->half_log_det = calloc((size_t)w->n, sizeof(double));
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = 0.04;
    options.temperature = way->temperature;
    options.ensemble = ensembles[way->under];
    options.seed = (long long)(seed % 1000000);
    draw(d, way->from, &seed, angle);
    place(d, angle);
    assert_ok(cardo_simulation_create(d->session->system, d->session->state, d->session->provider,
                                      &cardo_integrator_hmc, &options, NULL, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    for (int k = 0; k < w->n; ++k) {
        draw(d, way->from, &seed, angle);
        for (int a = 0; a < ANGLES; ++a)
            q[a] = angle[a] - d->at_zero[a];
        assert_ok(cardo_simulation_renew(simulation, q, NULL, &error), &error);
        assert_ok(
            cardo_simulation_run(simulation, (long long)way->moves * (k + 1), NULL, &end, &error),
            &error);
        for (int a = 0; a < ANGLES; ++a)
            angle[a] = w->angle[a][k] = turned(d->at_zero[a] + cardo_state_q(d->session->state)[a]);
        w->half_log_det[k] = half_log_det_at(d, angle);
    }
    cardo_simulation_destroy(simulation);
}

static void release(walkers *w)
{
    for (int a = 0; a < ANGLES; ++a)
        free(w->angle[a]);
    free(w->half_log_det);
}

/* Upper tail of chi squared (Wilson & Hilferty). */
static double chi_squared_tail(double chi_squared, int n)
{
    const double spread = 2 / (9.0 * n);
    return 0.5 * erfc((cbrt(chi_squared / n) - (1 - spread)) / sqrt(2 * spread));
}

typedef struct judgement {
    double p[ANGLES];
    double beyond;     /* share where phi is positive                                          */
    double likelihood; /* by how many of its standard errors the mean of half ln det M is off */
} judgement;

static judgement judge(const walkers *w, const density *by)
{
    judgement j = {{0}};
    double sum = 0, beyond = 0;
    for (int a = 0; a < ANGLES; ++a) {
        int count[BINS] = {0};
        double chi_squared = 0;
        const double expected = (double)w->n / BINS;
        for (int k = 0; k < w->n; ++k) {
            int bin = 0;
            while (w->angle[a][k] > by->edges[a][bin + 1])
                ++bin;
            ++count[bin];
        }
        for (int bin = 0; bin < BINS; ++bin)
            chi_squared += (count[bin] - expected) * (count[bin] - expected) / expected;
        j.p[a] = chi_squared_tail(chi_squared, BINS - 1);
    }
    for (int k = 0; k < w->n; ++k) {
        sum += w->half_log_det[k];
        beyond += w->angle[PHI][k] > 0;
    }
    j.beyond = beyond / w->n;
    j.likelihood = (sum / w->n - by->half_log_det) / (by->spread / sqrt(w->n));
    return j;
}

/* Judges where the walkers end by the density that they come from. */
static judgement survey(dipeptide *d, const journey *way)
{
    walkers w;
    const density *expected = &d->by[way->from];
    walk(d, way, &w);
    const judgement j = judge(&w, expected);
    print_message("%d walkers of '%s', %d moves under '%s' at %g K: p %.2g of phi, %.2g of psi; "
                  "phi > 0: %.4f, expected %.4f; "
                  "half ln det M (varies by %.3f) off by %.1f standard errors\n",
                  way->walkers, cardo_ensemble_name(ensembles[way->from]), way->moves,
                  cardo_ensemble_name(ensembles[way->under]), way->temperature, j.p[PHI], j.p[PSI],
                  j.beyond, expected->beyond, expected->spread, j.likelihood);
    release(&w);
    return j;
}

static dipeptide peptide;

/* Chance that a right program misses: four p of 1e-3 and two means at 3.5 standard errors, 5e-3. A bath that is 200 K too warm shows that walkers
 * go far enough to tell. */
static void every_ensemble_has_its_density(const char *solvent)
{
    open_dipeptide(&peptide, solvent, 300);
    for (int e = 0; e < ENSEMBLES; ++e) {
        const journey way = {e, e, 300, 1500, 5, support_seed((uint64_t)e + 1)};
        journey warmer = way;
        warmer.temperature = 500;
        const judgement j = survey(&peptide, &way);
        assert_true(j.p[PHI] > 1e-3 && j.p[PSI] > 1e-3);
        assert_true(fabs(j.likelihood) < 3.5);
        if (ensembles[e] == CARDO_ENSEMBLE_FIXMAN) {
            const judgement warm = survey(&peptide, &warmer);
            assert_true(fmin(warm.p[PHI], warm.p[PSI]) < 1e-5);
        }
    }
    cardo_session_close(peptide.session);
}

static void vacuum(void **test)
{
    (void)test;
    every_ensemble_has_its_density("none");
}

static void water(void **test)
{
    (void)test;
    every_ensemble_has_its_density("obc2");
}

static int longer(int argc, char **argv)
{
    journey way = {.temperature = argc > 3 ? atof(argv[3]) : 300,
                   .walkers = argc > 4 ? atoi(argv[4]) : 40000,
                   .moves = argc > 5 ? atoi(argv[5]) : 16,
                   .seed = argc > 6 ? (uint64_t)atoll(argv[6]) : 1};
    open_dipeptide(&peptide, argc > 2 ? argv[2] : "none", way.temperature);
    for (way.from = 0; way.from < ENSEMBLES; ++way.from)
        for (way.under = 0; way.under < ENSEMBLES; ++way.under)
            if (argc < 8 || strcmp(argv[7], cardo_ensemble_name(ensembles[way.under])) == 0)
                survey(&peptide, &way);
    cardo_session_close(peptide.session);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {statistical_test(vacuum), statistical_test(water)};
    if (argc > 1 && strcmp(argv[1], "long") == 0)
        return longer(argc, argv);
    return support_run(tests, NULL, NULL);
}
