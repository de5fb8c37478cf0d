/* Gradient of ln det M.
 *
 * ln det M = sum ln det D_k, where D_k = H_k^T P_k H_k and P_parent gathers P+ = P - P H D^-1 H^T
 * P. The derivative of the whole sum with respect to P_k is the compliance C_k = H D^-1 H^T + (1 -
 * H G^T) C_parent (1 - G H^T), that is J_k M^-1 J_k^T. Along speed j of body k the outboard tree
 * turns rigidly with motion S = H_j, which changes nothing but P+_k as its parent sees it, by -(P+
 * [S] + transpose): the term -2 tr(C_parent P+ [S]). Where the hinge map changes as M sees it, by
 * E, there is 2 tr(G^T (1 - C_parent P+) E) more. */
#include "multibody/tree/hinge.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/state_internal.h"

static cardo_spatial unit_spatial(int j)
{
    const cardo_vec3 axis = v3(j % 3 == 0, j % 3 == 1, j % 3 == 2), none = v3(0, 0, 0);
    return (cardo_spatial){j < 3 ? axis : none, j < 3 ? none : axis};
}

static double spatial_element(const cardo_spatial *a, int i)
{
    const double v[6] = {a->angular.x, a->angular.y, a->angular.z,
                         a->linear.x,  a->linear.y,  a->linear.z};
    return v[i];
}

/* A compliance is a symmetric 6 x 6 matrix, kept and multiplied as an articulated inertia is: motion
 * = C force. Here about the point at the old one plus s: as an inertia with turning and sliding
 * exchanged. */
static articulated_inertia compliance_shift(const articulated_inertia *C, cardo_vec3 s)
{
    const articulated_inertia exchanged = {C->M, m33_transpose(C->C), C->J};
    const articulated_inertia shifted = articulated_shift(&exchanged, v3_neg(s));
    return (articulated_inertia){shifted.M, m33_transpose(shifted.C), shifted.J};
}

/* What is left of the motion a when the hinge yields, (1 - H G^T) a; the yielding speeds G^T a of
 * the whole hinge go to speeds. */
static cardo_spatial yield(const body_plan *body, const state_cache *cache, cardo_spatial a,
                           double *speeds)
{
    const double none[CARDO_MOBILIZER_MAX_U] = {0};
    for (int i = 0; i < body->nu; ++i)
        speeds[i] = 0;
    HINGE_SWITCH(body->yields,
                 a = hinge_accelerate(form, body->nu, cache->maps + body->map_first,
                                      cache->factors + body->factor_first, none, a, speeds))
    for (int i = 0; i < body->nu; ++i)
        speeds[i] = -speeds[i];
    return a;
}

/* (1 - H G^T) C (1 - G H^T) + H D^-1 H^T for one mobility: C + H (g H - C G)^T - C G H^T, g = G^T C G
 * + 1/D. */
static void column_compliance(cardo_spatial H, const column_factor *factor, articulated_inertia *C)
{
    const cardo_spatial CG = articulated_mul(C, factor->G);
    const double g = spatial_dot(factor->G, CG) + factor->D_inverse;
    articulated_subtract_outer(C, H, spatial_sub(CG, spatial_scale(g, H)));
    articulated_subtract_outer(C, CG, H);
}

/* The same times f, for any hinge. */
static cardo_spatial compliance_mul(const body_plan *body, const state_cache *cache,
                                    const articulated_inertia *C, cardo_spatial f)
{
    const double *map = cache->maps + body->map_first;
    const double *factor = cache->factors + body->factor_first;
    double e[CARDO_MOBILIZER_MAX_U] = {0};
    HINGE_SWITCH(body->yields, f = hinge_residual(form, body->nu, map, factor, NULL, f, e))
    for (int i = 0; i < body->nu; ++i)
        e[i] = -e[i];
    cardo_spatial a = articulated_mul(C, f);
    HINGE_SWITCH(body->yields, a = hinge_accelerate(form, body->nu, map, factor, e, a, e))
    return a;
}

/* A body's compliance from its parent's about the body's reference point. */
static articulated_inertia compliance_outward(const body_plan *body, const state_cache *cache,
                                              const articulated_inertia *parents)
{
    articulated_inertia C = *parents;
    if (body->yields == HINGE_SINGLE || body->yields == HINGE_COLUMNS) {
        const cardo_spatial *H = (const cardo_spatial *)(cache->maps + body->map_first);
        const column_factor *columns = (const column_factor *)(cache->factors + body->factor_first);
        for (int j = 0; j < body->nu; ++j)
            column_compliance(H[j], columns + j, &C);
        return C;
    }
    cardo_spatial column[6];
    for (int j = 0; j < 6; ++j)
        column[j] = compliance_mul(body, cache, parents, unit_spatial(j));
    const cardo_vec3 x = column[0].angular, y = column[1].angular, z = column[2].angular;
    const cardo_vec3 a = column[3].linear, b = column[4].linear, c = column[5].linear;
    return (articulated_inertia){
        {x.x, y.x, z.x, y.y, z.y, z.z},
        m33_from_columns(column[3].angular, column[4].angular, column[5].angular),
        {a.x, b.x, c.x, b.y, c.y, c.z}};
}

/* Columns of C P+ for the parent's C and what the hinge leaves of P. */
static void left_inertia(const body_plan *body, const state_cache *cache,
                         const articulated_inertia *C, const articulated_inertia *P,
                         cardo_spatial *B)
{
    articulated_inertia left = *P;
    const bool columns = body->yields == HINGE_SINGLE || body->yields == HINGE_COLUMNS;
    const column_factor *factor = (const column_factor *)(cache->factors + body->factor_first);
    double speeds[CARDO_MOBILIZER_MAX_U];
    for (int j = body->nu - 1; columns && j >= 0; --j)
        if (!(body->prescribed >> j & 1U))
            articulated_subtract_outer(&left, factor[j].G,
                                       spatial_scale(1 / factor[j].D_inverse, factor[j].G));
    for (int i = 0; i < 6; ++i) {
        cardo_spatial unit = unit_spatial(i);
        if (!columns)
            unit = yield(body, cache, unit, speeds);
        B[i] = articulated_mul(C, articulated_mul(&left, unit));
    }
}

/* tr(B [S]) for the motion cross matrix of S and B given by columns. */
static double trace_cross(const cardo_spatial *B, cardo_spatial S)
{
    double b[6][6];
    for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 6; ++i)
            b[i][j] = spatial_element(&B[j], i);
    const double w[3] = {S.angular.x, S.angular.y, S.angular.z};
    const double v[3] = {S.linear.x, S.linear.y, S.linear.z};
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        sum += w[i] * (b[j][k] - b[k][j] + b[3 + j][3 + k] - b[3 + k][3 + j]);
        sum += v[i] * (b[j][3 + k] - b[k][3 + j]);
    }
    return sum;
}

static cardo_spatial column_of(const body_plan *body, const double *map, int j)
{
    cardo_spatial H = spatial_zero();
    HINGE_SWITCH(body->form, H = hinge_column(form, map, j))
    return H;
}

/* Change of the hinge columns along speed j as M sees it, about the reference point in ground. */
static void intrinsic_rates(const cardo_state *state, const body_plan *body, int k, int j,
                            cardo_spatial *E)
{
    state_cache *cache = state->cache;
    const body_node *node = &cache->nodes[k], *parent = &cache->nodes[body->parent];
    const double *map = cache->maps + body->map_first;
    const cardo_mat33 R_GF = m33_mul(frame_rotation(&parent->X), frame_rotation(&body->frame));
    const double *q = state->q + body->q_first;
    double *joint_cache = cache->joint_cache + body->cache_first;
    double u[CARDO_MOBILIZER_MAX_U] = {0};
    cardo_transform X_FM;
    cardo_spatial H[CARDO_MOBILIZER_MAX_U], Hdot[CARDO_MOBILIZER_MAX_U];
    u[j] = 1;
    cardo_joint_position(body, q, joint_cache, &X_FM, H);
    cardo_joint_rate(body, q, u, joint_cache, &X_FM, H, Hdot);
    const cardo_spatial along = column_of(body, map, j);
    for (int i = 0; i < body->nu; ++i) {
        /* at a point of F that M's origin passes */
        cardo_spatial rate = Hdot[i];
        rate.linear = v3_sub(rate.linear, v3_cross(H[i].angular, H[j].linear));
        rate = spatial_rotate(R_GF, rate);
        rate.linear = v3_add(rate.linear, v3_cross(frame_position(&node->X), rate.angular));
        E[i] = spatial_sub(rate, motion_cross(along, column_of(body, map, i)));
    }
}

/* Half the derivative of ln det M along speed j of body k; B: C_parent P+. */
static double slope(const cardo_state *state, const body_plan *body, int k, int j,
                    const cardo_spatial *B)
{
    const state_cache *cache = state->cache;
    double sum = -trace_cross(B, column_of(body, cache->maps + body->map_first, j));
    if (body->kind == CARDO_MOBILIZER_BALL || body->kind == CARDO_MOBILIZER_FREE ||
        body->kind == CARDO_MOBILIZER_PIN || body->kind == CARDO_MOBILIZER_SLIDER)
        return sum; /* their axes stand still in F */
    cardo_spatial E[CARDO_MOBILIZER_MAX_U];
    double speeds[CARDO_MOBILIZER_MAX_U];
    intrinsic_rates(state, body, k, j, E);
    for (int i = 0; i < body->nu; ++i) {
        cardo_spatial x = E[i];
        for (int c = 0; c < 6; ++c)
            x = spatial_add_scaled(x, -spatial_element(&E[i], c), B[c]);
        yield(body, cache, x, speeds);
        sum += speeds[i];
    }
    return sum;
}

cardo_status cardo_log_det_m_gradient(const cardo_system *system, const cardo_state *state,
                                      double *gradient, cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "the gradient of ln det M", error);
    if (status != CARDO_OK)
        return status;
    if (system->masses) {
        for (int j = 0; j < system->nu; ++j)
            gradient[j] = 0;
        return CARDO_OK;
    }
    state_cache *cache = state->cache;
    body_node *nodes = cache->nodes;
    nodes[0].P = (articulated_inertia){0};
    /* a body's compliance takes the place of its inertia, which nobody outboard asks for */
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        articulated_inertia C = nodes[body->parent].P;
        if (body->own_point)
            C = compliance_shift(&C, reference_shift(nodes, body, k));
        cardo_spatial B[6]; /* C_parent P+ */
        left_inertia(body, cache, &C, &nodes[k].P, B);
        for (int j = 0; j < body->nu; ++j)
            gradient[body->u_first + j] = 2 * slope(state, body, k, j, B);
        if (!body->is_leaf)
            nodes[k].P = compliance_outward(body, cache, &C);
    }
    return cardo_pass_dynamics(system, state, error);
}
