#include "sampling/methods/fold.h"

#include "base/memory.h"
#include "dynamics/evaluation/evaluate.h"
#include "multibody/mobilizers/descriptor.h"

#include <math.h>
#include <stdio.h>

/* Steps of the coordinate, in its own unit (rad, nm, whole ways of a path), on either side. */
enum { STEPS = 160, STEPS_A_LOOK = 4, FEWEST_SAMPLES = 20 };
static const double step = 0.02, aside = 1e-3;
/* kT above the lowest energy passed; of the range, by how much a turning point may lie beyond it. */
static const double highest = 40, slack = 0.05;

typedef struct sweep {
    const cardo_sampling_plan *plan;
    double kT;
    cardo_state *state;
    cardo_evaluator *evaluator;
    double *q, *gradient; /* (nq), (nu) */
    int coordinate, speed;
} sweep;

/* The variable and its slope where the coordinate is x. */
static cardo_status look(sweep *s, double x, double *xi, double *slope, cardo_error *error)
{
    s->q[s->coordinate] = x;
    cardo_state_set_q(s->state, s->q);
    cardo_status status = cardo_realize(s->plan->system, s->state, CARDO_STAGE_POSITION, error);
    if (status == CARDO_OK)
        status = cardo_variable_gradient(s->plan->variable, s->state, xi, s->gradient, error);
    *slope = status == CARDO_OK ? s->gradient[s->speed] : 0;
    return status;
}

/* Infinite where the provider refuses the place. */
static cardo_status energy_at(sweep *s, double x, double *potential, cardo_error *error)
{
    s->q[s->coordinate] = x;
    cardo_state_set_q(s->state, s->q);
    cardo_status status = cardo_evaluate(s->evaluator, s->state, error);
    if (status == CARDO_OK)
        status = cardo_evaluator_potential(s->evaluator, s->state, potential, error);
    if (status != CARDO_RECOVERABLE)
        return status;
    *potential = HUGE_VAL;
    return CARDO_OK;
}

/* Whether a way from the start to the turning point is one that walkers may go. */
static cardo_status is_open(sweep *s, double from, double to, bool *open, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double lowest = HUGE_VAL, most = 0, U;
    const int looks = 1 + (int)(fabs(to - from) / (STEPS_A_LOOK * step));
    for (int k = 0; k <= looks && status == CARDO_OK; ++k) {
        status = energy_at(s, from + k * (to - from) / looks, &U, error);
        lowest = k == 0 ? U : fmin(lowest, U);
        most = k == 0 ? U : fmax(most, U);
    }
    *open = status == CARDO_OK && most - lowest <= highest * s->kT;
    return status;
}

/* A place of the range, or a little beyond. */
static bool is_near_range(const sweep *s, double xi)
{
    const cardo_sampling_options *o = s->plan->options;
    const double period = cardo_variable_period(s->plan->variable);
    const double middle = 0.5 * (o->from + o->to), half = 0.5 * (o->to - o->from);
    return fabs(cardo_periodic_difference(xi, middle, period)) <= half * (1 + 2 * slack);
}

/* From the start in one direction. */
static cardo_status go(sweep *s, double start, double direction, cardo_fold *fold,
                       cardo_error *error)
{
    double before = 0, last = start, xi, slope;
    for (int k = 0; k <= STEPS && !fold->found; ++k) {
        const double x = start + k * direction * step;
        cardo_status status = look(s, x, &xi, &slope, error);
        if (status == CARDO_RECOVERABLE || (status == CARDO_OK && !is_near_range(s, xi)))
            return CARDO_OK;
        if (status != CARDO_OK)
            return status;
        if (before * slope < 0) {
            const double back = slope / (slope - before) * (x - last);
            fold->q = x - back;
            fold->xi = xi - 0.5 * back * slope;
            status = is_open(s, start, x, &fold->found, error);
            if (status != CARDO_OK || !fold->found)
                return status;
        }
        if (slope != 0) {
            before = slope;
            last = x;
        }
    }
    return CARDO_OK;
}

/* The start itself may be the turning point: of an RMSD from it. */
static cardo_status look_at_start(sweep *s, double start, cardo_fold *fold, cardo_error *error)
{
    double xi[3], slope[3];
    for (int k = 0; k < 3; ++k) {
        cardo_status status = look(s, start + (k - 1) * step, &xi[k], &slope[k], error);
        if (status != CARDO_OK)
            return status == CARDO_RECOVERABLE ? CARDO_OK : status;
    }
    if (slope[1] != 0 || !(slope[0] * slope[2] < 0) || !is_near_range(s, xi[0]) ||
        !is_near_range(s, xi[2]))
        return CARDO_OK;
    fold->q = start;
    fold->xi = xi[1];
    return is_open(s, start - step, start + step, &fold->found, error);
}

/* The hinge coordinates that move the variable beside the start; -1: more than can be looked at. */
static int list_coordinates(const sweep *s, int body[CARDO_MOST_SLOW], int k[CARDO_MOST_SLOW])
{
    int n = 0;
    const cardo_system *system = s->plan->system;
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        if ((info.parent == 0 && info.nu == 6) ||
            cardo_system_joint(system, b)->mobilizer->multiply_n)
            continue;
        for (int i = 0; i < info.nu; ++i) {
            if (s->gradient[info.u_first + i] == 0)
                continue;
            if (n == CARDO_MOST_SLOW)
                return -1;
            body[n] = b;
            k[n++] = i;
        }
    }
    return n;
}

static cardo_status turn(sweep *s, int body, int k, cardo_fold *fold, cardo_error *error)
{
    cardo_status status;
    cardo_body_info info;
    cardo_system_body(s->plan->system, body, &info);
    s->coordinate = info.q_first + k;
    s->speed = info.u_first + k;
    const double start = s->q[s->coordinate];
    *fold = (cardo_fold){.coordinate = s->coordinate, .start = start};
    const char *name = cardo_joint_q_name(cardo_system_joint(s->plan->system, body), k);
    snprintf(fold->name, sizeof fold->name, "%.30s.%.30s", info.name ? info.name : "body",
             name ? name : "q");
    CARDO_TRY(look_at_start(s, start, fold, error));
    if (!fold->found)
        CARDO_TRY(go(s, start, 1, fold, error));
    if (!fold->found)
        CARDO_TRY(go(s, start, -1, fold, error));
done:
    s->q[s->coordinate] = start;
    return status;
}

/* The gradient where all hinge coordinates are a little off: at the start a kink may hide it. */
static cardo_status look_beside_start(sweep *s, cardo_error *error)
{
    double xi;
    cardo_status status;
    const cardo_system *system = s->plan->system;
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        for (int i = 0; i < info.nq && !cardo_system_joint(system, b)->mobilizer->multiply_n; ++i)
            s->q[info.q_first + i] += aside;
    }
    cardo_state_set_q(s->state, s->q);
    for (int i = 0; i < cardo_system_nq(system); ++i)
        s->q[i] = cardo_state_q(s->plan->start)[i];
    status = cardo_realize(system, s->state, CARDO_STAGE_POSITION, error);
    if (status == CARDO_OK)
        status = cardo_variable_gradient(s->plan->variable, s->state, &xi, s->gradient, error);
    return status;
}

cardo_status cardo_fold_find(const cardo_sampling_plan *plan, double kT, cardo_fold *fold,
                             cardo_error *error)
{
    cardo_status status;
    const int nq = cardo_system_nq(plan->system);
    sweep s = {.plan = plan, .kT = kT};
    int body[CARDO_MOST_SLOW], k[CARDO_MOST_SLOW];
    *fold = (cardo_fold){0};
    if (cardo_variable_kind_of(plan->variable) == &cardo_variable_coordinate)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&s.q, nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&s.gradient, cardo_system_nu(plan->system), error));
    CARDO_TRY(cardo_state_create(plan->system, &s.state, error));
    CARDO_TRY(cardo_evaluator_create(plan->system, plan->provider, &s.evaluator, error));
    cardo_state_copy(s.state, plan->start);
    for (int i = 0; i < nq; ++i)
        s.q[i] = cardo_state_q(plan->start)[i];
    CARDO_TRY(look_beside_start(&s, error));
    const int n = list_coordinates(&s, body, k);
    for (int i = 0; i < n && !fold->found; ++i)
        CARDO_TRY(turn(&s, body[i], k[i], fold, error));
done:
    cardo_free(s.q);
    cardo_free(s.gradient);
    cardo_state_destroy(s.state);
    cardo_evaluator_destroy(s.evaluator);
    return status;
}

bool cardo_fold_is_sampled(const cardo_fold *fold, const cardo_crew *crew)
{
    const cardo_slow *slow = crew->walk->slow;
    int side[2] = {0, 0};
    for (int c = 0; slow && c < slow->n; ++c) {
        if (slow->q[c] != fold->coordinate)
            continue;
        const double turn =
            slow->period[c] > 0 ? remainder(fold->q - slow->start[c], slow->period[c]) : fold->q;
        for (int w = 0; w < crew->nwalker; ++w)
            for (int i = 0; i < crew->walkers[w].nsample; ++i)
                side[crew->walkers[w].slow[(size_t)i * (size_t)slow->n + (size_t)c] > turn]++;
    }
    return side[0] >= FEWEST_SAMPLES && side[1] >= FEWEST_SAMPLES;
}
