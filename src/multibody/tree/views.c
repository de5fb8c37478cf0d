/* What the outside reads of a realized state: body frames and accelerations, made when first asked
 * for. */
#include "multibody/tree/state_internal.h"

#include <assert.h>

static void fill_X_GB(const cardo_state *state)
{
    const cardo_system *system = state->system;
    state_cache *cache = state->cache;
    assert(cache->stage >= CARDO_STAGE_POSITION);
    cache->X_GB[0] = xform_identity();
    for (int k = 1; k < system->nbody; ++k) {
        const body_node *node = &cache->nodes[k];
        cardo_transform X_GM = frame_transform(&node->X);
        X_GM.p = v3_add(node->O, X_GM.p);
        cache->X_GB[k] = xform_mul(X_GM, system->bodies[k].X_MB);
    }
}

static void fill_X_FM(const cardo_state *state)
{
    const cardo_system *system = state->system;
    state_cache *cache = state->cache;
    cache->X_FM[0] = xform_identity();
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        cardo_joint_position(body, state->q + body->q_first, cache->joint_cache + body->cache_first,
                             &cache->X_FM[k], NULL);
    }
}

static void fill_V_GB(const cardo_state *state)
{
    const cardo_system *system = state->system;
    state_cache *cache = state->cache;
    assert(cache->stage >= CARDO_STAGE_VELOCITY);
    for (int k = 1; k < system->nbody; ++k) {
        const body_node *node = &cache->nodes[k];
        cache->V_GB[k] = motion_shift(node->V, body_origin(node, &system->bodies[k]));
    }
}

cardo_spatial cardo_acceleration_at_origin(const cardo_system *system, int body,
                                           const body_node *node, cardo_spatial a)
{
    const cardo_vec3 r = body_origin(node, &system->bodies[body]);
    const cardo_spatial V = motion_shift(node->V, r);
    a = motion_shift(a, r);
    /* from the acceleration of what passes the point to that of the point itself */
    a.linear = v3_add(a.linear, v3_cross(V.angular, V.linear));
    return a;
}

static void fill_A_GB(const cardo_state *state)
{
    const cardo_system *system = state->system;
    state_cache *cache = state->cache;
    assert(cache->stage == CARDO_STAGE_ACCELERATION);
    for (int k = 1; k < system->nbody; ++k) {
        const body_node *node = &cache->nodes[k];
        cardo_spatial a = spatial_add(node->bias_acceleration, node->a);
        /* gravity, an upward acceleration of ground, is taken out */
        a.linear = v3_add(a.linear, system->gravity);
        cache->A_GB[k] = cardo_acceleration_at_origin(system, k, node, a);
    }
}

static void fill_qdotdot(const cardo_state *state)
{
    const cardo_system *system = state->system;
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const cardo_joint *joint = &body->joint;
        const double *q = state->q + body->q_first, *u = state->u + body->u_first;
        const double *udot = state->cache->udot + body->u_first;
        double *out = state->cache->qdotdot + body->q_first;
        double ndot_u[CARDO_MOBILIZER_MAX_Q];
        assert(body->nq <= CARDO_MOBILIZER_MAX_Q);
        if (!joint->mobilizer->multiply_n) {
            for (int i = 0; i < body->nq; ++i)
                out[i] = udot[i];
            continue;
        }
        joint->mobilizer->multiply_n(joint, q, udot, out);
        joint->mobilizer->multiply_n_dot(joint, q, u, ndot_u);
        for (int i = 0; i < body->nq; ++i)
            out[i] += ndot_u[i];
    }
}

const cardo_transform *cardo_state_X_GB(const cardo_state *state)
{
    state_cache *cache = state->cache;
    if (cache->stage < CARDO_STAGE_POSITION)
        return NULL;
    if (!cache->views.X_GB)
        fill_X_GB(state);
    cache->views.X_GB = true;
    return cache->X_GB;
}

const cardo_transform *cardo_state_X_FM(const cardo_state *state)
{
    state_cache *cache = state->cache;
    if (cache->stage < CARDO_STAGE_POSITION)
        return NULL;
    if (!cache->views.X_FM)
        fill_X_FM(state);
    cache->views.X_FM = true;
    return cache->X_FM;
}

const cardo_spatial *cardo_state_V_GB(const cardo_state *state)
{
    state_cache *cache = state->cache;
    if (cache->stage < CARDO_STAGE_VELOCITY)
        return NULL;
    if (!cache->views.V_GB)
        fill_V_GB(state);
    cache->views.V_GB = true;
    return cache->V_GB;
}

const double *cardo_state_qdot(const cardo_state *state)
{
    state_cache *cache = state->cache;
    if (cache->stage < CARDO_STAGE_VELOCITY)
        return NULL;
    if (!cache->views.qdot)
        cardo_n_product(state, state->u, cache->qdot);
    cache->views.qdot = true;
    return cache->qdot;
}

const double *cardo_state_udot(const cardo_state *state)
{
    return state->cache->stage < CARDO_STAGE_ACCELERATION ? NULL : state->cache->udot;
}

const double *cardo_state_qdotdot(const cardo_state *state)
{
    state_cache *cache = state->cache;
    if (cache->stage < CARDO_STAGE_ACCELERATION)
        return NULL;
    if (!cache->views.qdotdot)
        fill_qdotdot(state);
    cache->views.qdotdot = true;
    return cache->qdotdot;
}

const cardo_spatial *cardo_state_A_GB(const cardo_state *state)
{
    state_cache *cache = state->cache;
    if (cache->stage < CARDO_STAGE_ACCELERATION)
        return NULL;
    if (!cache->views.A_GB)
        fill_A_GB(state);
    cache->views.A_GB = true;
    return cache->A_GB;
}
