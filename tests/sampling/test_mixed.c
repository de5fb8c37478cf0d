/* The mixed sampler on a chain of five atoms with stiff bonds and angles and a soft energy of its two
 * torsions. Bond lengths, angles and torsions have a Jacobian without torsions, so their density is
 * exp(-V(phi1, phi2)/kT) exactly, whatever the rest does: means come by quadrature. */
#include "sampling/mixed/mixed.h"

#include "base/units.h"
#include "dynamics/evaluation/callback_provider.h"
#include "dynamics/sampling.h"
#include "dynamics/simulation.h"
#include "multibody/tree/operators.h"
#include "sampling/mixed/cartesian.h"
#include "sampling/variables/kind.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ATOMS = 5, MOST = 60000, CYCLES = 5000, QUANTITIES = 6, BINS = 24 };

static const double mass[ATOMS] = {40, 12, 16, 12, 30};
static const int body_of[ATOMS] = {0, 0, 1, 2, 2};
static const double kT = CARDO_BOLTZMANN * 300;

static const double straight[3 * ATOMS] = {0,    0,    0,    0.15, 0,    0,    0.2, 0.14,
                                           0.02, 0.35, 0.15, 0.04, 0.40, 0.25, 0.12};

typedef struct chain {
    cardo_hinges hinges;
    cardo_hinge body[3];
    cardo_force_provider *provider;
    double forces[3 * ATOMS];
    int calls, fail_at; /* the call that fails; 0: none */
} chain;

/* Torsion energy and its slopes. */
static double torsion_energy(double a, double b, double *slope_a, double *slope_b)
{
    *slope_a = -4 * sin(a) - 3 * sin(a - b);
    *slope_b = -6 * sin(2 * b) + 3 * sin(a - b);
    return 4 * cos(a) + 3 * cos(2 * b) + 3 * cos(a - b);
}

static double spring(const double *x, int i, int j, double stiffness, double length, double *forces)
{
    const cardo_vec3 d = v3_sub(v3_load(x + 3 * j), v3_load(x + 3 * i));
    const double r = v3_norm(d), pull = stiffness * (r - length) / r;
    v3_store(forces + 3 * i, v3_add_scaled(v3_load(forces + 3 * i), pull, d));
    v3_store(forces + 3 * j, v3_add_scaled(v3_load(forces + 3 * j), -pull, d));
    return 0.5 * stiffness * (r - length) * (r - length);
}

static double torsion(const double *x, int first, cardo_vec3 *slope)
{
    double phi;
    cardo_vec3 centre[4];
    for (int i = 0; i < 4; ++i)
        centre[i] = v3_load(x + 3 * (first + i));
    cardo_variable_dihedral.of_centres(centre, &phi, slope, NULL);
    return phi;
}

static cardo_status compute(void *user, cardo_force_evaluation *e, cardo_error *error)
{
    chain *c = user;
    const double *x = e->station_positions;
    cardo_vec3 slope[2][4];
    double by[2];
    if (++c->calls == c->fail_at)
        return CARDO_FAIL(error, CARDO_RECOVERABLE, "a clash");
    memset(c->forces, 0, sizeof c->forces);
    e->energy = 0;
    for (int i = 0; i + 1 < ATOMS; ++i)
        e->energy += spring(x, i, i + 1, 2e5, 0.15, c->forces);
    for (int i = 0; i + 2 < ATOMS; ++i)
        e->energy += spring(x, i, i + 2, 2e4, 0.25, c->forces);
    const double a = torsion(x, 0, slope[0]), b = torsion(x, 1, slope[1]);
    e->energy += torsion_energy(a, b, &by[0], &by[1]);
    for (int t = 0; t < 2; ++t)
        for (int i = 0; i < 4; ++i) {
            double *f = c->forces + 3 * (t + i);
            v3_store(f, v3_add_scaled(v3_load(f), -by[t], slope[t][i]));
        }
    e->station_forces = c->forces;
    return CARDO_OK;
}

static void build(chain *c, const cardo_mobilizer *root)
{
    cardo_error error;
    memset(c, 0, sizeof *c);
    c->body[0] = (cardo_hinge){"tail", -1, root, 0, {-1, -1}, xform_identity()};
    c->body[1] = (cardo_hinge){"middle", 0, &cardo_mobilizer_pin, 0, {1, 2}, xform_identity()};
    c->body[2] = (cardo_hinge){"head", 1, &cardo_mobilizer_pin, 0, {2, 3}, xform_identity()};
    c->hinges = (cardo_hinges){3, c->body, ATOMS, body_of, mass, straight};
    assert_ok(cardo_callback_provider_create(compute, c,
                                             CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_INVARIANT,
                                             &c->provider, &error),
              &error);
}

/* Torsions sampled. */
static int nsample;
static double phi[2][MOST], scratch[MOST];

static void take(const double *x)
{
    phi[0][nsample] = torsion(x, 0, NULL);
    phi[1][nsample++] = torsion(x, 1, NULL);
}

static double quantity(int k, double a, double b)
{
    switch (k) {
    case 0:
        return cos(a);
    case 1:
        return sin(a);
    case 2:
        return cos(2 * b);
    case 3:
        return sin(b);
    case 4:
        return cos(a - b);
    default:
        return sin(a - b);
    }
}

static const char *const quantity_name[QUANTITIES] = {"cos a", "sin a",       "cos 2b",
                                                      "sin b", "cos (a - b)", "sin (a - b)"};

typedef double (*weight_function)(double a, double b, void *user);

/* Means of the quantities with the density weight, and the density of a in bins. */
static void quadrature(weight_function weight, void *user, double *mean, double *bins)
{
    enum { N = 240 };
    double sum = 0;
    memset(mean, 0, QUANTITIES * sizeof *mean);
    memset(bins, 0, BINS * sizeof *bins);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            const double a = (i + 0.5) * 2 * CARDO_PI / N - CARDO_PI;
            const double b = (j + 0.5) * 2 * CARDO_PI / N - CARDO_PI;
            const double w = weight(a, b, user);
            sum += w;
            bins[i * BINS / N] += w;
            for (int k = 0; k < QUANTITIES; ++k)
                mean[k] += w * quantity(k, a, b);
        }
    for (int k = 0; k < QUANTITIES; ++k)
        mean[k] /= sum;
    for (int k = 0; k < BINS; ++k)
        bins[k] /= sum;
}

static double boltzmann(double a, double b, void *user)
{
    double sa, sb;
    (void)user;
    return exp(-torsion_energy(a, b, &sa, &sb) / kT);
}

/* Largest deviation of the sampled means from those expected, in standard errors. */
static double largest_deviation(const double *expected)
{
    double largest = 0, mean, error;
    for (int k = 0; k < QUANTITIES; ++k) {
        for (int i = 0; i < nsample; ++i)
            scratch[i] = quantity(k, phi[0][i], phi[1][i]);
        mean_and_error(scratch, nsample, &mean, &error);
        printf("  %-12s %8.4f +- %.4f, exact %8.4f\n", quantity_name[k], mean, error, expected[k]);
        largest = fmax(largest, fabs(mean - expected[k]) / error);
    }
    return largest;
}

/* Chi-square of a's histogram, one sample every gap of them. */
static double chi_square(const double *expected, int gap)
{
    double counts[BINS] = {0}, sum = 0;
    int n = 0;
    for (int i = 0; i < nsample; i += gap, ++n)
        counts[(int)((phi[0][i] + CARDO_PI) / (2 * CARDO_PI) * BINS) % BINS] += 1;
    for (int k = 0; k < BINS; ++k)
        sum += (counts[k] - n * expected[k]) * (counts[k] - n * expected[k]) / (n * expected[k]);
    printf("  chi-square of %d bins, %d counts: %.1f\n", BINS, n, sum);
    return sum;
}

static cardo_mixed_options options_of(int atoms, int hinges, int turns)
{
    cardo_mixed_options options;
    cardo_fields_default(cardo_mixed_fields, &options);
    options.atom_moves = atoms;
    options.hinge_moves = hinges;
    options.hinge_turns = turns;
    options.atom_flights = 10;
    options.hinge_flights = 4;
    options.atom_timestep = 0.006;
    options.hinge_timestep = 0.06;
    options.burn_in = 0;
    options.seed = (long long)support_seed((uint64_t)options.seed);
    return options;
}

/* A right run has one of six independent means beyond this many standard errors once in 800 times, and
 * a chi-square of 23 degrees of freedom above this once in 1000. */
static const double most_errors = 3.7, most_chi_square = 49.7;
/* How far the centre of mass has gone. */
static double centre_distance(const double *x)
{
    cardo_vec3 sum = v3(0, 0, 0);
    double total = 0;
    for (int i = 0; i < ATOMS; ++i) {
        sum = v3_add_scaled(sum, mass[i], v3_sub(v3_load(x + 3 * i), v3_load(straight + 3 * i)));
        total += mass[i];
    }
    return v3_norm(sum) / total;
}

static void check_run(const cardo_mobilizer *root, int atoms, int hinges, int turns)
{
    chain c;
    cardo_mixed *mixed;
    cardo_error error;
    char report[512];
    double mean[QUANTITIES], bins[BINS], farthest = 0;
    cardo_mixed_options options = options_of(atoms, hinges, turns);
    build(&c, root);
    quadrature(boltzmann, NULL, mean, bins);
    assert_ok(cardo_mixed_create(&c.hinges, c.provider, &options, straight, &mixed, &error),
              &error);
    nsample = 0;
    for (int k = 0; k < options.burn_in + CYCLES; ++k) {
        assert_ok(cardo_mixed_cycle(mixed, &error), &error);
        if (k >= options.burn_in)
            take(cardo_mixed_positions(mixed));
        farthest = fmax(farthest, centre_distance(cardo_mixed_positions(mixed)));
    }
    assert_true(farthest > 0.3 && farthest <= 0.5 + 1e-12);
    cardo_mixed_report(mixed, report, sizeof report);
    printf("%s", report);
    assert_true(largest_deviation(mean) < most_errors);
    assert_true(chi_square(bins, 10) < most_chi_square);
    cardo_mixed_destroy(mixed);
    cardo_force_provider_destroy(c.provider);
}

/* Atoms' moves alone: slow in the torsions, and as exact. */
static void atoms_moves_are_unbiased(void **test)
{
    (void)test;
    check_run(&cardo_mobilizer_free, 4, 0, 0);
}

/* Turns in place of the hinges' own dynamics: no momenta, so no metric term either. */
static void turns_are_unbiased(void **test)
{
    (void)test;
    check_run(&cardo_mobilizer_free, 1, 0, 4);
}

/* The hinged molecule alone, at fixed bonds and angles. */
typedef struct frozen {
    cardo_system *system;
    cardo_state *state;
    double start[2]; /* torsions at q = 0 */
} frozen;

static void freeze(chain *c, frozen *f)
{
    cardo_error error;
    build(c, &cardo_mobilizer_weld);
    assert_ok(cardo_hinges_compile(&c->hinges, straight, &f->system, &error), &error);
    assert_ok(cardo_state_create(f->system, &f->state, &error), &error);
    f->start[0] = torsion(straight, 0, NULL);
    f->start[1] = torsion(straight, 1, NULL);
}

static void thaw(chain *c, frozen *f)
{
    cardo_state_destroy(f->state);
    cardo_system_destroy(f->system);
    cardo_force_provider_destroy(c->provider);
}

static void place(const frozen *f, double a, double b)
{
    cardo_error error;
    double q[16];
    memcpy(q, cardo_state_q(f->state), (size_t)cardo_system_nq(f->system) * sizeof *q);
    q[cardo_system_nq(f->system) - 2] = a - f->start[0];
    q[cardo_system_nq(f->system) - 1] = b - f->start[1];
    cardo_state_set_q(f->state, q);
    assert_ok(cardo_realize(f->system, f->state, CARDO_STAGE_DYNAMICS, &error), &error);
}

/* The density that momenta leave where nobody takes their volume away. */
static double with_metric(double a, double b, void *user)
{
    cardo_error error;
    double log_det;
    const frozen *f = user;
    place(f, a, b);
    assert_ok(cardo_log_det_m(f->system, f->state, &log_det, &error), &error);
    return exp(0.5 * log_det) * boltzmann(a, b, NULL);
}

/* The chain with a welded root, and a run long enough to tell the density that momenta alone would
 * leave, without Fixman's potential. */
static void mixed_moves_are_unbiased(void **test)
{
    (void)test;
    chain c;
    frozen f;
    double wrong[QUANTITIES], bins[BINS];
    check_run(&cardo_mobilizer_free, 1, 1, 0);
    check_run(&cardo_mobilizer_weld, 1, 1, 0);
    freeze(&c, &f);
    quadrature(with_metric, &f, wrong, bins);
    assert_true(largest_deviation(wrong) > 5);
    thaw(&c, &f);
}

static void run_frozen(const frozen *f, cardo_force_provider *provider, const char *ensemble)
{
    cardo_error error;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    cardo_monte_carlo_options moves;
    double x[3 * ATOMS];
    cardo_end end;
    cardo_fields_default(cardo_simulation_fields, &options);
    options.seed = (long long)support_seed((uint64_t)options.seed);
    cardo_fields_default(cardo_integrator_hmc.fields, &moves);
    assert_ok(cardo_fields_set(cardo_simulation_fields, &options, "ensemble", ensemble, &error),
              &error);
    options.timestep = 0.06;
    moves.flights = 4;
    nsample = 0;
    assert_ok(cardo_simulation_create(f->system, f->state, provider, &cardo_integrator_hmc,
                                      &options, &moves, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    for (int k = 0; k < 5000; ++k) {
        assert_ok(cardo_simulation_run(simulation, k + 1, NULL, &end, &error), &error);
        assert_ok(cardo_station_positions(f->system, f->state, x, &error), &error);
        take(x);
    }
    cardo_simulation_destroy(simulation);
}

/* Moves of hinges without Fixman's potential sample another density, which shows; with it, the right
 * one. */
static void the_metric_matters(void **test)
{
    (void)test;
    chain c;
    frozen f;
    double right[QUANTITIES], wrong[QUANTITIES], bins[BINS];
    freeze(&c, &f);
    quadrature(boltzmann, NULL, right, bins);
    quadrature(with_metric, &f, wrong, bins);
    place(&f, f.start[0], f.start[1]);
    run_frozen(&f, c.provider, "fixman");
    assert_true(largest_deviation(right) < most_errors);
    run_frozen(&f, c.provider, "rigid");
    assert_true(largest_deviation(wrong) < most_errors);
    assert_true(largest_deviation(right) > 5);
    thaw(&c, &f);
}

static void cycles(cardo_mixed *mixed, int n)
{
    cardo_error error;
    for (int k = 0; k < n; ++k)
        assert_ok(cardo_mixed_cycle(mixed, &error), &error);
}

/* A run that is stored and restored in the middle of burn-in goes on with the same bits. */
static void a_restored_run_is_the_same(void **test)
{
    (void)test;
    chain c;
    cardo_mixed *whole, *first, *second;
    cardo_error error;
    double values[3 * ATOMS + 72], a[3 * ATOMS + 72], b[3 * ATOMS + 72];
    cardo_mixed_options options = options_of(2, 2, 2);
    options.burn_in = 20;
    build(&c, &cardo_mobilizer_free);
    assert_ok(cardo_mixed_create(&c.hinges, c.provider, &options, straight, &whole, &error),
              &error);
    assert_ok(cardo_mixed_create(&c.hinges, c.provider, &options, straight, &first, &error),
              &error);
    assert_ok(cardo_mixed_create(&c.hinges, c.provider, &options, straight, &second, &error),
              &error);
    cycles(whole, 50);
    cycles(first, 13);
    assert_true(cardo_mixed_value_count(first) <= 3 * ATOMS + 72);
    cardo_mixed_save(first, values);
    assert_ok(cardo_mixed_restore(second, values, &error), &error);
    assert_int_equal(cardo_mixed_cycles(second), 13);
    cycles(second, 37);
    cardo_mixed_save(whole, a);
    cardo_mixed_save(second, b);
    assert_memory_equal(a, b, (size_t)cardo_mixed_value_count(whole) * sizeof *a);
    assert_true(cardo_mixed_energy(whole) == cardo_mixed_energy(second));
    assert_true(cardo_mixed_evaluations(whole) > 50 * (2 * 10 + 2 * 4));
    cardo_mixed_destroy(whole);
    cardo_mixed_destroy(first);
    cardo_mixed_destroy(second);
    cardo_force_provider_destroy(c.provider);
}

/* A place that cannot be evaluated is rejected, and the atoms stay to the bit. */
static void clashes_are_rejected(void **test)
{
    (void)test;
    chain c;
    cardo_error error;
    build(&c, &cardo_mobilizer_free);
    cardo_cartesian atoms = {
        .natom = ATOMS,
        .mass = mass,
        .provider = c.provider,
        .kT = kT,
        .options = {.timestep = 0.001, .flights = 5, .burn_in = 0, .acceptance = 0.8},
        .random = cardo_random_start(3, 1)};
    assert_ok(cardo_cartesian_open(&atoms, &error), &error);
    memcpy(atoms.positions, straight, sizeof straight);
    assert_ok(cardo_cartesian_evaluate(&atoms, &error), &error);
    const double energy = atoms.energy;
    c.fail_at = c.calls + 3;
    assert_ok(cardo_cartesian_move(&atoms, &error), &error);
    assert_memory_equal(atoms.positions, straight, sizeof straight);
    assert_true(atoms.energy == energy && atoms.count.impossible == 1 && atoms.count.accepted == 0);
    assert_ok(cardo_cartesian_move(&atoms, &error), &error);
    assert_true(atoms.count.moves == 2 && atoms.count.accepted == 1);
    cardo_cartesian_clear(&atoms);
    cardo_force_provider_destroy(c.provider);
}

static void models_without_joints_are_refused(void **test)
{
    (void)test;
    chain c;
    cardo_mixed *mixed;
    cardo_error error;
    cardo_mixed_options options = options_of(1, 1, 1);
    build(&c, &cardo_mobilizer_weld);
    c.body[1] = (cardo_hinge){"middle", 0, &cardo_mobilizer_weld, 0, {-1, -1}, xform_identity()};
    c.body[2] = (cardo_hinge){"head", 1, &cardo_mobilizer_universal, 0, {-1, -1}, xform_identity()};
    assert_fails(cardo_mixed_create(&c.hinges, c.provider, &options, straight, &mixed, &error),
                 &error, CARDO_ERROR_UNSUPPORTED, "head hangs by a universal joint");
    cardo_force_provider_destroy(c.provider);
}

int main(void)
{
    const struct CMUnitTest tests[] = {statistical_test(mixed_moves_are_unbiased),
                                       statistical_test(atoms_moves_are_unbiased),
                                       statistical_test(turns_are_unbiased),
                                       figures_test(the_metric_matters),
                                       cmocka_unit_test(a_restored_run_is_the_same),
                                       cmocka_unit_test(clashes_are_rejected),
                                       cmocka_unit_test(models_without_joints_are_refused)};
    return support_run(tests, NULL, NULL);
}
