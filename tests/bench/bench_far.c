/* Milliseconds per evaluation of energy and forces within a tolerance, beside all pairs in the same run:
 *   bench_far [TOLERANCE [MOST_ATOMS [SOLVENT [LIGHT_CHAIN.pdb]]]]
 * in vacuum (SOLVENT: none, or left out) or with obc2,
 * on crystals of bodies of 2500 atoms that do not overlap, from 10,000 atoms to MOST_ATOMS (300,000), all pairs up to 100,000; and, where
 * there is the reference folder, on LAO's two domains, and with obc2 on 8 and 27 LAO with a hundred turning side chains each. One thread, processor time, medians. Where there are two processors, LAO and the crystal of 100,000
 * atoms by the clock of one and two threads too. */
#include "base/communicator.h"
#include "base/memory.h"
#include "forces/rigid/assembly.h"
#include "forces/rigid/rigid.h"
#include "support/support.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_BODIES = 4096, BODY = 2500, MOST_EXACT = 100000 };

static cardo_transform X[MOST_BODIES];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* force: root mean square over bodies of the last call, kJ/mol/nm. */
static double median_time(const rigid_protein *protein, double tolerance, int calls, double *setup,
                          double *force)
{
    enum { MOST_CALLS = 64 };
    cardo_error error = {0};
    cardo_force_provider *provider = NULL;
    cardo_rigid_options options = cardo_rigid_options_default();
    cardo_spatial forces[MOST_BODIES] = {0};
    double times[MOST_CALLS], start = now();
    uint64_t seed = 9;
    options.tolerance = tolerance;
    options.threads = 1;
    assert_ok(cardo_rigid_provider_create(protein->terms, protein->nbody, protein->body,
                                          protein->station, &options, NULL, &provider, &error),
              &error);
    *setup = now() - start;
    for (int k = 0; k < calls; ++k) {
        cardo_force_evaluation evaluation = {
            .nbody = protein->nbody, .X_GB = X, .body_forces = forces};
        rigid_random_poses(protein, 0.002, 0.002, &seed, X);
        memset(forces, 0, sizeof forces);
        start = now();
        assert_ok(provider->compute(provider, &evaluation, &error), &error);
        times[k] = now() - start;
    }
    *force = 0;
    for (int b = 1; b < protein->nbody; ++b)
        *force += v3_dot(forces[b].linear, forces[b].linear) / (protein->nbody - 1);
    *force = sqrt(*force);
    cardo_force_provider_destroy(provider);
    qsort(times, (size_t)calls, sizeof *times, by_value);
    return times[calls / 2];
}

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* An evaluation by a provider of its own, for a thread of its own. */
typedef struct evaluating {
    cardo_force_provider *with;
    const rigid_protein *protein;
    cardo_spatial forces[MOST_BODIES];
} evaluating;

static void *evaluate(void *context)
{
    evaluating *e = context;
    cardo_error error = {0};
    cardo_force_evaluation evaluation = {
        .nbody = e->protein->nbody, .X_GB = X, .body_forces = e->forces};
    memset(e->forces, 0, sizeof e->forces);
    assert_ok(e->with->compute(e->with, &evaluation, &error), &error);
    return NULL;
}

static cardo_force_provider *make(const rigid_protein *protein, double tolerance, int threads)
{
    cardo_error error = {0};
    cardo_force_provider *provider = NULL;
    cardo_rigid_options options = cardo_rigid_options_default();
    options.tolerance = tolerance;
    options.threads = threads;
    assert_ok(cardo_rigid_provider_create(protein->terms, protein->nbody, protein->body,
                                          protein->station, &options, NULL, &provider, &error),
              &error);
    return provider;
}

/* One evaluation by one thread, the same by two, and two at once by one thread each, which share nothing but the machine: by turns, by the clock. No
 * program can make two threads faster than the last lets them be. */
static void print_threads(const char *name, const rigid_protein *protein, double tolerance,
                          int calls)
{
    enum { MOST_CALLS = 512, ONE = 0, TWO, BOTH, KINDS };
    static evaluating work[KINDS];
    double times[KINDS][MOST_CALLS];
    uint64_t seed = 9;
    pthread_t other;
    if (cardo_core_count() < 2)
        return;
    for (int k = 0; k < KINDS; ++k) {
        work[k].with = make(protein, tolerance, k == TWO ? 2 : 1);
        work[k].protein = protein;
    }
    for (int call = 0; call < KINDS * calls; ++call) {
        const int kind = call % KINDS;
        if (kind == 0)
            rigid_random_poses(protein, 0.002, 0.002, &seed, X);
        const double start = clock_now();
        if (kind == BOTH)
            assert_int_equal(pthread_create(&other, NULL, evaluate, &work[BOTH]), 0);
        evaluate(&work[kind == TWO ? TWO : ONE]);
        if (kind == BOTH)
            pthread_join(other, NULL);
        times[kind][call / KINDS] = clock_now() - start;
    }
    for (int k = 0; k < KINDS; ++k) {
        qsort(times[k], (size_t)calls, sizeof *times[k], by_value);
        cardo_force_provider_destroy(work[k].with);
    }
    const double one = times[ONE][calls / 2];
    printf("%s, by the clock: one thread %.2f ms, two %.2f ms: %.2f times as fast (least times: "
           "%.2f); two that share nothing: %.2f\n",
           name, one, times[TWO][calls / 2], one / times[TWO][calls / 2],
           times[ONE][0] / times[TWO][0], 2 * one / times[BOTH][calls / 2]);
}

static int whole(const cardo_structure *structure, int atom)
{
    (void)structure;
    (void)atom;
    return 1;
}

static void print_times(const char *name, const rigid_protein *protein, double tolerance,
                        double *within)
{
    const int natom = protein->terms->natom;
    double setup, none, force;
    *within = median_time(protein, tolerance, natom > 50000 ? 7 : 31, &setup, &force);
    printf("%-24s %7d atoms %4d bodies: %9.2f ms, set up in %.1f s, forces of %.3g", name, natom,
           protein->nbody - 1, *within, 1e-3 * setup, force);
    if (natom <= MOST_EXACT) {
        const double exact = median_time(protein, 0, natom > 50000 ? 1 : 7, &none, &force);
        printf("; all pairs %9.2f ms: 1/%.1f", exact, exact / *within);
    }
    printf("\n");
    fflush(stdout);
}

/* Many small bodies beside large ones. */
static void print_turning(const char *solvent, double tolerance)
{
    static const int copies[] = {8, 27};
    rigid_protein protein, soup;
    double within;
    rigid_protein_read(support_shared("reference/openmm/2lao_min/2lao_min.pdb"), solvent,
                       rigid_lao_side_chains, &protein);
    for (size_t k = 0; k < sizeof copies / sizeof *copies; ++k) {
        rigid_assemble(&protein, 0, copies[k], rigid_soup, v3(6, 6, 6), &soup);
        print_times("LAO, side chains", &soup, tolerance, &within);
        print_threads("LAO, side chains", &soup, tolerance, 15);
        rigid_protein_clear(&soup);
    }
    rigid_protein_clear(&protein);
}

int main(int argc, char **argv)
{
    static const int bodies[] = {4, 12, 40, 120};
    const double tolerance = argc > 1 ? atof(argv[1]) : 1e-3;
    const int most = argc > 2 ? atoi(argv[2]) : 300000;
    const char *solvent = argc > 3 && strcmp(argv[3], "none") != 0 ? argv[3] : NULL;
    const char *file = argc > 4 ? argv[4] : support_source("pdb/2mcg_1.pdb");
    rigid_protein protein, soup;
    double first = 0, last = 0, within = 0;
    int natom = 0;
    printf("tolerance %g, %s\n", tolerance, solvent ? solvent : "vacuum");
    rigid_protein_read(file, solvent, whole, &protein);
    const cardo_vec3 spacing = v3_add(rigid_extent(&protein, BODY), v3(0.15, 0.15, 0.15));
    printf("%.3g atoms/nm^3\n", BODY / (spacing.x * spacing.y * spacing.z));
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies && bodies[k] * BODY <= most; ++k) {
        rigid_assemble(&protein, BODY, bodies[k], rigid_crystal, spacing, &soup);
        print_times("crystal", &soup, tolerance, &last);
        if (bodies[k] * BODY == MOST_EXACT)
            print_threads("crystal", &soup, tolerance, 15);
        natom = soup.terms->natom;
        first = k == 0 ? last : first;
        rigid_protein_clear(&soup);
    }
    if (last != first)
        printf("time grows with atoms to the power %.2f\n",
               log(last / first) / log((double)natom / (bodies[0] * BODY)));
    rigid_protein_clear(&protein);
    if (support_have_shared()) {
        rigid_protein_read(support_shared("reference/openmm/2lao_min/2lao_min.pdb"), solvent,
                           rigid_lao, &protein);
        print_times("LAO", &protein, tolerance, &within);
        print_threads("LAO", &protein, tolerance, 301);
        rigid_assemble(&protein, 0, 14, rigid_ring, v3(5, 0, 0), &soup);
        print_times("ring of 14 LAO", &soup, tolerance, &within);
        rigid_protein_clear(&soup);
        rigid_protein_clear(&protein);
        if (solvent)
            print_turning(solvent, tolerance);
    }
    return 0;
}
