/* Products with J, N, M and its inverse, on a realized state. */
#include "multibody/tree/operators.h"
#include "multibody/algebra/mass_matrix.h"
#include "multibody/tree/hinge.h"
#include "multibody/tree/state_internal.h"

#include <math.h>

cardo_status cardo_multiply_jt(const cardo_system *system, const cardo_state *state,
                               const cardo_spatial *body_forces, double *generalized,
                               cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "J^T F", error);
    if (status != CARDO_OK)
        return status;
    const body_node *nodes = state->cache->nodes;
    const double *maps = state->cache->maps;
    cardo_spatial *z = state->cache->scratch_z;
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        cardo_spatial f = force_shift(body_forces[k], body_origin(&nodes[k], body));
        if (!body->is_leaf)
            f = spatial_add(f, z[k]);
        HINGE_SWITCH(body->form, hinge_project(form, body->nu, maps + body->map_first, f,
                                               generalized + body->u_first))
        if (body->own_point)
            f = force_shift(f, reference_shift(nodes, body, k));
        z[body->parent] = body->sets_parent ? f : spatial_add(z[body->parent], f);
    }
    return CARDO_OK;
}

void cardo_sweep_outward(const cardo_system *system, const cardo_state *state, const double *v,
                         cardo_spatial ground, cardo_spatial *out)
{
    const body_node *nodes = state->cache->nodes;
    const double *maps = state->cache->maps;
    out[0] = ground;
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        cardo_spatial V = out[body->parent];
        if (body->own_point)
            V = motion_shift(V, reference_shift(nodes, body, k));
        HINGE_SWITCH(body->form,
                     V = spatial_add(V, hinge_motion(form, body->nu, maps + body->map_first,
                                                     v + body->u_first)))
        out[k] = V;
    }
}

cardo_status cardo_multiply_j(const cardo_system *system, const cardo_state *state, const double *v,
                              cardo_spatial *velocities, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "J u", error);
    if (status != CARDO_OK)
        return status;
    const body_node *nodes = state->cache->nodes;
    cardo_sweep_outward(system, state, v, spatial_zero(), velocities);
    for (int k = 1; k < system->nbody; ++k)
        velocities[k] = motion_shift(velocities[k], body_origin(&nodes[k], &system->bodies[k]));
    return CARDO_OK;
}

void cardo_n_product(const cardo_state *state, const double *v, double *qdot)
{
    const cardo_system *system = state->system;
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const cardo_joint *joint = &body->joint;
        const double *in = v + body->u_first;
        double *out = qdot + body->q_first;
        if (joint->mobilizer->multiply_n)
            joint->mobilizer->multiply_n(joint, state->q + body->q_first, in, out);
        else
            for (int i = 0; i < body->nq; ++i)
                out[i] = in[i];
    }
}

cardo_status cardo_multiply_n(const cardo_system *system, const cardo_state *state, const double *v,
                              double *qdot, cardo_error *error)
{
    (void)system;
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "N u", error);
    if (status == CARDO_OK)
        cardo_n_product(state, v, qdot);
    return status;
}

cardo_status cardo_multiply_m(const cardo_system *system, const cardo_state *state, const double *v,
                              double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "M v", error);
    if (status != CARDO_OK)
        return status;
    if (system->masses) {
        cardo_mass_matrix_multiply(system->masses, v, out);
        return CARDO_OK;
    }
    const body_node *nodes = state->cache->nodes;
    const double *maps = state->cache->maps;
    cardo_spatial *a = state->cache->scratch_a, *z = state->cache->scratch_z;
    cardo_sweep_outward(system, state, v, spatial_zero(), a);
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        cardo_spatial f = rigid_mul(body->mass, nodes[k].I, a[k]);
        if (!body->is_leaf)
            f = spatial_add(f, z[k]);
        HINGE_SWITCH(body->form,
                     hinge_project(form, body->nu, maps + body->map_first, f, out + body->u_first))
        if (body->own_point)
            f = force_shift(f, reference_shift(nodes, body, k));
        z[body->parent] = body->sets_parent ? f : spatial_add(z[body->parent], f);
    }
    return CARDO_OK;
}

cardo_status cardo_multiply_n_inverse(const cardo_system *system, const cardo_state *state,
                                      const double *qdot, double *u, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "N^-1 qdot", error);
    for (int k = 1; status == CARDO_OK && k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const cardo_joint *joint = &body->joint;
        const double *in = qdot + body->q_first;
        double *out = u + body->u_first;
        if (joint->mobilizer->multiply_n_inverse)
            joint->mobilizer->multiply_n_inverse(joint, state->q + body->q_first, in, out);
        else
            for (int i = 0; i < body->nu; ++i)
                out[i] = in[i];
    }
    return status;
}
