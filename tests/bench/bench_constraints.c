/* bench_constraints [--json] [--seconds S] [--only welds|rods|ellipsoids|knee]: times forward dynamics with constraints.
 *
 * An end weld on a hundred pins and a rod every three bodies, each beside its tree without them; the constrained halves of
 * Seth et al. 2010, Tables 1 and 2. q and u set, positions to accelerations, gravity. Medians over batches of CPU time of this
 * thread, the models of a line taken alternately. Built with Simbody, its times for the same stand beside. */
#include "bench/bench_constraints.h"
#include "multibody/constraints/table_models.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 15 };

static double budget = 0.3;
static bool json;

static void must(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "bench_constraints: %s\n", error->message);
    exit(1);
}

/* A system with a state that is realized again and again. */
typedef struct subject {
    cardo_system *system;
    cardo_state *state;
    double *q, *u;
    int nq, flip;
} subject;

static void open_subject(subject *s, cardo_system *system, const double *q, const double *u)
{
    cardo_error error;
    *s = (subject){.system = system, .nq = cardo_system_nq(system)};
    must(cardo_state_create(system, &s->state, &error), &error);
    s->q = calloc((size_t)s->nq + 1, sizeof *s->q);
    s->u = calloc((size_t)cardo_system_nu(system) + 1, sizeof *s->u);
    for (int i = 0; i < s->nq; ++i)
        s->q[i] = q ? q[i] : cardo_state_q(s->state)[i] + 0.4 * sin(1.3 * i + 0.5);
    for (int i = 0; i < cardo_system_nu(system); ++i)
        s->u[i] = u ? u[i] : 0.5 * cos(0.7 * i);
}

static void close_subject(subject *s)
{
    cardo_state_destroy(s->state);
    cardo_system_destroy(s->system);
    free(s->q);
    free(s->u);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_batch(subject *s, int calls)
{
    cardo_error error;
    const double start = now();
    for (int i = 0; i < calls; ++i) {
        s->flip = !s->flip;
        s->q[s->nq - 1] += s->flip ? 1e-9 : -1e-9;
        cardo_state_set_q(s->state, s->q);
        cardo_state_set_u(s->state, s->u);
        must(cardo_realize(s->system, s->state, CARDO_STAGE_ACCELERATION, &error), &error);
    }
    return (now() - start) / calls;
}

static int compare_doubles(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Median seconds a call of several subjects, batches alternating. */
static void time_subjects(subject *s, int n, double *seconds)
{
    double batch[8][ROUNDS];
    int calls[8];
    for (int i = 0; i < n; ++i) {
        time_batch(&s[i], 3);
        const double once = time_batch(&s[i], 3);
        calls[i] = (int)fmax(3, budget / ROUNDS / once);
    }
    for (int r = 0; r < ROUNDS; ++r)
        for (int i = 0; i < n; ++i)
            batch[i][r] = time_batch(&s[i], calls[i]);
    for (int i = 0; i < n; ++i) {
        qsort(batch[i], ROUNDS, sizeof(double), compare_doubles);
        seconds[i] = batch[i][ROUNDS / 2];
    }
}

static cardo_vec3 vector(const double *a)
{
    return (cardo_vec3){a[0], a[1], a[2]};
}

/* Pins in a chain, as bench_multibody has them. */
static cardo_system *pins(int n)
{
    cardo_error error;
    cardo_system *system;
    must(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, (cardo_vec3){0, -9.81, 0});
    for (int k = 1; k <= n; ++k) {
        bench_body b;
        cardo_body_definition body = {.mobilizer = cardo_mobilizer_find("pin"), .parent = k - 1};
        bench_body_properties(k, &b);
        memcpy(&body.X_PF.R, b.R_PF, sizeof b.R_PF);
        body.X_PF.p = vector(b.p_PF);
        body.X_BM = cardo_transform_identity();
        body.X_BM.p = vector(b.p_BM);
        body.mass.mass = b.mass;
        body.mass.com = vector(b.com);
        memcpy(body.mass.inertia, b.inertia, sizeof b.inertia);
        must(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    return system;
}

/* Poses of bodies where the timed state begins. */
static cardo_transform *poses(int n)
{
    cardo_error error;
    cardo_system *system = pins(n);
    subject s;
    cardo_transform *X = calloc((size_t)n + 1, sizeof *X);
    must(cardo_system_finalize(system, &error), &error);
    open_subject(&s, system, NULL, NULL);
    cardo_state_set_q(s.state, s.q);
    must(cardo_realize(system, s.state, CARDO_STAGE_POSITION, &error), &error);
    memcpy(X, cardo_state_X_GB(s.state), ((size_t)n + 1) * sizeof *X);
    close_subject(&s);
    return X;
}

static double distance(cardo_vec3 a, cardo_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static cardo_system *constrained_pins(bench_closure closure, int n)
{
    cardo_error error;
    cardo_system *system = pins(n);
    cardo_transform *X = poses(n);
    if (closure == BENCH_END_WELD) {
        const cardo_welded_frames weld = {0, n, X[n], cardo_transform_identity()};
        must(cardo_system_add_constraint(system, cardo_constraint_find("weld"), NULL, &weld, NULL,
                                         &error),
             &error);
    }
    for (int k = 0; closure == BENCH_RODS && k + 3 <= n; k += 3) {
        const cardo_vec3 p1 = bench_rod_point(0), p2 = bench_rod_point(1);
        const double length =
            distance(cardo_transform_point(X[k], p1), cardo_transform_point(X[k + 3], p2));
        const cardo_rod rod = {k, k + 3, p1, p2, length};
        must(cardo_system_add_constraint(system, cardo_constraint_find("rod"), NULL, &rod, NULL,
                                         &error),
             &error);
    }
    must(cardo_system_finalize(system, &error), &error);
    free(X);
    return system;
}

static const char *const closure_names[] = {"tree", "end weld", "rod every three bodies"};

static void run_chain(bench_closure closure, int n)
{
    subject s[2];
    double seconds[2];
    open_subject(&s[0], constrained_pins(BENCH_OPEN, n), NULL, NULL);
    open_subject(&s[1], constrained_pins(closure, n), NULL, NULL);
    const unsigned long before = cardo_allocation_count();
    time_subjects(s, 2, seconds);
    const unsigned long allocations = cardo_allocation_count() - before;
    const double simbody = bench_simbody_closure(closure, n, budget);
    printf(json ? "    {\"model\": \"%s\", \"bodies\": %d, \"tree_us\": %.3f, \"us\": %.3f, "
                  "\"ratio\": %.3f, "
                  "\"allocations\": %lu, \"simbody_us\": %.1f},\n"
                : "%-24s %6d  tree %9.3f us  constrained %9.3f us  ratio %6.3f  allocations %lu  "
                  "simbody "
                  "%9.1f us\n",
           closure_names[closure], n, 1e6 * seconds[0], 1e6 * seconds[1], seconds[1] / seconds[0],
           allocations, 1e6 * simbody);
    fflush(stdout);
    close_subject(&s[0]);
    close_subject(&s[1]);
}

static void run_ellipsoids(void)
{
    static ellipsoid_rows rows[ELLIPSOID_MODELS];
    const cardo_mass_properties mass = {
        2, {0.05, -0.1, 0.15}, {0.185, 0.21, 0.125, 0.01, -0.015, 0.03}};
    const cardo_vec3 radii = {0.3, 0.5, 0.2};
    const double quaternion[7] = {0.92906136, 0.26895,     0.1001,    -0.2326,
                                  0.08865606, -0.22900636, 0.16767733};
    const double euler[6] = {
        0.5, 0.3, -0.4, 0.08865606199840188, -0.22900635542364597, 0.1676773287188407};
    const double u[6] = {
        0.7, -0.4, 0.9, 0.023057034697464406, -0.16045123226036834, -0.0404801629857137};
    subject s[ELLIPSOID_MODELS];
    double seconds[ELLIPSOID_MODELS];
    for (int i = 0; i < ELLIPSOID_MODELS; ++i)
        open_subject(&s[i], build_ellipsoid(&ellipsoid_models[i], &mass, radii, &rows[i]),
                     ellipsoid_models[i].euler ? euler : quaternion, u);
    time_subjects(s, ELLIPSOID_MODELS, seconds);
    for (int i = 0; i < ELLIPSOID_MODELS; ++i) {
        printf(json ? "    {\"table\": \"1: ellipsoid by %s\", \"ns\": %.1f},\n"
                    : "table 1: ellipsoid by %-24s %8.1f ns\n",
               ellipsoid_models[i].name, 1e9 * seconds[i]);
        close_subject(&s[i]);
    }
}

static void run_knee(bool last)
{
    const cardo_mass_properties mass = {
        3.51, {0, -0.1862, 0}, {0.1693932444, 0.0048, 0.1700932444, 0, 0, 0}};
    double angle[BENCH_KNOTS], x[BENCH_KNOTS], y[BENCH_KNOTS], seconds, f[2][3];
    double *const knots[2] = {angle, angle}, *const values[2] = {x, y};
    const int n[2] = {BENCH_KNOTS, BENCH_KNOTS};
    knee_curves curves;
    subject s;
    memcpy(angle, bench_knee_angle, sizeof angle);
    memcpy(x, bench_knee_x, sizeof x);
    memcpy(y, bench_knee_y, sizeof y);
    cardo_system *system = build_knee(&mass, n, knots, values, &curves);
    for (int k = 0; k < 2; ++k)
        cardo_function_evaluate1(curves.curves[k], -0.6, f[k]);
    const double q[3] = {-0.6, f[0][0], f[1][0]}, u[3] = {0.5, 0.5 * f[0][1], 0.5 * f[1][1]};
    open_subject(&s, system, q, u);
    time_subjects(&s, 1, &seconds);
    printf(json ? "    {\"table\": \"2: knee by couplers\", \"ns\": %.1f}%s\n"
                : "table 2: knee by couplers                      %8.1f ns%s\n",
           1e9 * seconds, last || !json ? "" : ",");
    close_subject(&s);
    release_knee(&curves);
}

int main(int argc, char **argv)
{
    static const int rods[3] = {30, 99, 300};
    const char *only = NULL;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            budget = atof(argv[++i]);
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else {
            fprintf(stderr, "usage: bench_constraints [--json] [--seconds S] [--only "
                            "welds|rods|ellipsoids|knee]\n");
            return 2;
        }
    }
    if (json)
        printf("{\n  \"constraints\": [\n");
    if (!only || strcmp(only, "welds") == 0)
        run_chain(BENCH_END_WELD, 100);
    for (int i = 0; i < 3 && (!only || strcmp(only, "rods") == 0); ++i)
        run_chain(BENCH_RODS, rods[i]);
    if (!only || strcmp(only, "ellipsoids") == 0)
        run_ellipsoids();
    if (!only || strcmp(only, "knee") == 0)
        run_knee(true);
    if (json)
        printf("  ]\n}\n");
    return 0;
}
