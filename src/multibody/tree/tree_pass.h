/* What each pass does for one body: inline, so that loops which run one pass, or several fused, are
 * the same code and give the same bits. */
#ifndef CARDO_MULTIBODY_TREE_TREE_PASS_H
#define CARDO_MULTIBODY_TREE_TREE_PASS_H

#include "multibody/algebra/lanes.h"
#include "multibody/algebra/orientation.h"
#include "multibody/algebra/sincos.h"
#include "multibody/functions/function_single.h"
#include "multibody/mobilizers/parameters.h"
#include "multibody/tree/hinge.h"
#include "multibody/tree/state_internal.h"

#ifdef TREE_PASS_CLONES
#define TREE_PASS                                                                                  \
    __attribute__((flatten, target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TREE_PASS __attribute__((flatten))
#endif

/* Where the tree's own numbers begin in the caches of joints that have some. */
enum { ELLIPSOID_TREE_CACHE = 3, FUNCTION_TREE_CACHE = 6 };

/* ---- positions ---- */

/* Inertia about the reference point in ground axes: the largest central moment times the unit matrix
 * less two squares, and the mass at c. */
ALWAYS_INLINE void place_inertia(const body_plan *body, body_node *node)
{
    frame_rows turned; /* centre of mass, f, g by columns */
    frame_turn_columns(&node->X, &body->shape, &turned);
    const cardo_vec3 f = frame_column(&turned, 1), g = frame_column(&turned, 2);
    const cardo_vec3 from_O = v3_add(frame_position(&node->X), frame_column(&turned, 0));
    const cardo_vec3 c = body->central ? v3(0, 0, 0) : from_O, h = v3_scale(body->mass, c);
    const double xx = h.x * c.x, yy = h.y * c.y, zz = h.z * c.z, top = body->shape.m[1][3];
    node->I.J.xx = (top + (yy + zz)) - (f.x * f.x + g.x * g.x);
    node->I.J.yy = (top + (xx + zz)) - (f.y * f.y + g.y * g.y);
    node->I.J.zz = (top + (xx + yy)) - (f.z * f.z + g.z * g.z);
    node->I.J.xy = -(h.x * c.y + (f.x * f.y + g.x * g.y));
    node->I.J.xz = -(h.x * c.z + (f.x * f.z + g.x * g.z));
    node->I.J.yz = -(h.y * c.z + (f.y * f.z + g.y * g.z));
    node->I.h = h;
}

/* The numbers of frame_turn_columns. */
#define LANES_TURN(j)                                                                              \
    {                                                                                              \
        (X[0] * S[j] + X[1] * S[4 + (j)]) + X[2] * Z[4 + (j)],                                     \
            (X[4] * S[j] + X[5] * S[4 + (j)]) + X[6] * Z[4 + (j)],                                 \
            (Z[0] * S[j] + Z[1] * S[4 + (j)]) + Z[2] * Z[4 + (j)]                                  \
    }

/* The same for count bodies from one on, LANES at most. */
ALWAYS_INLINE void lanes_inertia(const cardo_system *system, body_node *nodes, int first, int count)
{
    lanes8 X[LANES], S[LANES], Z[LANES]; /* rows 0 and 1 of poses, of shapes; rows 2 of both */
    for (int i = 0; i < LANES; ++i) {
        const int k = first + (i < count ? i : 0);
        const frame_rows *pose = &nodes[k].X, *shape = &system->bodies[k].shape;
        const row4 a = *(const row4 *)pose->m[2], b = *(const row4 *)shape->m[2];
        X[i] = *(const lanes8 *)pose->m[0];
        S[i] = *(const lanes8 *)shape->m[0];
        Z[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    lanes_transpose(X);
    lanes_transpose(S);
    lanes_transpose(Z);
    const lanes_v3 turned = LANES_TURN(0), f = LANES_TURN(1), g = LANES_TURN(2);
    const lanes8 counts = S[3], top = S[7], mass = Z[7];
    const lanes_v3 c = {(X[3] + turned.x) * counts, (X[7] + turned.y) * counts,
                        (Z[3] + turned.z) * counts};
    const lanes_v3 h = {mass * c.x, mass * c.y, mass * c.z};
    const lanes8 xx = h.x * c.x, yy = h.y * c.y, zz = h.z * c.z;
    lanes8 I[LANES] = {(top + (yy + zz)) - (f.x * f.x + g.x * g.x),
                       -(h.x * c.y + (f.x * f.y + g.x * g.y)),
                       -(h.x * c.z + (f.x * f.z + g.x * g.z)),
                       (top + (xx + zz)) - (f.y * f.y + g.y * g.y),
                       -(h.y * c.z + (f.y * f.z + g.y * g.z)),
                       (top + (xx + yy)) - (f.z * f.z + g.z * g.z),
                       h.x,
                       h.y};
    double last[LANES];
    *(lanes8 *)last = h.z;
    lanes_transpose(I);
    for (int i = 0; i < count; ++i) {
        *(lanes8 *)&nodes[first + i].I.J.xx = I[i];
        nodes[first + i].I.h.z = last[i];
    }
}
#undef LANES_TURN

ALWAYS_INLINE void block_inertias(const cardo_system *system, const cardo_state *state, int first,
                                  int count)
{
    body_node *nodes = state->cache->nodes;
    if (count > 2 && system->lanes)
        lanes_inertia(system, nodes, first, count);
    else
        for (int k = first; k < first + count; ++k)
            place_inertia(&system->bodies[k], &nodes[k]);
}

/* With R and M's origin in X, the latter from the parent's reference point: the body's own reference
 * point, and M's origin from it. Returns where the point is from M's origin. */
ALWAYS_INLINE cardo_vec3 place_point(const bool central, const body_plan *body,
                                     const body_node *parent, body_node *node)
{
    const cardo_vec3 r = frame_position(&node->X);
    if (central) {
        const cardo_vec3 c = frame_turn(&node->X, frame_column(&body->shape, 0));
        node->O = v3_add(parent->O, v3_add(r, c));
        node->X.m[0][3] = -c.x;
        node->X.m[1][3] = -c.y;
        node->X.m[2][3] = -c.z;
        return c;
    }
    if (!body->own_point) {
        node->O = parent->O;
        return v3_neg(r);
    }
    node->O = v3_add(parent->O, r);
    node->X.m[0][3] = node->X.m[1][3] = node->X.m[2][3] = 0;
    return v3(0, 0, 0);
}

/* Sines and cosines of the angles of pins, for SINCOS_BLOCK bodies from one on at a time. */
typedef struct pin_angles {
    double sine[SINCOS_BLOCK], cosine[SINCOS_BLOCK];
} pin_angles;

ALWAYS_INLINE void turn_pins(const cardo_system *system, const cardo_state *state, int first,
                             int count, pin_angles *angles)
{
    double x[SINCOS_BLOCK] = {0};
    int npin = 0, last = 0;
    for (int i = 0; i < count; ++i) {
        const body_plan *body = &system->bodies[first + i];
        if (body->kind == CARDO_MOBILIZER_PIN) {
            x[i] = state->q[body->q_first];
            last = i;
            ++npin;
        }
    }
    if (npin == 1)
        sincos_inline(x[last], &angles->sine[last], &angles->cosine[last]);
    else if (npin > 0)
        sincos_block(x, angles->sine, angles->cosine);
}

ALWAYS_INLINE void pin_position(const body_plan *body, double sine, double c,
                                const body_node *parent, body_node *node, double *map)
{
    const double s = body->sign * sine;
    frame_rows F;
    frame_product(&parent->X, &body->frame, &F);
    frame_turn_about_z(&F, s, c, &node->X);
    const cardo_vec3 axis = v3_scale(body->sign, frame_column(&node->X, 2));
    const cardo_vec3 from_M = place_point(false, body, parent, node);
    spatial_put((cardo_spatial *)map, (cardo_spatial){axis, v3_cross(axis, from_M)});
}

ALWAYS_INLINE void slider_position(const body_plan *body, double q, const body_node *parent,
                                   body_node *node, double *map)
{
    frame_product(&parent->X, &body->frame, &node->X);
    const cardo_vec3 axis = v3_scale(body->sign, frame_column(&node->X, 0));
    node->X.m[0][3] += q * axis.x;
    node->X.m[1][3] += q * axis.y;
    node->X.m[2][3] += q * axis.z;
    place_point(true, body, parent, node);
    spatial_put((cardo_spatial *)map, (cardo_spatial){{0, 0, 0}, axis});
}

ALWAYS_INLINE void planar_position(const body_plan *body, const double *q, const body_node *parent,
                                   body_node *node, double *map)
{
    cardo_spatial *H = (cardo_spatial *)map;
    double c, s;
    frame_rows F;
    sincos_inline(q[0], &s, &c);
    frame_product(&parent->X, &body->frame, &F);
    const cardo_vec3 x = frame_column(&F, 0), y = frame_column(&F, 1), z = frame_column(&F, 2);
    const cardo_vec3 slid = v3_add_scaled(v3_scale(q[1], x), q[2], y);
    const cardo_vec3 p = v3_add(slid, frame_position(&F)), none = v3(0, 0, 0);
    frame_turn_about_z(&F, s, c, &node->X);
    node->X.m[0][3] = p.x;
    node->X.m[1][3] = p.y;
    node->X.m[2][3] = p.z;
    const cardo_vec3 from_M = place_point(true, body, parent, node);
    spatial_put(&H[0], (cardo_spatial){z, v3_cross(z, from_M)});
    spatial_put(&H[1], (cardo_spatial){none, x});
    spatial_put(&H[2], (cardo_spatial){none, y});
}

ALWAYS_INLINE void ball_position(const body_plan *body, const double *q, const body_node *parent,
                                 body_node *node, double *map)
{
    frame_rows F;
    const cardo_vec3 p_FM = v3(0, 0, 0);
    cardo_mat33 R_FM = orientation_matrix(body->joint.euler, q);
    if (body->reversed)
        R_FM = m33_transpose(R_FM);
    frame_product(&parent->X, &body->frame, &F);
    frame_product_transform(&F, &R_FM, p_FM, &node->X);
    place_point(false, body, parent, node);
    const cardo_mat33 Q =
        body->reversed ? m33_scale(-1, frame_rotation(&node->X)) : frame_rotation(&F);
    m33_store(&((turn_map *)map)->Q, &Q);
}

ALWAYS_INLINE void free_position(const body_plan *body, const double *q, const body_node *parent,
                                 body_node *node, double *map)
{
    frame_rows F;
    const cardo_mat33 R_FM = orientation_matrix(body->joint.euler, q);
    const cardo_vec3 p_FM = v3_load(q + (body->joint.euler ? 3 : 4));
    frame_product(&parent->X, &body->frame, &F);
    frame_product_transform(&F, &R_FM, p_FM, &node->X);
    place_point(false, body, parent, node);
    const cardo_mat33 Q = frame_rotation(&F);
    m33_store(&((turn_map *)map)->Q, &Q);
}

/* M's origin is at S n from F's, n its z axis and S = Q diag(radii) Q^T, and moves with S (w x n).
 * The reference point moves with w x c more. S stays in the joint's cache, after what the mobilizer itself keeps there. */

ALWAYS_INLINE void ellipsoid_position(const body_plan *body, const double *q, double *joint_cache,
                                      const body_node *parent, body_node *node, double *map)
{
    const cardo_ellipsoid *ellipsoid = body->joint.data;
    const cardo_vec3 radii = ellipsoid->radii;
    frame_rows F;
    const cardo_mat33 R_FM = orientation_matrix(body->joint.euler, q);
    const cardo_vec3 n_F = m33_column(R_FM, 2);
    const cardo_vec3 p_FM = v3(radii.x * n_F.x, radii.y * n_F.y, radii.z * n_F.z);
    frame_product(&parent->X, &body->frame, &F);
    frame_product_transform(&F, &R_FM, p_FM, &node->X);
    const cardo_vec3 c = place_point(true, body, parent, node);
    const cardo_mat33 Q = frame_rotation(&F);
    const sym33 S = sym33_from_axes(&Q, radii);
    const cardo_mat33 of_M = sym33_mul_cross(S, v3_neg(frame_column(&node->X, 2)));
    const cardo_mat33 L = m33_add_cross(of_M, v3_neg(c));
    m33_store(&((ellipsoid_map *)map)->Q, &Q);
    m33_store(&((ellipsoid_map *)map)->L, &L);
    sym33_store((sym33 *)(joint_cache + ELLIPSOID_TREE_CACHE), &S);
}

ALWAYS_INLINE void generic_position(const body_plan *body, const double *q, double *joint_cache,
                                    const body_node *parent, body_node *node, double *map)
{
    cardo_transform X_FM;
    cardo_spatial H[CARDO_MOBILIZER_MAX_U];
    if (body->reversed)
        cardo_joint_position(body, q, joint_cache, &X_FM, H);
    else
        body->joint.mobilizer->position(&body->joint, q, joint_cache, &X_FM, H);
    frame_rows F;
    frame_product(&parent->X, &body->frame, &F);
    frame_product_transform(&F, &X_FM.R, X_FM.p, &node->X);
    if (body->kind == CARDO_MOBILIZER_WELD) {
        place_point(false, body, parent, node);
        return;
    }
    const cardo_vec3 c = place_point(true, body, parent, node);
    const cardo_mat33 R_GF = frame_rotation(&F);
    for (int k = 0; k < body->nu; ++k)
        spatial_put((cardo_spatial *)map + k,
                    motion_shift(spatial_rotate(R_GF, spatial_load(&H[k])), c));
}

/* A function-based mobilizer of one coordinate; H's derivative in it, in ground, stays in the
 * joint's cache. */
ALWAYS_INLINE void function_position(const body_plan *body, double q, double *joint_cache,
                                     const body_node *parent, body_node *node, double *map)
{
    const function_single *data = body->joint.data;
    frame_rows F;
    function_curve curve;
    cardo_spatial first, second;
    frame_product(&parent->X, &body->frame, &F);
    const cardo_mat33 R_GF = frame_rotation(&F);
    function_slides(data, q, &curve);
    if (data->plain) {
        double angle[3], c, s;
        cardo_function_evaluate1_inline(data->turn[0].function, q, angle);
        sincos_inline(angle[0], &s, &c);
        const cardo_vec3 p = v3_add(frame_position(&F), m33_mul_v3(R_GF, curve.p));
        frame_turn_about_z(&F, s, c, &node->X);
        node->X.m[0][3] = p.x;
        node->X.m[1][3] = p.y;
        node->X.m[2][3] = p.z;
        first.angular = v3_scale(angle[1], frame_column(&F, 2));
        second.angular = v3_scale(angle[2], frame_column(&F, 2));
    } else {
        function_turns(data, q, &curve);
        frame_product_transform(&F, &curve.R, curve.p, &node->X);
        first.angular = m33_mul_v3(R_GF, curve.first.angular);
        second.angular = m33_mul_v3(R_GF, curve.second.angular);
    }
    const cardo_vec3 c = place_point(true, body, parent, node);
    first.linear = m33_mul_v3(R_GF, curve.first.linear);
    second.linear = m33_mul_v3(R_GF, curve.second.linear);
    spatial_put((cardo_spatial *)map, motion_shift(first, c));
    spatial_put((cardo_spatial *)(joint_cache + FUNCTION_TREE_CACHE), second);
}

ALWAYS_INLINE void body_position(const cardo_system *system, const cardo_state *state, int k,
                                 const pin_angles *angles, int at)
{
    const body_plan *body = &system->bodies[k];
    state_cache *cache = state->cache;
    const body_node *parent = &cache->nodes[body->parent];
    body_node *node = &cache->nodes[k];
    const double *q = state->q + body->q_first;
    double *map = cache->maps + body->map_first;
    switch (body->kind) {
    case CARDO_MOBILIZER_PIN:
        pin_position(body, angles->sine[at], angles->cosine[at], parent, node, map);
        break;
    case CARDO_MOBILIZER_SLIDER:
        slider_position(body, q[0], parent, node, map);
        break;
    case CARDO_MOBILIZER_PLANAR:
        planar_position(body, q, parent, node, map);
        break;
    case CARDO_MOBILIZER_BALL:
        ball_position(body, q, parent, node, map);
        break;
    case CARDO_MOBILIZER_ELLIPSOID:
        ellipsoid_position(body, q, cache->joint_cache + body->cache_first, parent, node, map);
        break;
    case CARDO_MOBILIZER_FREE:
        free_position(body, q, parent, node, map);
        break;
    case CARDO_MOBILIZER_FUNCTION:
        function_position(body, q[0], cache->joint_cache + body->cache_first, parent, node, map);
        break;
    case CARDO_MOBILIZER_WELD:
    case CARDO_MOBILIZER_GENERIC:
        generic_position(body, q, cache->joint_cache + body->cache_first, parent, node, map);
        break;
    }
}

/* ---- velocities ---- */

/* Acceleration of M in F at udot = 0, in ground: what comes from H changing in F. */
ALWAYS_INLINE cardo_spatial joint_bias(const body_plan *body, const cardo_state *state,
                                       const body_node *parent)
{
    const double *u = state->u + body->u_first;
    double *joint_cache = state->cache->joint_cache + body->cache_first;
    if (body->kind == CARDO_MOBILIZER_FUNCTION)
        return spatial_scale(
            u[0] * u[0], spatial_load((const cardo_spatial *)(joint_cache + FUNCTION_TREE_CACHE)));
    if (!body->changing_hinge)
        return spatial_zero();
    cardo_spatial A = cardo_joint_bias(body, state->q + body->q_first, u, joint_cache);
    A = spatial_rotate(frame_rotation(&body->frame), A);
    return spatial_rotate(frame_rotation(&parent->X), A);
}

/* Acceleration of M's origin at udot = 0: S (w x (w x n)). */
ALWAYS_INLINE cardo_vec3 ellipsoid_bias(const body_plan *body, const cardo_state *state,
                                        const body_node *node, cardo_vec3 w)
{
    const cardo_vec3 n = frame_column(&node->X, 2);
    const sym33 *S =
        (const sym33 *)(state->cache->joint_cache + body->cache_first + ELLIPSOID_TREE_CACHE);
    return sym33_mul_v3(*S, v3_cross(w, v3_cross(w, n)));
}

/* Spatial acceleration of M in F at udot = 0, in ground about the centre of mass, added to a. VJ:
 * velocity of M in F about it. */
ALWAYS_INLINE cardo_spatial add_central_bias(const body_plan *body, const cardo_state *state,
                                             const body_node *parent, const body_node *node,
                                             cardo_spatial VJ, cardo_spatial a)
{
    const cardo_vec3 r = frame_position(&node->X), w = VJ.angular;
    /* from the acceleration of M's origin to that of what passes it, and on to the other point */
    const cardo_vec3 v = v3_add(VJ.linear, v3_cross(w, r));
    if (body->kind == CARDO_MOBILIZER_ELLIPSOID) {
        const cardo_vec3 at_M = ellipsoid_bias(body, state, node, w);
        a.linear = v3_add(a.linear, v3_sub(at_M, v3_cross(w, v)));
        return a;
    }
    cardo_spatial A = joint_bias(body, state, parent);
    A.linear = v3_sub(A.linear, v3_cross(w, v));
    A.linear = v3_add(A.linear, v3_cross(r, A.angular));
    return spatial_add(a, A);
}

/* Newton-Euler force of a rigid body that moves with V and has spatial acceleration a. */
ALWAYS_INLINE cardo_spatial newton_euler(const body_plan *body, const rigid_inertia *I,
                                         cardo_spatial V, cardo_spatial a)
{
    /* acceleration of the body point at the reference point */
    const cardo_vec3 A = v3_add(a.linear, v3_cross(V.angular, V.linear));
    const cardo_vec3 w = V.angular;
    cardo_spatial f;
    f.angular = v3_add(sym33_mul_v3(I->J, a.angular), v3_cross(w, sym33_mul_v3(I->J, w)));
    if (body->central) {
        f.linear = v3_scale(body->mass, A);
    } else {
        f.angular = v3_add(f.angular, v3_cross(I->h, A));
        f.linear = v3_add(v3_cross(a.angular, I->h), v3_cross(w, v3_cross(w, I->h)));
        f.linear = v3_add_scaled(f.linear, body->mass, A);
    }
    return f;
}

ALWAYS_INLINE void body_velocity(const cardo_system *system, const cardo_state *state, int k)
{
    const body_plan *body = &system->bodies[k];
    state_cache *cache = state->cache;
    const body_node *parent = &cache->nodes[body->parent];
    body_node *node = &cache->nodes[k];
    const double *u = state->u + body->u_first;
    const double *map = cache->maps + body->map_first;
    cardo_spatial V = parent->V, a = parent->bias_acceleration;
    if (body->own_point) {
        const cardo_vec3 s = v3_sub(node->O, parent->O);
        V = motion_shift(V, s);
        a = motion_shift(a, s);
    }
    if (body->nu > 0) {
        cardo_spatial VJ = spatial_zero();
        HINGE_SWITCH(body->form, VJ = hinge_motion(form, body->nu, map, u))
        if (body->central)
            a = add_central_bias(body, state, parent, node, VJ, a);
        else if (body->form == HINGE_FREE)
            /* M's origin is the reference point; the acceleration is that of what passes it */
            a.linear = v3_sub(a.linear, v3_cross(VJ.angular, VJ.linear));
        a = spatial_add(a, motion_cross(V, VJ));
        V = spatial_add(V, VJ);
    }
    node->V = V;
    node->bias_acceleration = a;
}

/* ---- articulated inertias ---- */

/* Adds what a body leaves of its inertia to its parent's P; the first child adds the parent's own. */
ALWAYS_INLINE void pass_inertia_on(const body_plan *body, articulated_inertia *P, body_node *parent)
{
    if (body->sets_parent)
        articulated_add_rigid(P, parent->mass, &parent->I);
    else
        articulated_add(P, &parent->P);
    articulated_store(&parent->P, P);
}

/* All of a body's step with the form known to the compiler, so that P stays in registers from end
 * to end. False: the hinge's inertia is singular. */
ALWAYS_INLINE bool factor_step(const hinge_form form, const body_plan *body, body_node *node,
                               body_node *parent, state_cache *cache)
{
    const double *map = cache->maps + body->map_first;
    articulated_inertia P;
    if (body->is_leaf) {
        P = articulated_from_rigid(body->mass, &node->I);
        articulated_store(&node->P, &P);
    } else {
        articulated_store(&P, &node->P);
    }
    double *factor = cache->factors + body->factor_first;
    bool regular;
    if (body->is_leaf && (form == HINGE_SINGLE || form == HINGE_ELLIPSOID))
        regular = leaf_eliminate(form, map, body->mass, &node->I, &P, factor);
    else if (form == HINGE_COLUMNS && body->is_leaf && body->kind == CARDO_MOBILIZER_PLANAR &&
             !body->prescribed)
        regular = planar_eliminate(map, body->mass, &node->I, body->parent != 0, &P,
                                   (column_factor *)factor);
    else
        regular = hinge_eliminate(form, body->nu, body->prescribed, map, &P, factor);
    if (!regular)
        return false;
    if (body->parent == 0)
        return true;
    if (form == HINGE_FREE) {
        /* nothing of the inertia is left beyond a hinge that yields every way */
        P = articulated_from_rigid(parent->mass, &parent->I);
        if (body->sets_parent)
            articulated_store(&parent->P, &P);
        return true;
    }
    P = hinge_inertia(form, map, &P, body->own_point, v3_sub(node->O, parent->O));
    pass_inertia_on(body, &P, parent);
    return true;
}

ALWAYS_INLINE bool body_factor(const cardo_system *system, const cardo_state *state, int k)
{
    const body_plan *body = &system->bodies[k];
    state_cache *cache = state->cache;
    body_node *node = &cache->nodes[k], *parent = &cache->nodes[body->parent];
    bool regular = false;
    HINGE_SWITCH(body->yields, regular = factor_step(form, body, node, parent, cache))
    return regular;
}

/* ---- accelerations ---- */

/* One body of an inward sweep: own is what acts on it besides its children, whose sum is in z[k].
 * e (nu, may be where tau is) gets the residuals. */
ALWAYS_INLINE void residual_step(const cardo_system *system, const cardo_state *state, int k,
                                 cardo_spatial own, const double *tau, cardo_spatial *z, double *e)
{
    const body_plan *body = &system->bodies[k];
    const state_cache *cache = state->cache;
    const double *map = cache->maps + body->map_first;
    const double *factor = cache->factors + body->factor_first;
    const double *t = tau ? tau + body->u_first : NULL;
    cardo_spatial f = body->is_leaf ? own : spatial_add(z[k], own);
    HINGE_SWITCH(body->yields,
                 f = hinge_residual(form, body->nu, map, factor, t, f, e + body->u_first))
    if (body->own_point)
        f = force_shift(f, reference_shift(cache->nodes, body, k));
    z[body->parent] = body->sets_parent ? f : spatial_add(z[body->parent], f);
}

/* One body of an outward sweep: a is its parent's acceleration. udot may be where e is. */
ALWAYS_INLINE cardo_spatial acceleration_step(const cardo_system *system, const cardo_state *state,
                                              int k, cardo_spatial a, const double *e, double *udot)
{
    const body_plan *body = &system->bodies[k];
    const state_cache *cache = state->cache;
    const double *map = cache->maps + body->map_first;
    const double *factor = cache->factors + body->factor_first;
    if (body->own_point)
        a = motion_shift(a, reference_shift(cache->nodes, body, k));
    HINGE_SWITCH(body->yields, a = hinge_accelerate(form, body->nu, map, factor, e + body->u_first,
                                                    a, udot + body->u_first))
    if (body->prescribed)
        for (int j = 0; j < body->nu; ++j)
            if (body->prescribed >> j & 1U)
                udot[body->u_first + j] = 0;
    return a;
}

/* Motion of M in F that a body's prescribed udot is. */
ALWAYS_INLINE cardo_spatial prescribed_acceleration(const body_plan *body, const state_cache *cache)
{
    cardo_spatial a = spatial_zero();
    HINGE_SWITCH(body->form, a = hinge_motion(form, body->nu, cache->maps + body->map_first,
                                              cache->prescribed + body->u_first))
    return a;
}

/* Newton-Euler forces of LANES bodies from one on downwards, by component and body. */
typedef struct force_block {
    double angular[3][LANES], linear[3][LANES];
} force_block;

_Static_assert(offsetof(body_node, mass) == offsetof(body_node, I) + 21 * sizeof(double) &&
                   offsetof(body_node, P) == offsetof(body_node, mass) + sizeof(double),
               "I, V, bias acceleration and mass are loaded as three rows of eight numbers");

/* The numbers of newton_euler, for eight bodies at once; bodies below 1 are not there. */
ALWAYS_INLINE void lanes_newton_euler(const body_node *nodes, int first, force_block *out)
{
    lanes8 n[3 * LANES];
    for (int i = 0; i < LANES; ++i) {
        const double *from = &nodes[first - i > 0 ? first - i : 1].I.J.xx;
        n[i] = *(const lanes8 *)from;
        n[LANES + i] = *(const lanes8 *)(from + 8);
        n[2 * LANES + i] = *(const lanes8 *)(from + 16);
    }
    for (int row = 0; row < 3 * LANES; row += LANES)
        lanes_transpose(n + row);
    const lanes_v3 h = {n[6], n[7], n[8]}, w = {n[9], n[10], n[11]}, v = {n[12], n[13], n[14]};
    const lanes_v3 b = {n[15], n[16], n[17]};
    lanes_v3 A, turning, lever, momentum, force = {n[18], n[19], n[20]};
    lanes_cross(&w, &v, &A);
    lanes_add(&force, &A);
    A = force;
    lanes_v3 torque;
    lanes_sym33_mul(n, &b, &torque);
    lanes_sym33_mul(n, &w, &momentum);
    lanes_cross(&w, &momentum, &turning);
    lanes_add(&torque, &turning);
    lanes_cross(&h, &A, &lever);
    lanes_add(&torque, &lever);
    lanes_cross(&b, &h, &force);
    lanes_cross(&w, &h, &lever);
    lanes_cross(&w, &lever, &turning);
    lanes_add(&force, &turning);
    const lanes_v3 pull = {n[21] * A.x, n[21] * A.y, n[21] * A.z};
    lanes_add(&force, &pull);
    *(lanes8 *)out->angular[0] = torque.x;
    *(lanes8 *)out->angular[1] = torque.y;
    *(lanes8 *)out->angular[2] = torque.z;
    *(lanes8 *)out->linear[0] = force.x;
    *(lanes8 *)out->linear[1] = force.y;
    *(lanes8 *)out->linear[2] = force.z;
}

/* The forces of bodies k, k - 1, ... down to 1, LANES at most. */
ALWAYS_INLINE void block_forces(const cardo_system *system, const cardo_state *state, int k,
                                force_block *out)
{
    const body_node *nodes = state->cache->nodes;
    if (k > 2 && system->lanes) {
        lanes_newton_euler(nodes, k, out);
        return;
    }
    for (int i = 0; i < LANES && i < k; ++i) {
        const body_node *node = &nodes[k - i];
        const cardo_spatial f =
            newton_euler(&system->bodies[k - i], &node->I, node->V, node->bias_acceleration);
        out->angular[0][i] = f.angular.x;
        out->angular[1][i] = f.angular.y;
        out->angular[2][i] = f.angular.z;
        out->linear[0][i] = f.linear.x;
        out->linear[1][i] = f.linear.y;
        out->linear[2][i] = f.linear.z;
    }
}

ALWAYS_INLINE void body_force(const cardo_system *system, const cardo_state *state, int k,
                              const force_block *forces, int at)
{
    const body_plan *body = &system->bodies[k];
    state_cache *cache = state->cache;
    const body_node *node = &cache->nodes[k];
    cardo_spatial own = {{forces->angular[0][at], forces->angular[1][at], forces->angular[2][at]},
                         {forces->linear[0][at], forces->linear[1][at], forces->linear[2][at]}};
    if (cache->applied_bodies) {
        const cardo_vec3 r = body_origin(node, body);
        own = spatial_sub(own, force_shift(cache->applied_bodies[k], r));
    }
    if (body->prescribed)
        own = spatial_add(own, articulated_mul(&node->P, prescribed_acceleration(body, cache)));
    residual_step(system, state, k, own, cache->applied_mobilities, cache->scratch_z, cache->udot);
}

ALWAYS_INLINE void body_acceleration(const cardo_system *system, const cardo_state *state, int k)
{
    const body_plan *body = &system->bodies[k];
    state_cache *cache = state->cache;
    cardo_spatial a = cache->nodes[body->parent].a;
    a = acceleration_step(system, state, k, a, cache->udot, cache->udot);
    if (body->prescribed) {
        a = spatial_add(a, prescribed_acceleration(body, cache));
        for (int j = 0; j < body->nu; ++j)
            if (body->prescribed >> j & 1U)
                cache->udot[body->u_first + j] = cache->prescribed[body->u_first + j];
    }
    cache->nodes[k].a = a;
}

#endif
