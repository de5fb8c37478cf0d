/* Passes from ground to the tips: positions, then velocities with the bias accelerations. */
#include "multibody/state_internal.h"

/* Inertia of the body in ground axes about its reference point. */
static inline rigid_inertia place_inertia(const body_plan *body, const body_node *node)
{
    const cardo_vec3 c = v3_add(node->r, m33_mul_v3(node->R, body->com));
    rigid_inertia I;
    I.J = sym33_add_point(sym33_rotate(node->R, body->central), body->mass, c);
    I.h = v3_scale(body->mass, c);
    return I;
}

/* Makes M's origin the body's reference point if it begins a cluster. */
static inline void place_origin(const body_plan *body, const body_node *parent, cardo_vec3 r,
                                body_node *node)
{
    if (body->own_point) {
        node->O = v3_add(parent->O, r);
        node->r = v3(0, 0, 0);
    } else {
        node->O = parent->O;
        node->r = r;
    }
}

static inline void pin_position(const body_plan *body, const double *q, const body_node *parent,
                                body_node *node, mobility_node *mobility)
{
    const double c = cos(q[0]), s = body->sign * sin(q[0]);
    /* R_PF Rz(q) is off the chain of dependences between bodies */
    cardo_mat33 R_PM = body->X_PF.R;
    for (int i = 0; i < 3; ++i) {
        const double x = R_PM.m[i][0], y = R_PM.m[i][1];
        R_PM.m[i][0] = c * x + s * y;
        R_PM.m[i][1] = c * y - s * x;
    }
    node->R = m33_mul(parent->R, R_PM);
    place_origin(body, parent, v3_add(parent->r, m33_mul_v3(parent->R, body->X_PF.p)), node);
    const cardo_vec3 axis = v3_scale(body->sign, m33_column(node->R, 2));
    mobility->H = (cardo_spatial){axis, v3_cross(node->r, axis)};
}

static void generic_position(const body_plan *body, const double *q, double *joint_cache,
                             const body_node *parent, body_node *node, mobility_node *mobilities)
{
    cardo_transform X_FM;
    cardo_spatial H[CARDO_MOBILIZER_MAX_U];
    cardo_joint_position(body, q, joint_cache, &X_FM, H);
    const cardo_mat33 R_GF = m33_mul(parent->R, body->X_PF.R);
    cardo_vec3 r = v3_add(parent->r, m33_mul_v3(parent->R, body->X_PF.p));
    r = v3_add(r, m33_mul_v3(R_GF, X_FM.p));
    node->R = m33_mul(R_GF, X_FM.R);
    place_origin(body, parent, r, node);
    for (int k = 0; k < body->nu; ++k) {
        cardo_spatial column = spatial_rotate(R_GF, H[k]);
        column.linear = v3_add(column.linear, v3_cross(node->r, column.angular));
        mobilities[k].H = column;
    }
}

void cardo_pass_position(const cardo_system *system, cardo_state *state)
{
    state_cache *cache = state->cache;
    body_node *nodes = cache->nodes;
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const body_node *parent = &nodes[body->parent];
        const double *q = state->q + body->q_first;
        mobility_node *mobilities = cache->mobilities + body->u_first;
        if (body->kind == CARDO_MOBILIZER_PIN)
            pin_position(body, q, parent, &nodes[k], mobilities);
        else
            generic_position(body, q, cache->joint_cache + body->cache_first, parent, &nodes[k],
                             mobilities);
        nodes[k].I = place_inertia(body, &nodes[k]);
    }
}

/* Spatial acceleration of M in F at udot = 0, in ground about the reference point: the part of the
 * Coriolis term that comes from H changing in F. */
static cardo_spatial joint_bias(const body_plan *body, const cardo_state *state,
                                const body_node *parent, const body_node *node)
{
    const double *q = state->q + body->q_first, *u = state->u + body->u_first;
    double *joint_cache = state->cache->joint_cache + body->cache_first;
    cardo_transform X_FM;
    cardo_spatial H[CARDO_MOBILIZER_MAX_U], Hdot[CARDO_MOBILIZER_MAX_U];
    cardo_joint_position(body, q, joint_cache, &X_FM, H);
    cardo_joint_rate(body, q, u, joint_cache, &X_FM, H, Hdot);
    cardo_spatial V = spatial_zero(), A = spatial_zero();
    for (int k = 0; k < body->nu; ++k) {
        V = spatial_add_scaled(V, u[k], H[k]);
        A = spatial_add_scaled(A, u[k], Hdot[k]);
    }
    A.linear = v3_sub(A.linear, v3_cross(V.angular, V.linear));
    const cardo_mat33 R_GF = m33_mul(parent->R, body->X_PF.R);
    A = spatial_rotate(R_GF, A);
    A.linear = v3_add(A.linear, v3_cross(node->r, A.angular));
    return A;
}

/* Newton-Euler force of a rigid body that moves with V and has spatial acceleration a. */
static inline cardo_spatial newton_euler(double mass, const rigid_inertia *I, cardo_spatial V,
                                         cardo_spatial a)
{
    /* acceleration of the body point at the reference point */
    const cardo_vec3 A = v3_add(a.linear, v3_cross(V.angular, V.linear));
    const cardo_vec3 w = V.angular;
    cardo_spatial f;
    f.angular = v3_add(sym33_mul_v3(I->J, a.angular), v3_cross(w, sym33_mul_v3(I->J, w)));
    f.angular = v3_add(f.angular, v3_cross(I->h, A));
    f.linear = v3_add(v3_cross(a.angular, I->h), v3_cross(w, v3_cross(w, I->h)));
    f.linear = v3_add_scaled(f.linear, mass, A);
    return f;
}

void cardo_pass_velocity(const cardo_system *system, cardo_state *state)
{
    state_cache *cache = state->cache;
    body_node *nodes = cache->nodes;
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const body_node *parent = &nodes[body->parent];
        body_node *node = &nodes[k];
        const double *u = state->u + body->u_first;
        const mobility_node *mobilities = cache->mobilities + body->u_first;
        cardo_spatial V = parent->V, a = parent->bias_acceleration;
        if (body->own_point) {
            const cardo_vec3 s = reference_shift(nodes, body, k);
            V = motion_shift(V, s);
            a = motion_shift(a, s);
        }
        cardo_spatial VJ = spatial_zero();
        for (int j = 0; j < body->nu; ++j)
            VJ = spatial_add_scaled(VJ, u[j], mobilities[j].H);
        a = spatial_add(a, motion_cross(V, VJ));
        if (body->kind == CARDO_MOBILIZER_GENERIC)
            a = spatial_add(a, joint_bias(body, state, parent, node));
        node->V = spatial_add(V, VJ);
        node->bias_acceleration = a;
        node->bias_force = newton_euler(body->mass, &node->I, node->V, a);
    }
}
