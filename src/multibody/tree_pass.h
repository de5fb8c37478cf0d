/* What each pass does for one body: inline, so that loops which run one pass, or several fused, are
 * the same code and give the same bits.
 *
 * Blocks of a known number of mobilities are compiled for that number: PER_NU(nu, call) expands
 * call with a constant n. */
#ifndef CARDO_MULTIBODY_TREE_PASS_H
#define CARDO_MULTIBODY_TREE_PASS_H

#include "multibody/mobilizer_parameters.h"
#include "multibody/orientation.h"
#include "multibody/sincos.h"
#include "multibody/state_internal.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Loops are also compiled for AVX-512, whose 32 registers hold a body's working set (measured: 15 %
 * of forward dynamics), and the loader picks: without fused operations the bits are the same.
 * Sanitizers cannot run the loader's resolvers. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12 &&           \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(CARDO_NO_CLONES)
#define TREE_PASS __attribute__((flatten, target_clones("arch=x86-64-v4", "default")))
#else
#define TREE_PASS __attribute__((flatten))
#endif

/* ---- positions ---- */

/* Inertia of the body in ground axes about its reference point: with the central inertia as largest
 * moment times the unit matrix less two squares along the other principal axes, three outer
 * products make all of it. */
ALWAYS_INLINE rigid_inertia place_inertia(const body_plan *body, const cardo_mat33 *R, cardo_vec3 r)
{
    const cardo_vec3 c = v3_add(r, m33_mul_v3(*R, body->com));
    const cardo_vec3 f = m33_mul_v3(*R, body->deficit[0]), g = m33_mul_v3(*R, body->deficit[1]);
    const cardo_vec3 s = v3_scale(body->sqrt_mass, c);
    const double xx = s.x * s.x, yy = s.y * s.y, zz = s.z * s.z, top = body->largest_moment;
    rigid_inertia I;
    I.J.xx = (top + (yy + zz)) - (f.x * f.x + g.x * g.x);
    I.J.yy = (top + (xx + zz)) - (f.y * f.y + g.y * g.y);
    I.J.zz = (top + (xx + yy)) - (f.z * f.z + g.z * g.z);
    I.J.xy = -(s.x * s.y + (f.x * f.y + g.x * g.y));
    I.J.xz = -(s.x * s.z + (f.x * f.z + g.x * g.z));
    I.J.yz = -(s.y * s.z + (f.y * f.z + g.y * g.z));
    I.h = v3_scale(body->mass, c);
    return I;
}

/* Makes M's origin the body's reference point if it begins a cluster. */
ALWAYS_INLINE void place_origin(const body_plan *body, const body_node *parent, cardo_vec3 r,
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

ALWAYS_INLINE void pin_position(const body_plan *body, double q, const body_node *parent,
                                body_node *node, mobility_node *mobility)
{
    double c, s;
    sincos_inline(q, &s, &c);
    s *= body->sign;
    /* R_PF Rz(q) is off the chain of dependences between bodies */
    const cardo_mat33 *F = &body->X_PF.R;
    const cardo_mat33 R_PM = {
        {{c * F->m[0][0] + s * F->m[0][1], c * F->m[0][1] - s * F->m[0][0], F->m[0][2]},
         {c * F->m[1][0] + s * F->m[1][1], c * F->m[1][1] - s * F->m[1][0], F->m[1][2]},
         {c * F->m[2][0] + s * F->m[2][1], c * F->m[2][1] - s * F->m[2][0], F->m[2][2]}}};
    const cardo_mat33 R = m33_product(&parent->R, &R_PM);
    m33_store(&node->R, &R);
    place_origin(body, parent, v3_add(parent->r, m33_mul_v3(parent->R, body->X_PF.p)), node);
    const cardo_vec3 axis = v3_scale(body->sign, m33_column(R, 2));
    mobility->H = (cardo_spatial){axis, v3_cross(node->r, axis)};
}

ALWAYS_INLINE void slider_position(const body_plan *body, double q, const body_node *parent,
                                   body_node *node, mobility_node *mobility)
{
    const cardo_mat33 R = m33_product(&parent->R, &body->X_PF.R);
    const cardo_vec3 axis = v3_scale(body->sign, m33_column(R, 0));
    const cardo_vec3 F = v3_add(parent->r, m33_mul_v3(parent->R, body->X_PF.p));
    m33_store(&node->R, &R);
    place_origin(body, parent, v3_add_scaled(F, q, axis), node);
    mobility->H = (cardo_spatial){{0, 0, 0}, axis};
}

/* Three mobilities that turn about the reference point, along sign times the columns of Q. */
ALWAYS_INLINE void put_turns(mobility_node *mobilities, double sign, const cardo_mat33 *Q)
{
    const cardo_vec3 none = v3(0, 0, 0);
    const cardo_vec3 x = v3(sign * Q->m[0][0], sign * Q->m[1][0], sign * Q->m[2][0]);
    const cardo_vec3 y = v3(sign * Q->m[0][1], sign * Q->m[1][1], sign * Q->m[2][1]);
    const cardo_vec3 z = v3(sign * Q->m[0][2], sign * Q->m[1][2], sign * Q->m[2][2]);
    spatial_put(&mobilities[0].H, (cardo_spatial){x, none});
    spatial_put(&mobilities[1].H, (cardo_spatial){y, none});
    spatial_put(&mobilities[2].H, (cardo_spatial){z, none});
}

ALWAYS_INLINE void ball_position(const body_plan *body, const double *q, const body_node *parent,
                                 body_node *node, mobility_node *mobilities)
{
    const cardo_mat33 R_GF = m33_product(&parent->R, &body->X_PF.R);
    cardo_mat33 R_FM = orientation_matrix(body->joint.euler, q);
    if (body->reversed)
        R_FM = m33_transpose(R_FM);
    const cardo_mat33 R = m33_product(&R_GF, &R_FM);
    m33_store(&node->R, &R);
    place_origin(body, parent, v3_add(parent->r, m33_mul_v3(parent->R, body->X_PF.p)), node);
    if (body->reversed)
        put_turns(mobilities, -1, &R);
    else
        put_turns(mobilities, 1, &R_GF);
}

ALWAYS_INLINE void free_position(const body_plan *body, const double *q, const body_node *parent,
                                 body_node *node, mobility_node *mobilities)
{
    const cardo_mat33 R_GF = m33_product(&parent->R, &body->X_PF.R);
    const cardo_vec3 F = v3_add(parent->r, m33_mul_v3(parent->R, body->X_PF.p));
    const cardo_vec3 p_FM = v3_load(q + (body->joint.euler ? 3 : 4));
    const cardo_mat33 R_FM = orientation_matrix(body->joint.euler, q);
    const cardo_mat33 R = m33_product(&R_GF, &R_FM);
    m33_store(&node->R, &R);
    place_origin(body, parent, v3_add(F, m33_mul_v3(R_GF, p_FM)), node);
    put_turns(mobilities, 1, &R_GF);
    const cardo_vec3 none = v3(0, 0, 0);
    spatial_put(&mobilities[3].H, (cardo_spatial){none, m33_column(R_GF, 0)});
    spatial_put(&mobilities[4].H, (cardo_spatial){none, m33_column(R_GF, 1)});
    spatial_put(&mobilities[5].H, (cardo_spatial){none, m33_column(R_GF, 2)});
}

/* M's origin at the radii times its z axis n, with the columns (e_k, radii times e_k x n) turned to ground; n stays in the
 * joint's cache. */
ALWAYS_INLINE void ellipsoid_position(const body_plan *body, const double *q, double *joint_cache,
                                      const body_node *parent, body_node *node,
                                      mobility_node *mobilities)
{
    const cardo_ellipsoid *ellipsoid = body->joint.data;
    const cardo_vec3 radii = ellipsoid->radii;
    const cardo_mat33 R_GF = m33_product(&parent->R, &body->X_PF.R);
    const cardo_vec3 F = v3_add(parent->r, m33_mul_v3(parent->R, body->X_PF.p));
    const cardo_mat33 R_FM = orientation_matrix(body->joint.euler, q);
    const cardo_mat33 R = m33_product(&R_GF, &R_FM);
    const cardo_vec3 n = m33_column(R_FM, 2);
    const cardo_vec3 x = m33_column(R_GF, 0), y = m33_column(R_GF, 1), z = m33_column(R_GF, 2);
    m33_store(&node->R, &R);
    const cardo_vec3 a = v3_scale(radii.x, x), b = v3_scale(radii.y, y), c = v3_scale(radii.z, z);
    const cardo_vec3 p = v3_add_scaled(v3_add_scaled(v3_scale(n.x, a), n.y, b), n.z, c);
    place_origin(body, parent, v3_add(F, p), node);
    v3_store(joint_cache, n);
    spatial_put(&mobilities[0].H, (cardo_spatial){x, v3_add_scaled(v3_scale(n.y, c), -n.z, b)});
    spatial_put(&mobilities[1].H, (cardo_spatial){y, v3_add_scaled(v3_scale(n.z, a), -n.x, c)});
    spatial_put(&mobilities[2].H, (cardo_spatial){z, v3_add_scaled(v3_scale(n.x, b), -n.y, a)});
}

ALWAYS_INLINE void generic_position(const body_plan *body, const double *q, double *joint_cache,
                                    const body_node *parent, body_node *node,
                                    mobility_node *mobilities)
{
    cardo_transform X_FM;
    cardo_spatial H[CARDO_MOBILIZER_MAX_U];
    if (body->reversed)
        cardo_joint_position(body, q, joint_cache, &X_FM, H);
    else
        body->joint.mobilizer->position(&body->joint, q, joint_cache, &X_FM, H);
    const cardo_mat33 R_GF = m33_product(&parent->R, &body->X_PF.R);
    cardo_vec3 r = v3_add(parent->r, m33_mul_v3(parent->R, body->X_PF.p));
    r = v3_add(r, m33_mul_v3(R_GF, v3_load(&X_FM.p.x)));
    const cardo_mat33 R = m33_product(&R_GF, &X_FM.R);
    m33_store(&node->R, &R);
    place_origin(body, parent, r, node);
    r = node->r;
    if (body->kept_derivative) {
        const cardo_spatial *rate = (const cardo_spatial *)joint_cache;
        spatial_put((cardo_spatial *)(joint_cache + 6), spatial_rotate(R_GF, spatial_load(rate)));
    }
    for (int k = 0; k < body->nu; ++k) {
        cardo_spatial column = spatial_rotate(R_GF, spatial_load(&H[k]));
        column.linear = v3_add(column.linear, v3_cross(r, column.angular));
        spatial_put(&mobilities[k].H, column);
    }
}

ALWAYS_INLINE void body_position(const cardo_system *system, const cardo_state *state, int k)
{
    const body_plan *body = &system->bodies[k];
    state_cache *cache = state->cache;
    const body_node *parent = &cache->nodes[body->parent];
    body_node *node = &cache->nodes[k];
    const double *q = state->q + body->q_first;
    mobility_node *mobilities = cache->mobilities + body->u_first;
    switch (body->kind) {
    case CARDO_MOBILIZER_PIN:
        pin_position(body, q[0], parent, node, mobilities);
        break;
    case CARDO_MOBILIZER_SLIDER:
        slider_position(body, q[0], parent, node, mobilities);
        break;
    case CARDO_MOBILIZER_BALL:
        ball_position(body, q, parent, node, mobilities);
        break;
    case CARDO_MOBILIZER_ELLIPSOID:
        ellipsoid_position(body, q, cache->joint_cache + body->cache_first, parent, node,
                           mobilities);
        break;
    case CARDO_MOBILIZER_FREE:
        free_position(body, q, parent, node, mobilities);
        break;
    case CARDO_MOBILIZER_WELD:
    case CARDO_MOBILIZER_GENERIC:
        generic_position(body, q, cache->joint_cache + body->cache_first, parent, node, mobilities);
        break;
    }
    node->I = place_inertia(body, &node->R, node->r);
}

/* ---- velocities ---- */

/* Sum of H_j x_j. */
ALWAYS_INLINE cardo_spatial hinge_motion(int n, const mobility_node *mobilities, const double *x)
{
    cardo_spatial V = spatial_scale(x[0], mobilities[0].H);
    for (int j = 1; j < n; ++j)
        V = spatial_add_scaled(V, x[j], mobilities[j].H);
    return V;
}

/* Q u of a ball, no velocity of its centre. */
ALWAYS_INLINE cardo_spatial ball_motion(const mobility_node *mobilities, const double *u)
{
    cardo_vec3 w = v3_scale(u[0], mobilities[0].H.angular);
    w = v3_add_scaled(w, u[1], mobilities[1].H.angular);
    return (cardo_spatial){v3_add_scaled(w, u[2], mobilities[2].H.angular), {0, 0, 0}};
}

/* Acceleration of M's origin at udot = 0: radii times w x (w x n), in F, turned to ground by F's axes, which are the turning
 * parts of the columns. */
ALWAYS_INLINE cardo_vec3 ellipsoid_bias(const body_plan *body, const cardo_state *state,
                                        const mobility_node *mobilities, const double *u)
{
    const cardo_ellipsoid *ellipsoid = body->joint.data;
    const cardo_vec3 w = v3_load(u);
    const cardo_vec3 n = v3_load(state->cache->joint_cache + body->cache_first);
    const cardo_vec3 rate = v3_cross(w, v3_cross(w, n));
    cardo_vec3 a = v3_scale(ellipsoid->radii.x * rate.x, mobilities[0].H.angular);
    a = v3_add_scaled(a, ellipsoid->radii.y * rate.y, mobilities[1].H.angular);
    return v3_add_scaled(a, ellipsoid->radii.z * rate.z, mobilities[2].H.angular);
}

/* Spatial acceleration of M in F at udot = 0, in ground about the reference point: the part of the
 * Coriolis term that comes from H changing in F. VJ: velocity of M in F, in ground about the
 * reference point. */
ALWAYS_INLINE cardo_spatial joint_bias(const body_plan *body, const cardo_state *state,
                                       const body_node *parent, const body_node *node,
                                       cardo_spatial VJ)
{
    cardo_spatial A = spatial_zero();
    if (body->kept_derivative) {
        const double u = state->u[body->u_first];
        const double *joint_cache = state->cache->joint_cache + body->cache_first;
        A = spatial_scale(u * u, spatial_load((const cardo_spatial *)(joint_cache + 6)));
    } else if (body->changing_hinge) {
        A = cardo_joint_bias(body, state->q + body->q_first, state->u + body->u_first,
                             state->cache->joint_cache + body->cache_first);
        A = spatial_rotate(body->X_PF.R, A);
        A = spatial_rotate(parent->R, A);
    }
    /* velocity of M's origin, and from the acceleration of that origin to that of what passes it */
    const cardo_vec3 v = v3_sub(VJ.linear, v3_cross(node->r, VJ.angular));
    A.linear = v3_sub(A.linear, v3_cross(VJ.angular, v));
    A.linear = v3_add(A.linear, v3_cross(node->r, A.angular));
    return A;
}

/* Newton-Euler force of a rigid body that moves with V and has spatial acceleration a. */
ALWAYS_INLINE cardo_spatial newton_euler(double mass, const rigid_inertia *I, cardo_spatial V,
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

ALWAYS_INLINE void body_velocity(const cardo_system *system, const cardo_state *state, int k)
{
    const body_plan *body = &system->bodies[k];
    state_cache *cache = state->cache;
    const body_node *parent = &cache->nodes[body->parent];
    body_node *node = &cache->nodes[k];
    const double *u = state->u + body->u_first;
    const mobility_node *mobilities = cache->mobilities + body->u_first;
    cardo_spatial V = parent->V, a = parent->bias_acceleration;
    if (body->own_point) {
        const cardo_vec3 s = v3_sub(node->O, parent->O);
        V = motion_shift(V, s);
        a = motion_shift(a, s);
    }
    if (body->nu > 0) {
        cardo_spatial VJ;
        switch (body->kind) {
        case CARDO_MOBILIZER_PIN:
        case CARDO_MOBILIZER_SLIDER:
            VJ = hinge_motion(1, mobilities, u);
            break;
        case CARDO_MOBILIZER_BALL:
            VJ = ball_motion(mobilities, u);
            break;
        case CARDO_MOBILIZER_ELLIPSOID:
            VJ = hinge_motion(3, mobilities, u);
            a.linear = v3_add(a.linear, ellipsoid_bias(body, state, mobilities, u));
            a.linear = v3_sub(a.linear, v3_cross(VJ.angular, VJ.linear));
            break;
        case CARDO_MOBILIZER_FREE:
            VJ = ball_motion(mobilities, u);
            VJ.linear = ball_motion(mobilities, u + 3).angular;
            /* M's origin is the reference point; the acceleration is that of what passes it */
            a.linear = v3_sub(a.linear, v3_cross(VJ.angular, VJ.linear));
            break;
        default:
            VJ = hinge_motion(body->nu, mobilities, u);
            a = spatial_add(a, joint_bias(body, state, parent, node, VJ));
            break;
        }
        a = spatial_add(a, motion_cross(V, VJ));
        V = spatial_add(V, VJ);
    }
    node->V = V;
    node->bias_acceleration = a;
    node->bias_force = newton_euler(body->mass, &node->I, V, a);
}

/* ---- articulated inertias ---- */

/* Below this part of the hinge's own scale a pivot of D is rounding, not inertia. */
#define SINGULAR_PIVOT 1e-13

/* Size below which a pivot is rounding: J and M are that part of the traces of the outboard
 * inertia. */
ALWAYS_INLINE double hinge_scale(double J, double M, const cardo_spatial *H)
{
    return J * v3_dot(H->angular, H->angular) + M * v3_dot(H->linear, H->linear);
}

/* Takes one mobility out of P: D = H^T P H, G = P H / D, P+ = P - G D G^T. A mobilizer of several
 * is a chain of single ones without inertia between them, the last outermost: nothing else is ever
 * factored, and the working set stays in registers. scale: what D is compared with. False: D is not
 * positive beyond rounding. */
ALWAYS_INLINE bool eliminate(articulated_inertia *P, mobility_node *mobility, double scale,
                             double *D, double *D_inverse)
{
    const cardo_spatial H = mobility->H;
    const cardo_spatial U = articulated_mul(P, H);
    const double d = spatial_dot(H, U);
    const double inverse = 1.0 / d;
    const cardo_spatial G = spatial_scale(inverse, U);
    *D = d;
    *D_inverse = inverse;
    mobility->G = G;
    articulated_subtract_outer(P, G, U);
    return d > scale;
}

/* The same for a mobility that only turns about the reference point. */
ALWAYS_INLINE bool eliminate_turn(articulated_inertia *P, mobility_node *mobility, double scale,
                                  double *D, double *D_inverse)
{
    const cardo_vec3 w = mobility->H.angular;
    const cardo_spatial U = {sym33_mul_v3(P->J, w), m33_tmul_v3(P->C, w)};
    const double d = v3_dot(w, U.angular), inverse = 1.0 / d;
    const cardo_spatial G = spatial_scale(inverse, U);
    *D = d;
    *D_inverse = inverse;
    mobility->G = G;
    articulated_subtract_outer(P, G, U);
    return d > scale;
}

/* The same for a mobility that only slides. */
ALWAYS_INLINE bool eliminate_slide(articulated_inertia *P, mobility_node *mobility, double scale,
                                   double *D, double *D_inverse)
{
    const cardo_vec3 v = mobility->H.linear;
    const cardo_spatial U = {m33_mul_v3(P->C, v), sym33_mul_v3(P->M, v)};
    const double d = v3_dot(v, U.linear), inverse = 1.0 / d;
    const cardo_spatial G = spatial_scale(inverse, U);
    *D = d;
    *D_inverse = inverse;
    mobility->G = G;
    articulated_subtract_outer(P, G, U);
    return d > scale;
}

/* H^T f, and a + x H, for hinges that only turn about the reference point and for others. */
ALWAYS_INLINE double project(const bool turns, const mobility_node *m, cardo_spatial f)
{
    return turns ? v3_dot(m->H.angular, f.angular) : spatial_dot(m->H, f);
}

ALWAYS_INLINE cardo_spatial add_motion(const bool turns, cardo_spatial a, double x,
                                       const mobility_node *m)
{
    if (!turns)
        return spatial_add_scaled(a, x, m->H);
    return (cardo_spatial){v3_add_scaled(a.angular, x, m->H.angular), a.linear};
}

/* Three mobilities side by side: the same elimination with the products of hinge columns found first, so that three divisions
 * in a row are all that has to wait. turns: a ball about the reference point, of whose P+ only M is left (the rest is zero and
 * not computed). */
ALWAYS_INLINE bool eliminate_three(const bool turns, articulated_inertia *P, mobility_node *m,
                                   const double *least, double *D, double *D_inverse)
{
    cardo_spatial U0, U1, U2;
    if (turns) {
        const cardo_vec3 x = m[0].H.angular, y = m[1].H.angular, z = m[2].H.angular;
        U0 = (cardo_spatial){sym33_mul_v3(P->J, x), m33_tmul_v3(P->C, x)};
        U1 = (cardo_spatial){sym33_mul_v3(P->J, y), m33_tmul_v3(P->C, y)};
        U2 = (cardo_spatial){sym33_mul_v3(P->J, z), m33_tmul_v3(P->C, z)};
    } else {
        U0 = articulated_mul(P, m[0].H);
        U1 = articulated_mul(P, m[1].H);
        U2 = articulated_mul(P, m[2].H);
    }
    const double a22 = project(turns, m + 2, U2), a12 = project(turns, m + 1, U2);
    const double a02 = project(turns, m, U2), a11 = project(turns, m + 1, U1);
    const double a01 = project(turns, m, U1), a00 = project(turns, m, U0);
    const double i2 = 1.0 / a22, g12 = a12 * i2, g02 = a02 * i2;
    const double d1 = a11 - a12 * g12, b01 = a01 - a12 * g02;
    const double i1 = 1.0 / d1, g01 = b01 * i1;
    const double d0 = a00 - a02 * g02 - b01 * g01, i0 = 1.0 / d0;
    const cardo_spatial G2 = spatial_scale(i2, U2);
    U1 = spatial_add_scaled(U1, -a12, G2);
    const cardo_spatial G1 = spatial_scale(i1, U1);
    U0 = spatial_add_scaled(spatial_add_scaled(U0, -a02, G2), -b01, G1);
    const cardo_spatial G0 = spatial_scale(i0, U0);
    spatial_put(&m[0].G, G0);
    spatial_put(&m[1].G, G1);
    spatial_put(&m[2].G, G2);
    D[0] = d0;
    D[1] = d1;
    D[2] = a22;
    D_inverse[0] = i0;
    D_inverse[1] = i1;
    D_inverse[2] = i2;
    if (turns) {
        sym33_subtract_outer(&P->M, G2.linear, U2.linear);
        sym33_subtract_outer(&P->M, G1.linear, U1.linear);
        sym33_subtract_outer(&P->M, G0.linear, U0.linear);
    } else {
        articulated_subtract_outer(P, G2, U2);
        articulated_subtract_outer(P, G1, U1);
        articulated_subtract_outer(P, G0, U0);
    }
    return d0 > least[0] && d1 > least[1] && a22 > least[2];
}

/* How a body's hinge is taken out. */
typedef enum factor_way {
    FACTOR_NONE,
    FACTOR_SINGLE,
    FACTOR_BALL,
    FACTOR_FREE,
    FACTOR_THREE,
    FACTOR_SEVERAL
} factor_way;

/* Takes all mobilities of a hinge out of P. */
ALWAYS_INLINE bool factor_hinge(const factor_way way, int nu, articulated_inertia *P,
                                mobility_node *mobilities, double *D, double *D_inverse)
{
    const double J = SINGULAR_PIVOT * (P->J.xx + P->J.yy + P->J.zz);
    const double M = SINGULAR_PIVOT * (P->M.xx + P->M.yy + P->M.zz);
    bool regular = true;
    if (way == FACTOR_SINGLE)
        return eliminate(P, mobilities, hinge_scale(J, M, &mobilities->H), D, D_inverse);
    if (way == FACTOR_FREE) {
        regular = eliminate_slide(P, mobilities + 5, M, D + 5, D_inverse + 5) && regular;
        regular = eliminate_slide(P, mobilities + 4, M, D + 4, D_inverse + 4) && regular;
        regular = eliminate_slide(P, mobilities + 3, M, D + 3, D_inverse + 3) && regular;
        /* all that is left resists turning only */
        articulated_clear(P);
    }
    if (way == FACTOR_BALL || way == FACTOR_THREE) {
        double least[3] = {J, J, J};
        for (int j = 0; way == FACTOR_THREE && j < 3; ++j)
            least[j] = hinge_scale(J, M, &mobilities[j].H);
        return eliminate_three(way == FACTOR_BALL, P, mobilities, least, D, D_inverse);
    }
    if (way == FACTOR_FREE) {
        regular = eliminate_turn(P, mobilities + 2, J, D + 2, D_inverse + 2) && regular;
        regular = eliminate_turn(P, mobilities + 1, J, D + 1, D_inverse + 1) && regular;
        regular = eliminate_turn(P, mobilities, J, D, D_inverse) && regular;
    }
    if (way == FACTOR_SEVERAL)
        for (int j = nu - 1; j >= 0; --j)
            regular = eliminate(P, mobilities + j, hinge_scale(J, M, &mobilities[j].H), D + j,
                                D_inverse + j) &&
                      regular;
    return regular;
}

/* All of a body's step with the way known to the compiler, so that P stays in registers from end to
 * end. False: the hinge's inertia is singular. */
ALWAYS_INLINE bool factor_step(const factor_way way, const body_plan *body, body_node *node,
                               body_node *parent, state_cache *cache)
{
    mobility_node *mobilities = cache->mobilities + body->u_first;
    double *D = cache->D + body->u_first, *D_inverse = cache->D_inverse + body->u_first;
    articulated_inertia P = articulated_from_rigid(body->mass, &node->I);
    if (!body->is_leaf)
        articulated_add(&P, &node->P);
    articulated_store(&node->P, &P);
    if (way != FACTOR_NONE && !factor_hinge(way, body->nu, &P, mobilities, D, D_inverse))
        return false;
    if (body->parent == 0)
        return true;
    if (way == FACTOR_FREE || (way == FACTOR_SEVERAL && body->nu == 6)) {
        /* nothing of the inertia is left beyond a hinge that yields every way */
        if (body->sets_parent) {
            P = (articulated_inertia){0};
            articulated_store(&parent->P, &P);
        }
        return true;
    }
    if (way == FACTOR_BALL)
        P = articulated_shift_mass(P.M, v3_sub(node->O, parent->O));
    else if (body->own_point)
        P = articulated_shift(&P, v3_sub(node->O, parent->O));
    if (!body->sets_parent)
        articulated_add(&P, &parent->P);
    articulated_store(&parent->P, &P);
    return true;
}

ALWAYS_INLINE bool body_factor(const cardo_system *system, const cardo_state *state, int k)
{
    const body_plan *body = &system->bodies[k];
    state_cache *cache = state->cache;
    body_node *node = &cache->nodes[k], *parent = &cache->nodes[body->parent];
    if (body->prescribed) {
        for (int j = body->u_first; j < body->u_first + body->nu; ++j) {
            cache->mobilities[j].G = spatial_zero();
            cache->D[j] = 1; /* no part of det M */
            cache->D_inverse[j] = 0;
        }
        return factor_step(FACTOR_NONE, body, node, parent, cache);
    }
    if (body->nu == 1)
        return factor_step(FACTOR_SINGLE, body, node, parent, cache);
    if (body->kind == CARDO_MOBILIZER_BALL)
        return factor_step(FACTOR_BALL, body, node, parent, cache);
    if (body->kind == CARDO_MOBILIZER_FREE)
        return factor_step(FACTOR_FREE, body, node, parent, cache);
    if (body->nu == 3)
        return factor_step(FACTOR_THREE, body, node, parent, cache);
    if (body->nu == 0)
        return factor_step(FACTOR_NONE, body, node, parent, cache);
    return factor_step(FACTOR_SEVERAL, body, node, parent, cache);
}

/* ---- accelerations ---- */

/* H_i^T G_j of three mobilities: with these, what each one sees of the outer ones' residuals needs
 * no new projection of z, and three projections run side by side instead of one after the other. */
typedef struct couplings {
    double on0_of1, on0_of2, on1_of2;
} couplings;

ALWAYS_INLINE couplings hinge_couplings(const bool turns, const mobility_node *m)
{
    return (couplings){project(turns, m, m[1].G), project(turns, m, m[2].G),
                       project(turns, m + 1, m[2].G)};
}

ALWAYS_INLINE cardo_spatial residual_of_three(const bool turns, const mobility_node *m,
                                              const double *tau, cardo_spatial z, double *e)
{
    const couplings c = hinge_couplings(turns, m);
    const double e2 = (tau ? tau[2] : 0.0) - project(turns, m + 2, z);
    const double e1 = (tau ? tau[1] : 0.0) - project(turns, m + 1, z) - c.on1_of2 * e2;
    const double e0 = (tau ? tau[0] : 0.0) - project(turns, m, z) - c.on0_of2 * e2 - c.on0_of1 * e1;
    e[0] = e0;
    e[1] = e1;
    e[2] = e2;
    z = spatial_add_scaled(z, e2, m[2].G);
    z = spatial_add_scaled(z, e1, m[1].G);
    return spatial_add_scaled(z, e0, m[0].G);
}

ALWAYS_INLINE cardo_spatial acceleration_of_three(const bool turns, const mobility_node *m,
                                                  const double *D_inverse, const double *e,
                                                  cardo_spatial a, double *udot)
{
    const couplings c = hinge_couplings(turns, m);
    const double x0 = D_inverse[0] * e[0] - spatial_dot(m[0].G, a);
    const double x1 = D_inverse[1] * e[1] - spatial_dot(m[1].G, a) - c.on0_of1 * x0;
    const double x2 =
        D_inverse[2] * e[2] - spatial_dot(m[2].G, a) - c.on0_of2 * x0 - c.on1_of2 * x1;
    udot[0] = x0;
    udot[1] = x1;
    udot[2] = x2;
    a = add_motion(turns, a, x0, m);
    a = add_motion(turns, a, x1, m + 1);
    return add_motion(turns, a, x2, m + 2);
}

/* One body of an inward sweep: own is what acts on it besides its children, whose sum is in *sum.
 * Mobilities from the outermost: e = tau - H^T z, z = z + G e. */
ALWAYS_INLINE void residual_step(const cardo_system *system, const cardo_state *state, int k,
                                 cardo_spatial own, const double *tau, const cardo_spatial *sum,
                                 cardo_spatial *parent_sum, double *e)
{
    const body_plan *body = &system->bodies[k];
    const state_cache *cache = state->cache;
    const mobility_node *mobilities = cache->mobilities;
    cardo_spatial z = body->is_leaf ? own : spatial_add(*sum, own);
    const double *t = tau ? tau + body->u_first : NULL;
    const mobility_node *m = mobilities + body->u_first;
    if (body->kind == CARDO_MOBILIZER_BALL)
        z = residual_of_three(true, m, t, z, e + body->u_first);
    else if (body->nu == 3)
        z = residual_of_three(false, m, t, z, e + body->u_first);
    else
        for (int j = body->u_first + body->nu - 1; j >= body->u_first; --j) {
            const double residual = (tau ? tau[j] : 0.0) - spatial_dot(mobilities[j].H, z);
            e[j] = residual;
            z = spatial_add_scaled(z, residual, mobilities[j].G);
        }
    if (body->own_point)
        z = force_shift(z, reference_shift(cache->nodes, body, k));
    *parent_sum = body->sets_parent ? z : spatial_add(*parent_sum, z);
}

/* One body of an outward sweep. Mobilities from the innermost: udot = e / D - G^T a, a = a + H
 * udot. */
ALWAYS_INLINE cardo_spatial acceleration_step(const cardo_system *system, const cardo_state *state,
                                              int k, cardo_spatial a, const double *e, double *udot)
{
    const body_plan *body = &system->bodies[k];
    const state_cache *cache = state->cache;
    const mobility_node *mobilities = cache->mobilities;
    if (body->own_point)
        a = motion_shift(a, reference_shift(cache->nodes, body, k));
    const mobility_node *m = mobilities + body->u_first;
    const double *inverse = cache->D_inverse + body->u_first, *own_e = e + body->u_first;
    if (body->kind == CARDO_MOBILIZER_BALL)
        return acceleration_of_three(true, m, inverse, own_e, a, udot + body->u_first);
    if (body->nu == 3)
        return acceleration_of_three(false, m, inverse, own_e, a, udot + body->u_first);
    for (int j = body->u_first; j < body->u_first + body->nu; ++j) {
        const double x = cache->D_inverse[j] * e[j] - spatial_dot(mobilities[j].G, a);
        udot[j] = x;
        a = spatial_add_scaled(a, x, mobilities[j].H);
    }
    return a;
}

/* Motion of M in F that a prescribed body's udot is. */
ALWAYS_INLINE cardo_spatial prescribed_acceleration(const body_plan *body, const state_cache *cache)
{
    cardo_spatial a = spatial_zero();
    for (int j = body->u_first; j < body->u_first + body->nu; ++j)
        a = spatial_add_scaled(a, cache->prescribed[j], cache->mobilities[j].H);
    return a;
}

ALWAYS_INLINE void body_force(const cardo_system *system, const cardo_state *state, int k)
{
    const body_plan *body = &system->bodies[k];
    state_cache *cache = state->cache;
    body_node *node = &cache->nodes[k];
    cardo_spatial own = node->bias_force;
    if (cache->applied_bodies) {
        const cardo_vec3 r = body_origin(node, body);
        own = spatial_sub(own, force_shift(cache->applied_bodies[k], r));
    }
    if (body->prescribed)
        own = spatial_add(own, articulated_mul(&node->P, prescribed_acceleration(body, cache)));
    residual_step(system, state, k, own, cache->applied_mobilities, &node->z,
                  &cache->nodes[body->parent].z, cache->residual);
}

ALWAYS_INLINE void body_acceleration(const cardo_system *system, const cardo_state *state, int k)
{
    const body_plan *body = &system->bodies[k];
    state_cache *cache = state->cache;
    cardo_spatial a = cache->nodes[body->parent].a;
    a = acceleration_step(system, state, k, a, cache->residual, cache->udot);
    if (body->prescribed) {
        a = spatial_add(a, prescribed_acceleration(body, cache));
        for (int j = body->u_first; j < body->u_first + body->nu; ++j)
            cache->udot[j] = cache->prescribed[j];
    }
    cache->nodes[k].a = a;
}

#endif
