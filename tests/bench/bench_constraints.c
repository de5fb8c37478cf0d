/* bench_constraints [--json] [--seconds S] [--only welds|rods|ellipsoids|knee]: times forward dynamics with constraints.
 *
 * An end weld on a hundred pins and a rod every three bodies, and the constrained halves of Seth et al. 2010, Tables 1 and 2,
 * each beside its tree without them. q and u set, positions to accelerations, gravity. CPU time of this thread; the models of a
 * line, Simbody's among them where built with it, are taken in turn. Times are medians over rounds, ratios medians of the
 * rounds' ratios. */
#include "bench/bench_constraints.h"
#include "multibody/constraints/table_models.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 15, MOST_SUBJECTS = 8 };

static double budget = 0.3;
static bool json;

static void must(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "bench_constraints: %s\n", error->message);
    exit(1);
}

/* A system with a state that is realized again and again; or one in Simbody, which may be missing. */
typedef struct subject {
    cardo_system *system;
    cardo_state *state;
    double *q, *u;
    int nq, flip;
    bench_simbody *simbody;
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

static void open_simbody(subject *s, bench_closure closure, int n)
{
    *s = (subject){.simbody = bench_simbody_open(closure, n)};
}

static void close_subject(subject *s)
{
    if (s->simbody)
        bench_simbody_close(s->simbody);
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
    if (s->simbody)
        return bench_simbody_batch(s->simbody, calls);
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

static double median(const double values[ROUNDS])
{
    double sorted[ROUNDS];
    memcpy(sorted, values, sizeof sorted);
    qsort(sorted, ROUNDS, sizeof(double), compare_doubles);
    return sorted[ROUNDS / 2];
}

/* Of several subjects: seconds a call, and to the first one's. Zero for what is missing. */
typedef struct timing {
    double seconds, ratio;
    double batch[ROUNDS];
} timing;

static void time_subjects(subject *s, int n, timing *out)
{
    int calls[MOST_SUBJECTS] = {0};
    for (int i = 0; i < n; ++i) {
        out[i] = (timing){0};
        if (!s[i].system && !s[i].simbody)
            continue;
        time_batch(&s[i], 3);
        const double once = time_batch(&s[i], 3);
        calls[i] = (int)fmax(3, budget / ROUNDS / once);
    }
    for (int r = 0; r < ROUNDS; ++r)
        for (int i = 0; i < n; ++i)
            out[i].batch[r] = calls[i] ? time_batch(&s[i], calls[i]) : 0;
    for (int i = 0; i < n; ++i) {
        double ratios[ROUNDS];
        for (int r = 0; r < ROUNDS; ++r)
            ratios[r] = out[i].batch[r] / out[0].batch[r];
        out[i].seconds = median(out[i].batch);
        out[i].ratio = median(ratios);
    }
}

/* Of the second of two subjects to the first. */
static double ratio_of(const timing *first, const timing *second)
{
    double ratios[ROUNDS];
    for (int r = 0; r < ROUNDS; ++r)
        ratios[r] = second->batch[r] / first->batch[r];
    return median(ratios);
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
    subject s[3];
    timing t[3];
    open_subject(&s[0], constrained_pins(BENCH_OPEN, n), NULL, NULL);
    open_subject(&s[1], constrained_pins(closure, n), NULL, NULL);
    open_simbody(&s[2], closure, n);
    const unsigned long before = cardo_allocation_count();
    time_subjects(s, 3, t);
    const unsigned long allocations = cardo_allocation_count() - before;
    printf(json ? "    {\"model\": \"%s\", \"bodies\": %d, \"tree_us\": %.3f, \"us\": %.3f, "
                  "\"ratio\": %.3f, \"allocations\": %lu, \"simbody_us\": %.1f, "
                  "\"simbody_ratio\": %.1f},\n"
                : "%-24s %6d  tree %9.3f us  constrained %9.3f us  ratio %6.3f  allocations %lu  "
                  "simbody %9.1f us  ratio %6.1f\n",
           closure_names[closure], n, 1e6 * t[0].seconds, 1e6 * t[1].seconds, t[1].ratio,
           allocations, 1e6 * t[2].seconds, ratio_of(&t[1], &t[2]));
    fflush(stdout);
    for (int i = 0; i < 3; ++i)
        close_subject(&s[i]);
}

/* A line of the tables; simbody: of the same system, or NULL. */
static void print_table(const char *name, const timing *t, const timing *simbody, bool last)
{
    const double simbody_ns = simbody ? 1e9 * simbody->seconds : 0;
    const double simbody_ratio = simbody ? ratio_of(t, simbody) : 0;
    printf(json ? "    {\"table\": \"%s\", \"ns\": %.1f, \"ratio\": %.3f, "
                  "\"simbody_ns\": %.1f, \"simbody_ratio\": %.1f}%s\n"
                : "table %-36s %8.1f ns  ratio %6.3f  simbody %9.1f ns  ratio %6.1f%s\n",
           name, 1e9 * t->seconds, t->ratio, simbody_ns, simbody_ratio, last || !json ? "" : ",");
    fflush(stdout);
}

static cardo_mass_properties mass_of(const bench_single *body)
{
    cardo_mass_properties mass = {.mass = body->mass, .com = vector(body->com)};
    memcpy(mass.inertia, body->inertia, sizeof mass.inertia);
    return mass;
}

static void run_ellipsoids(void)
{
    enum { COUNT = ELLIPSOID_MODELS + 3 };
    static ellipsoid_rows rows[ELLIPSOID_MODELS];
    const cardo_mass_properties mass = mass_of(&bench_ellipsoid);
    const double euler[6] = {
        0.5, 0.3, -0.4, 0.08865606199840188, -0.22900635542364597, 0.1676773287188407};
    const double *q = bench_ellipsoid.q, *u = bench_ellipsoid.u;
    subject s[COUNT];
    timing t[COUNT];
    open_subject(&s[0], build_table_body("free", false, &mass), q, u);
    for (int i = 0; i < ELLIPSOID_MODELS; ++i)
        open_subject(
            &s[1 + i],
            build_ellipsoid(&ellipsoid_models[i], &mass, vector(bench_ellipsoid.radii), &rows[i]),
            ellipsoid_models[i].euler ? euler : q, u);
    open_simbody(&s[COUNT - 2], BENCH_FREE_BODY, 1);
    open_simbody(&s[COUNT - 1], BENCH_THREE_ROWS, 1);
    time_subjects(s, COUNT, t);
    print_table("1: free body, quaternion", &t[0], &t[COUNT - 2], false);
    for (int i = 0; i < ELLIPSOID_MODELS; ++i) {
        char name[64];
        snprintf(name, sizeof name, "1: ellipsoid by %s", ellipsoid_models[i].name);
        print_table(name, &t[1 + i], i == 0 ? &t[COUNT - 1] : NULL, false);
    }
    for (int i = 0; i < COUNT; ++i)
        close_subject(&s[i]);
}

static void run_knee(void)
{
    const cardo_mass_properties mass = mass_of(&bench_knee);
    double angle[BENCH_KNOTS], x[BENCH_KNOTS], y[BENCH_KNOTS], f[2][3];
    double *const knots[2] = {angle, angle}, *const values[2] = {x, y};
    const int n[2] = {BENCH_KNOTS, BENCH_KNOTS};
    knee_curves curves;
    subject s[4];
    timing t[4];
    memcpy(angle, bench_knee_angle, sizeof angle);
    memcpy(x, bench_knee_x, sizeof x);
    memcpy(y, bench_knee_y, sizeof y);
    cardo_system *system = build_knee(&mass, n, knots, values, &curves);
    for (int k = 0; k < 2; ++k)
        cardo_function_evaluate1(curves.curves[k], bench_knee.q[0], f[k]);
    const double w = bench_knee.u[0];
    const double q[3] = {bench_knee.q[0], f[0][0], f[1][0]}, u[3] = {w, w * f[0][1], w * f[1][1]};
    open_subject(&s[0], build_table_body("planar", false, &mass), q, u);
    open_subject(&s[1], system, q, u);
    open_simbody(&s[2], BENCH_PLANAR_BODY, 1);
    open_simbody(&s[3], BENCH_TWO_COUPLERS, 1);
    time_subjects(s, 4, t);
    print_table("2: planar body", &t[0], &t[2], false);
    print_table("2: knee by couplers", &t[1], &t[3], true);
    for (int i = 0; i < 4; ++i)
        close_subject(&s[i]);
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
        run_knee();
    if (json)
        printf("  ]\n}\n");
    return 0;
}
