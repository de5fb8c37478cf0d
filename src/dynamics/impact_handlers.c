/* Handlers of the events of hard contacts. */
#include "cardo/simulation.h"
#include "multibody/impact/impacts.h"

static cardo_status gap(void *user, const cardo_system *system, const cardo_state *state,
                        double *value, cardo_error *error)
{
    (void)system;
    return cardo_impacts_least_gap(user, state, value, error);
}

static cardo_status hold(void *user, const cardo_system *system, const cardo_state *state,
                         double *value, cardo_error *error)
{
    (void)system;
    return cardo_impacts_least_hold(user, state, value, error);
}

static cardo_status strike(void *user, const cardo_system *system, cardo_state *state,
                           const cardo_event_occasion *occasion, cardo_event_response *response,
                           cardo_error *error)
{
    (void)system;
    (void)occasion;
    (void)response;
    return cardo_impacts_happen(user, state, true, error);
}

static cardo_status let_go(void *user, const cardo_system *system, cardo_state *state,
                           const cardo_event_occasion *occasion, cardo_event_response *response,
                           cardo_error *error)
{
    (void)system;
    (void)occasion;
    (void)response;
    return cardo_impacts_happen(user, state, false, error);
}

cardo_status cardo_simulation_add_impacts(cardo_simulation *simulation, cardo_impacts *impacts,
                                          cardo_error *error)
{
    const cardo_event_handler closing = {.name = "impact",
                                         .user = impacts,
                                         .witness = gap,
                                         .stage = CARDO_STAGE_POSITION,
                                         .direction = CARDO_EVENT_FALLING,
                                         .handle = strike};
    const cardo_event_handler parting = {.name = "parting",
                                         .user = impacts,
                                         .witness = hold,
                                         .stage = CARDO_STAGE_ACCELERATION,
                                         .direction = CARDO_EVENT_FALLING,
                                         .handle = let_go};
    cardo_status status = cardo_simulation_add_handler(simulation, &closing, error);
    return status == CARDO_OK ? cardo_simulation_add_handler(simulation, &parting, error) : status;
}
