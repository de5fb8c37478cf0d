/* bench_multibody [--json] [--seconds S] [--quick]: times the multibody engine.
 *
 * Forward and inverse dynamics in full (q and u set, positions to accelerations, gravity) and the
 * operators on a realized state, in nanoseconds a body; explicit M in microseconds; memory a body;
 * and the tables of Seth et al. 2010. Medians over batches of CPU time of this thread. Built with
 * Simbody, full forward dynamics of both are timed alternately. */
#include "bench/bench_models.h"

#include "base/memory.h"
#include "multibody/mobilizers/function_based.h"
#include "multibody/mobilizers/parameters.h"
#include "multibody/tree/operators.h"

#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A model built, with room for every operator. */
typedef struct subject {
    const bench_model *model;
    cardo_system *system;
    cardo_state *state;
    int nbody, nq, nu;
    double *q, *u, *v, *out, *M;
    cardo_spatial *F, *V;
    double bytes; /* heap a body */
    int flip;
} subject;

static void die(const cardo_error *error)
{
    fprintf(stderr, "bench_multibody: %s\n", error->message);
    exit(1);
}

static void knee_functions(cardo_function_based *knee)
{
    static const double identity[2] = {1, 0}, zero[1] = {0};
    *knee = (cardo_function_based){.ncoordinate = 1};
    for (int f = 0; f < 6; ++f)
        knee->functions[f] = (cardo_function){
            .kind = CARDO_FUNCTION_CONSTANT, .ncoefficient = 1, .coefficients = zero};
    /* the one rotation is about z, as a pin's */
    knee->functions[2] = (cardo_function){
        .kind = CARDO_FUNCTION_LINEAR, .narg = 1, .ncoefficient = 2, .coefficients = identity};
    const double *values[2] = {bench_knee_x, bench_knee_y};
    for (int i = 0; i < 2; ++i)
        knee->functions[3 + i] = (cardo_function){.kind = CARDO_FUNCTION_SPLINE,
                                                  .narg = 1,
                                                  .nknot = BENCH_KNOTS,
                                                  .knots = bench_knee_angle,
                                                  .values = values[i]};
}

static void build(subject *s, const bench_model *model)
{
    static const cardo_mobilizer *const joints[] = {
        [BENCH_PIN] = &cardo_mobilizer_pin,
        [BENCH_BALL] = &cardo_mobilizer_ball,
        [BENCH_FREE] = &cardo_mobilizer_free,
        [BENCH_ELLIPSOID] = &cardo_mobilizer_ellipsoid,
        [BENCH_KNEE] = &cardo_mobilizer_function_based,
    };
    cardo_error error = {0};
    const struct mallinfo2 before = mallinfo2();
    *s = (subject){.model = model};
    if (cardo_system_create(&s->system, &error))
        die(&error);
    cardo_system_set_gravity(s->system, v3(0, -9.81, 0));
    for (int k = 1; k <= model->n; ++k) {
        bench_body b;
        cardo_function_based knee;
        bench_body_properties(k, &b);
        knee_functions(&knee);
        const cardo_ellipsoid ellipsoid = {v3_load(b.radii)};
        cardo_body_definition body = {.mobilizer = joints[model->joint],
                                      .parent = model->tree ? k / 2 : k - 1};
        body.parameters = model->joint == BENCH_KNEE        ? (const void *)&knee
                          : model->joint == BENCH_ELLIPSOID ? (const void *)&ellipsoid
                                                            : NULL;
        memcpy(&body.X_PF.R, b.R_PF, sizeof b.R_PF);
        body.X_PF.p = v3_load(b.p_PF);
        body.X_BM = (cardo_transform){m33_identity(), v3_load(b.p_BM)};
        body.mass.mass = b.mass;
        body.mass.com = v3_load(b.com);
        memcpy(body.mass.inertia, b.inertia, sizeof b.inertia);
        if (cardo_system_add_body(s->system, &body, NULL, &error))
            die(&error);
    }
    if (cardo_system_finalize(s->system, &error) ||
        cardo_state_create(s->system, &s->state, &error))
        die(&error);
    const struct mallinfo2 after = mallinfo2();
    s->bytes = (double)(after.uordblks + after.hblkhd - before.uordblks - before.hblkhd) / model->n;
    s->nbody = cardo_system_nbody(s->system);
    s->nq = cardo_system_nq(s->system);
    s->nu = cardo_system_nu(s->system);
    const size_t nu = (size_t)s->nu;
    s->q = calloc((size_t)s->nq, sizeof *s->q);
    s->u = calloc(nu, sizeof *s->u);
    s->v = calloc(nu, sizeof *s->v);
    s->out = calloc(nu, sizeof *s->out);
    s->M = nu <= 2000 ? calloc(nu * nu, sizeof *s->M) : NULL;
    s->F = calloc((size_t)s->nbody, sizeof *s->F);
    s->V = calloc((size_t)s->nbody, sizeof *s->V);
    for (int i = 0; i < s->nq; ++i)
        s->q[i] = cardo_state_q(s->state)[i] + 0.4 * sin(1.3 * i + 0.5);
    for (int i = 0; i < s->nu; ++i) {
        s->u[i] = 0.5 * cos(0.7 * i);
        s->v[i] = sin(0.9 * i + 1);
    }
    for (int k = 0; k < s->nbody; ++k)
        s->F[k] = (cardo_spatial){{0.1, 0.2, -0.1}, {1, -0.5, 0.3}};
}

static void tear_down(subject *s)
{
    cardo_state_destroy(s->state);
    cardo_system_destroy(s->system);
    free(s->q);
    free(s->u);
    free(s->v);
    free(s->out);
    free(s->M);
    free(s->F);
    free(s->V);
}

/* Touches q, so that nothing of the last call can be reused. */
static void touch(subject *s)
{
    s->flip = !s->flip;
    s->q[s->nq - 1] += s->flip ? 1e-9 : -1e-9;
    cardo_state_set_q(s->state, s->q);
    cardo_state_set_u(s->state, s->u);
}

static void realize(subject *s, cardo_stage stage)
{
    cardo_error error;
    if (cardo_realize(s->system, s->state, stage, &error))
        die(&error);
}

static void forward_full(subject *s)
{
    touch(s);
    realize(s, CARDO_STAGE_ACCELERATION);
}

static void position_full(subject *s)
{
    touch(s);
    realize(s, CARDO_STAGE_POSITION);
}

static void inverse_full(subject *s)
{
    touch(s);
    realize(s, CARDO_STAGE_VELOCITY);
    cardo_inverse_dynamics(s->system, s->state, s->v, NULL, NULL, s->out, NULL);
}

static void forward_operator(subject *s)
{
    cardo_state_set_forces(s->state, NULL, s->v);
    realize(s, CARDO_STAGE_ACCELERATION);
}

static void multiply_m(subject *s)
{
    cardo_multiply_m(s->system, s->state, s->v, s->out, NULL);
}

static void multiply_minv(subject *s)
{
    cardo_multiply_minv(s->system, s->state, s->v, s->out, NULL);
}

static void multiply_sqrt_minv(subject *s)
{
    cardo_multiply_sqrt_minv(s->system, s->state, s->v, s->out, NULL);
}

static void multiply_j(subject *s)
{
    cardo_multiply_j(s->system, s->state, s->v, s->V, NULL);
}

static void multiply_jt(subject *s)
{
    cardo_multiply_jt(s->system, s->state, s->F, s->out, NULL);
}

static void reactions(subject *s)
{
    cardo_reactions(s->system, s->state, s->V, NULL);
}

static void gradient(subject *s)
{
    cardo_log_det_m_gradient(s->system, s->state, s->out, NULL);
}

static void mass_matrix(subject *s)
{
    cardo_mass_matrix(s->system, s->state, s->M, NULL);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Median over batches of the seconds that a call takes. */
static double time_call(void (*call)(subject *), subject *s, double seconds)
{
    enum { BATCHES = 15 };
    double batch[BATCHES];
    int calls = 1;
    for (;;) { /* as many calls as fill a batch */
        double start = now();
        for (int i = 0; i < calls; ++i)
            call(s);
        double spent = now() - start;
        if (spent > seconds / BATCHES || calls > 1 << 28)
            break;
        calls =
            spent > 1e-6 ? (int)(calls * fmin(8, 1.2 * seconds / BATCHES / spent)) + 1 : calls * 8;
    }
    for (int b = 0; b < BATCHES; ++b) {
        double start = now();
        for (int i = 0; i < calls; ++i)
            call(s);
        batch[b] = (now() - start) / calls;
    }
    qsort(batch, BATCHES, sizeof *batch, compare_doubles);
    return batch[BATCHES / 2];
}

typedef struct column {
    const char *name;
    void (*call)(subject *);
} column;

static const column columns[] = {
    {"position", position_full},      {"forward", forward_full}, {"inverse", inverse_full},
    {"forward_op", forward_operator}, {"M v", multiply_m},       {"Minv v", multiply_minv},
    {"W xi", multiply_sqrt_minv},     {"J v", multiply_j},       {"JT F", multiply_jt},
    {"reactions", reactions},         {"fixman", gradient},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool json;
static double budget = 0.3;

static void run_model(const bench_model *model, bool last)
{
    subject s;
    build(&s, model);
    const unsigned long allocated = cardo_allocation_count();
    if (json)
        printf("    {\"model\": \"%s\", \"bodies\": %d", model->name, model->n);
    else
        printf("%-16s %6d", model->name, model->n);
    for (int c = 0; c < COLUMNS; ++c) {
        forward_full(&s);
        double ns = 1e9 * time_call(columns[c].call, &s, budget) / model->n;
        printf(json ? ", \"%s\": %.2f" : "%.0s %10.1f", json ? columns[c].name : "", ns);
    }
    double matrix = s.M && s.nu <= 1000 ? 1e6 * time_call(mass_matrix, &s, budget) : nan("");
    double simbody = bench_simbody_forward(model, budget);
    double own = 1e9 * time_call(forward_full, &s, budget) / model->n;
    if (json) {
        if (!isnan(matrix))
            printf(", \"M_us\": %.3f", matrix);
        if (simbody > 0)
            printf(", \"simbody_forward\": %.1f, \"simbody_ratio\": %.2f", simbody, simbody / own);
        printf(", \"bytes\": %.0f, \"allocations\": %lu}%s\n", s.bytes,
               cardo_allocation_count() - allocated, last ? "" : ",");
    } else {
        printf(" %11.3f %6.0f %5lu", matrix, s.bytes, cardo_allocation_count() - allocated);
        if (simbody > 0)
            printf(" %9.1f %6.2f", simbody, simbody / own);
        printf("\n");
    }
    fflush(stdout);
    tear_down(&s);
}

/* Accelerations of one body, alternately for two mobilizers, so that the machine's moods hit both.
 */
static void run_table(const char *name, bench_joint base, bench_joint other, bool last)
{
    const bench_model models[2] = {{"base", base, 0, 1}, {"other", other, 0, 1}};
    subject s[2];
    double ratio[9];
    double ns[2][9];
    for (int i = 0; i < 2; ++i)
        build(&s[i], &models[i]);
    for (int r = 0; r < 9; ++r) {
        for (int i = 0; i < 2; ++i)
            ns[i][r] = 1e9 * time_call(forward_full, &s[i], budget / 3);
        ratio[r] = ns[1][r] / ns[0][r];
    }
    qsort(ratio, 9, sizeof *ratio, compare_doubles);
    qsort(ns[0], 9, sizeof *ns[0], compare_doubles);
    qsort(ns[1], 9, sizeof *ns[1], compare_doubles);
    const double simbody[2] = {bench_simbody_forward(&models[0], budget),
                               bench_simbody_forward(&models[1], budget)};
    const bool compared = simbody[0] > 0 && simbody[1] > 0;
    if (json && compared)
        printf("    {\"table\": \"%s\", \"simbody_ns\": [%.1f, %.1f], \"simbody_ratio\": %.3f},\n",
               name, simbody[0], simbody[1], simbody[1] / simbody[0]);
    if (json)
        printf("    {\"table\": \"%s\", \"ns\": [%.1f, %.1f], \"ratio\": %.3f}%s\n", name, ns[0][4],
               ns[1][4], ratio[4], last ? "" : ",");
    else
        printf("%-28s %8.1f ns %8.1f ns  ratio %.3f\n", name, ns[0][4], ns[1][4], ratio[4]);
    if (!json && compared)
        printf("%-28s %8.1f ns %8.1f ns  ratio %.3f\n", "  Simbody", simbody[0], simbody[1],
               simbody[1] / simbody[0]);
    for (int i = 0; i < 2; ++i)
        tear_down(&s[i]);
}

int main(int argc, char **argv)
{
    static const bench_model models[] = {
        {"pin_chain", BENCH_PIN, 0, 1},          {"pin_chain", BENCH_PIN, 0, 10},
        {"pin_chain", BENCH_PIN, 0, 100},        {"pin_chain", BENCH_PIN, 0, 1000},
        {"pin_chain", BENCH_PIN, 0, 10000},      {"ball_chain", BENCH_BALL, 0, 1},
        {"ball_chain", BENCH_BALL, 0, 10},       {"ball_chain", BENCH_BALL, 0, 100},
        {"ball_chain", BENCH_BALL, 0, 1000},     {"ball_chain", BENCH_BALL, 0, 10000},
        {"free_chain", BENCH_FREE, 0, 1},        {"free_chain", BENCH_FREE, 0, 10},
        {"free_chain", BENCH_FREE, 0, 100},      {"free_chain", BENCH_FREE, 0, 1000},
        {"free_chain", BENCH_FREE, 0, 10000},    {"ellipsoid_chain", BENCH_ELLIPSOID, 0, 100},
        {"pin_binary_tree", BENCH_PIN, 1, 15},   {"pin_binary_tree", BENCH_PIN, 1, 127},
        {"pin_binary_tree", BENCH_PIN, 1, 1023}, {"pin_binary_tree", BENCH_PIN, 1, 8191},
    };
    const int n = sizeof models / sizeof *models;
    bool quick = false;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (strcmp(argv[i], "--quick") == 0)
            quick = true;
        else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            budget = atof(argv[++i]);
        else {
            fprintf(stderr, "usage: bench_multibody [--json] [--quick] [--seconds S]\n");
            return 2;
        }
    }
    if (json) {
        printf("{\n  \"unit\": \"ns a body; M_us in microseconds\",\n  \"models\": [\n");
    } else {
        printf("ns a body\n%-16s %6s", "model", "bodies");
        for (int c = 0; c < COLUMNS; ++c)
            printf(" %10s", columns[c].name);
        printf(" %11s %6s %5s%s\n", "M (us)", "bytes", "alloc",
               bench_simbody_forward(&models[0], 0) != 0 ? "   simbody  ratio" : "");
    }
    int last = 0;
    for (int i = 0; i < n; ++i)
        last = !quick || models[i].n == 100 ? i : last;
    for (int i = 0; i <= last; ++i)
        if (!quick || models[i].n == 100)
            run_model(&models[i], i == last);
    if (json)
        printf("  ],\n  \"tables\": [\n");
    run_table("table 1: ellipsoid : ball", BENCH_BALL, BENCH_ELLIPSOID, false);
    run_table("table 1: ellipsoid : free", BENCH_FREE, BENCH_ELLIPSOID, false);
    run_table("table 2: knee : pin", BENCH_PIN, BENCH_KNEE, true);
    if (json)
        printf("  ]\n}\n");
    return 0;
}
