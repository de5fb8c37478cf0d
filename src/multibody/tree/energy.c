/* Inverse dynamics, reactions, energy and momentum. */
#include "multibody/algebra/mass_matrix.h"
#include "multibody/tree/given_masses.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/tree_pass.h"

#include <stddef.h>

/* From the tips: what each mobilizer must transmit when bodies accelerate by a beyond their bias
 * accelerations. Leaves the forces about reference points in f (nbody), that on ground about the
 * ground origin in f[0]. */
static void sweep_forces(const cardo_system *system, const cardo_state *state,
                         const cardo_spatial *a, const cardo_spatial *body_forces, cardo_spatial *f)
{
    const body_node *nodes = state->cache->nodes;
    f[0] = spatial_zero();
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        const body_node *node = &nodes[k];
        const cardo_spatial total = spatial_add(node->bias_acceleration, a[k]);
        cardo_spatial own = newton_euler(body, &node->I, node->V, total);
        if (body_forces)
            own = spatial_sub(own, force_shift(body_forces[k], body_origin(node, body)));
        f[k] = body->is_leaf ? own : spatial_add(f[k], own);
        cardo_spatial up = f[k];
        if (body->own_point)
            up = force_shift(up, reference_shift(nodes, body, k));
        f[body->parent] = body->sets_parent ? up : spatial_add(f[body->parent], up);
    }
}

/* tau = A udot - J^T F - f */
static cardo_status inverse_with_masses(const cardo_system *system, const cardo_state *state,
                                        const double *udot, const cardo_spatial *body_forces,
                                        const double *mobility_forces, double *tau,
                                        cardo_error *error)
{
    for (int j = 0; j < system->nu; ++j)
        tau[j] = 0;
    cardo_status status =
        body_forces ? cardo_multiply_jt(system, state, body_forces, tau, error) : CARDO_OK;
    for (int j = 0; status == CARDO_OK && j < system->nu; ++j)
        tau[j] = cardo_mass_matrix_momentum(system->masses, j, udot) - tau[j] -
                 (mobility_forces ? mobility_forces[j] : 0);
    return status;
}

cardo_status cardo_inverse_dynamics(const cardo_system *system, const cardo_state *state,
                                    const double *udot, const cardo_spatial *body_forces,
                                    const double *mobility_forces, double *tau, cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_VELOCITY, "inverse dynamics", error);
    if (status != CARDO_OK)
        return status;
    if (system->masses)
        return inverse_with_masses(system, state, udot, body_forces, mobility_forces, tau, error);
    const double *maps = state->cache->maps;
    cardo_spatial *a = state->cache->scratch_a, *f = state->cache->scratch_z;
    /* gravity is an upward acceleration of ground */
    const cardo_spatial ground = {{0, 0, 0}, v3_neg(system->gravity)};
    cardo_sweep_outward(system, state, udot, ground, a);
    sweep_forces(system, state, a, body_forces, f);
    /* a is not needed any more: tau may take its place */
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        HINGE_SWITCH(body->form, hinge_project(form, body->nu, maps + body->map_first, f[k],
                                               tau + body->u_first))
    }
    for (int j = 0; mobility_forces && j < system->nu; ++j)
        tau[j] -= mobility_forces[j];
    return CARDO_OK;
}

cardo_status cardo_reactions(const cardo_system *system, const cardo_state *state,
                             cardo_spatial *reaction_on_body_at_M, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_ACCELERATION, "reactions", error);
    if (status == CARDO_OK)
        status = cardo_given_masses_refuse(system, "reactions", error);
    if (status != CARDO_OK)
        return status;
    const body_node *nodes = state->cache->nodes;
    cardo_spatial *a = state->cache->scratch_a, *f = state->cache->scratch_z;
    for (int k = 1; k < system->nbody; ++k)
        a[k] = nodes[k].a;
    const cardo_spatial *applied = state->cache->applied_bodies;
    sweep_forces(system, state, a, applied, f);
    reaction_on_body_at_M[0] = applied ? spatial_sub(f[0], applied[0]) : f[0];
    for (int k = 1; k < system->nbody; ++k)
        reaction_on_body_at_M[k] = force_shift(f[k], v3_neg(frame_position(&nodes[k].X)));
    return CARDO_OK;
}

cardo_status cardo_reactions_at_parent(const cardo_system *system, const cardo_state *state,
                                       cardo_spatial *reaction_on_parent_at_F, cardo_error *error)
{
    cardo_spatial *out = reaction_on_parent_at_F;
    cardo_status status = cardo_reactions(system, state, out, error);
    if (status != CARDO_OK)
        return status;
    const body_node *nodes = state->cache->nodes;
    out[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const body_node *parent = &nodes[body->parent];
        /* M's origin from F's */
        const cardo_vec3 F = v3_add(frame_position(&parent->X),
                                    frame_turn(&parent->X, frame_position(&body->frame)));
        const cardo_vec3 arm =
            v3_sub(v3_add(frame_position(&nodes[k].X), reference_shift(nodes, body, k)), F);
        out[k] = spatial_scale(-1, force_shift(out[k], arm));
    }
    return CARDO_OK;
}

cardo_status cardo_bias(const cardo_system *system, const cardo_state *state, double *bias,
                        cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_VELOCITY, "the bias force", error);
    if (status != CARDO_OK)
        return status;
    if (system->masses) {
        for (int j = 0; j < system->nu; ++j)
            bias[j] = 0;
        return CARDO_OK;
    }
    cardo_spatial *a = state->cache->scratch_a, *f = state->cache->scratch_z;
    for (int k = 0; k < system->nbody; ++k)
        a[k] = spatial_zero();
    sweep_forces(system, state, a, NULL, f);
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        HINGE_SWITCH(body->form, hinge_project(form, body->nu, state->cache->maps + body->map_first,
                                               f[k], bias + body->u_first))
    }
    return CARDO_OK;
}

cardo_status cardo_power(const cardo_system *system, const cardo_state *state,
                         const cardo_spatial *body_forces, const double *mobility_forces,
                         double *power, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_VELOCITY, "power", error);
    if (status != CARDO_OK)
        return status;
    double sum = 0;
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const body_node *node = &state->cache->nodes[k];
        const cardo_vec3 momentum = rigid_mul(body->mass, node->I, node->V).linear;
        sum += v3_dot(system->gravity, momentum);
        if (body_forces)
            sum += spatial_dot(body_forces[k], motion_shift(node->V, body_origin(node, body)));
    }
    for (int j = 0; mobility_forces && j < system->nu; ++j)
        sum += mobility_forces[j] * state->u[j];
    *power = sum;
    return CARDO_OK;
}

cardo_status cardo_com_acceleration(const cardo_system *system, const cardo_state *state,
                                    cardo_vec3 *acceleration, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_ACCELERATION,
                                              "acceleration of the centre of mass", error);
    if (status != CARDO_OK)
        return status;
    double mass = 0;
    cardo_vec3 force = v3(0, 0, 0);
    for (int k = 1; k < system->nbody; ++k) {
        const body_node *node = &state->cache->nodes[k];
        const body_plan *body = &system->bodies[k];
        const double m = body->mass;
        const cardo_spatial total = spatial_add(node->bias_acceleration, node->a);
        const cardo_spatial f = newton_euler(body, &node->I, node->V, total);
        mass += m;
        force = v3_add(force, v3_add_scaled(f.linear, m, system->gravity));
    }
    *acceleration = mass > 0 ? v3_scale(1.0 / mass, force) : v3(0, 0, 0);
    return CARDO_OK;
}

cardo_status cardo_kinetic_energy(const cardo_system *system, const cardo_state *state,
                                  double *energy, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_VELOCITY, "kinetic energy", error);
    if (status != CARDO_OK)
        return status;
    if (system->masses) {
        *energy = cardo_mass_matrix_energy(system->masses, state->u);
        return CARDO_OK;
    }
    double sum = 0;
    for (int k = 1; k < system->nbody; ++k) {
        const body_node *node = &state->cache->nodes[k];
        sum += spatial_dot(node->V, rigid_mul(system->bodies[k].mass, node->I, node->V));
    }
    *energy = 0.5 * sum;
    return CARDO_OK;
}

cardo_status cardo_gravity_energy(const cardo_system *system, const cardo_state *state,
                                  double *energy, cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_POSITION, "gravity's energy", error);
    if (status != CARDO_OK)
        return status;
    cardo_vec3 first_moment = v3(0, 0, 0);
    for (int k = 1; k < system->nbody; ++k) {
        const body_node *node = &state->cache->nodes[k];
        first_moment =
            v3_add(first_moment, v3_add_scaled(node->I.h, system->bodies[k].mass, node->O));
    }
    *energy = -v3_dot(system->gravity, first_moment);
    return CARDO_OK;
}

cardo_status cardo_system_momentum(const cardo_system *system, const cardo_state *state,
                                   double *mass, cardo_vec3 *com, cardo_spatial *momentum,
                                   cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_VELOCITY, "momentum", error);
    if (status != CARDO_OK)
        return status;
    double total = 0;
    cardo_vec3 first_moment = v3(0, 0, 0);
    cardo_spatial sum = spatial_zero();
    for (int k = 1; k < system->nbody; ++k) {
        const body_node *node = &state->cache->nodes[k];
        const double m = system->bodies[k].mass;
        cardo_spatial own = rigid_mul(m, node->I, node->V);
        total += m;
        first_moment = v3_add(first_moment, v3_add_scaled(node->I.h, m, node->O));
        sum = spatial_add(sum, force_shift(own, node->O));
    }
    *mass = total;
    *com = total > 0 ? v3_scale(1.0 / total, first_moment) : v3(0, 0, 0);
    *momentum = sum;
    return CARDO_OK;
}
