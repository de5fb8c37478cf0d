#include "multibody/tree/state_internal.h"

#include <assert.h>

void cardo_state_lower_stage(cardo_state *state, cardo_stage stage)
{
    assert(stage >= CARDO_STAGE_TIME && stage <= CARDO_STAGE_ACCELERATION);
    if (state->cache->stage > stage)
        state->cache->stage = stage;
    if (stage < CARDO_STAGE_POSITION)
        state->cache->factored = false;
    state_views *views = &state->cache->views;
    if (stage < CARDO_STAGE_ACCELERATION)
        views->A_GB = views->qdotdot = false;
    if (stage < CARDO_STAGE_VELOCITY)
        views->V_GB = views->qdot = false;
    if (stage < CARDO_STAGE_POSITION)
        views->X_GB = views->X_FM = false;
}

cardo_stage cardo_state_stage(const cardo_state *state)
{
    return state->cache->stage;
}

const char *cardo_stage_name(cardo_stage stage)
{
    static const char *const names[] = {"time", "position", "velocity", "dynamics", "acceleration"};
    assert(stage >= CARDO_STAGE_TIME && stage <= CARDO_STAGE_ACCELERATION);
    return names[stage];
}

cardo_status cardo_require_stage(const cardo_state *state, cardo_stage stage, const char *what,
                                 cardo_error *error)
{
    if (state->cache->stage >= stage)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_STAGE,
                      "%s needs stage %s, but the state is realized to stage %s: call "
                      "cardo_realize first",
                      what, cardo_stage_name(stage), cardo_stage_name(state->cache->stage));
}
