/* (M + k G^T G) udot = f + k G^T r is M udot + G^T lambda = f with lambda = k (G udot - r): (Y + 1/k) lambda = G udot_0 - r, udot_0 the accelerations without
 * constraints. So large k take no digits of M, as they would of the sum. Another solve, with lambda carried over, has (Y + 1/k) delta = G udot - r = delta_before / k. */
#include "multibody/manifold/penalty.h"

#include "multibody/manifold/rows.h"
#include "multibody/manifold/semidefinite.h"
#include "multibody/manifold/solve.h"

#include <float.h>
#include <string.h>

void cardo_stabilize_rows(const cardo_system *system, const cardo_state *state, double *rows)
{
    const constraint_list *list = list_of(system);
    const cardo_stabilization *s = &list->stabilization;
    constraint_cache *c = state->cache->constraints;
    const bool penalized = is_penalized(list);
    const double first = penalized ? 2 * s->omega * s->mu : 2 * s->alpha;
    const double zeroth = penalized ? s->omega * s->omega : s->beta * s->beta;
    if (!penalized && s->method != CARDO_STABILIZATION_BAUMGARTE)
        return;
    cardo_rows_position(system, state, c->errors);
    for (int row = 0; row < list->nposition; ++row)
        rows[row] += zeroth * c->errors[row];
    /* realized that far where accelerations are */
    (void)cardo_constraint_velocity_errors(system, state, c->errors, NULL);
    for (int row = 0; row < list->nposition + list->nvelocity; ++row)
        rows[row] += first * c->errors[row];
}

void cardo_penalty_respond(const cardo_system *system, const cardo_state *state, double *rows,
                           double *speeds)
{
    const constraint_list *list = list_of(system);
    const cardo_stabilization *s = &list->stabilization;
    constraint_cache *c = state->cache->constraints;
    const int stride = list->nrow;
    const int solves = s->method == CARDO_STABILIZATION_PENALTY ? 1 : s->solves;
    cardo_multipliers_make_y(system, state, list->nrow);
    for (int i = 0; i < c->nactive; ++i) {
        c->Y[i * stride + i] += 1 / s->stiffness;
        c->scale[i] = c->Y[i * stride + i];
    }
    c->rank = cardo_semidefinite_factor(c->nactive, stride, c->Y, c->shortest, c->scale, c->order,
                                        DBL_MIN);
    memset(c->errors, 0, (size_t)list->nrow * sizeof *c->errors);
    for (int k = 0; k < solves; ++k) {
        cardo_multipliers_solve(system, state, rows, rows);
        for (int row = 0; row < list->nrow; ++row) {
            c->errors[row] += rows[row];
            rows[row] /= s->stiffness;
        }
    }
    memcpy(rows, c->errors, (size_t)list->nrow * sizeof *rows);
    c->limit = -1; /* this was Y of no one else */
    cardo_multipliers_apply(system, state, rows, speeds);
}
