/* The rate of the generalized momenta of a system left to itself. */
#include "multibody/quantities/momentum_rate.h"
#include "multibody/tree/hinge.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/state_internal.h"

/* Columns of dH/dt seen in F (nu), in ground axes about the body's reference point O, fixed for the
 * instant: M's origin, which the columns of H_FM are of, is at r from O and moves in F. */
static void own_rates(const body_plan *body, const body_node *node, const cardo_state *state,
                      cardo_spatial *rates)
{
    const double *q = state->q + body->q_first, *u = state->u + body->u_first;
    double *cache = state->cache->joint_cache + body->cache_first;
    cardo_spatial H[CARDO_MOBILIZER_MAX_U], Hdot[CARDO_MOBILIZER_MAX_U];
    cardo_transform X_FM;
    cardo_vec3 moving = v3(0, 0, 0);
    cardo_joint_position(body, q, cache, &X_FM, H);
    cardo_joint_rate(body, q, u, cache, &X_FM, H, Hdot);
    const cardo_mat33 R_MF = m33_transpose(X_FM.R);
    const cardo_vec3 to_O = v3_neg(frame_position(&node->X));
    for (int j = 0; j < body->nu; ++j)
        moving = v3_add_scaled(moving, u[j], H[j].linear);
    for (int j = 0; j < body->nu; ++j) {
        const cardo_vec3 linear = v3_sub(Hdot[j].linear, v3_cross(H[j].angular, moving));
        const cardo_spatial at_M = {frame_turn(&node->X, m33_mul_v3(R_MF, Hdot[j].angular)),
                                    frame_turn(&node->X, m33_mul_v3(R_MF, linear))};
        rates[j] = motion_shift(at_M, to_O);
    }
}

void cardo_sweep_rate(const cardo_system *system, const cardo_state *state, cardo_spatial *forces,
                      double *rate)
{
    const body_node *nodes = state->cache->nodes;
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        const cardo_vec3 shift = body->own_point ? reference_shift(nodes, body, k) : v3(0, 0, 0);
        const cardo_spatial V_F = motion_shift(nodes[body->parent].V, shift);
        cardo_spatial own[CARDO_MOBILIZER_MAX_U] = {0};
        const double *map = state->cache->maps + body->map_first;
        own_rates(body, &nodes[k], state, own);
        for (int j = 0; j < body->nu; ++j) {
            cardo_spatial H = spatial_zero();
            HINGE_SWITCH(body->form, H = hinge_column(form, map, j))
            rate[body->u_first + j] =
                spatial_dot(spatial_add(motion_cross(V_F, H), own[j]), forces[k]);
        }
        forces[body->parent] = spatial_add(forces[body->parent], force_shift(forces[k], shift));
    }
}

cardo_status cardo_momentum_rate(const cardo_system *system, const cardo_state *state, double *rate,
                                 cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_VELOCITY, "the rate of the momenta", error);
    if (status != CARDO_OK)
        return status;
    if (system->masses) {
        for (int j = 0; j < system->nu; ++j)
            rate[j] = 0;
        return CARDO_OK;
    }
    const body_node *nodes = state->cache->nodes;
    cardo_spatial *momenta = state->cache->scratch_z;
    for (int k = 0; k < system->nbody; ++k)
        momenta[k] =
            k > 0 ? rigid_mul(system->bodies[k].mass, nodes[k].I, nodes[k].V) : spatial_zero();
    cardo_sweep_rate(system, state, momenta, rate);
    return CARDO_OK;
}
