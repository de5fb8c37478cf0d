/* The multipliers of constraints.
 *
 * Y = G M^-1 G^T is made row by row with the factors of M that the tree has: a force goes inward to ground, what it accelerates
 * comes outward, O(n) a row, and no matrix of the tree's size is made. */
#include "multibody/manifold/solve.h"

#include "multibody/manifold/eliminate.h"
#include "multibody/manifold/excess.h"
#include "multibody/manifold/roots.h"
#include "multibody/manifold/rows.h"
#include "multibody/manifold/semidefinite.h"
#include "multibody/tree/tree_pass.h"

#include <math.h>
#include <string.h>

/* A pivot of elimination, of its scale, below which what it loses is found again: rows do not cross as in Y, so that a weak one may lose more than its own digits. */
static const double weak = 1e-4;

/* Of a row's own entry of Y, what another may leave and still be a row of its own: the square of an angle between rows, as M^-1
 * sees them. */
static const double least_independent = 1e-11;

void cardo_respond(const cardo_system *system, const cardo_state *state, cardo_spatial *force,
                   const double *tau, double *speeds)
{
    cardo_spatial *z = state->cache->scratch_z, *a = state->cache->scratch_a;
    for (int k = system->nbody - 1; k > 0; --k) {
        const cardo_spatial own = spatial_scale(-1, force[k]);
        force[k] = spatial_zero();
        residual_step(system, state, k, own, tau, z, speeds);
    }
    force[0] = spatial_zero();
    a[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k)
        a[k] = acceleration_step(system, state, k, a[system->bodies[k].parent], speeds, speeds);
}

static void list_active(const cardo_state *state, int limit)
{
    constraint_cache *c = state->cache->constraints;
    c->nactive = 0;
    for (int row = 0; row < limit; ++row)
        if (is_on(state, c->place[2 * row]))
            c->active[c->nactive++] = row;
}

/* What a row's own entry of Y is at most, or nearly: a body alone yields more than it does in its place. */
static double scale_of(const cardo_system *system, const cardo_state *state,
                       const constraint_plan *plan, int own)
{
    const constraint_shape *s = &plan->shape;
    const state_cache *cache = state->cache;
    const row_arrays *rows = &cache->constraints->rows;
    const cardo_spatial *bodies = rows->bodies + plan->spatial_first + own * s->nbody;
    const double *mobilities = rows->mobilities + plan->mobility_first + own * s->nmobility;
    const cardo_vec3 *origins = cache->constraints->origins + plan->body_first;
    double sum = 0;
    for (int b = 0; b < s->nbody; ++b) {
        const int k = s->bodies[b];
        if (k == 0)
            continue;
        const body_node *node = &cache->nodes[k];
        const sym33 J = node->P.J, M = node->P.M;
        const cardo_spatial f = force_shift(bodies[b], origins[b]);
        const double turning = J.xx + J.yy + J.zz, mass = M.xx + M.yy + M.zz;
        sum += turning > 0 ? 3 * v3_dot(f.angular, f.angular) / turning : 0;
        sum += mass > 0 ? 3 * v3_dot(f.linear, f.linear) / mass : 0;
    }
    for (int j = 0; j < s->nmobility; ++j) {
        const body_plan *body = &system->bodies[s->mobilities[j].body];
        const body_node *node = &cache->nodes[s->mobilities[j].body];
        const double *map = cache->maps + body->map_first;
        cardo_spatial H = spatial_zero();
        HINGE_SWITCH(body->form, H = hinge_column(form, map, s->mobilities[j].mobility))
        const double D = spatial_dot(H, articulated_mul(&node->P, H));
        sum += D > 0 ? mobilities[j] * mobilities[j] / D : 0;
    }
    return sum > 0 ? sum : 1;
}

void cardo_multipliers_make_y(const cardo_system *system, const cardo_state *state, int limit)
{
    const constraint_list *list = list_of(system);
    constraint_cache *c = state->cache->constraints;
    cardo_rows_prepare(system, state);
    c->limit = limit;
    c->factored = c->eliminated = c->refused = false;
    list_active(state, limit);
    const int stride = list->nrow;
    for (int j = 0; j < c->nactive; ++j) {
        const int *at = c->place + 2 * c->active[j];
        memset(c->tau, 0, (size_t)system->nu * sizeof *c->tau);
        cardo_row_add_forces(state, &list->plans[at[0]], at[1], 1, c->force, c->tau);
        cardo_respond(system, state, c->force, c->tau, c->speeds);
        for (int i = j; i < c->nactive; ++i) {
            const int *to = c->place + 2 * c->active[i];
            c->Y[i * stride + j] = cardo_row_of_motion(state, &list->plans[to[0]], to[1],
                                                       state->cache->scratch_a, c->speeds);
        }
        c->scale[j] =
            fmax(c->Y[j * stride + j], scale_of(system, state, &list->plans[at[0]], at[1]));
    }
}

void cardo_multipliers_factor(const cardo_system *system, const cardo_state *state, int limit)
{
    constraint_cache *c = state->cache->constraints;
    cardo_rows_prepare(system, state);
    if (c->factored && c->limit == limit)
        return;
    cardo_multipliers_make_y(system, state, limit);
    c->rank = cardo_semidefinite_factor(c->nactive, list_of(system)->nrow, c->Y, c->shortest,
                                        c->scale, c->order, least_independent);
    c->factored = true;
}

void cardo_multipliers_solve(const cardo_system *system, const cardo_state *state, const double *r,
                             double *lambda)
{
    const constraint_list *list = list_of(system);
    constraint_cache *c = state->cache->constraints;
    double *b = c->vector;
    for (int i = 0; i < c->nactive; ++i)
        b[i] = r[c->active[i]];
    cardo_semidefinite_solve(c->nactive, list->nrow, c->rank, c->Y, c->shortest, c->order, b, b,
                             c->more);
    for (int row = 0; row < list->nrow; ++row)
        lambda[row] = 0;
    for (int i = 0; i < c->nactive; ++i)
        lambda[c->active[i]] = b[i];
}

void cardo_multipliers_apply(const cardo_system *system, const cardo_state *state,
                             const double *lambda, double *speeds)
{
    constraint_cache *c = state->cache->constraints;
    for (int row = 0; row < list_of(system)->nrow; ++row)
        c->multiplied[row] = -lambda[row];
    memset(c->tau, 0, (size_t)system->nu * sizeof *c->tau);
    cardo_rows_add_forces(system, state, c->multiplied, c->force, c->tau);
    cardo_respond(system, state, c->force, c->tau, speeds);
}

/* Elimination, and where a pivot was weak, once more for what it left. */
static void eliminated_respond(const cardo_system *system, const cardo_state *state, int limit,
                               const double *r, double *lambda, double *speeds)
{
    const int nrow = list_of(system)->nrow;
    constraint_cache *c = state->cache->constraints;
    cardo_spatial *a = state->cache->scratch_a;
    const bool again = c->weakest < weak;
    if (again)
        memcpy(c->multiplied, r, (size_t)nrow * sizeof *r);
    cardo_elimination_solve(system, state, r, lambda, speeds);
    if (!again)
        return;
    cardo_rows_of_motion(system, state, a, speeds, c->more);
    for (int row = 0; row < nrow; ++row)
        c->more[row] = row < limit ? c->more[row] + c->multiplied[row] : 0;
    memcpy(c->force, a, (size_t)system->nbody * sizeof *a);
    cardo_elimination_solve(system, state, c->more, c->more, c->tau);
    for (int row = 0; row < nrow; ++row)
        lambda[row] += c->more[row];
    for (int j = 0; j < system->nu; ++j)
        speeds[j] += c->tau[j];
    for (int k = 0; k < system->nbody; ++k) {
        a[k] = spatial_add(a[k], c->force[k]);
        c->force[k] = spatial_zero();
    }
}

void cardo_multipliers_respond(const cardo_system *system, const cardo_state *state, int limit,
                               const double *r, double *lambda, double *speeds)
{
    constraint_cache *c = state->cache->constraints;
    cardo_rows_prepare(system, state);
    /* which of the two ways is taken depends on the positions alone, not on what was asked before */
    const bool known = c->limit == limit && (c->eliminated || (c->factored && c->refused));
    if (!known && cardo_excess_is_certain(system, state, limit)) {
        /* Y it is, whether it was asked for before or not */
        cardo_multipliers_factor(system, state, limit);
        c->refused = true;
    } else if (!known) {
        c->factored = false;
        c->limit = limit;
        c->at_roots = list_of(system)->nroot > 0 && cardo_roots_factor(system, state, limit);
        c->eliminated = c->at_roots || cardo_elimination_factor(system, state, limit);
        if (!c->eliminated) {
            cardo_multipliers_factor(system, state, limit);
            c->refused = true;
        }
    }
    if (c->eliminated && c->at_roots) {
        cardo_roots_solve(system, state, r, lambda, speeds);
        return;
    }
    if (c->eliminated) {
        eliminated_respond(system, state, limit, r, lambda, speeds);
        return;
    }
    cardo_multipliers_solve(system, state, r, lambda);
    cardo_multipliers_apply(system, state, lambda, speeds);
}
