/* Products with J, N, M and its inverse, on a realized state. */
#include "multibody/operators.h"
#include "multibody/state_internal.h"

#include <math.h>

cardo_status cardo_multiply_jt(const cardo_system *system, const cardo_state *state,
                               const cardo_spatial *body_forces, double *generalized,
                               cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "J^T F", error);
    if (status != CARDO_OK)
        return status;
    const body_node *nodes = state->cache->nodes;
    cardo_spatial *z = state->cache->scratch_z;
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        cardo_spatial f = force_shift(body_forces[k], body_origin(&nodes[k], body));
        if (!body->is_leaf)
            f = spatial_add(f, z[k]);
        for (int j = body->u_first; j < body->u_first + body->nu; ++j)
            generalized[j] = spatial_dot(state->cache->mobilities[j].H, f);
        if (body->own_point)
            f = force_shift(f, reference_shift(nodes, body, k));
        z[body->parent] = body->sets_parent ? f : spatial_add(z[body->parent], f);
    }
    return CARDO_OK;
}

/* Outward J v about reference points. */
static void sweep_velocities(const cardo_system *system, const cardo_state *state, const double *v,
                             cardo_spatial *out)
{
    const body_node *nodes = state->cache->nodes;
    out[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        cardo_spatial V = out[body->parent];
        if (body->own_point)
            V = motion_shift(V, reference_shift(nodes, body, k));
        for (int j = body->u_first; j < body->u_first + body->nu; ++j)
            V = spatial_add_scaled(V, v[j], state->cache->mobilities[j].H);
        out[k] = V;
    }
}

cardo_status cardo_multiply_j(const cardo_system *system, const cardo_state *state, const double *v,
                              cardo_spatial *velocities, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "J u", error);
    if (status != CARDO_OK)
        return status;
    const body_node *nodes = state->cache->nodes;
    cardo_spatial *V = state->cache->scratch_a;
    sweep_velocities(system, state, v, V);
    velocities[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k)
        velocities[k] = motion_shift(V[k], body_origin(&nodes[k], &system->bodies[k]));
    return CARDO_OK;
}

void cardo_n_product(const cardo_state *state, const double *v, double *qdot)
{
    const cardo_system *system = state->system;
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const cardo_joint *joint = &body->joint;
        const double *in = v + body->u_first;
        double *out = qdot + body->q_first;
        if (joint->mobilizer->multiply_n)
            joint->mobilizer->multiply_n(joint, state->q + body->q_first, in, out);
        else
            for (int i = 0; i < body->nq; ++i)
                out[i] = in[i];
    }
}

cardo_status cardo_multiply_n(const cardo_system *system, const cardo_state *state, const double *v,
                              double *qdot, cardo_error *error)
{
    (void)system;
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "N u", error);
    if (status == CARDO_OK)
        cardo_n_product(state, v, qdot);
    return status;
}

cardo_status cardo_multiply_m(const cardo_system *system, const cardo_state *state, const double *v,
                              double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "M v", error);
    if (status != CARDO_OK)
        return status;
    const body_node *nodes = state->cache->nodes;
    cardo_spatial *a = state->cache->scratch_a, *z = state->cache->scratch_z;
    sweep_velocities(system, state, v, a);
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        cardo_spatial f = rigid_mul(body->mass, nodes[k].I, a[k]);
        if (!body->is_leaf)
            f = spatial_add(f, z[k]);
        for (int j = body->u_first; j < body->u_first + body->nu; ++j)
            out[j] = spatial_dot(state->cache->mobilities[j].H, f);
        if (body->own_point)
            f = force_shift(f, reference_shift(nodes, body, k));
        z[body->parent] = body->sets_parent ? f : spatial_add(z[body->parent], f);
    }
    return CARDO_OK;
}

/* Outward: out = x - G^T a_parent, a = a_parent + H out, where x (nu) is in out already. */
static void sweep_factored(const cardo_system *system, const cardo_state *state, double *out)
{
    const body_node *nodes = state->cache->nodes;
    const mobility_node *mobilities = state->cache->mobilities;
    cardo_spatial *a = state->cache->scratch_a;
    a[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        cardo_spatial A = a[body->parent];
        if (body->own_point)
            A = motion_shift(A, reference_shift(nodes, body, k));
        for (int j = body->u_first; j < body->u_first + body->nu; ++j)
            out[j] -= spatial_dot(mobilities[j].G, A);
        for (int j = body->u_first; j < body->u_first + body->nu; ++j)
            A = spatial_add_scaled(A, out[j], mobilities[j].H);
        a[k] = A;
    }
}

cardo_status cardo_multiply_minv(const cardo_system *system, const cardo_state *state,
                                 const double *v, double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "M^-1 v", error);
    if (status != CARDO_OK)
        return status;
    const state_cache *cache = state->cache;
    const body_node *nodes = cache->nodes;
    const mobility_node *mobilities = cache->mobilities;
    cardo_spatial *z = cache->scratch_z;
    double *e = cache->scratch_u;
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        cardo_spatial f = body->is_leaf ? spatial_zero() : z[k];
        const int first = body->u_first, end = first + body->nu;
        for (int j = first; j < end; ++j)
            e[j] = v[j] - spatial_dot(mobilities[j].H, f);
        for (int j = first; j < end; ++j)
            f = spatial_add_scaled(f, e[j], mobilities[j].G);
        cardo_hinge_solve(body, cache, e + first, out + first);
        if (body->own_point)
            f = force_shift(f, reference_shift(nodes, body, k));
        z[body->parent] = body->sets_parent ? f : spatial_add(z[body->parent], f);
    }
    sweep_factored(system, state, out);
    return CARDO_OK;
}

/* out = L^-T x for a hinge: D^-1 = L^-T L^-1. */
static void solve_transposed(const body_plan *body, const state_cache *cache, const double *x,
                             double *out)
{
    const int n = body->nu;
    const double *L = cache->D + body->d_first;
    if (n == 1) {
        out[0] = x[0] * sqrt(cache->D_inverse[body->u_first]);
        return;
    }
    for (int i = n - 1; i >= 0; --i) {
        double sum = x[i];
        for (int k = i + 1; k < n; ++k)
            sum -= L[k * n + i] * out[k];
        out[i] = sum / L[i * n + i];
    }
}

cardo_status cardo_multiply_sqrt_minv(const cardo_system *system, const cardo_state *state,
                                      const double *xi, double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "M^-1/2 xi", error);
    if (status != CARDO_OK)
        return status;
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        if (body->nu > 0)
            solve_transposed(body, state->cache, xi + body->u_first, out + body->u_first);
    }
    sweep_factored(system, state, out);
    return CARDO_OK;
}

cardo_status cardo_log_det_m(const cardo_system *system, const cardo_state *state, double *log_det,
                             cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "ln det M", error);
    if (status != CARDO_OK)
        return status;
    double sum = 0;
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const double *D = state->cache->D + body->d_first;
        if (body->nu == 1)
            sum += log(D[0]);
        else
            for (int i = 0; i < body->nu; ++i)
                sum += 2 * log(D[i * body->nu + i]);
    }
    *log_det = sum;
    return CARDO_OK;
}

/* The inertia about the point at the old one minus s. */
static rigid_inertia shift_inertia(double mass, rigid_inertia I, cardo_vec3 s)
{
    const cardo_vec3 h = v3_add_scaled(I.h, mass, s);
    /* J' = J - [s][h] - [h'][s] for the symmetric result of twice the parallel axis theorem */
    const double dot = v3_dot(s, I.h) + v3_dot(h, s);
    sym33 J = I.J;
    J.xx += dot - (s.x * I.h.x + h.x * s.x);
    J.yy += dot - (s.y * I.h.y + h.y * s.y);
    J.zz += dot - (s.z * I.h.z + h.z * s.z);
    J.xy -= I.h.x * s.y + s.x * h.y;
    J.xz -= I.h.x * s.z + s.x * h.z;
    J.yz -= I.h.y * s.z + s.y * h.z;
    return (rigid_inertia){J, h};
}

cardo_status cardo_mass_matrix(const cardo_system *system, const cardo_state *state, double *M,
                               cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "M", error);
    if (status != CARDO_OK)
        return status;
    const body_node *nodes = state->cache->nodes;
    const mobility_node *mobilities = state->cache->mobilities;
    composite *composites = state->cache->composites;
    const size_t nu = (size_t)system->nu;
    for (size_t i = 0; i < nu * nu; ++i)
        M[i] = 0;
    for (int k = 1; k < system->nbody; ++k)
        composites[k] = (composite){system->bodies[k].mass, nodes[k].I};
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        const composite own = composites[k];
        if (body->parent > 0) {
            composite *parent = &composites[body->parent];
            rigid_inertia I = own.I;
            if (body->own_point)
                I = shift_inertia(own.mass, I, reference_shift(nodes, body, k));
            parent->mass += own.mass;
            parent->I.J = sym33_add(parent->I.J, I.J);
            parent->I.h = v3_add(parent->I.h, I.h);
        }
        for (int j = body->u_first; j < body->u_first + body->nu; ++j) {
            cardo_spatial f = rigid_mul(own.mass, own.I, mobilities[j].H);
            for (int i = k; i > 0; i = system->bodies[i].parent) {
                const body_plan *inboard = &system->bodies[i];
                for (int l = inboard->u_first; l < inboard->u_first + inboard->nu; ++l) {
                    double m = spatial_dot(mobilities[l].H, f);
                    M[(size_t)l * nu + (size_t)j] = M[(size_t)j * nu + (size_t)l] = m;
                }
                if (inboard->own_point)
                    f = force_shift(f, reference_shift(nodes, inboard, i));
            }
        }
    }
    return CARDO_OK;
}
