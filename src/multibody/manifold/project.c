/* Back onto the manifold after a step, in the metric of M. */
#include "base/memory.h"
#include "cardo/manifold.h"
#include "multibody/manifold/rows.h"
#include "multibody/manifold/solve.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 20 };
static const double default_tolerance = 1e-13;
/* Of the tolerance: errors that are not worth a step. What lies between is removed, lest it sum up from step to step. */
static const double negligible = 0.02;

static double largest(const double *errors, int n, int *row)
{
    double most = 0;
    *row = 0;
    for (int i = 0; i < n; ++i)
        if (!(fabs(errors[i]) <= most)) {
            most = fabs(errors[i]);
            *row = i;
        }
    return most;
}

static cardo_status fail_open(const cardo_system *system, const char *what, double most, int row,
                              cardo_error *error)
{
    char name[CARDO_CONSTRAINT_ROW_NAME];
    return CARDO_FAIL(
        error, CARDO_ERROR_NUMERICAL,
        "%s cannot be brought onto the constraints: an error of %.3g is left, of %s; the step "
        "was too long, or constraints contradict each other",
        what, most, cardo_constraint_row_name(system, row, name));
}

cardo_status cardo_project_q(const cardo_system *system, cardo_state *state, double tolerance,
                             cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!system->constraints)
        return CARDO_OK;
    const constraint_list *list = list_of(system);
    constraint_cache *c = state->cache->constraints;
    const double least = tolerance > 0 ? tolerance : default_tolerance;
    double *q = state->cache->qdot, before = HUGE_VAL;
    int row;
    memcpy(c->start, state->q, (size_t)system->nq * sizeof *c->start);
    for (int step = 0; step <= MOST_STEPS; ++step) {
        CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_POSITION, error));
        cardo_rows_position(system, state, c->errors);
        const double most = largest(c->errors, list->nposition, &row);
        if (most <= (step == 0 ? negligible * least : least))
            return CARDO_OK;
        if (step == MOST_STEPS || !(most < 2 * before)) {
            cardo_state_set_q(state, c->start);
            return fail_open(system, "positions", most, row, error);
        }
        before = most;
        CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, error));
        for (int i = list->nposition; i < list->nrow; ++i)
            c->errors[i] = 0;
        cardo_multipliers_respond(system, state, list->nposition, c->errors, c->errors, c->speeds);
        cardo_n_product(state, c->speeds, q);
        for (int i = 0; i < system->nq; ++i)
            q[i] = state->q[i] + q[i];
        cardo_state_set_q(state, q);
    }
done:
    return status;
}

cardo_status cardo_project_u(const cardo_system *system, cardo_state *state, double tolerance,
                             cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!system->constraints)
        return CARDO_OK;
    const constraint_list *list = list_of(system);
    constraint_cache *c = state->cache->constraints;
    const double least = tolerance > 0 ? tolerance : default_tolerance;
    const int n = list->nposition + list->nvelocity;
    double before = HUGE_VAL;
    int row;
    for (int step = 0;; ++step) {
        CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, error));
        CARDO_TRY(cardo_constraint_velocity_errors(system, state, c->errors, error));
        const double most = largest(c->errors, n, &row);
        if (most <= (step == 0 ? negligible * least : least))
            return CARDO_OK;
        if (step == MOST_STEPS || !(most < before))
            return fail_open(system, "speeds", most, row, error);
        before = most;
        for (int i = n; i < list->nrow; ++i)
            c->errors[i] = 0;
        cardo_multipliers_respond(system, state, n, c->errors, c->errors, c->speeds);
        for (int j = 0; j < system->nu; ++j)
            c->speeds[j] = state->u[j] + c->speeds[j];
        cardo_state_set_u(state, c->speeds);
    }
done:
    return status;
}
