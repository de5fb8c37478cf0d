#include "sampling/methods/fold_manifold.h"

#include "base/memory.h"
#include "cardo/manifold.h"
#include "dynamics/evaluation/evaluate.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/operators.h"
#include "sampling/variables/response.h"
#include "sampling/walkers/creep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps of q, in its own units; the shortest that is tried. */
enum { MOST_STEPS = 4000, STEPS_A_LOOK = 4 };
static const double longest = 0.02, least = 1e-6;
/* kT above the lowest energy passed; of the range, by how much a turning point may lie beyond it. */
static const double highest = 40, slack = 0.05;

typedef struct follower {
    const cardo_sampling_plan *plan;
    double kT;
    cardo_state *state;
    cardo_evaluator *evaluator;
    cardo_creeper creeper;
    double *tangent, *gradient, *work, *rate; /* (nu), the last one (nq) */
    double lowest;                            /* energy so far */
} follower;

static cardo_status open_follower(follower *f, cardo_error *error)
{
    cardo_status status;
    const cardo_system *system = f->plan->system;
    const int nu = cardo_system_nu(system);
    CARDO_TRY(cardo_state_create(system, &f->state, error));
    CARDO_TRY(cardo_evaluator_create(system, f->plan->provider, &f->evaluator, error));
    CARDO_TRY(cardo_creeper_open(system, f->state, &f->creeper, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->tangent, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->gradient, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->work, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->rate, cardo_system_nq(system), error));
done:
    return status;
}

static void close_follower(follower *f)
{
    cardo_state_destroy(f->state);
    cardo_evaluator_destroy(f->evaluator);
    cardo_creeper_clear(&f->creeper);
    cardo_free(f->tangent);
    cardo_free(f->gradient);
    cardo_free(f->work);
    cardo_free(f->rate);
}

/* The tangent that goes on as the last one did, of length 1 in q; the variable, and its slope by that length. */
static cardo_status look(follower *f, double *xi, double *slope, cardo_error *error)
{
    cardo_status status;
    double square = 0;
    const cardo_system *system = f->plan->system;
    CARDO_TRY(cardo_realize(system, f->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_project_free_speeds(system, f->state, f->tangent, error));
    CARDO_TRY(cardo_multiply_n(system, f->state, f->tangent, f->rate, error));
    for (int k = 0; k < cardo_system_nq(system); ++k)
        square += f->rate[k] * f->rate[k];
    CARDO_TRY(cardo_variable_gradient(f->plan->variable, f->state, xi, f->gradient, error));
    *slope = 0;
    for (int k = 0; k < cardo_system_nu(system); ++k) {
        f->tangent[k] /= square > 0 ? sqrt(square) : 1;
        *slope += f->gradient[k] * f->tangent[k];
    }
done:
    return status;
}

/* Whether walkers may come to where the state is. */
static cardo_status is_open(follower *f, bool *open, cardo_error *error)
{
    double energy;
    cardo_status status = cardo_evaluate(f->evaluator, f->state, error);
    if (status == CARDO_OK)
        status = cardo_evaluator_potential(f->evaluator, f->state, &energy, error);
    if (status == CARDO_OK)
        f->lowest = fmin(f->lowest, energy);
    *open = status == CARDO_OK && energy <= f->lowest + highest * f->kT;
    return status == CARDO_RECOVERABLE ? CARDO_OK : status;
}

static bool is_near_range(const follower *f, double xi)
{
    const cardo_sampling_options *o = f->plan->options;
    const double period = cardo_variable_period(f->plan->variable);
    const double middle = 0.5 * (o->from + o->to), half = 0.5 * (o->to - o->from);
    return fabs(cardo_periodic_difference(xi, middle, period)) <= half * (1 + 2 * slack);
}

/* Told by the coordinate that changes most there: on either side of the turning point it has other values. */
static void describe(const follower *f, double xi, cardo_fold *fold)
{
    const cardo_system *system = f->plan->system;
    int most = 0;
    for (int k = 1; k < cardo_system_nq(system); ++k)
        most = fabs(f->rate[k]) > fabs(f->rate[most]) ? k : most;
    *fold = (cardo_fold){.found = true,
                         .coordinate = most,
                         .q = cardo_state_q(f->state)[most],
                         .xi = xi,
                         .start = cardo_state_q(f->plan->start)[most]};
    char name[CARDO_COORDINATE_NAME];
    cardo_coordinate_name(system, most, name);
    snprintf(fold->name, sizeof fold->name, "%.60s", name);
}

/* From the start, the way that the tangent points. */
static cardo_status go(follower *f, cardo_fold *fold, cardo_error *error)
{
    cardo_status status;
    double step = longest, length, before = 0, xi, slope;
    for (int k = 0; k < MOST_STEPS && step > least; ++k) {
        bool moved, open = true;
        CARDO_TRY(look(f, &xi, &slope, error));
        if (!is_near_range(f, xi))
            return CARDO_OK;
        if (k % STEPS_A_LOOK == 0)
            CARDO_TRY(is_open(f, &open, error));
        if (!open)
            return CARDO_OK;
        if (before * slope < 0) {
            describe(f, xi, fold);
            return CARDO_OK;
        }
        before = slope != 0 ? slope : before;
        CARDO_TRY(cardo_realize(f->plan->system, f->state, CARDO_STAGE_POSITION, error));
        CARDO_TRY(cardo_creep(&f->creeper, f->tangent, step, &length, &moved, error));
        step = moved ? fmin(2 * step, longest) : step / 2;
    }
done:
    /* Where the curve cannot be followed any further there is nothing to be told. */
    return status == CARDO_RECOVERABLE ? CARDO_OK : status;
}

/* To one side; the first tangent is what a force on the variable brings about, or, where that is nothing, on any coordinate. */
static cardo_status follow(follower *f, double side, cardo_fold *fold, cardo_error *error)
{
    cardo_status status;
    double xi, rate;
    const cardo_system *system = f->plan->system;
    const int nu = cardo_system_nu(system);
    cardo_state_copy(f->state, f->plan->start);
    CARDO_TRY(cardo_realize(system, f->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_variable_gradient(f->plan->variable, f->state, &xi, f->gradient, error));
    CARDO_TRY(cardo_variable_response(system, f->state, f->gradient, f->tangent, &rate, error));
    for (int i = 0; i < nu && !(rate > 0); ++i) {
        for (int k = 0; k < nu; ++k)
            f->work[k] = k == i;
        CARDO_TRY(cardo_variable_response(system, f->state, f->work, f->tangent, &rate, error));
    }
    for (int k = 0; k < nu; ++k)
        f->tangent[k] *= side;
    status = go(f, fold, error);
done:
    return status;
}

cardo_status cardo_fold_follow(const cardo_sampling_plan *plan, double kT, cardo_fold *fold,
                               cardo_error *error)
{
    cardo_status status;
    int freedoms;
    follower f = {.plan = plan, .kT = kT, .lowest = HUGE_VAL};
    *fold = (cardo_fold){0};
    CARDO_TRY(open_follower(&f, error));
    cardo_state_copy(f.state, plan->start);
    CARDO_TRY(cardo_realize(plan->system, f.state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_degrees_of_freedom(plan->system, f.state, &freedoms, error));
    if (freedoms == 1) {
        CARDO_TRY(follow(&f, 1, fold, error));
        if (!fold->found)
            CARDO_TRY(follow(&f, -1, fold, error));
    }
done:
    close_follower(&f);
    return status;
}
