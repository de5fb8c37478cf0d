/* Eigenvalues of one mechanism told in many ways: any body as its base, joints reversed, anywhere in
 * space; of a network at rest and of forces that are not. And what is said of the differences of
 * forces: that they are the network's stiffness, how their rounding shows, that processes together make the same
 * bits. */
#include "analysis/modes/force_stiffness.h"
#include "analysis/modes/modes.h"
#include "analysis/modes/network_stiffness.h"
#include "base/communicator.h"
#include "cli/processes/parallel.h"
#include "dynamics/evaluation/callback_provider.h"
#include "multibody/random_tree.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 6, EDGES = BODIES - 1, POINTS = 4, STATIONS = BODIES * POINTS, MOST = 64 };

static cardo_error error;

/* A tree of bodies: who is joined to whom, by what, and where (in coordinates that all bodies share
 * while every joint is at zero). */
static const int joined[EDGES][2] = {{0, 1}, {1, 2}, {1, 3}, {3, 4}, {3, 5}};
static const cardo_mobilizer *const kind[EDGES] = {&cardo_mobilizer_pin, &cardo_mobilizer_ball,
                                                   &cardo_mobilizer_pin, &cardo_mobilizer_universal,
                                                   &cardo_mobilizer_slider};

typedef struct mechanism {
    double points[BODIES][3 * POINTS];
    cardo_transform joint[EDGES];
    double q[EDGES][4];
} mechanism;

static void make_mechanism(mechanism *m)
{
    uint64_t seed = 11;
    random_numbers(BODIES * 3 * POINTS, &seed, m->points[0]);
    for (int b = 0; b < BODIES; ++b)
        for (int p = 0; p < POINTS; ++p) {
            m->points[b][3 * p] += 1.2 * b;
            m->points[b][3 * p + 1] += b % 2;
        }
    for (int e = 0; e < EDGES; ++e) {
        double turn[4], size = 0;
        m->joint[e].R = random_rotation(&seed);
        m->joint[e].p = v3(0.6 * (joined[e][0] + joined[e][1]), 0.4, 0.1);
        random_numbers(4, &seed, turn);
        for (int k = 0; k < 4; ++k)
            size += turn[k] * turn[k];
        for (int k = 0; k < 4; ++k)
            m->q[e][k] = kind[e] == &cardo_mobilizer_ball ? turn[k] / sqrt(size) : 0.3 * turn[k];
    }
}

static cardo_mass_properties mass_of(const double *points)
{
    cardo_mass_properties mass = {.mass = 12.0 * POINTS};
    for (int i = 0; i < POINTS; ++i) {
        cardo_vec3 x = v3_load(points + 3 * i);
        mass.com = v3_add_scaled(mass.com, 1.0 / POINTS, x);
        mass.inertia[0] += 12 * (x.y * x.y + x.z * x.z);
        mass.inertia[1] += 12 * (x.x * x.x + x.z * x.z);
        mass.inertia[2] += 12 * (x.x * x.x + x.y * x.y);
        mass.inertia[3] -= 12 * x.x * x.y;
        mass.inertia[4] -= 12 * x.x * x.z;
        mass.inertia[5] -= 12 * x.y * x.z;
    }
    return mass;
}

/* How the mechanism is told. */
typedef struct telling {
    int base; /* which body is on ground                      */
    bool base_reversed;

    cardo_transform pose;
} telling;

typedef struct told {
    cardo_system *system;
    cardo_state *state;
    int nu;
} told;

/* The body behind edge e as seen from where the tree has come to, or -1. */
static int next_body(int e, const int *number, int *from)
{
    for (int side = 0; side < 2; ++side)
        if (number[joined[e][side]] > 0 && number[joined[e][1 - side]] == 0) {
            *from = joined[e][side];
            return joined[e][1 - side];
        }
    return -1;
}

static void add(const mechanism *m, told *t, int which, cardo_body_definition body, int *number)
{
    body.mass = mass_of(m->points[which]);
    assert_ok(cardo_system_add_body(t->system, &body, &number[which], &error), &error);
    assert_ok(cardo_system_add_stations(t->system, number[which], POINTS * which, POINTS,
                                        m->points[which], &error),
              &error);
}

static void tell(const mechanism *m, const telling *how, told *t)
{
    int number[BODIES] = {0}, edge_body[EDGES] = {0};
    assert_ok(cardo_system_create(&t->system, &error), &error);
    const cardo_body_definition base = {.mobilizer = &cardo_mobilizer_free,
                                        .reversed = how->base_reversed,
                                        .X_PF = how->pose,
                                        .X_BM = xform_identity()};
    add(m, t, how->base, base, number);
    for (int added = 1; added < BODIES;)
        for (int e = 0; e < EDGES; ++e) {
            int from = -1, to = next_body(e, number, &from);
            if (to < 0)
                continue;
            /* The joint's q keeps its meaning, whichever of the two comes first. */
            const cardo_body_definition body = {.parent = number[from],
                                                .mobilizer = kind[e],
                                                .reversed = from == joined[e][1],
                                                .X_PF = m->joint[e],
                                                .X_BM = m->joint[e]};
            add(m, t, to, body, number);
            edge_body[e] = number[to];
            ++added;
        }
    assert_ok(cardo_system_finalize(t->system, &error), &error);
    assert_ok(cardo_state_create(t->system, &t->state, &error), &error);
    double q[MOST];
    memcpy(q, cardo_state_q(t->state), (size_t)cardo_system_nq(t->system) * sizeof *q);
    for (int e = 0; e < EDGES; ++e) {
        cardo_body_info info;
        cardo_system_body(t->system, edge_body[e], &info);
        for (int k = 0; k < info.nq; ++k)
            q[info.q_first + k] = m->q[e][k];
    }
    cardo_state_set_q(t->state, q);
    assert_ok(cardo_realize(t->system, t->state, CARDO_STAGE_VELOCITY, &error), &error);
    t->nu = cardo_system_nu(t->system);
}

static void forget(told *t)
{
    cardo_state_destroy(t->state);
    cardo_system_destroy(t->system);
}

/* Springs between all points of different bodies, at rest at their own length or not. */
typedef struct pair_forces {
    double rest[STATIONS][STATIONS], k[STATIONS][STATIONS];
    double force[3 * STATIONS];
    bool single;
} pair_forces;

static cardo_status pull(void *user, cardo_force_evaluation *evaluation, cardo_error *e)
{
    (void)e;
    pair_forces *p = user;
    memset(p->force, 0, sizeof p->force);
    evaluation->energy = 0;
    for (int i = 0; i < STATIONS; ++i)
        for (int j = 0; j < i; ++j) {
            cardo_vec3 d = v3_sub(v3_load(evaluation->station_positions + 3 * j),
                                  v3_load(evaluation->station_positions + 3 * i));
            double r = v3_norm(d), stretch = r - p->rest[i][j];
            cardo_vec3 f = v3_scale(p->k[i][j] * stretch / r, d);
            evaluation->energy += 0.5 * p->k[i][j] * stretch * stretch;
            v3_store(p->force + 3 * i, v3_add(v3_load(p->force + 3 * i), f));
            v3_store(p->force + 3 * j, v3_sub(v3_load(p->force + 3 * j), f));
        }
    for (int k = 0; p->single && k < 3 * STATIONS; ++k)
        p->force[k] = (double)(float)p->force[k];
    evaluation->station_forces = p->force;
    return CARDO_OK;
}

/* Springs of the network as forces; with slack, lengths and constants are others. */
static void make_forces(const told *t, const cardo_spring_network *network, double slack,
                        pair_forces *p)
{
    double x[3 * STATIONS];
    memset(p, 0, sizeof *p);
    assert_ok(cardo_station_positions(t->system, t->state, x, &error), &error);
    for (int s = 0; s < network->nspring; ++s) {
        int i = network->spring[s].end[1], j = network->spring[s].end[0];
        p->k[i][j] = network->spring[s].k;
        p->rest[i][j] = v3_norm(v3_sub(v3_load(x + 3 * i), v3_load(x + 3 * j))) *
                        (1 + slack * sin(i + 3.0 * j));
    }
}

static cardo_spring_network *make_network(const told *t, double *x)
{
    cardo_spring_network *network;
    const cardo_spring_options options = {3.0, 300, 2, 1.0};
    assert_ok(cardo_station_positions(t->system, t->state, x, &error), &error);
    assert_ok(cardo_spring_network_create(STATIONS, x, &options, &network, &error), &error);
    return network;
}

static void force_K(const told *t, pair_forces *p, double step, cardo_communicator *communicator,
                    double *K, cardo_stiffness_quality *quality)
{
    cardo_force_provider *provider;
    cardo_evaluator *evaluator;
    assert_ok(cardo_callback_provider_create(
                  pull, p, CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_INVARIANT, &provider, &error),
              &error);
    assert_ok(cardo_evaluator_create(t->system, provider, &evaluator, &error), &error);
    assert_ok(cardo_force_stiffness(t->system, t->state, evaluator, step, true, communicator, K,
                                    quality, &error),
              &error);
    cardo_evaluator_destroy(evaluator);
    cardo_force_provider_destroy(provider);
}

static int eigenvalues(const told *t, double *K, double *values)
{
    cardo_modes *modes;
    assert_ok(cardo_modes_create(t->system, t->state, K, true, t->nu, &modes, &error), &error);
    assert_int_equal(modes->nrigid, 6);
    assert_int_equal(modes->nheld, 0);
    const int n = modes->count - 6;
    memcpy(values, modes->eigenvalue + 6, (size_t)n * sizeof *values);
    cardo_modes_destroy(modes);
    return n;
}

static double apart(int n, const double *a, const double *b)
{
    double worst = 0;
    for (int k = 0; k < n; ++k)
        worst = fmax(worst, fabs(a[k] / b[k] - 1));
    return worst;
}

static void eigenvalues_depend_on_no_telling(void **unused)
{
    (void)unused;
    mechanism m;
    double first[2][MOST], values[2][MOST], worst[2] = {0, 0};
    pair_forces forces;
    make_mechanism(&m);
    for (int variant = 0; variant < 4 * BODIES; ++variant) {
        uint64_t seed = 100 + (uint64_t)variant;
        const telling how = {.base = variant % BODIES,
                             .base_reversed = variant / BODIES % 2,
                             .pose = variant < BODIES ? xform_identity() : random_transform(&seed)};
        double K[MOST * MOST], x[3 * STATIONS];
        cardo_stiffness_quality quality;
        told t;
        tell(&m, &how, &t);
        cardo_spring_network *network = make_network(&t, x);
        if (variant == 0)
            make_forces(&t, network, 0.1, &forces);
        assert_ok(cardo_network_stiffness(t.system, t.state, network, NULL, K, &error), &error);
        int n = eigenvalues(&t, K, values[0]);
        assert_int_equal(n, 1 + 3 + 1 + 2 + 1);
        force_K(&t, &forces, 3e-5, NULL, K, &quality);
        assert_true(quality.residual > 1);
        eigenvalues(&t, K, values[1]);
        for (int kind_of_K = 0; kind_of_K < 2; ++kind_of_K) {
            if (variant == 0)
                memcpy(first[kind_of_K], values[kind_of_K], sizeof first[0]);
            worst[kind_of_K] =
                fmax(worst[kind_of_K], apart(n, values[kind_of_K], first[kind_of_K]));
        }
        cardo_spring_network_destroy(network);
        forget(&t);
    }
    print_message("%d tellings: eigenvalues to %.1e (network), %.1e (forces, not at a minimum)\n",
                  4 * BODIES, worst[0], worst[1]);
    assert_true(worst[0] < 1e-8);
    assert_true(worst[1] < 1e-8);
    /* Forces that are there do count. */
    assert_true(apart(8, first[0], first[1]) > 1e-3);
}

static void differences_are_the_networks_stiffness(void **unused)
{
    (void)unused;
    const telling how = {.pose = xform_identity()};
    mechanism m;
    told t;
    pair_forces forces;
    cardo_stiffness_quality quality, coarse;
    double K[MOST * MOST], D[MOST * MOST], x[3 * STATIONS], largest = 0, worst = 0;
    make_mechanism(&m);
    tell(&m, &how, &t);
    cardo_spring_network *network = make_network(&t, x);
    make_forces(&t, network, 0, &forces);
    assert_ok(cardo_network_stiffness(t.system, t.state, network, NULL, K, &error), &error);
    force_K(&t, &forces, 0, NULL, D, &quality);
    for (int a = 6; a < t.nu; ++a)
        for (int b = 6; b < t.nu; ++b) {
            largest = fmax(largest, fabs(K[a * t.nu + b]));
            worst = fmax(worst, fabs(K[a * t.nu + b] - D[a * t.nu + b]));
        }
    assert_true(worst < 1e-7 * largest);
    assert_true(quality.residual < 1e-9);
    assert_true(quality.asymmetry < 1e-8);
    /* Forces in single precision are asymmetric as their measured rounding says, within the scatter of
     * seven of them; a wide step as the measured truncation says. */
    forces.single = true;
    force_K(&t, &forces, 1e-5, NULL, D, &coarse);
    print_message("double: asymmetry %.1e; single: %.1e, of rounding %.1e", quality.asymmetry,
                  coarse.asymmetry, coarse.rounding);
    assert_true(coarse.asymmetry > 100 * quality.asymmetry);
    assert_true(coarse.asymmetry < 3 * coarse.rounding && coarse.asymmetry > coarse.rounding / 30);
    forces.single = false;
    force_K(&t, &forces, 0.05, NULL, D, &coarse);
    print_message("; step 0.05: %.1e, of its width %.1e\n", coarse.asymmetry, coarse.truncation);
    assert_true(coarse.asymmetry < 2 * coarse.truncation);
    assert_true(coarse.rounding < 1e-9);
    cardo_spring_network_destroy(network);
    forget(&t);
}

/* What every member does: the first one keeps K. */
static cardo_status share_work(cardo_communicator *communicator, void *K, cardo_error *e)
{
    (void)e;
    const telling how = {.base = 2, .pose = xform_identity()};
    mechanism m;
    told t;
    pair_forces forces;
    cardo_stiffness_quality quality;
    double x[3 * STATIONS];
    make_mechanism(&m);
    tell(&m, &how, &t);
    cardo_spring_network *network = make_network(&t, x);
    make_forces(&t, network, 0.1, &forces);
    force_K(&t, &forces, 1e-5, communicator, K, &quality);
    cardo_spring_network_destroy(network);
    forget(&t);
    return CARDO_OK;
}

static void processes_make_the_same_bits(void **unused)
{
    (void)unused;
    static double alone[MOST * MOST], together[MOST * MOST];
    assert_ok(share_work(NULL, alone, &error), &error);
    for (int n = 2; n <= 3; ++n) {
        memset(together, 0, sizeof together);
        assert_ok(cardo_parallel_run(n, share_work, together, &error), &error);
        assert_memory_equal(alone, together, sizeof alone);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvalues_depend_on_no_telling),
        cmocka_unit_test(differences_are_the_networks_stiffness),
        cmocka_unit_test(processes_make_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
