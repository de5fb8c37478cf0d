#include "base/memory.h"
#include "multibody/tree/force_element.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/state_internal.h"

#include <assert.h>
#include <string.h>

enum { LINE = 64 }; /* bytes to which what elements work in is aligned */

cardo_status cardo_system_add_force(cardo_system *system, const cardo_force_element *element,
                                    const void *parameters, int *index, cardo_error *error)
{
    cardo_status status;
    void *copy = NULL;
    if (system->finalized)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "the system is finalized: forces are added before that");
    if (element->check)
        CARDO_TRY(element->check(system, parameters, error));
    CARDO_TRY(CARDO_RESERVE(&system->forces, &system->force_capacity, system->nforce + 1, error));
    if (element->compile) {
        CARDO_TRY(element->compile(system, parameters, &copy, error));
    } else {
        CARDO_TRY(cardo_allocate(&copy, 1, element->parameter_size, error));
        memcpy(copy, parameters, element->parameter_size);
    }
    system->forces[system->nforce] = (force_entry){element, copy, system->force_memory};
    if (element->memory)
        system->force_memory += (element->memory(copy) + LINE - 1) / LINE * LINE;
    if (index)
        *index = system->nforce;
    ++system->nforce;
    return CARDO_OK;
done:
    cardo_error_prefix(error, "force element %d, %s: ", system->nforce, element->name);
    return status;
}

void cardo_force_entry_release(force_entry *entry)
{
    if (entry->element->release)
        entry->element->release(entry->parameters);
    else
        cardo_free(entry->parameters);
}

const void *cardo_force_element_parameters(const cardo_system *system, int index,
                                           const cardo_force_element *element)
{
    if (index < 0 || index >= system->nforce || system->forces[index].element != element)
        return NULL;
    return system->forces[index].parameters;
}

void *cardo_force_element_memory(const cardo_system *system, const cardo_state *state, int index)
{
    const force_entry *entry = &system->forces[index];
    return entry->element->memory ? state->cache->force_memory + entry->memory_first : NULL;
}

int cardo_system_nforce(const cardo_system *system)
{
    return system->nforce;
}

static cardo_force_work work_on(const cardo_system *system, const cardo_state *state)
{
    return (cardo_force_work){.system = system,
                              .state = state,
                              .time = state->time,
                              .q = state->q,
                              .u = state->u,
                              .X_GB = cardo_state_X_GB(state)};
}

cardo_status cardo_potential_energy(const cardo_system *system, const cardo_state *state,
                                    double *by_element, double *total, cardo_error *error)
{
    double sum = 0;
    cardo_status status = cardo_gravity_energy(system, state, &sum, error);
    if (status != CARDO_OK)
        return status;
    cardo_force_work work = work_on(system, state);
    for (int i = 0; i < system->nforce; ++i) {
        work.memory = cardo_force_element_memory(system, state, i);
        const double energy =
            system->forces[i].element->compute(system->forces[i].parameters, &work);
        if (by_element)
            by_element[i] = energy;
        sum += energy;
    }
    *total = sum;
    return CARDO_OK;
}

/* Adds the forces of all elements. */
static void add_forces(const cardo_system *system, const cardo_state *state,
                       cardo_spatial *body_forces, double *mobility_forces)
{
    cardo_force_work work = work_on(system, state);
    work.V_GB = cardo_state_V_GB(state);
    work.body_forces = body_forces;
    work.mobility_forces = mobility_forces;
    for (int i = 0; i < system->nforce; ++i) {
        work.memory = cardo_force_element_memory(system, state, i);
        system->forces[i].element->compute(system->forces[i].parameters, &work);
    }
}

cardo_status cardo_element_forces(const cardo_system *system, const cardo_state *state,
                                  cardo_spatial *body_forces, double *mobility_forces,
                                  cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_VELOCITY, "forces of elements", error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < system->nbody; ++k)
        body_forces[k] = spatial_zero();
    for (int j = 0; j < system->nu; ++j)
        mobility_forces[j] = 0;
    add_forces(system, state, body_forces, mobility_forces);
    return CARDO_OK;
}

void cardo_gather_forces(const cardo_system *system, const cardo_state *state)
{
    state_cache *cache = state->cache;
    cache->applied_bodies = state->has_body_forces ? state->body_forces : NULL;
    cache->applied_mobilities = state->has_mobility_forces ? state->mobility_forces : NULL;
    assert(cache->stage >= CARDO_STAGE_VELOCITY);
    if (system->nforce == 0 && !system->constraints)
        return;
    for (int k = 0; k < system->nbody; ++k)
        cache->total_body_forces[k] =
            state->has_body_forces ? state->body_forces[k] : spatial_zero();
    for (int j = 0; j < system->nu; ++j)
        cache->total_mobility_forces[j] =
            state->has_mobility_forces ? state->mobility_forces[j] : 0;
    if (system->nforce > 0)
        add_forces(system, state, cache->total_body_forces, cache->total_mobility_forces);
    cache->applied_bodies = cache->total_body_forces;
    cache->applied_mobilities = cache->total_mobility_forces;
}
