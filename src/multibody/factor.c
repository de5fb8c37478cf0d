/* Products with the factors of M and its inverse.
 *
 * From one factorization at q: M^-1 = W W^T with W = (1 - H psi K)^T L^-T over the tree, D = L L^T
 * at each hinge. An outward sweep applies W or W^-1, an inward one their transposes. */
#include "multibody/operators.h"
#include "multibody/tree_pass.h"

#include <math.h>

cardo_status cardo_multiply_minv(const cardo_system *system, const cardo_state *state,
                                 const double *v, double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "M^-1 v", error);
    if (status != CARDO_OK)
        return status;
    cardo_spatial *z = state->cache->scratch_z, *a = state->cache->scratch_a;
    double *e = state->cache->scratch_u;
    for (int k = system->nbody - 1; k > 0; --k)
        residual_step(system, state, k, spatial_zero(), v, &z[k], &z[system->bodies[k].parent], e);
    a[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k)
        a[k] = acceleration_step(system, state, k, a[system->bodies[k].parent], e, out);
    return CARDO_OK;
}

/* Outward: out = x - G^T a_parent, a = a_parent + H out, where x (nu) is in out already. */
static void sweep_factored(const cardo_system *system, const cardo_state *state, double *out)
{
    const mobility_node *mobilities = state->cache->mobilities;
    cardo_spatial *a = state->cache->scratch_a;
    a[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const int first = body->u_first;
        cardo_spatial A = a[body->parent];
        if (body->own_point)
            A = motion_shift(A, reference_shift(state->cache->nodes, body, k));
        PER_NU(body->nu, A = hinge_acceleration(N, mobilities + first, A, out + first));
        a[k] = A;
    }
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

/* out = L x, L^T x, L^-1 x for a hinge. */
static void multiply_lower(const body_plan *body, const state_cache *cache, const double *x,
                           double *out)
{
    const int n = body->nu;
    const double *L = cache->D + body->d_first;
    if (n == 1)
        out[0] = sqrt(L[0]) * x[0];
    else
        for (int i = n - 1; i >= 0; --i) {
            double sum = 0;
            for (int k = 0; k <= i; ++k)
                sum += L[i * n + k] * x[k];
            out[i] = sum;
        }
}

static void multiply_lower_transposed(const body_plan *body, const state_cache *cache,
                                      const double *x, double *out)
{
    const int n = body->nu;
    const double *L = cache->D + body->d_first;
    if (n == 1)
        out[0] = sqrt(L[0]) * x[0];
    else
        for (int i = 0; i < n; ++i) {
            double sum = 0;
            for (int k = i; k < n; ++k)
                sum += L[k * n + i] * x[k];
            out[i] = sum;
        }
}

static void solve_lower(const body_plan *body, const state_cache *cache, const double *x,
                        double *out)
{
    const int n = body->nu;
    const double *L = cache->D + body->d_first;
    if (n == 1)
        out[0] = x[0] * sqrt(cache->D_inverse[body->u_first]);
    else
        for (int i = 0; i < n; ++i) {
            double sum = x[i];
            for (int k = 0; k < i; ++k)
                sum -= L[i * n + k] * out[k];
            out[i] = sum / L[i * n + i];
        }
}

cardo_status cardo_multiply_sqrt_m(const cardo_system *system, const cardo_state *state,
                                   const double *v, double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "M^1/2 v", error);
    if (status != CARDO_OK)
        return status;
    const body_node *nodes = state->cache->nodes;
    const mobility_node *mobilities = state->cache->mobilities;
    cardo_spatial *a = state->cache->scratch_a;
    a[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        double e[CARDO_MOBILIZER_MAX_U];
        cardo_spatial A = a[body->parent];
        if (body->own_point)
            A = motion_shift(A, reference_shift(nodes, body, k));
        for (int j = 0; j < body->nu; ++j)
            e[j] = v[body->u_first + j] + spatial_dot(mobilities[body->u_first + j].G, A);
        for (int j = body->u_first; j < body->u_first + body->nu; ++j)
            A = spatial_add_scaled(A, v[j], mobilities[j].H);
        a[k] = A;
        if (body->nu > 0)
            multiply_lower_transposed(body, state->cache, e, out + body->u_first);
    }
    return CARDO_OK;
}

/* Inward sweep of both transposed products: with e given, or found from v by e = v - H^T z. */
static void sweep_transposed(const cardo_system *system, const cardo_state *state, const double *v,
                             bool forward, double *out)
{
    const body_node *nodes = state->cache->nodes;
    const mobility_node *mobilities = state->cache->mobilities;
    cardo_spatial *z = state->cache->scratch_z;
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        const int first = body->u_first;
        double e[CARDO_MOBILIZER_MAX_U], projected[CARDO_MOBILIZER_MAX_U];
        cardo_spatial f = body->is_leaf ? spatial_zero() : z[k];
        for (int j = 0; j < body->nu; ++j)
            projected[j] = spatial_dot(mobilities[first + j].H, f);
        if (body->nu > 0 && forward) {
            for (int j = 0; j < body->nu; ++j)
                e[j] = v[first + j] - projected[j];
            solve_lower(body, state->cache, e, out + first);
        } else if (body->nu > 0) {
            multiply_lower(body, state->cache, v + first, e);
            for (int j = 0; j < body->nu; ++j)
                out[first + j] = e[j] + projected[j];
        }
        for (int j = 0; j < body->nu; ++j)
            f = spatial_add_scaled(f, e[j], mobilities[first + j].G);
        if (body->own_point)
            f = force_shift(f, reference_shift(nodes, body, k));
        z[body->parent] = body->sets_parent ? f : spatial_add(z[body->parent], f);
    }
}

cardo_status cardo_multiply_sqrt_minv_transposed(const cardo_system *system,
                                                 const cardo_state *state, const double *v,
                                                 double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "M^-T/2 v", error);
    if (status == CARDO_OK)
        sweep_transposed(system, state, v, true, out);
    return status;
}

cardo_status cardo_multiply_sqrt_m_transposed(const cardo_system *system, const cardo_state *state,
                                              const double *v, double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "M^T/2 v", error);
    if (status == CARDO_OK)
        sweep_transposed(system, state, v, false, out);
    return status;
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
