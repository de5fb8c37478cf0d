#include "multibody/tree/given_masses.h"
#include "multibody/tree/state_internal.h"

#include <assert.h>

/* All that acts on the bodies besides gravity. */
static void gather(const cardo_system *system, cardo_state *state)
{
    cardo_gather_forces(system, state);
    if (system->nmotion > 0)
        cardo_gather_motions(system, state);
}

static cardo_status constrain(const cardo_system *system, cardo_state *state, cardo_error *error)
{
    return system->constraints ? system->constraints->operations->accelerate(system, state, error)
                               : CARDO_OK;
}

/* The stages above VELOCITY with a constant mass matrix, which needs no factors of the tree. */
static cardo_status realize_with_masses(const cardo_system *system, cardo_state *state,
                                        cardo_stage stage, cardo_error *error)
{
    state_cache *cache = state->cache;
    if (cache->stage < CARDO_STAGE_DYNAMICS && stage >= CARDO_STAGE_DYNAMICS)
        cache->stage = CARDO_STAGE_DYNAMICS;
    if (cache->stage < CARDO_STAGE_ACCELERATION && stage >= CARDO_STAGE_ACCELERATION) {
        cardo_gather_forces(system, state);
        cardo_status status = cardo_given_masses_accelerate(system, state, error);
        if (status != CARDO_OK)
            return status;
        cache->stage = CARDO_STAGE_ACCELERATION;
    }
    return CARDO_OK;
}

cardo_status cardo_realize(const cardo_system *system, cardo_state *state, cardo_stage stage,
                           cardo_error *error)
{
    state_cache *cache = state->cache;
    if (system != state->system)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "the state belongs to another system");
    if (cache->stage < CARDO_STAGE_POSITION && stage >= CARDO_STAGE_VELOCITY) {
        cardo_pass_position_velocity(system, state);
        ++cache->placed;
        cache->stage = CARDO_STAGE_VELOCITY;
    }
    if (cache->stage < CARDO_STAGE_POSITION && stage >= CARDO_STAGE_POSITION) {
        cardo_pass_position(system, state);
        ++cache->placed;
        cache->stage = CARDO_STAGE_POSITION;
    }
    if (cache->stage < CARDO_STAGE_VELOCITY && stage >= CARDO_STAGE_VELOCITY) {
        cardo_pass_velocity(system, state);
        cache->stage = CARDO_STAGE_VELOCITY;
    }
    assert(stage < CARDO_STAGE_DYNAMICS || cache->stage >= CARDO_STAGE_VELOCITY);
    if (system->masses)
        return realize_with_masses(system, state, stage, error);
    if (cache->stage < CARDO_STAGE_DYNAMICS && stage >= CARDO_STAGE_ACCELERATION &&
        !cache->factored) {
        gather(system, state);
        cardo_status status = cardo_pass_dynamics_acceleration(system, state, error);
        if (status != CARDO_OK)
            return status;
        cache->factored = true;
        status = constrain(system, state, error);
        if (status != CARDO_OK)
            return status;
        cache->stage = CARDO_STAGE_ACCELERATION;
    }
    if (cache->stage < CARDO_STAGE_DYNAMICS && stage >= CARDO_STAGE_DYNAMICS) {
        if (!cache->factored) {
            cardo_status status = cardo_pass_dynamics(system, state, error);
            if (status != CARDO_OK)
                return status;
            cache->factored = true;
        }
        cache->stage = CARDO_STAGE_DYNAMICS;
    }
    if (cache->stage < CARDO_STAGE_ACCELERATION && stage >= CARDO_STAGE_ACCELERATION) {
        assert(cache->factored);
        gather(system, state);
        cardo_pass_acceleration(system, state);
        cardo_status status = constrain(system, state, error);
        if (status != CARDO_OK)
            return status;
        cache->stage = CARDO_STAGE_ACCELERATION;
    }
    assert(cache->stage >= stage);
    return CARDO_OK;
}
