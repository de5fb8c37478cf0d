/* Gradient of ln det M.
 *
 * ln det M = sum ln det D_k, where D_k = H_k^T P_k H_k and P_parent gathers P+ = P - P H D^-1 H^T
 * P. The derivative of the whole sum with respect to P_k is the compliance C_k = H D^-1 H^T + (1 -
 * H G^T) C_parent (1 - G H^T), that is J_k M^-1 J_k^T. Along speed j of body k the outboard tree
 * turns rigidly with motion S = H_j, which changes nothing but P+_k as its parent sees it, by -(P+
 * [S] + transpose): the term -2 tr(C_parent P+ [S]). Where the hinge map changes as M sees it, by
 * E, there is 2 tr(G^T (1 - C_parent P+) E) more. */
#include "multibody/operators.h"
#include "multibody/state_internal.h"

/* C as six columns: motions that unit torques and forces cause. */
typedef struct compliance {
    cardo_spatial column[6];
} compliance;

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

/* C f */
static cardo_spatial compliance_mul(const compliance *C, cardo_spatial f)
{
    cardo_spatial out = spatial_zero();
    for (int j = 0; j < 6; ++j)
        out = spatial_add_scaled(out, spatial_element(&f, j), C->column[j]);
    return out;
}

/* The same about the point at the old one plus s. */
static compliance compliance_shift(const compliance *C, cardo_vec3 s)
{
    compliance out;
    for (int j = 0; j < 6; ++j)
        out.column[j] = motion_shift(compliance_mul(C, force_shift(unit_spatial(j), s)), s);
    return out;
}

/* (1 - H G^T) C (1 - G H^T) + H D^-1 H^T, mobilities from the innermost. */
static compliance compliance_outward(const body_plan *body, const state_cache *cache,
                                     const compliance *C)
{
    compliance out = *C;
    for (int i = body->u_first; i < body->u_first + body->nu; ++i) {
        const cardo_spatial H = cache->mobilities[i].H, G = cache->mobilities[i].G;
        const cardo_spatial CG = compliance_mul(&out, G);
        const double GCG = spatial_dot(G, CG) + cache->D_inverse[i];
        /* C - H (CG)^T - (CG) H^T + H (G^T C G + 1/D) H^T */
        for (int j = 0; j < 6; ++j) {
            const double h = spatial_element(&H, j), cg = spatial_element(&CG, j);
            out.column[j] = spatial_add_scaled(out.column[j], GCG * h - cg, H);
            out.column[j] = spatial_add_scaled(out.column[j], -h, CG);
        }
    }
    return out;
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

/* What is left of the motion a when the hinge yields, (1 - H G^T) a, mobilities from the innermost;
 * the yielding speeds G^T a of the whole hinge go to speeds. */
static cardo_spatial yield(const body_plan *body, const state_cache *cache, cardo_spatial a,
                           double *speeds)
{
    for (int i = 0; i < body->nu; ++i) {
        const mobility_node *mobility = &cache->mobilities[body->u_first + i];
        speeds[i] = spatial_dot(mobility->G, a);
        a = spatial_add_scaled(a, -speeds[i], mobility->H);
    }
    return a;
}

/* Change of the hinge columns along speed j as M sees it, about the reference point in ground. */
static void intrinsic_rates(const cardo_state *state, const body_plan *body, int k, int j,
                            cardo_spatial *E)
{
    state_cache *cache = state->cache;
    const body_node *node = &cache->nodes[k], *parent = &cache->nodes[body->parent];
    const mobility_node *mobilities = cache->mobilities + body->u_first;
    const cardo_mat33 R_GF = m33_mul(parent->R, body->X_PF.R);
    const double *q = state->q + body->q_first;
    double *joint_cache = cache->joint_cache + body->cache_first;
    double u[CARDO_MOBILIZER_MAX_U] = {0};
    cardo_transform X_FM;
    cardo_spatial H[CARDO_MOBILIZER_MAX_U], Hdot[CARDO_MOBILIZER_MAX_U];
    u[j] = 1;
    cardo_joint_position(body, q, joint_cache, &X_FM, H);
    cardo_joint_rate(body, q, u, joint_cache, &X_FM, H, Hdot);
    for (int i = 0; i < body->nu; ++i) {
        /* at a point of F that M's origin passes */
        cardo_spatial rate = Hdot[i];
        rate.linear = v3_sub(rate.linear, v3_cross(H[i].angular, H[j].linear));
        rate = spatial_rotate(R_GF, rate);
        rate.linear = v3_add(rate.linear, v3_cross(node->r, rate.angular));
        E[i] = spatial_sub(rate, motion_cross(mobilities[j].H, mobilities[i].H));
    }
}

cardo_status cardo_log_det_m_gradient(const cardo_system *system, const cardo_state *state,
                                      double *gradient, cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "the gradient of ln det M", error);
    if (status != CARDO_OK)
        return status;
    state_cache *cache = state->cache;
    compliance *compliances = (compliance *)cache->scratch;
    compliances[0] = (compliance){0};
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const body_node *node = &cache->nodes[k];
        const mobility_node *mobilities = cache->mobilities + body->u_first;
        compliance C = compliances[body->parent];
        if (body->own_point)
            C = compliance_shift(&C, reference_shift(cache->nodes, body, k));
        double speeds[CARDO_MOBILIZER_MAX_U];
        cardo_spatial B[6]; /* C_parent P+ */
        for (int i = 0; i < 6; ++i) {
            const cardo_spatial left = yield(body, cache, unit_spatial(i), speeds);
            B[i] = compliance_mul(&C, articulated_mul(&node->P, left));
        }
        for (int j = 0; j < body->nu; ++j) {
            double sum = -trace_cross(B, mobilities[j].H);
            if (body->kind == CARDO_MOBILIZER_GENERIC || body->kind == CARDO_MOBILIZER_ELLIPSOID) {
                cardo_spatial E[CARDO_MOBILIZER_MAX_U];
                intrinsic_rates(state, body, k, j, E);
                for (int i = 0; i < body->nu; ++i) {
                    cardo_spatial x = E[i];
                    for (int c = 0; c < 6; ++c)
                        x = spatial_add_scaled(x, -spatial_element(&E[i], c), B[c]);
                    yield(body, cache, x, speeds);
                    sum += speeds[i];
                }
            }
            gradient[body->u_first + j] = 2 * sum;
        }
        if (!body->is_leaf)
            compliances[k] = compliance_outward(body, cache, &C);
    }
    return CARDO_OK;
}
