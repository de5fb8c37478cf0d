#include "base/memory.h"
#include "multibody/algebra/mass_matrix.h"
#include "multibody/functions/function.h"
#include "multibody/tree/constraint_set.h"
#include "multibody/tree/finalize.h"
#include "multibody/tree/system.h"
#include "multibody/tree/system_internal.h"

#include <string.h>

cardo_status cardo_system_create(cardo_system **out, cardo_error *error)
{
    cardo_system *system = NULL;
    cardo_status status;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&system, 1, error));
    CARDO_TRY(CARDO_RESERVE(&system->bodies, &system->body_capacity, 1, error));
    CARDO_TRY(CARDO_RESERVE(&system->sources, &system->source_capacity, 1, error));
    system->nbody = 1;
    system->bodies[0].X_MB = xform_identity();
    frame_put(&system->bodies[0].frame, &system->bodies[0].X_MB.R, v3(0, 0, 0));
    system->bodies[0].joint.mobilizer = &cardo_mobilizer_weld;
    CARDO_TRY(cardo_copy_string(&system->sources[0].name, "ground", error));
    *out = system;
    system = NULL;
done:
    cardo_system_destroy(system);
    return status;
}

void cardo_system_destroy(cardo_system *system)
{
    if (!system)
        return;
    for (int k = 0; k < system->nbody; ++k) {
        cardo_joint_release(&system->bodies[k].joint);
        cardo_free(system->sources[k].name);
    }
    for (int i = 0; i < system->nforce; ++i)
        cardo_force_entry_release(&system->forces[i]);
    for (int i = 0; i < system->nmotion; ++i)
        for (int j = 0; j < CARDO_MOBILIZER_MAX_U; ++j)
            cardo_function_destroy(system->motions[i].functions[j]);
    if (system->constraints)
        system->constraints->operations->destroy(system);
    cardo_mass_matrix_destroy(system->masses);
    cardo_free(system->forces);
    cardo_free(system->motions);
    cardo_free(system->bodies);
    cardo_free(system->sources);
    cardo_free(system->quaternions);
    cardo_free(system->runs);
    cardo_free(system->positions);
    cardo_free(system->station_body);
    cardo_free(system);
}

static cardo_status refuse_finalized(const cardo_system *system, cardo_error *error)
{
    if (system->finalized)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "the system is finalized and cannot be changed any more");
    return CARDO_OK;
}

cardo_status cardo_system_add_body(cardo_system *system, const cardo_body_definition *definition,
                                   int *body, cardo_error *error)
{
    const int k = system->nbody;
    cardo_status status;
    CARDO_TRY(refuse_finalized(system, error));
    if (definition->parent < 0 || definition->parent >= k)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "body %d cannot hang on body %d: a parent comes before its children", k,
                          definition->parent);
    if (!definition->mobilizer)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "body %d has no mobilizer", k);
    CARDO_TRY(CARDO_RESERVE(&system->bodies, &system->body_capacity, k + 1, error));
    CARDO_TRY(CARDO_RESERVE(&system->sources, &system->source_capacity, k + 1, error));
    body_plan *plan = &system->bodies[k];
    body_source *source = &system->sources[k];
    *plan = (body_plan){.parent = definition->parent,
                        .reversed = definition->reversed,
                        .X_MB = xform_inverse(definition->X_BM)};
    frame_put(&plan->frame, &definition->X_PF.R, definition->X_PF.p);
    *source = (body_source){.mass = definition->mass};
    CARDO_TRY(cardo_joint_compile(definition->mobilizer, definition->parameters, definition->euler,
                                  &plan->joint, error));
    status = cardo_copy_string(&source->name, definition->name, error);
    if (status != CARDO_OK) {
        cardo_joint_release(&plan->joint);
        goto done;
    }
    system->nbody = k + 1;
    if (body)
        *body = k;
    return CARDO_OK;
done:
    cardo_error_prefix(error, "body %d%s%s: ", k, definition->name ? " " : "",
                       definition->name ? definition->name : "");
    return status;
}

cardo_status cardo_system_add_stations(cardo_system *system, int body, int first, int count,
                                       const double *positions_B, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(refuse_finalized(system, error));
    if (body < 0 || body >= system->nbody || first < 0 || count < 0)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "%d stations from number %d cannot be put on body %d of %d", count, first,
                          body, system->nbody);
    if (count == 0)
        return CARDO_OK;
    if (system->nposition + (size_t)count > (size_t)(1 << 29))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "too many stations: %zu",
                          system->nposition + (size_t)count);
    for (int i = 0; i < 3 * count; ++i)
        if (!isfinite(positions_B[i]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "station %d has a coordinate that is %g",
                              first + i / 3, positions_B[i]);
    int need = 3 * ((int)system->nposition + count);
    CARDO_TRY(CARDO_RESERVE(&system->positions, &system->position_capacity, need, error));
    CARDO_TRY(CARDO_RESERVE(&system->runs, &system->run_capacity, system->nrun + 1, error));
    memcpy(system->positions + 3 * system->nposition, positions_B,
           (size_t)count * 3 * sizeof *positions_B);
    system->runs[system->nrun++] = (station_run){body, first, count, system->nposition};
    system->nposition += (size_t)count;
    system->sources[body].nstation += count;
done:
    return status;
}

void cardo_system_set_gravity(cardo_system *system, cardo_vec3 gravity)
{
    if (!system->finalized)
        system->gravity = gravity;
}

cardo_status cardo_system_finalize(cardo_system *system, cardo_error *error)
{
    if (system->finalized)
        return CARDO_OK;
    cardo_status status;
    CARDO_TRY(cardo_finalize_check(system, error));
    CARDO_TRY(cardo_finalize_stations(system, error));
    CARDO_TRY(cardo_finalize_bodies(system, error));
    if (system->constraints)
        CARDO_TRY(system->constraints->operations->finalize(system, error));
    system->finalized = true;
    status = cardo_finalize_check_inertia(system, error);
    if (status != CARDO_OK)
        system->finalized = false;
done:
    return status;
}
