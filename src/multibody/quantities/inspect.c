/* What a single body's mobilizer and inertia do: quantities to look at, not to integrate with. */
#include "multibody/forces/check.h"
#include "multibody/tree/given_masses.h"
#include "multibody/tree/hinge.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/state_internal.h"

cardo_status cardo_body_mobilizer_motion(const cardo_system *system, const cardo_state *state,
                                         int body, cardo_mobilizer_motion *motion,
                                         cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_VELOCITY, "the motion of a mobilizer", error);
    if (status == CARDO_OK)
        status = cardo_force_check_body(system, body, error);
    if (status != CARDO_OK)
        return status;
    const body_plan *plan = &system->bodies[body];
    const body_node *node = &state->cache->nodes[body];
    const double *q = state->q + plan->q_first, *u = state->u + plan->u_first;
    double *cache = state->cache->joint_cache + plan->cache_first;
    const double *map = state->cache->maps + plan->map_first;
    cardo_spatial Hdot[CARDO_MOBILIZER_MAX_U];
    cardo_joint_position(plan, q, cache, &motion->X_FM, motion->H_FM);
    cardo_joint_rate(plan, q, u, cache, &motion->X_FM, motion->H_FM, Hdot);
    motion->V_FM = motion->Hdot_FM_u = spatial_zero();
    for (int j = 0; j < plan->nu; ++j) {
        motion->V_FM = spatial_add_scaled(motion->V_FM, u[j], motion->H_FM[j]);
        motion->Hdot_FM_u = spatial_add_scaled(motion->Hdot_FM_u, u[j], Hdot[j]);
        cardo_spatial H = spatial_zero();
        HINGE_SWITCH(plan->form, H = hinge_column(form, map, j))
        motion->hinge_map[j] = motion_shift(H, body_origin(node, plan));
    }
    return CARDO_OK;
}

cardo_status cardo_coriolis_accelerations(const cardo_system *system, const cardo_state *state,
                                          cardo_spatial *accelerations, cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_VELOCITY, "Coriolis accelerations", error);
    if (status != CARDO_OK)
        return status;
    accelerations[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k) {
        const body_node *node = &state->cache->nodes[k];
        accelerations[k] = cardo_acceleration_at_origin(system, k, node, node->bias_acceleration);
    }
    return CARDO_OK;
}

cardo_status cardo_gyroscopic_forces(const cardo_system *system, const cardo_state *state,
                                     cardo_spatial *forces, cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_VELOCITY, "gyroscopic forces", error);
    if (status != CARDO_OK)
        return status;
    forces[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const body_node *node = &state->cache->nodes[k];
        const cardo_vec3 w = node->V.angular;
        const cardo_mass_properties *mass = &system->sources[k].mass;
        const double *I = mass->inertia;
        const cardo_mat33 R_GB = m33_mul(frame_rotation(&node->X), body->X_MB.R);
        const cardo_vec3 c = m33_mul_v3(R_GB, mass->com);
        const sym33 J = sym33_rotate(R_GB, (sym33){I[0], I[3], I[4], I[1], I[5], I[2]});
        forces[k].angular = v3_cross(w, sym33_mul_v3(J, w));
        forces[k].linear = v3_scale(body->mass, v3_cross(w, v3_cross(w, c)));
    }
    return CARDO_OK;
}

cardo_status cardo_articulated_inertia(const cardo_system *system, const cardo_state *state,
                                       int body, double P[36], cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "an articulated inertia", error);
    if (status == CARDO_OK)
        status = cardo_given_masses_refuse(system, "an articulated inertia", error);
    if (status == CARDO_OK)
        status = cardo_force_check_body(system, body, error);
    if (status != CARDO_OK)
        return status;
    const body_node *node = &state->cache->nodes[body];
    const articulated_inertia I =
        articulated_shift(&node->P, v3_neg(body_origin(node, &system->bodies[body])));
    for (int j = 0; j < 6; ++j) {
        const cardo_vec3 axis = v3(j % 3 == 0, j % 3 == 1, j % 3 == 2), none = v3(0, 0, 0);
        const cardo_spatial unit = {j < 3 ? axis : none, j < 3 ? none : axis};
        const cardo_spatial column = articulated_mul(&I, unit);
        const double f[6] = {column.angular.x, column.angular.y, column.angular.z,
                             column.linear.x,  column.linear.y,  column.linear.z};
        for (int i = 0; i < 6; ++i)
            P[6 * i + j] = f[i];
    }
    return CARDO_OK;
}
