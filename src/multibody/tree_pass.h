/* What each pass does for one body: inline, so that loops which run one pass, or several fused, are
 * the same code and give the same bits.
 *
 * Blocks of a known number of mobilities are compiled for that number: PER_NU(nu, call) expands
 * call with a constant n. */
#ifndef CARDO_MULTIBODY_TREE_PASS_H
#define CARDO_MULTIBODY_TREE_PASS_H

#include "multibody/sincos.h"
#include "multibody/state_internal.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Loops are also compiled for AVX-512, whose 32 registers hold a body's working set (measured: 15 %
 * of forward dynamics), and the loader picks: without fused operations the bits are the same.
 * Sanitizers cannot run the loader's resolvers. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11 &&           \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(CARDO_NO_CLONES)
#define WIDE_CLONES __attribute__((target_clones("arch=x86-64-v4", "default")))
#else
#define WIDE_CLONES
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
    cardo_mat33 R_PM = body->X_PF.R;
    for (int i = 0; i < 3; ++i) {
        const double x = R_PM.m[i][0], y = R_PM.m[i][1];
        R_PM.m[i][0] = c * x + s * y;
        R_PM.m[i][1] = c * y - s * x;
    }
    const cardo_mat33 R = m33_mul(parent->R, R_PM);
    node->R = R;
    place_origin(body, parent, v3_add(parent->r, m33_mul_v3(parent->R, body->X_PF.p)), node);
    const cardo_vec3 axis = v3_scale(body->sign, m33_column(R, 2));
    mobility->H = (cardo_spatial){axis, v3_cross(node->r, axis)};
}

ALWAYS_INLINE void slider_position(const body_plan *body, double q, const body_node *parent,
                                   body_node *node, mobility_node *mobility)
{
    const cardo_mat33 R = m33_mul(parent->R, body->X_PF.R);
    const cardo_vec3 axis = v3_scale(body->sign, m33_column(R, 0));
    const cardo_vec3 F = v3_add(parent->r, m33_mul_v3(parent->R, body->X_PF.p));
    node->R = R;
    place_origin(body, parent, v3_add_scaled(F, q, axis), node);
    mobility->H = (cardo_spatial){{0, 0, 0}, axis};
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
    const cardo_mat33 R_GF = m33_mul(parent->R, body->X_PF.R);
    cardo_vec3 r = v3_add(parent->r, m33_mul_v3(parent->R, body->X_PF.p));
    r = v3_add(r, m33_mul_v3(R_GF, X_FM.p));
    node->R = m33_mul(R_GF, X_FM.R);
    place_origin(body, parent, r, node);
    r = node->r;
    for (int k = 0; k < body->nu; ++k) {
        cardo_spatial column = spatial_rotate(R_GF, H[k]);
        column.linear = v3_add(column.linear, v3_cross(r, column.angular));
        mobilities[k].H = column;
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
    if (body->kind == CARDO_MOBILIZER_PIN)
        pin_position(body, q[0], parent, node, mobilities);
    else if (body->kind == CARDO_MOBILIZER_SLIDER)
        slider_position(body, q[0], parent, node, mobilities);
    else
        generic_position(body, q, cache->joint_cache + body->cache_first, parent, node, mobilities);
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

/* Spatial acceleration of M in F at udot = 0, in ground about the reference point: the part of the
 * Coriolis term that comes from H changing in F. VJ: velocity of M in F, in ground about the
 * reference point. */
ALWAYS_INLINE cardo_spatial joint_bias(const body_plan *body, const cardo_state *state,
                                       const body_node *parent, const body_node *node,
                                       cardo_spatial VJ)
{
    cardo_spatial A = spatial_zero();
    if (body->changing_hinge) {
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
        if (body->nu == 1)
            VJ = hinge_motion(1, mobilities, u);
        else if (body->nu == 3)
            VJ = hinge_motion(3, mobilities, u);
        else
            VJ = hinge_motion(body->nu, mobilities, u);
        a = spatial_add(a, motion_cross(V, VJ));
        if (body->kind == CARDO_MOBILIZER_GENERIC)
            a = spatial_add(a, joint_bias(body, state, parent, node, VJ));
        V = spatial_add(V, VJ);
    }
    node->V = V;
    node->bias_acceleration = a;
    node->bias_force = newton_euler(body->mass, &node->I, V, a);
}

/* ---- articulated inertias ---- */

/* Below this part of the hinge's own scale a pivot of D is rounding, not inertia. */
#define SINGULAR_PIVOT 1e-13

/* Size of D for a hinge column whose outboard inertia were not articulated away. */
ALWAYS_INLINE double hinge_scale(const articulated_inertia *P, const cardo_spatial *H)
{
    return (P->J.xx + P->J.yy + P->J.zz) * v3_dot(H->angular, H->angular) +
           (P->M.xx + P->M.yy + P->M.zz) * v3_dot(H->linear, H->linear);
}

/* D, G and P+ (in place) of a single mobility. */
ALWAYS_INLINE bool factor_single(articulated_inertia *P, mobility_node *mobility, double *D,
                                 double *D_inverse)
{
    const cardo_spatial H = mobility->H;
    const cardo_spatial U = articulated_mul(P, H);
    const double d = spatial_dot(H, U);
    if (!(d > SINGULAR_PIVOT * hinge_scale(P, &H)))
        return false;
    const double inverse = 1.0 / d;
    const cardo_spatial G = spatial_scale(inverse, U);
    *D = d;
    *D_inverse = inverse;
    mobility->G = G;
    articulated_subtract_outer(P, G, U);
    return true;
}

/* The same for a block: D becomes its lower Cholesky factor L (row-major, the upper part is not
 * used), D_inverse the inverses of L's diagonal. P+ = P - U D^-1 U^T = P - (L^-1 U)(L^-1 U)^T. */
ALWAYS_INLINE bool factor_block(const int n, articulated_inertia *P, mobility_node *mobilities,
                                double *D, double *D_inverse)
{
    cardo_spatial U[CARDO_MOBILIZER_MAX_U];
    double L[CARDO_MOBILIZER_MAX_U][CARDO_MOBILIZER_MAX_U], inverse[CARDO_MOBILIZER_MAX_U];
    for (int i = 0; i < n; ++i) {
        U[i] = articulated_mul(P, mobilities[i].H);
        for (int j = 0; j <= i; ++j)
            L[i][j] = spatial_dot(mobilities[j].H, U[i]);
    }
    for (int j = 0; j < n; ++j) {
        double pivot = L[j][j];
        for (int k = 0; k < j; ++k)
            pivot -= L[j][k] * L[j][k];
        if (!(pivot > SINGULAR_PIVOT * hinge_scale(P, &mobilities[j].H)))
            return false;
        L[j][j] = sqrt(pivot);
        inverse[j] = 1.0 / L[j][j];
        for (int i = j + 1; i < n; ++i) {
            double sum = L[i][j];
            for (int k = 0; k < j; ++k)
                sum -= L[i][k] * L[j][k];
            L[i][j] = sum * inverse[j];
        }
    }
    /* U becomes L^-1 U, and G = L^-T of that */
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k)
            U[i] = spatial_add_scaled(U[i], -L[i][k], U[k]);
        U[i] = spatial_scale(inverse[i], U[i]);
    }
    for (int i = n - 1; i >= 0; --i) {
        cardo_spatial x = U[i];
        for (int k = i + 1; k < n; ++k)
            x = spatial_add_scaled(x, -L[k][i], mobilities[k].G);
        mobilities[i].G = spatial_scale(inverse[i], x);
        D_inverse[i] = inverse[i];
        for (int k = 0; k <= i; ++k)
            D[i * n + k] = L[i][k];
    }
    if (n == 6) /* nothing of the inertia is left beyond a hinge that yields every way */
        *P = (articulated_inertia){0};
    else
        for (int i = 0; i < n; ++i)
            articulated_subtract_outer(P, U[i], U[i]);
    return true;
}

/* False: the hinge's inertia is singular. */
ALWAYS_INLINE bool body_factor(const cardo_system *system, const cardo_state *state, int k)
{
    const body_plan *body = &system->bodies[k];
    state_cache *cache = state->cache;
    body_node *node = &cache->nodes[k];
    mobility_node *mobilities = cache->mobilities + body->u_first;
    double *D = cache->D + body->d_first, *D_inverse = cache->D_inverse + body->u_first;
    articulated_inertia P = articulated_from_rigid(body->mass, node->I);
    if (!body->is_leaf)
        P = articulated_add_rigid(&node->P, body->mass, &node->I);
    node->P = P;
    bool regular = true;
    switch (body->nu) {
    case 0:
        break;
    case 1:
        regular = factor_single(&P, mobilities, D, D_inverse);
        break;
    case 2:
        regular = factor_block(2, &P, mobilities, D, D_inverse);
        break;
    case 3:
        regular = factor_block(3, &P, mobilities, D, D_inverse);
        break;
    case 4:
        regular = factor_block(4, &P, mobilities, D, D_inverse);
        break;
    case 5:
        regular = factor_block(5, &P, mobilities, D, D_inverse);
        break;
    default:
        regular = factor_block(6, &P, mobilities, D, D_inverse);
        break;
    }
    if (!regular || body->parent == 0)
        return regular;
    body_node *parent = &cache->nodes[body->parent];
    if (body->own_point && body->nu < 6)
        P = articulated_shift(&P, v3_sub(node->O, parent->O));
    parent->P = body->sets_parent ? P : articulated_add(&parent->P, &P);
    return true;
}

/* ---- accelerations ---- */

/* x = D^-1 e for a block with its Cholesky factor L and the inverses of its diagonal. */
ALWAYS_INLINE void solve_block(const int n, const double *L, const double *inverse, const double *e,
                               double *x)
{
    double y[CARDO_MOBILIZER_MAX_U];
    for (int i = 0; i < n; ++i) {
        double sum = e[i];
        for (int k = 0; k < i; ++k)
            sum -= L[i * n + k] * y[k];
        y[i] = sum * inverse[i];
    }
    for (int i = n - 1; i >= 0; --i) {
        double sum = y[i];
        for (int k = i + 1; k < n; ++k)
            sum -= L[k * n + i] * y[k];
        x[i] = y[i] = sum * inverse[i];
    }
}

ALWAYS_INLINE void hinge_solve(const int n, const body_plan *body, const state_cache *cache,
                               const double *e, double *x)
{
    const double *inverse = cache->D_inverse + body->u_first;
    if (n == 1)
        x[0] = inverse[0] * e[0];
    else
        solve_block(n, cache->D + body->d_first, inverse, e, x);
}

/* e = tau - H^T z, and z + G e. */
ALWAYS_INLINE cardo_spatial hinge_residual(const int n, const mobility_node *mobilities,
                                           const double *tau, cardo_spatial z, double *e)
{
    for (int j = 0; j < n; ++j)
        e[j] = (tau ? tau[j] : 0.0) - spatial_dot(mobilities[j].H, z);
    for (int j = 0; j < n; ++j)
        z = spatial_add_scaled(z, e[j], mobilities[j].G);
    return z;
}

/* udot = x - G^T a, and a + H udot, where udot comes in as x. */
ALWAYS_INLINE cardo_spatial hinge_acceleration(const int n, const mobility_node *mobilities,
                                               cardo_spatial a, double *udot)
{
    for (int j = 0; j < n; ++j)
        udot[j] -= spatial_dot(mobilities[j].G, a);
    for (int j = 0; j < n; ++j)
        a = spatial_add_scaled(a, udot[j], mobilities[j].H);
    return a;
}

/* Expands a statement for the number of mobilities as a constant. */
#define PER_NU(nu, statement)                                                                      \
    switch (nu) {                                                                                  \
    case 0:                                                                                        \
        break;                                                                                     \
    case 1: {                                                                                      \
        enum { N = 1 };                                                                            \
        statement;                                                                                 \
    } break;                                                                                       \
    case 2: {                                                                                      \
        enum { N = 2 };                                                                            \
        statement;                                                                                 \
    } break;                                                                                       \
    case 3: {                                                                                      \
        enum { N = 3 };                                                                            \
        statement;                                                                                 \
    } break;                                                                                       \
    case 4: {                                                                                      \
        enum { N = 4 };                                                                            \
        statement;                                                                                 \
    } break;                                                                                       \
    case 5: {                                                                                      \
        enum { N = 5 };                                                                            \
        statement;                                                                                 \
    } break;                                                                                       \
    default: {                                                                                     \
        enum { N = 6 };                                                                            \
        statement;                                                                                 \
    } break;                                                                                       \
    }

/* One body of an inward sweep: own is what acts on it besides its children (whose sum is in z[k]).
 */
ALWAYS_INLINE void residual_step(const cardo_system *system, const cardo_state *state, int k,
                                 cardo_spatial own, const double *tau, cardo_spatial *sum,
                                 cardo_spatial *parent_sum, double *e)
{
    const body_plan *body = &system->bodies[k];
    const state_cache *cache = state->cache;
    const mobility_node *mobilities = cache->mobilities + body->u_first;
    cardo_spatial z = body->is_leaf ? own : spatial_add(*sum, own);
    const double *t = tau ? tau + body->u_first : NULL;
    PER_NU(body->nu, z = hinge_residual(N, mobilities, t, z, e + body->u_first));
    if (body->own_point)
        z = force_shift(z, reference_shift(cache->nodes, body, k));
    *parent_sum = body->sets_parent ? z : spatial_add(*parent_sum, z);
}

/* One body of an outward sweep: udot = D^-1 e - G^T a_parent. */
ALWAYS_INLINE cardo_spatial acceleration_step(const cardo_system *system, const cardo_state *state,
                                              int k, cardo_spatial a, const double *e, double *udot)
{
    const body_plan *body = &system->bodies[k];
    const state_cache *cache = state->cache;
    const mobility_node *mobilities = cache->mobilities + body->u_first;
    double *x = udot + body->u_first;
    const double *in = e + body->u_first;
    if (body->own_point)
        a = motion_shift(a, reference_shift(cache->nodes, body, k));
    PER_NU(body->nu, hinge_solve(N, body, cache, in, x);
           a = hinge_acceleration(N, mobilities, a, x));
    return a;
}

/* Force on a body besides its children's: bias less applied. */
ALWAYS_INLINE cardo_spatial own_force(const cardo_system *system, const cardo_state *state, int k)
{
    const body_node *node = &state->cache->nodes[k];
    if (!state->has_body_forces)
        return node->bias_force;
    const cardo_vec3 r = body_origin(node, &system->bodies[k]);
    return spatial_sub(node->bias_force, force_shift(state->body_forces[k], r));
}

ALWAYS_INLINE void body_force(const cardo_system *system, const cardo_state *state, int k)
{
    state_cache *cache = state->cache;
    body_node *node = &cache->nodes[k];
    body_node *parent = &cache->nodes[system->bodies[k].parent];
    const double *tau = state->has_mobility_forces ? state->mobility_forces : NULL;
    residual_step(system, state, k, own_force(system, state, k), tau, &node->z, &parent->z,
                  cache->residual);
}

ALWAYS_INLINE void body_acceleration(const cardo_system *system, const cardo_state *state, int k)
{
    state_cache *cache = state->cache;
    const cardo_spatial a = cache->nodes[system->bodies[k].parent].a;
    cache->nodes[k].a = acceleration_step(system, state, k, a, cache->residual, cache->udot);
}

#endif
