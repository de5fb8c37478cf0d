/* Errors, products with G and forces: cardo/constraints.h. */
#include "multibody/manifold/rows.h"

#include <string.h>

static cardo_status require(const cardo_system *system, const cardo_state *state, cardo_stage stage,
                            const char *what, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, stage, what, error);
    if (status == CARDO_OK && system->constraints)
        cardo_rows_prepare(system, state);
    return status;
}

/* Of all bodies at the state's u, in scratch memory. */
static const cardo_spatial *body_velocities(const cardo_system *system, const cardo_state *state)
{
    cardo_spatial *V = state->cache->scratch_a;
    V[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k)
        V[k] = state->cache->nodes[k].V;
    return V;
}

cardo_status cardo_constraint_position_errors(const cardo_system *system, const cardo_state *state,
                                              double *errors, cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_POSITION, "position errors", error);
    if (status == CARDO_OK && system->constraints)
        cardo_rows_position(system, state, errors);
    return status;
}

cardo_status cardo_constraint_velocity_errors(const cardo_system *system, const cardo_state *state,
                                              double *errors, cardo_error *error)
{
    cardo_status status = require(system, state, CARDO_STAGE_VELOCITY, "velocity errors", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    const constraint_list *list = list_of(system);
    const constraint_cache *c = state->cache->constraints;
    const cardo_spatial *V = body_velocities(system, state);
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_plan *plan = &list->plans[i];
        const int n = plan->shape.nposition + plan->shape.nvelocity;
        for (int own = 0; own < n; ++own)
            errors[row_of(plan, own)] = is_on(state, i)
                                            ? cardo_row_of_motion(state, plan, own, V, state->u) +
                                                  c->rows.offset[plan->row_first + own]
                                            : 0;
    }
    return CARDO_OK;
}

cardo_status cardo_constraint_acceleration_errors(const cardo_system *system,
                                                  const cardo_state *state, double *errors,
                                                  cardo_error *error)
{
    cardo_status status =
        require(system, state, CARDO_STAGE_ACCELERATION, "acceleration errors", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    cardo_rows_accelerations(system, state, true, errors);
    return CARDO_OK;
}

cardo_status cardo_constraint_bias(const cardo_system *system, const cardo_state *state,
                                   double *bias, cardo_error *error)
{
    cardo_status status =
        require(system, state, CARDO_STAGE_VELOCITY, "the bias of constraints", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    cardo_rows_accelerations(system, state, false, bias);
    return CARDO_OK;
}

cardo_status cardo_multiply_g(const cardo_system *system, const cardo_state *state, const double *v,
                              double *rows, cardo_error *error)
{
    cardo_status status = require(system, state, CARDO_STAGE_POSITION, "G v", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    cardo_spatial *V = state->cache->scratch_a;
    cardo_sweep_outward(system, state, v, spatial_zero(), V);
    cardo_rows_of_motion(system, state, V, v, rows);
    return CARDO_OK;
}

cardo_status cardo_multiply_gt(const cardo_system *system, const cardo_state *state,
                               const double *rows, double *generalized, cardo_error *error)
{
    cardo_status status = require(system, state, CARDO_STAGE_POSITION, "G^T x", error);
    if (status != CARDO_OK)
        return status;
    memset(generalized, 0, (size_t)system->nu * sizeof *generalized);
    if (!system->constraints)
        return CARDO_OK;
    cardo_spatial *forces = state->cache->constraints->force;
    cardo_rows_add_forces(system, state, rows, forces, generalized);
    cardo_rows_sum_forces(system, state, forces, generalized);
    return CARDO_OK;
}

cardo_status cardo_constraint_matrix(const cardo_system *system, const cardo_state *state,
                                     double *G, cardo_error *error)
{
    cardo_status status = require(system, state, CARDO_STAGE_POSITION, "G", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    const constraint_list *list = list_of(system);
    memset(G, 0, (size_t)list->nrow * (size_t)system->nu * sizeof *G);
    for (int i = 0; i < list->head.count; ++i)
        for (int own = 0; is_on(state, i) && own < list->plans[i].nrow; ++own)
            cardo_row_spread(system, state, &list->plans[i], own,
                             G + (size_t)row_of(&list->plans[i], own) * (size_t)system->nu);
    return CARDO_OK;
}

cardo_status cardo_constraint_forces(const cardo_system *system, const cardo_state *state,
                                     const double *multipliers, cardo_spatial *body_forces,
                                     double *mobility_forces, cardo_error *error)
{
    cardo_status status =
        require(system, state, CARDO_STAGE_POSITION, "forces of constraints", error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < system->nbody; ++k)
        body_forces[k] = spatial_zero();
    for (int j = 0; j < system->nu; ++j)
        mobility_forces[j] = 0;
    if (system->constraints)
        cardo_rows_apply(system, state, multipliers, body_forces, mobility_forces);
    return CARDO_OK;
}

cardo_status cardo_constraint_power(const cardo_system *system, const cardo_state *state,
                                    double *by_constraint, cardo_error *error)
{
    cardo_status status =
        require(system, state, CARDO_STAGE_ACCELERATION, "power of constraints", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    const constraint_list *list = list_of(system);
    const constraint_cache *c = state->cache->constraints;
    const cardo_spatial *V = body_velocities(system, state);
    for (int i = 0; i < list->head.count; ++i) {
        by_constraint[i] = 0;
        for (int own = 0; is_on(state, i) && own < list->plans[i].nrow; ++own)
            by_constraint[i] -= c->multipliers[row_of(&list->plans[i], own)] *
                                cardo_row_of_motion(state, &list->plans[i], own, V, state->u);
    }
    return CARDO_OK;
}

const double *cardo_state_multipliers(const cardo_state *state)
{
    return state->cache->stage < CARDO_STAGE_ACCELERATION || !state->cache->constraints
               ? NULL
               : state->cache->constraints->multipliers;
}
