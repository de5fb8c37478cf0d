/* The rigid provider against OpenMM's Reference platform on bodies at random poses, quiet, clashing
 * and far apart; forces against finite differences of the energy; any number of threads, no
 * allocation; errors.
 *   test_rigid [POSES [PATTERN [SEED]]]
 * POSES a case instead of a few, of the tests whose names match PATTERN. CARDO_KERNELS in the
 * environment names the kernels, where a test does not (avx512, avx2, plain). */
#include "protein.h"
#include "support/support.h"

#include "base/memory.h"
#include "forces/rigid/rigid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BODIES = 4096, MOST_TERMS = 32 };

/* Poses a case; 0: as many as each test thinks fit. The address sanitizer is slow: one. */
#ifdef __SANITIZE_ADDRESS__
static int poses = 1;
#else
static int poses = 0;
#endif
static uint64_t first_seed = 20261121;

/* Largest turns (radian) and shifts (nm): as in the file but for a little, touching, clashing, far
 * apart. */
static const double unrest[] = {0.002, 0.03, 0.3, 4.0};

static cardo_transform X[MOST_BODIES];

/* Root of the sum of squares of the forces' differences over all bodies, relative to that of the
 * expected ones; the same of the torques about the bodies' origins; the larger of the two. */
static double difference(int nbody, const cardo_spatial *forces, const cardo_spatial *expected)
{
    double linear = 0, angular = 0, force = 0, torque = 0;
    for (int b = 0; b < nbody; ++b) {
        cardo_vec3 f = v3_sub(forces[b].linear, expected[b].linear);
        cardo_vec3 t = v3_sub(forces[b].angular, expected[b].angular);
        linear += v3_dot(f, f);
        angular += v3_dot(t, t);
        force += v3_dot(expected[b].linear, expected[b].linear);
        torque += v3_dot(expected[b].angular, expected[b].angular);
    }
    return sqrt(fmax(linear / force, angular / torque));
}

static double evaluate(const rigid_protein *protein, cardo_force_provider *provider,
                       cardo_spatial *forces, double *terms)
{
    cardo_error error = {0};
    cardo_force_evaluation evaluation = {
        .nbody = protein->nbody, .X_GB = X, .body_forces = forces, .term_energies = terms};
    memset(forces, 0, sizeof *forces * (size_t)protein->nbody);
    assert_ok(provider->compute(provider, &evaluation, &error), &error);
    return evaluation.energy;
}

static cardo_force_provider *make_within(const rigid_protein *protein, double tolerance,
                                         double cutoff, bool full_precision, const char *kernels,
                                         int threads)
{
    cardo_error error = {0};
    cardo_force_provider *provider = NULL;
    cardo_rigid_options options = cardo_rigid_options_default();
    options.tolerance = tolerance;
    options.full_precision = full_precision;
    options.cutoff = options.gb_cutoff = cutoff;
    options.reaction_field = protein->terms->has_gb ? 1 : 78.3;
    options.threads = threads;
    const char *asked = getenv("CARDO_KERNELS");
    snprintf(options.kernels, sizeof options.kernels, "%s", kernels[0] || !asked ? kernels : asked);
    assert_ok(cardo_rigid_provider_create(protein->terms, protein->nbody, protein->body,
                                          protein->station, &options, NULL, &provider, &error),
              &error);
    return provider;
}

static cardo_force_provider *make(const rigid_protein *protein, double cutoff, bool full_precision,
                                  const char *kernels, int threads)
{
    return make_within(protein, 0, cutoff, full_precision, kernels, threads);
}

static cardo_force_provider *make_reference(const rigid_protein *protein, double cutoff)
{
    cardo_error error = {0};
    cardo_force_provider *provider = NULL;
    cardo_openmm_options options = cardo_openmm_options_default();
    snprintf(options.platform, sizeof options.platform, "Reference");
    options.method = cutoff > 0 ? CARDO_CUTOFF : CARDO_NO_CUTOFF;
    options.cutoff = cutoff;
    assert_ok(cardo_openmm_provider_create(protein->terms, NULL, protein->structure->position,
                                           &options, &provider, &error),
              &error);
    return provider;
}

typedef struct deviations {
    double energy, of_total, force;
} deviations;

/* An energy is a sum of terms of either sign, and each term one of pairs: it can be as near to zero
 * as chance will have it, but is never known better than its largest term is. So that term is what
 * the differences of terms and of the total are relative to. The total's difference relative to the
 * total itself is shown beside it. */
static void compare(const rigid_protein *protein, cardo_force_provider *provider, double energy,
                    const double *terms, const cardo_spatial *expected, double tolerance,
                    deviations *worst)
{
    cardo_spatial forces[MOST_BODIES];
    double mine[MOST_TERMS], size = 0;
    double value = evaluate(protein, provider, forces, mine);
    for (int t = 0; t < provider->nterm; ++t)
        size = fmax(size, fabs(terms[t]));
    for (int t = 0; t < provider->nterm; ++t)
        assert_close(mine[t], terms[t], tolerance * size);
    double off = difference(protein->nbody, forces, expected);
    worst->energy = fmax(worst->energy, fabs(value - energy) / size);
    worst->of_total = fmax(worst->of_total, fabs((value - energy) / energy));
    worst->force = fmax(worst->force, off);
    assert_close(value, energy, tolerance * size);
    assert_close(off, 0, tolerance);
}

/* Double to 1e-9, mixed to 2e-6, with the widest kernels of this machine. */
static void case_against_reference(const char *name, const rigid_protein *protein, double cutoff,
                                   int usual_poses)
{
    cardo_error error = {0};
    cardo_spatial expected[MOST_BODIES];
    double energy, terms[MOST_TERMS];
    uint64_t seed = first_seed;
    deviations full = {0, 0, 0}, mixed = {0, 0, 0};
    cardo_force_provider *reference = make_reference(protein, cutoff);
    cardo_force_provider *in_double = make(protein, cutoff, true, "", 1);
    cardo_force_provider *in_mixed = make(protein, cutoff, false, "", 1);
    const int n = poses ? poses : SUPPORT_SANITIZED ? 1 : usual_poses;
    for (int k = 0; k < n; ++k) {
        rigid_random_poses(protein, unrest[k % 4], unrest[k % 4], &seed, X);
        assert_ok(rigid_forces_of_atoms(protein, reference, X, &energy, terms, expected, &error),
                  &error);
        compare(protein, in_double, energy, terms, expected, 1e-9, &full);
        compare(protein, in_mixed, energy, terms, expected, 2e-6, &mixed);
    }
    print_message(
        "%s, %s, %s: double %.1e energy (%.1e of the total), %.1e force; mixed %.1e (%.1e), "
        "%.1e\n",
        name, protein->terms->has_gb ? "OBC2" : "vacuum", cutoff > 0 ? "1.6 nm" : "all pairs",
        full.energy, full.of_total, full.force, mixed.energy, mixed.of_total, mixed.force);
    cardo_force_provider_destroy(reference);
    cardo_force_provider_destroy(in_double);
    cardo_force_provider_destroy(in_mixed);
}

static void all_cases(const char *name, const char *path, rigid_partition partition,
                      int vacuum_poses, int solvent_poses)
{
    rigid_protein protein;
    rigid_protein_read(path, NULL, partition, &protein);
    case_against_reference(name, &protein, 0, vacuum_poses);
    case_against_reference(name, &protein, 1.6, vacuum_poses);
    rigid_protein_clear(&protein);
    rigid_protein_read(path, "obc2", partition, &protein);
    case_against_reference(name, &protein, 0, solvent_poses);
    case_against_reference(name, &protein, 1.6, solvent_poses);
    rigid_protein_clear(&protein);
}

static void light_chain(void **unused)
{
    (void)unused;
    all_cases("light chain", support_source("pdb/2mcg_1.pdb"), rigid_light_chain, 4, 1);
}

/* Salt of 0.15 mol/L, and so much of it that nothing of the potential outside is left at a distance. */
static void salt(void **unused)
{
    (void)unused;
    static const double kappas[] = {0.927, 20};
    rigid_protein protein;
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), "obc2", rigid_light_chain, &protein);
    for (int k = 0; k < (SUPPORT_SANITIZED ? 1 : 2); ++k) {
        protein.terms->kappa = kappas[k];
        case_against_reference(k ? "light chain, much salt" : "light chain, salt", &protein, 0, 1);
        if (k == 0)
            case_against_reference("light chain, salt", &protein, 1.6, 1);
    }
    rigid_protein_clear(&protein);
}

static int three_atoms(const cardo_structure *structure, int atom)
{
    (void)structure;
    return 1 + atom / 3;
}

/* All in blocks that bodies share. */
static void small_bodies(void **unused)
{
    (void)unused;
    const char *salted = "light chain, three atoms a body, salt";
    rigid_protein protein;
    all_cases("light chain, three atoms a body", support_source("pdb/2mcg_1.pdb"), three_atoms, 2,
              1);
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), "obc2", three_atoms, &protein);
    protein.terms->kappa = 0.927;
    case_against_reference(salted, &protein, 0, 1);
    case_against_reference(salted, &protein, 1.6, 1);
    rigid_protein_clear(&protein);
}

static void lao(void **unused)
{
    (void)unused;
    all_cases("LAO", support_shared("reference/openmm/2lao_min/2lao_min.pdb"), rigid_lao, 4, 1);
}

static void lao_with_side_chains(void **unused)
{
    (void)unused;
    all_cases("LAO, 100 side chains", support_shared("reference/openmm/2lao_min/2lao_min.pdb"),
              rigid_lao_side_chains, 4, 1);
}

static void adenylate_kinase(void **unused)
{
    (void)unused;
    all_cases("adenylate kinase", support_shared("pdb/4ake_A_fixedH.pdb"), rigid_adenylate_kinase,
              4, 1);
}

/* Mixed precision against double at many more poses than OpenMM's Reference platform has time for. Where
 * a molecule's forces cancel its rounding errors stand out, so most poses are quiet. */
static void mixed_of(const char *name, const char *path, rigid_partition partition, int usual_poses)
{
    char file[4096]; /* support's own is taken again by what reading needs */
    snprintf(file, sizeof file, "%s", path);
    for (int k = 0; k < 4; ++k) {
        const double cutoff = k % 2 ? 1.6 : 0;
        const char *solvent = k / 2 ? "obc2" : NULL;
        rigid_protein protein;
        uint64_t seed = first_seed + 3;
        deviations worst = {0, 0, 0};
        rigid_protein_read(file, solvent, partition, &protein);
        cardo_force_provider *in_double = make(&protein, cutoff, true, "", 1);
        cardo_force_provider *in_mixed = make(&protein, cutoff, false, "", 1);
        const int n = poses ? poses : SUPPORT_SANITIZED ? 1 : usual_poses;
        for (int pose = 0; pose < n; ++pose) {
            cardo_spatial expected[MOST_BODIES];
            double terms[MOST_TERMS], size = unrest[pose % 5 < 4 ? 0 : pose / 5 % 4];
            rigid_random_poses(&protein, size, size, &seed, X);
            double energy = evaluate(&protein, in_double, expected, terms);
            compare(&protein, in_mixed, energy, terms, expected, 2e-6, &worst);
        }
        print_message("%s, %s, %s: mixed from double %.1e energy, %.1e force\n", name,
                      solvent ? "OBC2" : "vacuum", k % 2 ? "1.6 nm" : "all pairs", worst.energy,
                      worst.force);
        assert_true(worst.force > 0);
        cardo_force_provider_destroy(in_double);
        cardo_force_provider_destroy(in_mixed);
        rigid_protein_clear(&protein);
    }
}

static void mixed_precision(void **unused)
{
    (void)unused;
    mixed_of("light chain", support_source("pdb/2mcg_1.pdb"), rigid_light_chain, 10);
}

static void mixed_precision_of_more_bodies(void **unused)
{
    (void)unused;
    mixed_of("LAO", support_shared("reference/openmm/2lao_min/2lao_min.pdb"), rigid_lao, 10);
    mixed_of("LAO, 100 side chains", support_shared("reference/openmm/2lao_min/2lao_min.pdb"),
             rigid_lao_side_chains, 5);
    mixed_of("adenylate kinase", support_shared("pdb/4ake_A_fixedH.pdb"), rigid_adenylate_kinase,
             5);
}

/* The largest difference of a body's force, relative to the largest force; or of torques. */
static double largest_difference(int nbody, const cardo_spatial *forces,
                                 const cardo_spatial *expected)
{
    double linear = 0, angular = 0, force = 0, torque = 0;
    for (int b = 0; b < nbody; ++b) {
        linear = fmax(linear, v3_norm(v3_sub(forces[b].linear, expected[b].linear)));
        angular = fmax(angular, v3_norm(v3_sub(forces[b].angular, expected[b].angular)));
        force = fmax(force, v3_norm(expected[b].linear));
        torque = fmax(torque, v3_norm(expected[b].angular));
    }
    return fmax(linear / force, angular / torque);
}

/* A tolerance bounds every force and torque, and the coarser does less: its errors show. */
static void tolerance_of(const char *name, const char *path, rigid_partition partition)
{
    static const double tolerances[] = {1e-5, 1e-4, 1e-3, 1e-2};
    enum { TOLERANCES = sizeof tolerances / sizeof *tolerances };
    rigid_protein protein;
    uint64_t seed = first_seed + 2;
    double worst[TOLERANCES] = {0};
    cardo_force_provider *within[TOLERANCES];
    rigid_protein_read(path, "obc2", partition, &protein);
    cardo_force_provider *exact = make(&protein, 0, true, "", 1);
    for (int t = 0; t < TOLERANCES; ++t)
        within[t] = make_within(&protein, tolerances[t], 0, false, "", 1);
    const int n = poses ? poses : SUPPORT_SANITIZED ? 2 : 6;
    for (int k = 0; k < n; ++k) {
        cardo_spatial forces[MOST_BODIES], expected[MOST_BODIES];
        rigid_random_poses(&protein, unrest[k % 4], unrest[k % 4], &seed, X);
        evaluate(&protein, exact, expected, NULL);
        for (int t = 0; t < TOLERANCES; ++t) {
            evaluate(&protein, within[t], forces, NULL);
            double off = largest_difference(protein.nbody, forces, expected);
            assert_close(off, 0, tolerances[t]);
            worst[t] = fmax(worst[t], off);
        }
    }
    print_message("%s: errors within 1e-5 %.1e, 1e-4 %.1e, 1e-3 %.1e, 1e-2 %.1e\n", name, worst[0],
                  worst[1], worst[2], worst[3]);
    assert_true(worst[3] > worst[0]);
    for (int t = 0; t < TOLERANCES; ++t)
        cardo_force_provider_destroy(within[t]);
    cardo_force_provider_destroy(exact);
    rigid_protein_clear(&protein);
}

static void tolerances(void **unused)
{
    (void)unused;
    tolerance_of("light chain", support_source("pdb/2mcg_1.pdb"), rigid_light_chain);
}

static void tolerances_of_more_bodies(void **unused)
{
    (void)unused;
    const char *lao_file = support_shared("reference/openmm/2lao_min/2lao_min.pdb");
    tolerance_of("LAO", lao_file, rigid_lao);
    tolerance_of("LAO, 100 side chains", lao_file, rigid_lao_side_chains);
    tolerance_of("adenylate kinase", support_shared("pdb/4ake_A_fixedH.pdb"),
                 rigid_adenylate_kinase);
}

/* Every width of vectors that this machine has. */
static void kernels_agree(void **unused)
{
    (void)unused;
    static const char *const names[] = {"plain", "avx2", "avx512"};
    cardo_spatial expected[MOST_BODIES], forces[MOST_BODIES];
    rigid_protein protein;
    uint64_t seed = 7;
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), "obc2", rigid_light_chain, &protein);
    rigid_random_poses(&protein, 0.02, 0.02, &seed, X);
    cardo_force_provider *plain = make(&protein, 0, true, "plain", 1);
    double energy = evaluate(&protein, plain, expected, NULL);
    for (int k = 0; k < 3; ++k)
        for (int full = 0; full < 2; ++full) {
            cardo_error error = {0};
            cardo_force_provider *provider = NULL;
            cardo_rigid_options options = {.threads = 1, .full_precision = full};
            snprintf(options.kernels, sizeof options.kernels, "%s", names[k]);
            if (cardo_rigid_provider_create(protein.terms, protein.nbody, protein.body,
                                            protein.station, &options, NULL, &provider,
                                            &error) != CARDO_OK) {
                assert_true(strstr(error.message, names[k]) && k > 0);
                continue;
            }
            double tolerance = full ? 1e-11 : 2e-6;
            assert_close(evaluate(&protein, provider, forces, NULL), energy,
                         tolerance * fabs(energy));
            assert_close(difference(protein.nbody, forces, expected), 0, tolerance);
            cardo_force_provider_destroy(provider);
        }
    cardo_force_provider_destroy(plain);
    rigid_protein_clear(&protein);
}

/* Power of the forces against Richardson's combination of central differences of the energy, along a
 * random twist of every body. */
static void check_gradient(const rigid_protein *protein, cardo_force_provider *provider,
                           uint64_t *seed)
{
    cardo_spatial forces[MOST_BODIES], ignored[MOST_BODIES], twist[MOST_BODIES];
    cardo_transform start[MOST_BODIES];
    double slope[2], power = 0;
    memcpy(start, X, sizeof *X * (size_t)protein->nbody);
    for (int k = 0; k < 6 * protein->nbody; ++k)
        ((double *)twist)[k] = support_random(seed);
    double size = fabs(evaluate(protein, provider, forces, NULL));
    double h = size > 1e6 ? 1e-6 : 1e-5; /* radian, nm: atoms that overlap are very near */
    for (int b = 1; b < protein->nbody; ++b)
        power +=
            v3_dot(forces[b].angular, twist[b].angular) + v3_dot(forces[b].linear, twist[b].linear);
    for (int halving = 0; halving < 2; ++halving) {
        double step = h / (1 + halving), energy[2];
        for (int side = 0; side < 2; ++side) {
            double t = side ? step : -step;
            for (int b = 1; b < protein->nbody; ++b) {
                cardo_vec3 w = twist[b].angular;
                X[b].R = m33_mul(m33_rotation(v3_unit(w), t * v3_norm(w)), start[b].R);
                X[b].p = v3_add_scaled(start[b].p, t, twist[b].linear);
            }
            energy[side] = evaluate(protein, provider, ignored, NULL);
        }
        slope[halving] = (energy[1] - energy[0]) / (2 * step);
    }
    double expected = -(4 * slope[1] - slope[0]) / 3;
    /* The energy's last bits, of terms ten times as large, over the step. */
    double rounding = 10 * 1e-15 * (size + 1e4) / h;
    assert_close(power, expected, 1e-6 * fabs(expected) + rounding);
}

static void check_gradients(const char *path, rigid_partition partition)
{
    uint64_t seed = first_seed + 1;
    for (int solvent = 0; solvent < 2; ++solvent) {
        rigid_protein protein;
        rigid_protein_read(path, solvent ? "obc2" : NULL, partition, &protein);
        cardo_force_provider *provider = make(&protein, 0, true, "", 1);
        for (int k = 0; k < (poses > 4 ? poses : 4); ++k) {
            rigid_random_poses(&protein, unrest[k % 4], unrest[k % 4], &seed, X);
            check_gradient(&protein, provider, &seed);
        }
        cardo_force_provider_destroy(provider);
        rigid_protein_clear(&protein);
    }
}

static void forces_are_the_gradient(void **unused)
{
    (void)unused;
    check_gradients(support_source("pdb/2mcg_1.pdb"), rigid_light_chain);
}

static void forces_are_the_gradient_of_more_bodies(void **unused)
{
    (void)unused;
    check_gradients(support_shared("pdb/4ake_A_fixedH.pdb"), rigid_adenylate_kinase);
    check_gradients(support_shared("reference/openmm/2lao_min/2lao_min.pdb"),
                    rigid_lao_side_chains);
}

static void same_bits(rigid_partition partition, double distance)
{
    rigid_protein protein;
    cardo_spatial expected[MOST_BODIES], forces[MOST_BODIES];
    static cardo_transform keep[MOST_BODIES];
    uint64_t seed = 5;
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), "obc2", partition, &protein);
    for (int cut = 0; cut < 2; ++cut) {
        cardo_force_provider *one = make(&protein, cut ? 1.6 : 0, false, "", 1);
        rigid_random_poses(&protein, 0.1, distance, &seed, X);
        memcpy(keep, X, sizeof keep);
        double energy = evaluate(&protein, one, expected, NULL);
        for (int threads = 2; threads < 6; ++threads) {
            cardo_force_provider *provider = make(&protein, cut ? 1.6 : 0, false, "", threads);
            rigid_random_poses(&protein, 0.5, 5 * distance, &seed, X);
            evaluate(&protein, provider, forces, NULL);
            memcpy(X, keep, sizeof keep);
            unsigned long before = cardo_allocation_count();
            assert_true(evaluate(&protein, provider, forces, NULL) == energy);
            assert_true(cardo_allocation_count() == before);
            assert_memory_equal(forces, expected, sizeof *forces * (size_t)protein.nbody);
            cardo_force_provider_destroy(provider);
        }
        cardo_force_provider_destroy(one);
    }
    rigid_protein_clear(&protein);
}

/* The same bits from any number of threads and whatever was computed before, and nothing taken from
 * the heap. */
static void threads_and_memory(void **unused)
{
    (void)unused;
    same_bits(rigid_light_chain, 0.1);
    same_bits(rigid_single_atoms, 0.01);
}

/* Without a number of threads a provider takes those that it is left with, and its forces stay. */
static void threads_follow_cores(void **unused)
{
    (void)unused;
    rigid_protein protein;
    cardo_error error = {0};
    cardo_spatial expected[MOST_BODIES], forces[MOST_BODIES];
    uint64_t seed = 11;
    char *kept = getenv("OMP_NUM_THREADS") ? strdup(getenv("OMP_NUM_THREADS")) : NULL;
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), "obc2", rigid_light_chain, &protein);
    rigid_random_poses(&protein, 0.1, 0.1, &seed, X);
    cardo_force_provider *told = make(&protein, 0, false, "", 2);
    double energy = evaluate(&protein, told, expected, NULL);
    assert_ok(cardo_force_provider_use_cores(told, 5, &error), &error);
    assert_non_null(strstr(told->doc, "2 threads"));
    unsetenv("OMP_NUM_THREADS");
    cardo_force_provider *untold = make(&protein, 0, false, "", 0);
    for (int cores = 3; cores >= 1; --cores) {
        assert_ok(cardo_force_provider_use_cores(untold, cores, &error), &error);
        assert_non_null(strstr(untold->doc, cores == 3   ? "3 threads"
                                            : cores == 2 ? "2 threads"
                                                         : "1 thread,"));
        assert_true(evaluate(&protein, untold, forces, NULL) == energy);
        assert_memory_equal(forces, expected, sizeof *forces * (size_t)protein.nbody);
    }
    setenv("OMP_NUM_THREADS", "2", 1);
    assert_ok(cardo_force_provider_use_cores(untold, 4, &error), &error);
    assert_non_null(strstr(untold->doc, "2 threads"));
    unsetenv("OMP_NUM_THREADS");
    if (kept)
        setenv("OMP_NUM_THREADS", kept, 1);
    free(kept);
    cardo_force_provider_destroy(told);
    cardo_force_provider_destroy(untold);
    rigid_protein_clear(&protein);
}

/* Forces by atom add up to those on bodies. */
static void check_forces_by_atom(rigid_partition partition)
{
    rigid_protein protein;
    cardo_error error = {0};
    cardo_spatial expected[MOST_BODIES], forces[MOST_BODIES];
    double *by_atom = NULL;
    uint64_t seed = 11;
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), "obc2", partition, &protein);
    cardo_force_provider *provider = make(&protein, 0, true, "", 1);
    rigid_random_poses(&protein, 0.05, 0.05, &seed, X);
    evaluate(&protein, provider, expected, NULL);
    assert_ok(CARDO_ALLOCATE(&by_atom, 3 * protein.terms->natom, &error), &error);
    assert_ok(cardo_rigid_provider_atom_forces(provider, X, by_atom, &error), &error);
    memset(forces, 0, sizeof forces);
    for (int i = 0; i < protein.terms->natom; ++i) {
        int b = protein.body[i];
        cardo_vec3 f = v3_load(by_atom + 3 * i);
        cardo_vec3 arm = m33_mul_v3(X[b].R, v3_load(protein.station + 3 * i));
        forces[b].linear = v3_add(forces[b].linear, f);
        forces[b].angular = v3_add(forces[b].angular, v3_cross(arm, f));
    }
    assert_close(difference(protein.nbody, forces, expected), 0, 1e-9);
    cardo_free(by_atom);
    cardo_force_provider_destroy(provider);
    rigid_protein_clear(&protein);
}

static void forces_by_atom(void **unused)
{
    (void)unused;
    check_forces_by_atom(rigid_light_chain);
    check_forces_by_atom(three_atoms);
}

static void wrong_input(void **unused)
{
    (void)unused;
    rigid_protein protein;
    cardo_error error = {0};
    cardo_spatial forces[MOST_BODIES] = {{{0, 0, 0}, {0, 0, 0}}};
    cardo_force_provider *provider = NULL;
    cardo_rigid_options options = cardo_rigid_options_default();
    uint64_t seed = 1;
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), NULL, rigid_light_chain, &protein);
    provider = make(&protein, 0, false, "", 1);
    cardo_force_evaluation evaluation = {.nbody = protein.nbody, .X_GB = X, .body_forces = forces};
    rigid_random_poses(&protein, 0, 0, &seed, X);
    X[2].p.y = NAN;
    assert_fails(provider->compute(provider, &evaluation, &error), &error, CARDO_ERROR_NUMERICAL,
                 "pose of body 2");
    X[2].p.y = 1e5;
    assert_fails(provider->compute(provider, &evaluation, &error), &error, CARDO_RECOVERABLE,
                 "nm away");
    X[2] = X[1];
    evaluation.nbody = 2;
    assert_fails(provider->compute(provider, &evaluation, &error), &error, CARDO_ERROR_ARGUMENT,
                 "made for 3 bodies");
    cardo_force_provider_destroy(provider);
    protein.terms->number.charge[41] = NAN;
    assert_fails(cardo_rigid_provider_create(protein.terms, protein.nbody, protein.body,
                                             protein.station, &options, NULL, &provider, &error),
                 &error, CARDO_ERROR_INPUT, "atom 42");
    protein.terms->number.charge[41] = 0;
    protein.station[3] = INFINITY;
    assert_fails(cardo_rigid_provider_create(protein.terms, protein.nbody, protein.body,
                                             protein.station, &options, NULL, &provider, &error),
                 &error, CARDO_ERROR_INPUT, "atom 2 ");
    protein.station[3] = 0;
    double *const parameters[] = {&protein.terms->list.bond[6].k,
                                  &protein.terms->list.angle[6].angle,
                                  &protein.terms->list.torsion[6].phase,
                                  &protein.terms->list.exception[6].epsilon, &options.cutoff};
    static const char *const told[] = {"bond 7,", "angle 7,", "torsion 7,", "exception 7,",
                                       "cutoff of nan"};
    for (size_t k = 0; k < sizeof told / sizeof *told; ++k) {
        double right = *parameters[k];
        *parameters[k] = NAN;
        assert_fails(cardo_rigid_provider_create(protein.terms, protein.nbody, protein.body,
                                                 protein.station, &options, NULL, &provider,
                                                 &error),
                     &error, CARDO_ERROR_INPUT, told[k]);
        *parameters[k] = right;
    }
    snprintf(options.kernels, sizeof options.kernels, "mmx");
    assert_fails(cardo_rigid_provider_create(protein.terms, protein.nbody, protein.body,
                                             protein.station, &options, NULL, &provider, &error),
                 &error, CARDO_ERROR_INPUT, "mmx");
    rigid_protein_clear(&protein);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_chain),
        cmocka_unit_test(salt),
        cmocka_unit_test(small_bodies),
        shared_test(lao),
        shared_test(lao_with_side_chains),
        shared_test(adenylate_kinase),
        cmocka_unit_test(mixed_precision),
        shared_test(mixed_precision_of_more_bodies),
        cmocka_unit_test(tolerances),
        shared_test(tolerances_of_more_bodies),
        cmocka_unit_test(kernels_agree),
        cmocka_unit_test(forces_are_the_gradient),
        shared_test(forces_are_the_gradient_of_more_bodies),
        cmocka_unit_test(threads_and_memory),
        cmocka_unit_test(threads_follow_cores),
        cmocka_unit_test(forces_by_atom),
        cmocka_unit_test(wrong_input),
    };
    poses = argc > 1 ? atoi(argv[1]) : poses;
    first_seed = argc > 3 ? strtoull(argv[3], NULL, 10) : first_seed;
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    return support_run(tests, NULL, NULL);
}
