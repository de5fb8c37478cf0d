#include "analysis/modes/free_bodies.h"

#include "base/memory.h"
#include "multibody/tree/operators.h"

static cardo_status add_bodies(const cardo_system *system, const cardo_state *state,
                               cardo_system *out, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int b = 1; b < cardo_system_nbody(system) && status == CARDO_OK; ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        const cardo_body_definition body = {.name = info.name,
                                            .mobilizer = &cardo_mobilizer_free,
                                            .X_PF = cardo_state_X_GB(state)[b],
                                            .X_BM = xform_identity(),
                                            .mass = info.mass};
        status = cardo_system_add_body(out, &body, NULL, error);
    }
    return status;
}

static cardo_status add_stations(const cardo_system *system, const cardo_state *state,
                                 cardo_system *out, cardo_error *error)
{
    double *positions, own[3];
    const int n = cardo_system_nstation(system);
    cardo_status status = CARDO_ALLOCATE(&positions, 3 * (size_t)n, error);
    if (status == CARDO_OK)
        status = cardo_station_positions(system, state, positions, error);
    for (int i = 0; i < n && status == CARDO_OK; ++i) {
        const int b = cardo_system_station_body(system, i);
        v3_store(own, xform_point(xform_inverse(cardo_state_X_GB(state)[b]),
                                  v3_load(positions + 3 * (size_t)i)));
        status = cardo_system_add_stations(out, b, i, 1, own, error);
    }
    cardo_free(positions);
    return status;
}

cardo_status cardo_free_bodies(const cardo_system *system, const cardo_state *state,
                               cardo_system **free_system, cardo_state **free_state,
                               cardo_error *error)
{
    cardo_status status;
    *free_system = NULL;
    *free_state = NULL;
    CARDO_TRY(cardo_system_create(free_system, error));
    CARDO_TRY(add_bodies(system, state, *free_system, error));
    CARDO_TRY(add_stations(system, state, *free_system, error));
    CARDO_TRY(cardo_system_finalize(*free_system, error));
    CARDO_TRY(cardo_state_create(*free_system, free_state, error));
    CARDO_TRY(cardo_realize(*free_system, *free_state, CARDO_STAGE_VELOCITY, error));
done:
    if (status != CARDO_OK) {
        cardo_state_destroy(*free_state);
        cardo_system_destroy(*free_system);
        *free_system = NULL;
        *free_state = NULL;
    }
    return status;
}
