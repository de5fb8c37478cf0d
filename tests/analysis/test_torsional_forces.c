/* The stiffness that forces have in ubiquitin's torsions, where they are not zero, against a dense
 * reference: J^T H J with the Hessian of atoms, and f . d2x/dqdq with positions by finite differences. */
#include "analysis/modes/force_stiffness.h"
#include "analysis/modes/mode_motion.h"
#include "analysis/modes/spring_network.h"
#include "dynamics/evaluation/callback_provider.h"
#include "model/model.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 512, EVERY = 11 };

static cardo_error error;

/* Springs of a network whose rest lengths are others than those at hand. */
typedef struct strained {
    cardo_model *model;
    cardo_system *system;
    cardo_state *state;
    cardo_spring_network *network;
    double *x, *rest, *force; /* (3 n), (springs), (3 n) */
    double q[MOST];
    int n, nu;
} strained;

static double pull_of(const strained *t, int s, const double *x, cardo_vec3 *along, double *length)
{
    const cardo_spring *spring = &t->network->spring[s];
    cardo_vec3 d =
        v3_sub(v3_load(x + 3 * (size_t)spring->end[1]), v3_load(x + 3 * (size_t)spring->end[0]));
    *length = v3_norm(d);
    *along = v3_scale(1 / *length, d);
    return spring->k * (*length - t->rest[s]);
}

static void forces_at(const strained *t, const double *x, double *force)
{
    memset(force, 0, 3 * (size_t)t->n * sizeof *force);
    for (int s = 0; s < t->network->nspring; ++s) {
        cardo_vec3 e;
        double length, pull = pull_of(t, s, x, &e, &length);
        double *a = force + 3 * (size_t)t->network->spring[s].end[0],
               *b = force + 3 * (size_t)t->network->spring[s].end[1];
        v3_store(a, v3_add_scaled(v3_load(a), pull, e));
        v3_store(b, v3_add_scaled(v3_load(b), -pull, e));
    }
}

static cardo_status compute(void *user, cardo_force_evaluation *evaluation, cardo_error *e)
{
    (void)e;
    strained *t = user;
    forces_at(t, evaluation->station_positions, t->force);
    evaluation->station_forces = t->force;
    return CARDO_OK;
}

static void make_strained(strained *t)
{
    char text[1024];
    const cardo_spring_options options = {0.6, 50, 0, 0.1};
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"ubiquitin\"><structure id=\"a\" file=\"%s\"/>"
             "<domain name=\"all\" residues=\"A:1-76\"/><body name=\"all\" domains=\"all\"/>"
             "<flexible residues=\"A:1-76\" torsions=\"phi psi chi\"/></model></cardo>",
             support_shared("reference/openmm/1ubi/1ubi.pdb"));
    assert_ok(cardo_model_read(support_write("strained.xml", text), 0, NULL, &t->model, &error),
              &error);
    assert_ok(cardo_model_compile(t->model, NULL, &t->system, &error), &error);
    assert_ok(cardo_state_create(t->system, &t->state, &error), &error);
    cardo_model_initial_q(t->model, t->system, t->q);
    cardo_state_set_q(t->state, t->q);
    assert_ok(cardo_realize(t->system, t->state, CARDO_STAGE_VELOCITY, &error), &error);
    t->n = cardo_system_nstation(t->system);
    t->nu = cardo_system_nu(t->system);
    assert_true(t->nu < MOST);
    t->x = calloc(3 * (size_t)t->n, sizeof *t->x);
    t->force = calloc(3 * (size_t)t->n, sizeof *t->force);
    assert_ok(cardo_station_positions(t->system, t->state, t->x, &error), &error);
    assert_ok(cardo_spring_network_create(t->n, t->x, &options, &t->network, &error), &error);
    t->rest = calloc((size_t)t->network->nspring, sizeof *t->rest);
    for (int s = 0; s < t->network->nspring; ++s) {
        const cardo_spring *spring = &t->network->spring[s];
        t->rest[s] = v3_norm(v3_sub(v3_load(t->x + 3 * (size_t)spring->end[0]),
                                    v3_load(t->x + 3 * (size_t)spring->end[1]))) *
                     (1.1 + 0.1 * sin(s));
    }
}

/* J^T H J for two columns of J: along the springs their k, across them pull/length. */
static double hessian_term(const strained *t, const double *Ja, const double *Jb)
{
    double sum = 0;
    for (int s = 0; s < t->network->nspring; ++s) {
        cardo_vec3 e;
        double length, pull = pull_of(t, s, t->x, &e, &length);
        const size_t i = 3 * (size_t)t->network->spring[s].end[0],
                     j = 3 * (size_t)t->network->spring[s].end[1];
        cardo_vec3 a = v3_sub(v3_load(Ja + j), v3_load(Ja + i)),
                   b = v3_sub(v3_load(Jb + j), v3_load(Jb + i));
        double along = v3_dot(a, e) * v3_dot(b, e);
        sum += t->network->spring[s].k * along + pull / length * (v3_dot(a, b) - along);
    }
    return sum;
}

/* f . x where the state has moved along speeds a and b by so much. */
static double work_at(strained *t, int a, int b, double to_a, double to_b, const double *f)
{
    double speeds[MOST] = {0}, *x = calloc(3 * (size_t)t->n, sizeof *x), sum = 0;
    speeds[a] += to_a;
    speeds[b] += to_b;
    cardo_state_set_q(t->state, t->q);
    assert_ok(cardo_move_along(t->system, t->state, speeds, 1, &error), &error);
    assert_ok(cardo_station_positions(t->system, t->state, x, &error), &error);
    for (int k = 0; k < 3 * t->n; ++k)
        sum += f[k] * (x[k] - t->x[k]);
    free(x);
    return sum;
}

/* - f . d2x/da db. */
static double curvature_term(strained *t, int a, int b, const double *f)
{
    const double h = 1e-3;
    double sum = 0;
    for (int sign = 0; sign < 4; ++sign)
        sum += (sign == 0 || sign == 3 ? 1 : -1) *
               work_at(t, a, b, sign & 1 ? h : -h, sign & 2 ? h : -h, f);
    return -sum / (4 * h * h);
}

static void forces_that_are_left_count(void **unused)
{
    (void)unused;
    strained t = {0};
    cardo_force_provider *provider;
    cardo_evaluator *evaluator;
    cardo_stiffness_quality quality;
    make_strained(&t);
    const size_t nu = (size_t)t.nu, row = 3 * (size_t)t.n;
    double *K = calloc(nu * nu, sizeof *K), *J = calloc(nu * row, sizeof *J), unit[MOST];
    double *f = calloc(row, sizeof *f), largest = 0, worst = 0, curved = 0;
    for (size_t a = 0; a < nu; ++a) {
        memset(unit, 0, sizeof unit);
        unit[a] = 1;
        assert_ok(cardo_multiply_station_j(t.system, t.state, unit, J + a * row, &error), &error);
    }
    forces_at(&t, t.x, f);
    assert_ok(cardo_callback_provider_create(compute, &t,
                                             CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_INVARIANT,
                                             &provider, &error),
              &error);
    assert_ok(cardo_evaluator_create(t.system, provider, &evaluator, &error), &error);
    assert_ok(
        cardo_force_stiffness(t.system, t.state, evaluator, 0, true, NULL, K, &quality, &error),
        &error);
    int npair = 0;
    for (size_t a = 6; a < nu; a += EVERY)
        for (size_t b = 6; b <= a; b += EVERY, ++npair) {
            double curvature = curvature_term(&t, (int)a, (int)b, f);
            double expected = hessian_term(&t, J + a * row, J + b * row) + curvature;
            largest = fmax(largest, fabs(expected));
            curved = fmax(curved, fabs(curvature));
            worst = fmax(worst, fabs(expected - K[a * nu + b]));
        }
    print_message(
        "ubiquitin under strain: %d entries to %.1e of the largest, to which forces add up "
        "to %.1e; asymmetry %.1e\n",
        npair, worst / largest, curved / largest, quality.asymmetry);
    assert_true(npair > 300 && curved > 1e-2 * largest);
    assert_true(worst < 1e-7 * largest);
    assert_true(quality.asymmetry < 1e-7 && quality.residual > 10);
    cardo_evaluator_destroy(evaluator);
    cardo_force_provider_destroy(provider);
    cardo_spring_network_destroy(t.network);
    cardo_state_destroy(t.state);
    cardo_system_destroy(t.system);
    cardo_model_destroy(t.model);
    free(t.x);
    free(t.rest);
    free(t.force);
    free(K);
    free(J);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {shared_test(forces_that_are_left_count)};
    return support_run(tests, NULL, NULL);
}
