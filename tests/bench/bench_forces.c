/* Milliseconds per evaluation of energy and forces on LAO's two rigid domains, and on larger models:
 *   bench_forces [--json] [--quick] [--chains FILE.pdb] [PROTEIN.pdb]
 * by the rigid provider, by OpenMM's CPU platform (one thread each, processor time), and by a plain
 * loop over the pairs between the domains, the floor; medians of interleaved calls, between which
 * the bodies are moved a little. Two threads are compared by the shortest times on the clock.
 * PROTEIN: with hydrogens and LAO's numbering (default: 2lao_min.pdb of the reference folder). FILE: any
 * protein with hydrogens (as cardo prepare writes it), a body for each of its chains. */
#include "bench_floor.h"

#include "base/memory.h"
#include "base/units.h"
#include "forces/rigid/protein.h"
#include "forces/rigid/rigid.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CALLS = 400, MOST_BODIES = 4096 };

typedef struct bench {
    bool json, quick;
    int nprinted;
    uint64_t seed;
    int nbody;
    cardo_transform X[MOST_BODIES];
} bench;

static double clock_ms(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    return values[n / 2];
}

static void jiggle(bench *b, const rigid_protein *protein)
{
    b->nbody = protein->nbody;
    rigid_random_poses(protein, 0.002, 0.002, &b->seed, b->X);
}

static double time_rigid(const bench *b, cardo_force_provider *provider, clockid_t id)
{
    cardo_error error = {0};
    static cardo_spatial forces[MOST_BODIES];
    cardo_force_evaluation evaluation = {.nbody = b->nbody, .X_GB = b->X, .body_forces = forces};
    double start = clock_ms(id);
    assert_ok(provider->compute(provider, &evaluation, &error), &error);
    return clock_ms(id) - start;
}

static double time_openmm(const bench *b, const rigid_protein *protein,
                          cardo_force_provider *provider)
{
    cardo_error error = {0};
    static cardo_spatial forces[MOST_BODIES];
    double energy, start = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
    assert_ok(rigid_forces_of_atoms(protein, provider, b->X, &energy, NULL, forces, &error),
              &error);
    return clock_ms(CLOCK_PROCESS_CPUTIME_ID) - start;
}

static void fill_floor(const bench *b, const rigid_protein *protein, int body, int *n,
                       bench_floor_atoms *atoms)
{
    cardo_error error = {0};
    const cardo_terms *terms = protein->terms;
    float **arrays[] = {&atoms->x,      &atoms->y,          &atoms->z,
                        &atoms->charge, &atoms->half_sigma, &atoms->root_epsilon};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
        assert_ok(CARDO_ALLOCATE(arrays[k], terms->natom, &error), &error);
    *n = 0;
    for (int i = 0; i < terms->natom; ++i) {
        if (protein->body[i] != body)
            continue;
        cardo_vec3 x = xform_point(b->X[body], v3_load(protein->station + 3 * i));
        atoms->x[*n] = (float)x.x;
        atoms->y[*n] = (float)x.y;
        atoms->z[*n] = (float)x.z;
        atoms->charge[*n] = (float)(sqrt(CARDO_COULOMB) * cardo_terms_charge(terms, i));
        atoms->half_sigma[*n] = (float)(0.5 * cardo_terms_sigma(terms, i));
        atoms->root_epsilon[*n] = (float)(2 * sqrt(cardo_terms_epsilon(terms, i)));
        ++*n;
    }
}

static void free_floor(bench_floor_atoms *atoms)
{
    cardo_free(atoms->x);
    cardo_free(atoms->y);
    cardo_free(atoms->z);
    cardo_free(atoms->charge);
    cardo_free(atoms->half_sigma);
    cardo_free(atoms->root_epsilon);
}

static double time_floor(bench *b, const rigid_protein *protein, int calls)
{
    bench_floor_atoms one = {0}, two = {0};
    int none, ntwo;
    double times[MOST_CALLS];
    float force[3] = {0, 0, 0};
    volatile float energy = 0;
    jiggle(b, protein);
    fill_floor(b, protein, 1, &none, &one);
    fill_floor(b, protein, 2, &ntwo, &two);
    for (int k = 0; k < calls; ++k) {
        double start = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
        energy += bench_floor(ntwo, &two, none, &one, force);
        times[k] = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - start;
    }
    free_floor(&one);
    free_floor(&two);
    return median(times, calls);
}

static cardo_force_provider *make_rigid(const rigid_protein *protein, double cutoff,
                                        double tolerance, bool full, const char *kernels,
                                        int threads)
{
    cardo_error error = {0};
    cardo_force_provider *provider = NULL;
    cardo_rigid_options options = {.threads = threads,
                                   .full_precision = full,
                                   .cutoff = cutoff,
                                   .gb_cutoff = cutoff,
                                   .tolerance = tolerance,
                                   .reaction_field = protein->terms->has_gb ? 1 : 78.3};
    snprintf(options.kernels, sizeof options.kernels, "%s", kernels);
    if (cardo_rigid_provider_create(protein->terms, protein->nbody, protein->body, protein->station,
                                    &options, NULL, &provider, &error) != CARDO_OK &&
        !kernels[0])
        assert_ok(error.code, &error);
    return provider;
}

static void print_row(bench *b, const char *name, const char *key, double value)
{
    if (b->json)
        printf("%s\n  \"%s: %s\": %.4f", b->nprinted++ ? "," : "{", name, key, value);
    else
        printf("%-56s %-30s %10.3f\n", name, key, value);
    fflush(stdout);
}

typedef struct way {
    const char *key, *kernels;
    bool full;
    double tolerance;
} way;

static const way ways[] = {{"rigid, mixed (ms)", "", false, 0},
                           {"rigid, within 1e-3 (ms)", "", false, 1e-3},
                           {"rigid, double (ms)", "", true, 0},
                           {"rigid, within 1e-5 (ms)", "", false, 1e-5},
                           {"rigid, mixed, avx2 (ms)", "avx2", false, 0},
                           {"rigid, mixed, plain (ms)", "plain", false, 0},
                           {"rigid, within 1e-3, avx2 (ms)", "avx2", false, 1e-3},
                           {"rigid, within 1e-3, plain (ms)", "plain", false, 1e-3}};
enum { WAYS = sizeof ways / sizeof *ways, FEW_WAYS = 3 };

static cardo_force_provider *make_openmm(const rigid_protein *protein, double cutoff)
{
    cardo_error error = {0};
    cardo_force_provider *openmm = NULL;
    cardo_openmm_options options = cardo_openmm_options_default();
    snprintf(options.platform, sizeof options.platform, "CPU");
    options.threads = 1;
    options.method = cutoff > 0 ? CARDO_CUTOFF : CARDO_ALL_PAIRS;
    options.cutoff = cutoff;
    assert_ok(cardo_openmm_provider_create(protein->terms, protein->body,
                                           protein->structure->position, &options, &openmm, &error),
              &error);
    return openmm;
}

/* One energy by the first nway ways of computing it, and by OpenMM. */
static void compare_ways(bench *b, const rigid_protein *protein, const char *name, double cutoff,
                         int nway, int calls)
{
    static double times[WAYS + 1][MOST_CALLS];
    const bool tolerant = protein->terms->has_gb && cutoff == 0;
    cardo_force_provider *rigid[WAYS], *openmm = make_openmm(protein, cutoff);
    for (int w = 0; w < nway; ++w)
        rigid[w] =
            ways[w].tolerance > 0 && !tolerant
                ? NULL
                : make_rigid(protein, cutoff, ways[w].tolerance, ways[w].full, ways[w].kernels, 1);
    for (int k = -1; k < calls; ++k) {
        int at = k < 0 ? 0 : k; /* the first of all calls warms up */
        jiggle(b, protein);
        for (int w = 0; w < nway; ++w)
            times[w][at] = rigid[w] ? time_rigid(b, rigid[w], CLOCK_PROCESS_CPUTIME_ID) : HUGE_VAL;
        times[nway][at] = time_openmm(b, protein, openmm);
    }
    double best = median(times[0], calls), theirs = median(times[nway], calls);
    for (int w = 0; w < nway; ++w)
        if (rigid[w])
            print_row(b, name, ways[w].key, w == 0 ? best : median(times[w], calls));
    print_row(b, name, "OpenMM CPU (ms)", theirs);
    print_row(b, name, "OpenMM : rigid (ratio)", theirs / best);
    for (int w = 0; w < nway; ++w)
        cardo_force_provider_destroy(rigid[w]);
    cardo_force_provider_destroy(openmm);
}

static void compare_threads(bench *b, const rigid_protein *protein, const char *name)
{
    const int calls = b->quick ? 3 : 101;
    double least[2] = {HUGE_VAL, HUGE_VAL};
    cardo_force_provider *rigid[2] = {make_rigid(protein, 0, 0, false, "", 1),
                                      make_rigid(protein, 0, 0, false, "", 2)};
    for (int k = 0; k < calls; ++k) {
        jiggle(b, protein);
        for (int w = 0; w < 2; ++w)
            least[w] = fmin(least[w], time_rigid(b, rigid[w], CLOCK_MONOTONIC));
    }
    print_row(b, name, "two threads (ms)", least[1]);
    print_row(b, name, "one : two threads (ratio)", least[0] / least[1]);
    cardo_force_provider_destroy(rigid[0]);
    cardo_force_provider_destroy(rigid[1]);
}

static void compare_lao(bench *b, const char *path)
{
    static const char *const solvents[] = {NULL, "obc2"};
    for (int solvent = 0; solvent < 2; ++solvent) {
        rigid_protein protein;
        const char *name = solvent ? "OBC2, all pairs" : "vacuum, all pairs";
        const int calls = b->quick ? 3 : solvent ? 31 : 101;
        rigid_protein_read(path, solvents[solvent], rigid_lao, &protein);
        if (!solvent)
            print_row(b, name, "floor, plain loop (ms)",
                      time_floor(b, &protein, b->quick ? 3 : 51));
        compare_ways(b, &protein, name, 0, WAYS, calls);
        compare_ways(b, &protein, solvent ? "OBC2, 1.6 nm" : "vacuum, 1.6 nm", 1.6, WAYS, calls);
        compare_threads(b, &protein, name);
        rigid_protein_clear(&protein);
    }
}

static int body_of_chain(const cardo_structure *structure, int atom)
{
    return 1 + structure->residue_chain[structure->atom_residue[atom]];
}

/* Those that have atoms. */
static int count_bodies(const rigid_protein *protein)
{
    static bool has_atoms[MOST_BODIES];
    int n = 0;
    memset(has_atoms, 0, sizeof has_atoms);
    for (int i = 0; i < protein->terms->natom; ++i) {
        n += !has_atoms[protein->body[i]];
        has_atoms[protein->body[i]] = true;
    }
    return n;
}

/* All pairs of another model, in few calls. */
static void compare_model(bench *b, const char *name, const char *path, rigid_partition partition)
{
    for (int solvent = 0; solvent < 2; ++solvent) {
        rigid_protein protein;
        char title[128], file[4096]; /* support's own names are taken again by reading */
        snprintf(file, sizeof file, "%s", path);
        rigid_protein_read(file, solvent ? "obc2" : NULL, partition, &protein);
        if (protein.nbody > MOST_BODIES)
            fail_msg("%s has %d bodies; there is room for %d", file, protein.nbody, MOST_BODIES);
        snprintf(title, sizeof title, "%s, %d atoms, %d bodies, %s, all pairs", name,
                 protein.terms->natom, count_bodies(&protein), solvent ? "OBC2" : "vacuum");
        compare_ways(b, &protein, title, 0, FEW_WAYS, b->quick ? 1 : 7);
        rigid_protein_clear(&protein);
    }
}

int main(int argc, char **argv)
{
    static bench b = {.seed = 1};
    const char *lao = NULL, *chains = NULL;
    for (int k = 1; k < argc; ++k)
        if (strcmp(argv[k], "--json") == 0)
            b.json = true;
        else if (strcmp(argv[k], "--quick") == 0)
            b.quick = true;
        else if (strcmp(argv[k], "--chains") == 0 && k + 1 < argc)
            chains = argv[++k];
        else
            lao = argv[k];
    if (!lao && !support_have_shared())
        return 77;
    compare_lao(&b, lao ? lao : support_shared("reference/openmm/2lao_min/2lao_min.pdb"));
    if (support_have_shared())
        compare_model(&b, "adenylate kinase", support_shared("pdb/4ake_A_fixedH.pdb"),
                      rigid_adenylate_kinase);
    if (!lao) {
        const char *file = support_shared("reference/openmm/2lao_min/2lao_min.pdb");
        compare_model(&b, "flexible LAO", file, rigid_lao_flexible);
        compare_model(&b, "single atoms", file, rigid_single_atoms);
    }
    if (chains)
        compare_model(&b, "chains", chains, body_of_chain);
    if (b.json)
        printf("\n}\n");
    return 0;
}
