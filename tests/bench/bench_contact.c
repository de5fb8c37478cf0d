/* Contacts: balls that fall into a box, beside Simbody where it is installed, how the time grows with their number, and two meshes that press each other.
 *   bench_contact [--quick] [--balls N | --meshes] */
#include "bench/bench_contact.h"

#include "base/vec.h"
#include "cardo/contact.h"
#include "cardo/dynamics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

static bench_balls balls_of(int n)
{
    const double radius = 0.05;
    return (bench_balls){.n = n,
                         .radius = radius,
                         .mass = 0.5,
                         .half = radius * (0.2 + cbrt(1.2 * n)),
                         .gravity = 9.81,
                         .stiffness = 1e6,
                         .dissipation = 0.5,
                         .friction = 0.4,
                         .transition = 0.01};
}

static cardo_system *build(const bench_balls *balls, int *element)
{
    cardo_error error = {0};
    cardo_system *system;
    const double pi = acos(-1), h = balls->half,
                 I = 0.4 * balls->mass * balls->radius * balls->radius;
    const cardo_contact_sphere ball = {balls->radius};
    const cardo_vec3 y = {0, 1, 0}, z = {0, 0, 1};
    const cardo_transform walls[5] = {
        cardo_transform_turn(y, pi / 2, v3(0, 0, 0)), cardo_transform_turn(z, 0, v3(h, 0, 0)),
        cardo_transform_turn(z, pi, v3(-h, 0, 0)), cardo_transform_turn(z, pi / 2, v3(0, h, 0)),
        cardo_transform_turn(z, -pi / 2, v3(0, -h, 0))};
    cardo_contact_surface *surfaces = calloc((size_t)balls->n + 5, sizeof *surfaces);
    for (int k = 0; k < balls->n + 5; ++k)
        surfaces[k] = (cardo_contact_surface){
            .body = k < 5 ? 0 : k - 4,
            .X_BS = k < 5 ? walls[k] : cardo_transform_identity(),
            .shape = cardo_contact_shape_find(k < 5 ? "half-space" : "sphere"),
            .parameters = &ball,
            .material = {balls->stiffness, balls->dissipation, balls->friction, balls->friction,
                         0}};
    const cardo_contact_parameters contact = {balls->n + 5, surfaces, balls->transition, false};
    must(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, v3(0, 0, -balls->gravity));
    for (int k = 0; k < balls->n; ++k) {
        const cardo_body_definition body = {.mobilizer = cardo_mobilizer_find("free"),
                                            .X_PF = cardo_transform_identity(),
                                            .X_BM = cardo_transform_identity(),
                                            .mass = {balls->mass, {0, 0, 0}, {I, I, I, 0, 0, 0}}};
        must(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    must(cardo_system_add_force(system, cardo_force_element_find("contact"), &contact, element,
                                &error),
         &error);
    must(cardo_system_finalize(system, &error), &error);
    free(surfaces);
    return system;
}

/* Balls in layers, a little off their places, one radius above the floor. */
static void place(const bench_balls *balls, cardo_state *state)
{
    const double step = 2.1 * balls->radius;
    const int side = (int)((2 * balls->half - 2 * balls->radius) / step) + 1;
    double *q = calloc(7 * (size_t)balls->n, sizeof *q);
    for (int k = 0; k < balls->n; ++k) {
        const int at[3] = {k % side, k / side % side, k / side / side};
        q[7 * k] = 1;
        for (int i = 0; i < 3; ++i)
            q[7 * k + 4 + i] = step * at[i] + 0.04 * balls->radius * sin(7.3 * (3 * k + i)) +
                               (i < 2 ? -0.5 * step * (side - 1) : 2 * balls->radius);
    }
    cardo_state_set_q(state, q);
    free(q);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Median of the processor time of a realization to accelerations. */
static double time_realize(const cardo_system *system, cardo_state *state, int calls, double *udot)
{
    enum { BATCHES = 9 };
    cardo_error error = {0};
    double batch[BATCHES];
    const int nq = cardo_system_nq(system), nu = cardo_system_nu(system);
    double *q = malloc((size_t)nq * sizeof *q), *u = malloc((size_t)nu * sizeof *u);
    memcpy(q, cardo_state_q(state), (size_t)nq * sizeof *q);
    memcpy(u, cardo_state_u(state), (size_t)nu * sizeof *u);
    for (int b = 0; b < BATCHES; ++b) {
        const double start = now();
        for (int i = 0; i < calls; ++i) {
            q[4] += i % 2 ? 1e-12 : -1e-12;
            cardo_state_set_q(state, q);
            cardo_state_set_u(state, u);
            must(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
        }
        batch[b] = (now() - start) / calls;
    }
    *udot = cardo_state_udot(state)[nu - 1];
    qsort(batch, BATCHES, sizeof *batch, compare);
    free(q);
    free(u);
    return batch[BATCHES / 2];
}

static void count(void *user, const cardo_contact_report *contact)
{
    (void)contact;
    ++*(int *)user;
}

/* In steps of rk4: SUNDIALS, which rk-merson is, and Simbody have functions of the same names. */
static double move_on(const cardo_system *system, cardo_state *state, long long steps)
{
    cardo_error error = {0};
    cardo_simulation *simulation;
    cardo_end end;
    const char *options[] = {"timestep=0.0002", "velocities=keep", "max-energy-jump=1e9"};
    must(cardo_simulation_open(system, state, NULL, "rk4", 3, options, &simulation, &error),
         &error);
    const double start = now();
    must(cardo_simulation_start(simulation, &error), &error);
    must(cardo_simulation_run(simulation, steps, NULL, &end, &error), &error);
    const double taken = now() - start;
    cardo_simulation_destroy(simulation);
    return taken;
}

static void fall(int n, int quick)
{
    enum { AHEAD = 10 };
    const double step = 2e-4, moments[4] = {0, 0.2, 0.5, 1};
    const bench_balls balls = balls_of(n);
    cardo_error error = {0};
    cardo_state *state;
    int element;
    cardo_system *system = build(&balls, &element);
    bench_simbody_balls *other = bench_simbody_balls_open(&balls);
    must(cardo_state_create(system, &state, &error), &error);
    place(&balls, state);
    printf("%d balls in a box; microseconds of processor time for accelerations, and milliseconds "
           "for %d steps (ours rk4, four evaluations; Simbody's Runge, Kutta, Merson)\n",
           n, AHEAD);
    printf("%8s %10s %10s %10s %8s %10s %10s %8s\n", "time", "contacts", "ours", "Simbody", "ratio",
           "ours", "Simbody", "ratio");
    for (int k = 0; k < (quick ? 2 : 4); ++k) {
        int contacts = 0;
        double ours, theirs = 0, udot[2] = {0}, taken[2] = {0};
        if (k > 0)
            move_on(system, state, lround((moments[k] - moments[k - 1]) / step));
        must(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
        must(cardo_contact_visit(system, state, element, count, &contacts, &error), &error);
        ours = time_realize(system, state, quick ? 2 : 20, &udot[0]);
        const double *q = cardo_state_q(state), *u = cardo_state_u(state);
        if (other) {
            theirs = bench_simbody_balls_realize(other, q, u, 5, &udot[1]);
            taken[1] = bench_simbody_balls_run(other, q, u, AHEAD * step, step);
            if (!(fabs(udot[1] - udot[0]) <= 1e-6 * (10 + fabs(udot[0]))))
                printf("accelerations differ: %.12g, Simbody's %.12g\n", udot[0], udot[1]);
        }
        cardo_state *copy;
        must(cardo_state_create(system, &copy, &error), &error);
        cardo_state_copy(copy, state);
        taken[0] = move_on(system, copy, AHEAD);
        cardo_state_destroy(copy);
        printf("%8.2f %10d %10.1f %10.1f %8.1f %10.2f %10.2f %8.1f\n", moments[k], contacts,
               1e6 * ours, 1e6 * theirs, theirs / ours, 1e3 * taken[0], 1e3 * taken[1],
               taken[1] / taken[0]);
    }
    bench_simbody_balls_close(other);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void grow(int quick)
{
    printf("balls as they are set, microseconds a ball for accelerations\n");
    for (int n = 100; n <= (quick ? 1000 : 100000); n *= 10) {
        const bench_balls balls = balls_of(n);
        cardo_error error = {0};
        cardo_state *state;
        int element;
        double udot;
        cardo_system *system = build(&balls, &element);
        must(cardo_state_create(system, &state, &error), &error);
        place(&balls, state);
        const double taken = time_realize(system, state, quick ? 1 : 200000 / n + 1, &udot);
        printf("%8d %10.3f\n", n, 1e6 * taken / n);
        cardo_state_destroy(state);
        cardo_system_destroy(system);
    }
}

/* A ball of latitudes and longitudes. */
static cardo_contact_mesh sphere_mesh(int rings, int columns, double *x, int *faces)
{
    const double pi = acos(-1);
    int n = 0;
    x[0] = x[1] = x[3] = x[4] = 0;
    x[2] = 1;
    x[5] = -1;
    for (int i = 1; i < rings; ++i)
        for (int j = 0; j < columns; ++j) {
            double *at = x + 3 * (2 + (i - 1) * columns + j);
            at[0] = sin(pi * i / rings) * cos(2 * pi * j / columns);
            at[1] = sin(pi * i / rings) * sin(2 * pi * j / columns);
            at[2] = cos(pi * i / rings);
        }
    for (int i = 0; i < rings; ++i)
        for (int j = 0; j < columns; ++j) {
            const int k = (j + 1) % columns, a = 2 + (i - 1) * columns, c = 2 + i * columns;
            const int up[3] = {i == 0 ? 0 : a + j, c + j, c + k};
            const int down[3] = {a + j, i == rings - 1 ? 1 : c + k, a + k};
            if (i < rings - 1)
                memcpy(faces + 3 * n++, up, sizeof up);
            if (i > 0)
                memcpy(faces + 3 * n++, down, sizeof down);
        }
    return (cardo_contact_mesh){2 + (rings - 1) * columns, n, x, faces};
}

static void faces_of(void *user, const cardo_contact_report *contact)
{
    *(int *)user = contact->nelement;
}

static void meshes(int quick)
{
    enum { RINGS = 51, COLUMNS = 50 };
    static double x[3 * (2 + RINGS * COLUMNS)];
    static int faces[6 * RINGS * COLUMNS];
    const cardo_contact_mesh mesh = sphere_mesh(RINGS, COLUMNS, x, faces);
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    cardo_contact_surface surfaces[2];
    int element;
    must(cardo_system_create(&system, &error), &error);
    for (int k = 0; k < 2; ++k) {
        const cardo_body_definition body = {.mobilizer = cardo_mobilizer_find("free"),
                                            .X_PF = cardo_transform_identity(),
                                            .X_BM = cardo_transform_identity(),
                                            .mass = {1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}};
        must(cardo_system_add_body(system, &body, NULL, &error), &error);
        surfaces[k] = (cardo_contact_surface){.body = k + 1,
                                              .X_BS = cardo_transform_identity(),
                                              .shape = cardo_contact_shape_find("mesh"),
                                              .parameters = &mesh,
                                              .material = {1e6, 1, 0.5, 0.4, 0},
                                              .thickness = 0.1};
    }
    const cardo_contact_parameters contact = {2, surfaces, 0.01, false};
    must(cardo_system_add_force(system, cardo_force_element_find("contact"), &contact, &element,
                                &error),
         &error);
    must(cardo_system_finalize(system, &error), &error);
    must(cardo_state_create(system, &state, &error), &error);
    printf("two meshes of %d triangles; milliseconds for accelerations\n%10s %10s %10s\n",
           mesh.nface, "overlap", "springs", "ms");
    for (double overlap = 0.005; overlap < 0.2; overlap *= 2) {
        double udot;
        int pressing = 0;
        const double
            a = 1.2,
            q[14] = {1, 0, 0, 0, 0, 0, 0, cos(a), 0.6 * sin(a), 0.8 * sin(a), 0, 1.9999 - overlap,
                     0, 0};
        cardo_state_set_q(state, q);
        const double taken = time_realize(system, state, quick ? 2 : 50, &udot);
        must(cardo_contact_visit(system, state, element, faces_of, &pressing, &error), &error);
        printf("%10.3f %10d %10.4f\n", overlap, pressing, 1e3 * taken);
    }
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

int main(int argc, char **argv)
{
    int quick = 0, n = 1000, only_meshes = 0;
    for (int i = 1; i < argc; ++i) {
        quick = quick || strcmp(argv[i], "--quick") == 0;
        only_meshes = only_meshes || strcmp(argv[i], "--meshes") == 0;
        if (strcmp(argv[i], "--balls") == 0 && i + 1 < argc)
            n = (int)strtol(argv[i + 1], NULL, 10);
    }
    if (!only_meshes) {
        fall(quick ? 100 : n, quick);
        grow(quick);
    }
    meshes(quick);
    return 0;
}
