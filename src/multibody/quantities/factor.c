/* Products with the factors of M and its inverse.
 *
 * From one factorization at q: M^-1 = W W^T with W = (1 - H psi K)^T X over the tree, D^-1 = X X^T at
 * each hinge. An outward sweep applies W or W^-1, an inward one their transposes. */
#include "multibody/algebra/mass_matrix.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/tree_pass.h"

#include <math.h>

cardo_status cardo_multiply_minv(const cardo_system *system, const cardo_state *state,
                                 const double *v, double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "M^-1 v", error);
    if (status != CARDO_OK)
        return status;
    if (system->masses) {
        cardo_mass_matrix_solve(system->masses, v, out);
        return CARDO_OK;
    }
    cardo_spatial *z = state->cache->scratch_z, *a = state->cache->scratch_a;
    for (int k = system->nbody - 1; k > 0; --k)
        residual_step(system, state, k, spatial_zero(), v, z, out);
    a[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k)
        a[k] = acceleration_step(system, state, k, a[system->bodies[k].parent], out, out);
    return CARDO_OK;
}

/* Lower triangular root of a symmetric matrix: S = X X^T. */
typedef struct root33 {
    double xx, yx, yy, zx, zy, zz;
} root33;

static root33 sym33_root(sym33 s)
{
    root33 x;
    x.xx = sqrt(s.xx);
    x.yx = s.xy / x.xx;
    x.zx = s.xz / x.xx;
    x.yy = sqrt(s.yy - x.yx * x.yx);
    x.zy = (s.yz - x.zx * x.yx) / x.yy;
    x.zz = sqrt(s.zz - x.zx * x.zx - x.zy * x.zy);
    return x;
}

/* X v, X^T v, X^-1 v, X^-T v. */
static cardo_vec3 root_mul(root33 x, cardo_vec3 v)
{
    return v3(x.xx * v.x, x.yx * v.x + x.yy * v.y, x.zx * v.x + x.zy * v.y + x.zz * v.z);
}

static cardo_vec3 root_tmul(root33 x, cardo_vec3 v)
{
    return v3(x.xx * v.x + x.yx * v.y + x.zx * v.z, x.yy * v.y + x.zy * v.z, x.zz * v.z);
}

static cardo_vec3 root_solve(root33 x, cardo_vec3 v)
{
    const double a = v.x / x.xx, b = (v.y - x.yx * a) / x.yy;
    return v3(a, b, (v.z - x.zx * a - x.zy * b) / x.zz);
}

static cardo_vec3 root_tsolve(root33 x, cardo_vec3 v)
{
    const double c = v.z / x.zz, b = (v.y - x.zy * c) / x.yy;
    return v3((v.x - x.yx * b - x.zx * c) / x.xx, b, c);
}

/* X v and its kin for a free joint's P^-1 = X X^T, X = [t, 0; -X^T t, s] of roots t and s. */
static cardo_spatial free_root_mul(const free_factor *f, cardo_spatial v)
{
    const cardo_vec3 w = root_mul(sym33_root(f->turn), v.angular);
    const cardo_vec3 slid = root_mul(sym33_root(f->slide), v.linear);
    return (cardo_spatial){w, v3_sub(slid, m33_tmul_v3(f->X, w))};
}

static cardo_spatial free_root_tmul(const free_factor *f, cardo_spatial v)
{
    const cardo_vec3 t = v3_sub(v.angular, m33_mul_v3(f->X, v.linear));
    return (cardo_spatial){root_tmul(sym33_root(f->turn), t),
                           root_tmul(sym33_root(f->slide), v.linear)};
}

static cardo_spatial free_root_solve(const free_factor *f, cardo_spatial v)
{
    const cardo_vec3 slid = v3_add(v.linear, m33_tmul_v3(f->X, v.angular));
    return (cardo_spatial){root_solve(sym33_root(f->turn), v.angular),
                           root_solve(sym33_root(f->slide), slid)};
}

static cardo_spatial free_root_tsolve(const free_factor *f, cardo_spatial v)
{
    const cardo_vec3 force = root_tsolve(sym33_root(f->slide), v.linear);
    const cardo_vec3 torque = root_tsolve(sym33_root(f->turn), v.angular);
    return (cardo_spatial){v3_add(torque, m33_mul_v3(f->X, force)), force};
}

/* Six local mobilities of a free joint from and to numbers. */
static cardo_spatial six(const double *x)
{
    return (cardo_spatial){v3_load(x), v3_load(x + 3)};
}

static cardo_spatial six_out(const double *map, const double *x)
{
    return (cardo_spatial){turn_out(map, x), turn_out(map, x + 3)};
}

static void six_back(const double *map, cardo_spatial x, double *out)
{
    turn_back(map, x.angular, out);
    turn_back(map, x.linear, out + 3);
}

static void put_six(double *out, cardo_spatial x)
{
    v3_store(out, x.angular);
    v3_store(out + 3, x.linear);
}

/* One body of the outward sweeps: W (out = X v - G^T a, a goes on with out), or with inverse W^-1
 * (out = X^-1 (v + G^T a), a goes on with v). Returns the body's a. */
static cardo_spatial root_outward(const body_plan *body, const state_cache *cache, bool inverse,
                                  const double *v, cardo_spatial a, double *out)
{
    const double *map = cache->maps + body->map_first;
    const double *factor = cache->factors + body->factor_first;
    const hinge_form form = body->yields;
    if (form == HINGE_SINGLE || form == HINGE_COLUMNS) {
        const column_factor *columns = (const column_factor *)factor;
        const cardo_spatial *H = (const cardo_spatial *)map;
        for (int j = 0; j < body->nu; ++j) {
            if (body->prescribed >> j & 1U) {
                out[j] = 0;
                continue;
            }
            const double root = sqrt(columns[j].D_inverse), drift = spatial_dot(columns[j].G, a);
            const double x = inverse ? v[j] : root * v[j] - drift;
            out[j] = inverse ? (x + drift) / root : x;
            a = spatial_add_scaled(a, x, H[j]);
        }
    } else if (form == HINGE_BALL || form == HINGE_ELLIPSOID) {
        const turn_factor *turns = (const turn_factor *)factor;
        const root33 root = sym33_root(turns->inverse);
        const bool moves = form == HINGE_ELLIPSOID;
        const cardo_vec3 drift = turn_drift(moves, map, turns, a);
        const cardo_vec3 y = inverse ? turn_out(map, v) : v3_sub(root_mul(root, v3_load(v)), drift);
        if (inverse)
            v3_store(out, root_solve(root, v3_add(y, drift)));
        else
            turn_back(map, y, out);
        a = turn_move(moves, map, a, y);
    } else if (form == HINGE_FREE) {
        const free_factor *f = (const free_factor *)factor;
        const cardo_spatial moved =
            inverse ? spatial_add(six_out(map, v), a) : free_root_mul(f, six(v));
        if (inverse)
            put_six(out, free_root_solve(f, moved));
        else
            six_back(map, spatial_sub(moved, a), out);
        a = moved;
    } else {
        /* prescribed mobilities do not yield */
        for (int j = 0; j < body->nu; ++j)
            out[j] = 0;
    }
    return a;
}

static void sweep_outward(const cardo_system *system, const cardo_state *state, bool inverse,
                          const double *v, double *out)
{
    const state_cache *cache = state->cache;
    cardo_spatial *a = cache->scratch_a;
    a[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        cardo_spatial A = a[body->parent];
        if (body->own_point)
            A = motion_shift(A, reference_shift(cache->nodes, body, k));
        a[k] = root_outward(body, cache, inverse, v + body->u_first, A, out + body->u_first);
    }
}

cardo_status cardo_multiply_sqrt_minv(const cardo_system *system, const cardo_state *state,
                                      const double *xi, double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "M^-1/2 xi", error);
    if (status == CARDO_OK && system->masses)
        cardo_mass_matrix_root_solve_transposed(system->masses, xi, out);
    else if (status == CARDO_OK)
        sweep_outward(system, state, false, xi, out);
    return status;
}

cardo_status cardo_multiply_sqrt_m(const cardo_system *system, const cardo_state *state,
                                   const double *v, double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "M^1/2 v", error);
    if (status == CARDO_OK && system->masses)
        cardo_mass_matrix_root_multiply_transposed(system->masses, v, out);
    else if (status == CARDO_OK)
        sweep_outward(system, state, true, v, out);
    return status;
}

/* One body of the inward sweeps: W^T with inverse (out = X^T e, e = v - H^T z), else W^-T (e = X^-T
 * v, out = e + H^T z); z goes on as z + G e. */
static cardo_spatial root_inward(const body_plan *body, const state_cache *cache, bool inverse,
                                 const double *v, cardo_spatial z, double *out)
{
    const double *map = cache->maps + body->map_first;
    const double *factor = cache->factors + body->factor_first;
    const hinge_form form = body->yields;
    if (form == HINGE_SINGLE || form == HINGE_COLUMNS) {
        const column_factor *columns = (const column_factor *)factor;
        const cardo_spatial *H = (const cardo_spatial *)map;
        for (int j = body->nu - 1; j >= 0; --j) {
            if (body->prescribed >> j & 1U) {
                out[j] = 0;
                continue;
            }
            const double root = sqrt(columns[j].D_inverse), felt = spatial_dot(H[j], z);
            const double e = inverse ? v[j] - felt : v[j] / root;
            out[j] = inverse ? root * e : e + felt;
            z = spatial_add_scaled(z, e, columns[j].G);
        }
    } else if (form == HINGE_BALL || form == HINGE_ELLIPSOID) {
        const turn_factor *turns = (const turn_factor *)factor;
        const root33 root = sym33_root(turns->inverse);
        double tau[3], e[3];
        cardo_vec3 felt = z.angular;
        if (form == HINGE_ELLIPSOID)
            felt = v3_add(felt, m33_tmul_v3(((const ellipsoid_map *)map)->L, z.linear));
        if (inverse)
            v3_store(tau, v3_load(v));
        else
            turn_back(map, v3_add(root_tsolve(root, v3_load(v)), felt), tau);
        z = hinge_residual(form, 3, map, factor, tau, z, e);
        if (inverse)
            v3_store(out, root_tmul(root, v3_load(e)));
        else
            v3_store(out, v3_load(tau));
    } else if (form == HINGE_FREE) {
        const free_factor *f = (const free_factor *)factor;
        const cardo_spatial tau =
            inverse ? six_out(map, v) : spatial_add(free_root_tsolve(f, six(v)), z);
        if (inverse)
            put_six(out, free_root_tmul(f, spatial_sub(tau, z)));
        else
            six_back(map, tau, out);
        z = tau;
    } else {
        for (int j = 0; j < body->nu; ++j)
            out[j] = 0;
    }
    return z;
}

static void sweep_inward(const cardo_system *system, const cardo_state *state, bool inverse,
                         const double *v, double *out)
{
    const state_cache *cache = state->cache;
    cardo_spatial *z = cache->scratch_z;
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        cardo_spatial f = body->is_leaf ? spatial_zero() : z[k];
        f = root_inward(body, cache, inverse, v + body->u_first, f, out + body->u_first);
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
    if (status == CARDO_OK && system->masses)
        cardo_mass_matrix_root_solve(system->masses, v, out);
    else if (status == CARDO_OK)
        sweep_inward(system, state, true, v, out);
    return status;
}

cardo_status cardo_multiply_sqrt_m_transposed(const cardo_system *system, const cardo_state *state,
                                              const double *v, double *out, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "M^T/2 v", error);
    if (status == CARDO_OK && system->masses)
        cardo_mass_matrix_root_multiply(system->masses, v, out);
    else if (status == CARDO_OK)
        sweep_inward(system, state, false, v, out);
    return status;
}

/* ln det of a symmetric matrix from its root. */
static double log_det33(sym33 s)
{
    const root33 x = sym33_root(s);
    return 2 * (log(x.xx) + log(x.yy) + log(x.zz));
}

cardo_status cardo_log_det_m(const cardo_system *system, const cardo_state *state, double *log_det,
                             cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "ln det M", error);
    if (status != CARDO_OK)
        return status;
    if (system->masses) {
        *log_det = system->masses->log_det;
        return CARDO_OK;
    }
    double sum = 0;
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const double *factor = state->cache->factors + body->factor_first;
        if (body->yields == HINGE_BALL || body->yields == HINGE_ELLIPSOID)
            sum -= log_det33(((const turn_factor *)factor)->inverse);
        else if (body->yields == HINGE_FREE)
            sum -= log_det33(((const free_factor *)factor)->turn) +
                   log_det33(((const free_factor *)factor)->slide);
        else if (body->yields != HINGE_NONE)
            for (int j = 0; j < body->nu; ++j)
                if (!(body->prescribed >> j & 1U))
                    sum -= log(((const column_factor *)factor)[j].D_inverse);
    }
    *log_det = sum;
    return CARDO_OK;
}
