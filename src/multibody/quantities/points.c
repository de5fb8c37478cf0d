/* Jacobian products of single points and of stations. */
#include "multibody/forces/check.h"
#include "multibody/tree/hinge.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/state_internal.h"

/* The point in ground. */
static cardo_vec3 point_in_ground(const cardo_system *system, const cardo_state *state, int body,
                                  cardo_vec3 position_B)
{
    const body_node *node = &state->cache->nodes[body];
    const cardo_vec3 in_M = xform_point(system->bodies[body].X_MB, position_B);
    return v3_add(v3_add(node->O, frame_position(&node->X)), frame_turn(&node->X, in_M));
}

cardo_status cardo_multiply_point_j(const cardo_system *system, const cardo_state *state, int body,
                                    cardo_vec3 position_B, const double *v, cardo_vec3 *velocity,
                                    cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "a point's J u", error);
    if (status == CARDO_OK)
        status = cardo_force_check_body(system, body, error);
    if (status != CARDO_OK)
        return status;
    const cardo_vec3 point = point_in_ground(system, state, body, position_B);
    cardo_vec3 sum = v3(0, 0, 0);
    for (int i = body; i > 0; i = system->bodies[i].parent) {
        const body_plan *inboard = &system->bodies[i];
        const cardo_vec3 arm = v3_sub(point, state->cache->nodes[i].O);
        const double *map = state->cache->maps + inboard->map_first;
        cardo_spatial V = spatial_zero();
        HINGE_SWITCH(inboard->form, V = hinge_motion(form, inboard->nu, map, v + inboard->u_first))
        sum = v3_add(sum, motion_shift(V, arm).linear);
    }
    *velocity = sum;
    return CARDO_OK;
}

cardo_status cardo_point_jacobian(const cardo_system *system, const cardo_state *state, int body,
                                  cardo_vec3 position_B, double *J, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "a point's J", error);
    if (status == CARDO_OK)
        status = cardo_force_check_body(system, body, error);
    if (status != CARDO_OK)
        return status;
    const cardo_vec3 point = point_in_ground(system, state, body, position_B);
    const size_t nu = (size_t)system->nu;
    for (size_t i = 0; i < 3 * nu; ++i)
        J[i] = 0;
    for (int i = body; i > 0; i = system->bodies[i].parent) {
        const body_plan *inboard = &system->bodies[i];
        const cardo_vec3 arm = v3_sub(point, state->cache->nodes[i].O);
        const double *map = state->cache->maps + inboard->map_first;
        for (int j = 0; j < inboard->nu; ++j) {
            const size_t at = (size_t)(inboard->u_first + j);
            cardo_spatial H = spatial_zero();
            HINGE_SWITCH(inboard->form, H = hinge_column(form, map, j))
            const cardo_vec3 column = motion_shift(H, arm).linear;
            J[at] = column.x;
            J[nu + at] = column.y;
            J[2 * nu + at] = column.z;
        }
    }
    return CARDO_OK;
}

cardo_status cardo_multiply_point_jt(const cardo_system *system, const cardo_state *state, int body,
                                     cardo_vec3 position_B, cardo_vec3 f, double *generalized,
                                     cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_POSITION, "a point's J^T f", error);
    if (status == CARDO_OK)
        status = cardo_force_check_body(system, body, error);
    if (status != CARDO_OK)
        return status;
    const cardo_vec3 point = point_in_ground(system, state, body, position_B);
    for (int j = 0; j < system->nu; ++j)
        generalized[j] = 0;
    for (int i = body; i > 0; i = system->bodies[i].parent) {
        const body_plan *inboard = &system->bodies[i];
        const cardo_vec3 arm = v3_sub(point, state->cache->nodes[i].O);
        const cardo_spatial F = {v3_cross(arm, f), f};
        const double *map = state->cache->maps + inboard->map_first;
        HINGE_SWITCH(inboard->form,
                     hinge_project(form, inboard->nu, map, F, generalized + inboard->u_first))
    }
    return CARDO_OK;
}

cardo_status cardo_multiply_station_j(const cardo_system *system, const cardo_state *state,
                                      const double *v, double *velocities, cardo_error *error)
{
    cardo_spatial *V = state->cache->scratch_a;
    cardo_status status = cardo_multiply_j(system, state, v, V, error);
    if (status == CARDO_OK)
        cardo_station_velocity_pass(system, state, V, velocities);
    return status;
}

cardo_status cardo_multiply_station_jt(const cardo_system *system, const cardo_state *state,
                                       const double *station_forces, double *generalized,
                                       cardo_error *error)
{
    cardo_spatial *F = state->cache->scratch_a;
    cardo_status status;
    for (int k = 0; k < system->nbody; ++k)
        F[k] = spatial_zero();
    CARDO_TRY(cardo_station_forces_to_bodies(system, state, station_forces, F, error));
    CARDO_TRY(cardo_multiply_jt(system, state, F, generalized, error));
done:
    return status;
}
