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

cardo_status cardo_multiply_sqrt_minv(const cardo_system *system, const cardo_state *state,
                                      const double *xi, double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "M^-1/2 xi", error);
    if (status != CARDO_OK)
        return status;
    const state_cache *cache = state->cache;
    cardo_spatial *a = cache->scratch_a;
    double *e = cache->scratch_u;
    for (int j = 0; j < system->nu; ++j)
        e[j] = xi[j] * sqrt(cache->D[j]); /* the step divides by D */
    a[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k)
        a[k] = acceleration_step(system, state, k, a[system->bodies[k].parent], e, out);
    return CARDO_OK;
}

cardo_status cardo_multiply_sqrt_m(const cardo_system *system, const cardo_state *state,
                                   const double *v, double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "M^1/2 v", error);
    if (status != CARDO_OK)
        return status;
    const state_cache *cache = state->cache;
    const mobility_node *mobilities = cache->mobilities;
    cardo_spatial *a = cache->scratch_a;
    a[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        cardo_spatial A = a[body->parent];
        if (body->own_point)
            A = motion_shift(A, reference_shift(cache->nodes, body, k));
        for (int j = body->u_first; j < body->u_first + body->nu; ++j) {
            out[j] = sqrt(cache->D[j]) * (v[j] + spatial_dot(mobilities[j].G, A));
            A = spatial_add_scaled(A, v[j], mobilities[j].H);
        }
        a[k] = A;
    }
    return CARDO_OK;
}

/* Inward sweep of both transposed products: e is found from v by e = v - H^T z, or given as D^1/2
 * v. */
static void sweep_transposed(const cardo_system *system, const cardo_state *state, const double *v,
                             bool inverse, double *out)
{
    const state_cache *cache = state->cache;
    const mobility_node *mobilities = cache->mobilities;
    cardo_spatial *z = cache->scratch_z;
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        cardo_spatial f = body->is_leaf ? spatial_zero() : z[k];
        for (int j = body->u_first + body->nu - 1; j >= body->u_first; --j) {
            const double projected = spatial_dot(mobilities[j].H, f);
            const double root = sqrt(cache->D[j]);
            const double e = inverse ? v[j] - projected : root * v[j];
            out[j] = inverse ? e / root : e + projected;
            f = spatial_add_scaled(f, e, mobilities[j].G);
        }
        if (body->own_point)
            f = force_shift(f, reference_shift(cache->nodes, body, k));
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
    for (int j = 0; j < system->nu; ++j)
        sum += log(state->cache->D[j]);
    *log_det = sum;
    return CARDO_OK;
}
