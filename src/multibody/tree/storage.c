#include "base/memory.h"
#include "multibody/tree/state.h"
#include "multibody/tree/state_internal.h"

#include <assert.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* Takes count elements of size bytes from the block, or only counts while block is NULL. */
static void *take(char *block, size_t *used, int count, size_t size)
{
    void *memory = block ? block + *used : NULL;
    *used += ((size_t)count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return memory;
}

#define TAKE(member, count) ((member) = take(block, &used, (count), sizeof *(member)))

/* Whether more acts than what the caller applies. */
static bool adds_forces(const cardo_system *system)
{
    return system->nforce > 0 || system->constraints;
}

/* Lays the arrays of a state out in its block; with block NULL only the size is computed. */
static size_t lay_out(const cardo_system *system, cardo_state *state, state_cache *cache,
                      char *block)
{
    const int nbody = system->nbody, nq = system->nq, nu = system->nu;
    size_t used = 0;
    TAKE(state->q, nq);
    TAKE(state->u, nu);
    TAKE(state->body_forces, nbody);
    TAKE(state->mobility_forces, nu);
    TAKE(state->switched_off, system->constraints ? system->constraints->count : 0);
    TAKE(cache->nodes, nbody);
    TAKE(cache->maps, system->nmap);
    TAKE(cache->factors, system->nfactor);
    TAKE(cache->total_body_forces, adds_forces(system) ? nbody : 0);
    TAKE(cache->total_mobility_forces, adds_forces(system) ? nu : 0);
    cache->force_memory = take(block, &used, 1, system->force_memory);
    TAKE(cache->prescribed, system->nmotion > 0 ? nu : 0);
    TAKE(cache->joint_cache, system->ncache);
    TAKE(cache->udot, nu);
    TAKE(cache->qdot, nq);
    TAKE(cache->qdotdot, nq);
    TAKE(cache->X_GB, nbody);
    TAKE(cache->X_FM, nbody);
    TAKE(cache->V_GB, nbody);
    TAKE(cache->A_GB, nbody);
    TAKE(cache->scratch, nbody);
    return used;
}

static void set_defaults(const cardo_system *system, cardo_state *state)
{
    for (int k = 1; k < system->nbody; ++k) {
        const cardo_joint *joint = &system->bodies[k].joint;
        double *q = state->q + system->bodies[k].q_first;
        assert(system->bodies[k].q_first + joint->nq <= system->nq);
        if (joint->mobilizer->default_q)
            joint->mobilizer->default_q(joint, q);
        else if (joint->mobilizer->has_orientation && !joint->euler)
            q[0] = 1;
    }
}

static void set_masses(const cardo_system *system, state_cache *cache)
{
    for (int k = 0; k < system->nbody; ++k)
        cache->nodes[k].mass = system->bodies[k].mass;
}

/* Ground never moves; gravity enters as an acceleration of ground. */
static void set_ground(const cardo_system *system, state_cache *cache)
{
    const cardo_mat33 R = m33_identity();
    frame_put(&cache->nodes[0].X, &R, v3(0, 0, 0));
    cache->nodes[0].a.linear = v3_neg(system->gravity);
}

/* One array after the other, so that each can be handed on as (nbody). */
static void divide_scratch(const cardo_system *system, state_cache *cache)
{
    const int nbody = system->nbody;
    cache->scratch_z = (cardo_spatial *)cache->scratch;
    cache->scratch_a = cache->scratch_z + nbody;
}

cardo_status cardo_state_create(const cardo_system *system, cardo_state **out, cardo_error *error)
{
    cardo_state *state = NULL;
    cardo_status status;
    *out = NULL;
    if (!system->finalized)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a system must be finalized before it can have states");
    CARDO_TRY(CARDO_ALLOCATE(&state, 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&state->cache, 1, error));
    state->system = system;
    state->block_size = lay_out(system, state, state->cache, NULL);
    CARDO_TRY(CARDO_ALLOCATE(&state->block, state->block_size, error));
    const size_t laid_out = lay_out(system, state, state->cache, state->block);
    assert(laid_out == state->block_size);
    (void)laid_out;
    set_defaults(system, state);
    set_masses(system, state->cache);
    set_ground(system, state->cache);
    divide_scratch(system, state->cache);
    if (system->constraints)
        CARDO_TRY(system->constraints->operations->create_cache(system, &state->cache->constraints,
                                                                error));
    if (system->constraints)
        system->constraints->operations->switch_first(system, state);
    *out = state;
    state = NULL;
done:
    cardo_state_destroy(state);
    return status;
}

void cardo_state_destroy(cardo_state *state)
{
    if (!state)
        return;
    if (state->cache && state->cache->constraints)
        state->system->constraints->operations->destroy_cache(state->cache->constraints);
    cardo_free(state->block);
    cardo_free(state->cache);
    cardo_free(state);
}

/* Where the applied forces are, after a copy of the block. */
static void point_at_forces(cardo_state *state)
{
    state_cache *cache = state->cache;
    const bool elements = adds_forces(state->system);
    cache->applied_bodies = elements                 ? cache->total_body_forces
                            : state->has_body_forces ? state->body_forces
                                                     : NULL;
    cache->applied_mobilities = elements                     ? cache->total_mobility_forces
                                : state->has_mobility_forces ? state->mobility_forces
                                                             : NULL;
}

void cardo_state_copy(cardo_state *to, const cardo_state *from)
{
    if (to == from || to->system != from->system)
        return;
    assert(to->block_size == from->block_size);
    memcpy(to->block, from->block, from->block_size);
    to->time = from->time;
    to->has_body_forces = from->has_body_forces;
    to->has_mobility_forces = from->has_mobility_forces;
    to->cache->stage = from->cache->stage;
    to->cache->factored = from->cache->factored;
    to->cache->placed = from->cache->placed;
    if (from->cache->constraints)
        to->system->constraints->operations->copy_cache(to->cache->constraints,
                                                        from->cache->constraints);
    to->cache->views = from->cache->views;
    if (to->cache->stage == CARDO_STAGE_ACCELERATION)
        point_at_forces(to);
}

const cardo_system *cardo_state_system(const cardo_state *state)
{
    return state->system;
}

double cardo_state_time(const cardo_state *state)
{
    return state->time;
}

const double *cardo_state_q(const cardo_state *state)
{
    return state->q;
}

const double *cardo_state_u(const cardo_state *state)
{
    return state->u;
}

void cardo_state_set_time(cardo_state *state, double time)
{
    state->time = time;
    /* forces, motions and constraints may be functions of time; positions and velocities are not, they are set
     */
    if (state->system->nforce > 0 || state->system->nmotion > 0 || state->system->constraints)
        cardo_state_lower_stage(state, CARDO_STAGE_DYNAMICS);
}

static void normalise_quaternion(double *q)
{
    double norm2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    /* A quaternion that is unit to rounding stays as it is: a restored state must be the same bits.
     */
    if (fabs(norm2 - 1.0) < 2e-15)
        return;
    double s = 1.0 / sqrt(norm2);
    for (int i = 0; i < 4; ++i)
        q[i] *= s;
}

void cardo_state_set_q(cardo_state *state, const double *q)
{
    const cardo_system *system = state->system;
    if (system->nq > 0)
        memmove(state->q, q, (size_t)system->nq * sizeof *q);
    for (int i = 0; i < system->nquaternion; ++i) {
        assert(system->quaternions[i] + 4 <= system->nq);
        normalise_quaternion(state->q + system->quaternions[i]);
    }
    cardo_state_lower_stage(state, CARDO_STAGE_TIME);
}

void cardo_state_set_u(cardo_state *state, const double *u)
{
    if (state->system->nu > 0)
        memmove(state->u, u, (size_t)state->system->nu * sizeof *u);
    cardo_state_lower_stage(state, CARDO_STAGE_POSITION);
}

void cardo_state_set_forces(cardo_state *state, const cardo_spatial *body_forces,
                            const double *mobility_forces)
{
    const cardo_system *system = state->system;
    state->has_body_forces = body_forces != NULL;
    state->has_mobility_forces = mobility_forces != NULL;
    if (body_forces)
        memmove(state->body_forces, body_forces, (size_t)system->nbody * sizeof *body_forces);
    if (mobility_forces)
        memmove(state->mobility_forces, mobility_forces,
                (size_t)system->nu * sizeof *mobility_forces);
    cardo_state_lower_stage(state, CARDO_STAGE_DYNAMICS);
}
