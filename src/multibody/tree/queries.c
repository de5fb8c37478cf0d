#include "multibody/tree/system_internal.h"

#include <string.h>

int cardo_system_nbody(const cardo_system *system)
{
    return system->nbody;
}

int cardo_system_nq(const cardo_system *system)
{
    return system->nq;
}

int cardo_system_nu(const cardo_system *system)
{
    return system->nu;
}

int cardo_system_nstation(const cardo_system *system)
{
    return system->nstation;
}

/* X_PF as it was defined, but for rounding. */
static cardo_transform frame_on_parent(const cardo_system *system, const body_plan *plan)
{
    return xform_mul(xform_inverse(system->bodies[plan->parent].X_MB),
                     frame_transform(&plan->frame));
}

void cardo_system_body(const cardo_system *system, int body, cardo_body_info *info)
{
    const body_plan *plan = &system->bodies[body];
    const body_source *source = &system->sources[body];
    *info = (cardo_body_info){
        .name = source->name,
        .parent = plan->parent,
        .mobilizer = plan->joint.mobilizer,
        .reversed = plan->reversed,
        .euler = plan->joint.euler,
        .q_first = plan->q_first,
        .nq = plan->joint.nq,
        .u_first = plan->u_first,
        .nu = plan->joint.nu,
        .X_PF =
            body < system->nplaced ? frame_on_parent(system, plan) : frame_transform(&plan->frame),
        .X_BM = xform_inverse(plan->X_MB),
        .mass = source->mass,
        .nstation = source->nstation,
    };
}

int cardo_system_find_body(const cardo_system *system, const char *name)
{
    for (int k = 0; k < system->nbody; ++k)
        if (system->sources[k].name && strcmp(system->sources[k].name, name) == 0)
            return k;
    return -1;
}

int cardo_system_station_body(const cardo_system *system, int station)
{
    return system->station_body[station];
}

cardo_vec3 cardo_system_station_position(const cardo_system *system, int station)
{
    const station_run *run = system->runs;
    while (station < run->first || station >= run->first + run->count)
        ++run;
    return v3_load(system->positions + 3 * (run->position_first + (size_t)(station - run->first)));
}

const cardo_joint *cardo_system_joint(const cardo_system *system, int body)
{
    return &system->bodies[body].joint;
}
