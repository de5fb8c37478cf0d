/* From the accelerations of the tree alone to those on the constraints. */
#include "multibody/manifold/operations.h"
#include "multibody/manifold/penalty.h"
#include "multibody/manifold/rows.h"
#include "multibody/manifold/solve.h"

cardo_status cardo_constrain_accelerations(const cardo_system *system, cardo_state *state,
                                           cardo_error *error)
{
    state_cache *cache = state->cache;
    constraint_cache *c = cache->constraints;
    (void)error;
    cardo_rows_accelerations(system, state, true, c->multipliers);
    cardo_stabilize_rows(system, state, c->multipliers);
    if (is_penalized(list_of(system)))
        cardo_penalty_respond(system, state, c->multipliers, c->speeds);
    else
        cardo_multipliers_respond(system, state, list_of(system)->nrow, c->multipliers,
                                  c->multipliers, c->speeds);
    for (int j = 0; j < system->nu; ++j)
        cache->udot[j] += c->speeds[j];
    for (int k = 1; k < system->nbody; ++k)
        cache->nodes[k].a = spatial_add(cache->nodes[k].a, cache->scratch_a[k]);
    cardo_rows_apply(system, state, c->multipliers, cache->total_body_forces,
                     cache->total_mobility_forces);
    return CARDO_OK;
}
