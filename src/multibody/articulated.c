/* Passes of the articulated-body method (Jain, Vaidehi & Rodriguez 1993): factorization of M from
 * the tips to ground, and the solution for udot.
 *
 * D = H^T P H, G = P H D^-1, P+ = P - G D G^T goes to the parent. With the bias forces b of the
 * velocity pass, z = b - F + sum over children (z + G e), e = tau - H^T z, then outward udot = D^-1
 * e - G^T a, a = a_parent + H udot. */
#include "multibody/state_internal.h"

/* Below this part of the hinge's own scale a pivot of D is rounding, not inertia. */
static const double singular = 1e-13;

/* Size of D for a hinge column whose outboard inertia were not articulated away. */
static inline double hinge_scale(const articulated_inertia *P, const cardo_spatial *H)
{
    return (P->J.xx + P->J.yy + P->J.zz) * v3_dot(H->angular, H->angular) +
           (P->M.xx + P->M.yy + P->M.zz) * v3_dot(H->linear, H->linear);
}

static inline bool factor_single(const articulated_inertia *P, mobility_node *mobility, double *D,
                                 double *D_inverse, articulated_inertia *P_plus)
{
    const cardo_spatial U = articulated_mul(P, mobility->H);
    const double d = spatial_dot(mobility->H, U);
    *P_plus = *P;
    if (!(d > singular * hinge_scale(P, &mobility->H)))
        return false;
    *D = d;
    *D_inverse = 1.0 / d;
    mobility->G = spatial_scale(*D_inverse, U);
    articulated_subtract_outer(P_plus, mobility->G, U);
    return true;
}

/* Lower Cholesky factor L of the n x n matrix D in place (row stride n). */
static inline bool cholesky(int n, double *D, const double *scale)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = D[i * n + j];
            for (int k = 0; k < j; ++k)
                sum -= D[i * n + k] * D[j * n + k];
            if (i > j) {
                D[i * n + j] = sum / D[j * n + j];
            } else {
                if (!(sum > singular * scale[i]))
                    return false;
                D[i * n + i] = sqrt(sum);
            }
        }
    }
    return true;
}

static inline bool factor_block(int n, const articulated_inertia *P, mobility_node *mobilities,
                                double *D, articulated_inertia *P_plus)
{
    cardo_spatial U[CARDO_MOBILIZER_MAX_U], L_U[CARDO_MOBILIZER_MAX_U];
    double scale[CARDO_MOBILIZER_MAX_U];
    *P_plus = *P;
    for (int i = 0; i < n; ++i) {
        U[i] = articulated_mul(P, mobilities[i].H);
        scale[i] = hinge_scale(P, &mobilities[i].H);
        for (int j = 0; j <= i; ++j)
            D[i * n + j] = D[j * n + i] = spatial_dot(mobilities[j].H, U[i]);
    }
    if (!cholesky(n, D, scale))
        return false;
    /* P+ = P - U D^-1 U^T = P - (L^-1 U)(L^-1 U)^T */
    for (int i = 0; i < n; ++i) {
        cardo_spatial x = U[i];
        for (int k = 0; k < i; ++k)
            x = spatial_add_scaled(x, -D[i * n + k], L_U[k]);
        L_U[i] = spatial_scale(1.0 / D[i * n + i], x);
    }
    for (int i = n - 1; i >= 0; --i) {
        cardo_spatial x = L_U[i];
        for (int k = i + 1; k < n; ++k)
            x = spatial_add_scaled(x, -D[k * n + i], mobilities[k].G);
        mobilities[i].G = spatial_scale(1.0 / D[i * n + i], x);
    }
    if (n == 6) /* nothing of the inertia is left beyond a hinge that yields every way */
        *P_plus = (articulated_inertia){0};
    else
        for (int i = 0; i < n; ++i)
            articulated_subtract_outer(P_plus, L_U[i], L_U[i]);
    return true;
}

static cardo_status report_singular(const cardo_system *system, int k, cardo_error *error)
{
    const char *name = system->sources[k].name;
    return CARDO_FAIL(error, CARDO_ERROR_SINGULAR,
                      "body %d%s%s: its %s mobilizer has no inertia against one of its motions in "
                      "this configuration (a body of one atom or of atoms in a line, or a "
                      "mobilizer at a singular position)",
                      k, name ? " " : "", name ? name : "",
                      system->bodies[k].joint.mobilizer->name);
}

cardo_status cardo_pass_dynamics(const cardo_system *system, cardo_state *state, cardo_error *error)
{
    state_cache *cache = state->cache;
    body_node *nodes = cache->nodes;
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        body_node *node = &nodes[k];
        mobility_node *mobilities = cache->mobilities + body->u_first;
        articulated_inertia P_plus, own = articulated_from_rigid(body->mass, node->I);
        node->P = body->is_leaf ? own : articulated_add(&node->P, &own);
        bool regular = true;
        if (body->nu == 0)
            P_plus = node->P;
        else if (body->nu == 1)
            regular = factor_single(&node->P, mobilities, cache->D + body->d_first,
                                    cache->D_inverse + body->u_first, &P_plus);
        else
            regular =
                factor_block(body->nu, &node->P, mobilities, cache->D + body->d_first, &P_plus);
        if (!regular)
            return report_singular(system, k, error);
        if (body->parent == 0)
            continue;
        body_node *parent = &nodes[body->parent];
        if (body->own_point)
            P_plus = articulated_shift(&P_plus, reference_shift(nodes, body, k));
        parent->P = body->sets_parent ? P_plus : articulated_add(&parent->P, &P_plus);
    }
    return CARDO_OK;
}

/* x = D^-1 e for a block; L is its Cholesky factor. */
static inline void solve_block(int n, const double *L, const double *e, double *x)
{
    for (int i = 0; i < n; ++i) {
        double sum = e[i];
        for (int k = 0; k < i; ++k)
            sum -= L[i * n + k] * x[k];
        x[i] = sum / L[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        double sum = x[i];
        for (int k = i + 1; k < n; ++k)
            sum -= L[k * n + i] * x[k];
        x[i] = sum / L[i * n + i];
    }
}

void cardo_hinge_solve(const body_plan *body, const state_cache *cache, const double *e, double *x)
{
    if (body->nu == 1)
        x[0] = cache->D_inverse[body->u_first] * e[0];
    else
        solve_block(body->nu, cache->D + body->d_first, e, x);
}

/* Applied force on a body about its reference point. */
static inline cardo_spatial applied_force(const cardo_state *state, const body_plan *body, int k)
{
    return force_shift(state->body_forces[k], body_origin(&state->cache->nodes[k], body));
}

static void sweep_inward(const cardo_system *system, cardo_state *state)
{
    state_cache *cache = state->cache;
    body_node *nodes = cache->nodes;
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        body_node *node = &nodes[k];
        const mobility_node *mobilities = cache->mobilities + body->u_first;
        double *e = cache->residual + body->u_first;
        cardo_spatial z = node->bias_force;
        if (!body->is_leaf)
            z = spatial_add(z, node->z);
        if (state->has_body_forces)
            z = spatial_sub(z, applied_force(state, body, k));
        node->z = z;
        for (int j = 0; j < body->nu; ++j) {
            const double tau =
                state->has_mobility_forces ? state->mobility_forces[body->u_first + j] : 0.0;
            e[j] = tau - spatial_dot(mobilities[j].H, node->z);
        }
        for (int j = 0; j < body->nu; ++j)
            z = spatial_add_scaled(z, e[j], mobilities[j].G);
        body_node *parent = &nodes[body->parent];
        if (body->own_point)
            z = force_shift(z, reference_shift(nodes, body, k));
        parent->z = body->sets_parent ? z : spatial_add(parent->z, z);
    }
}

static void sweep_outward(const cardo_system *system, cardo_state *state)
{
    state_cache *cache = state->cache;
    body_node *nodes = cache->nodes;
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const mobility_node *mobilities = cache->mobilities + body->u_first;
        double *udot = cache->udot + body->u_first;
        cardo_spatial a = nodes[body->parent].a;
        if (body->own_point)
            a = motion_shift(a, reference_shift(nodes, body, k));
        cardo_hinge_solve(body, cache, cache->residual + body->u_first, udot);
        for (int j = 0; j < body->nu; ++j)
            udot[j] -= spatial_dot(mobilities[j].G, a);
        for (int j = 0; j < body->nu; ++j)
            a = spatial_add_scaled(a, udot[j], mobilities[j].H);
        nodes[k].a = a;
    }
}

void cardo_pass_acceleration(const cardo_system *system, cardo_state *state)
{
    sweep_inward(system, state);
    sweep_outward(system, state);
}
