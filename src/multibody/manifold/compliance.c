/* Y = G M^-1 G^T, its rank and its projections: cardo/manifold.h. */
#include "cardo/manifold.h"

#include "base/number.h"
#include "multibody/manifold/rows.h"
#include "multibody/manifold/solve.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

static cardo_status require(const cardo_state *state, const char *what, cardo_error *error)
{
    return cardo_require_stage(state, CARDO_STAGE_DYNAMICS, what, error);
}

/* speeds = M^-1 G^T x, with the motions of bodies in scratch_a. */
static void respond_to(const cardo_system *system, const cardo_state *state, const double *x,
                       double *speeds)
{
    constraint_cache *c = state->cache->constraints;
    memset(c->tau, 0, (size_t)system->nu * sizeof *c->tau);
    cardo_rows_add_forces(system, state, x, c->force, c->tau);
    cardo_respond(system, state, c->force, c->tau, speeds);
}

cardo_status cardo_multiply_y(const cardo_system *system, const cardo_state *state, const double *x,
                              double *out, cardo_error *error)
{
    cardo_status status = require(state, "Y x", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    constraint_cache *c = state->cache->constraints;
    cardo_rows_prepare(system, state);
    respond_to(system, state, x, c->speeds);
    cardo_rows_of_motion(system, state, state->cache->scratch_a, c->speeds, out);
    return CARDO_OK;
}

cardo_status cardo_solve_y(const cardo_system *system, const cardo_state *state, const double *r,
                           double *x, cardo_error *error)
{
    cardo_status status = require(state, "Y^-1 r", error);
    if (status == CARDO_OK && system->constraints)
        cardo_multipliers_respond(system, state, list_of(system)->nrow, r, x,
                                  state->cache->constraints->speeds);
    return status;
}

cardo_status cardo_constraint_compliance(const cardo_system *system, const cardo_state *state,
                                         double *Y, cardo_error *error)
{
    cardo_status status = require(state, "Y", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    const int n = list_of(system)->nrow;
    constraint_cache *c = state->cache->constraints;
    cardo_rows_prepare(system, state);
    for (int i = 0; i < n; ++i) {
        memset(c->multiplied, 0, (size_t)n * sizeof *c->multiplied);
        c->multiplied[i] = 1;
        respond_to(system, state, c->multiplied, c->speeds);
        cardo_rows_of_motion(system, state, state->cache->scratch_a, c->speeds,
                             Y + (size_t)i * (size_t)n);
    }
    return CARDO_OK;
}

cardo_status cardo_constraint_rank(const cardo_system *system, const cardo_state *state, int *rank,
                                   int *redundant, cardo_error *error)
{
    *rank = 0;
    cardo_status status = require(state, "the rank of constraints", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    const constraint_cache *c = state->cache->constraints;
    cardo_multipliers_factor(system, state, list_of(system)->nrow);
    *rank = c->rank;
    for (int row = 0; redundant && row < list_of(system)->nrow; ++row)
        redundant[row] = 0;
    for (int i = c->rank; redundant && i < c->nactive; ++i)
        redundant[c->active[c->order[i]]] = 1;
    return CARDO_OK;
}

cardo_status cardo_degrees_of_freedom(const cardo_system *system, const cardo_state *state,
                                      int *freedoms, cardo_error *error)
{
    int rank;
    cardo_status status = cardo_constraint_rank(system, state, &rank, NULL, error);
    *freedoms = system->nu - cardo_system_nprescribed(system) - rank;
    return status;
}

cardo_status cardo_redundant_rows(const cardo_system *system, const cardo_state *state, char *text,
                                  size_t length, cardo_error *error)
{
    if (length > 0)
        text[0] = '\0';
    cardo_status status = require(state, "redundant rows", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    const constraint_cache *c = state->cache->constraints;
    cardo_multipliers_factor(system, state, list_of(system)->nrow);
    for (int i = c->rank; i < c->nactive; ++i) {
        char name[CARDO_CONSTRAINT_ROW_NAME];
        cardo_constraint_row_name(system, c->active[c->order[i]], name);
        if (strlen(text) + strlen(name) + 12 > length) {
            cardo_append(text, length, " ...");
            break;
        }
        cardo_append(text, length, "%s%s", i > c->rank ? "; " : "", name);
    }
    return CARDO_OK;
}

/* u - M^-1 G^T Y^-1 (G u + offsets), these at their time or zero. */
static cardo_status project(const cardo_system *system, const cardo_state *state, bool driven,
                            double *u, cardo_error *error)
{
    cardo_status status = require(state, "projection of speeds", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    const constraint_list *list = list_of(system);
    constraint_cache *c = state->cache->constraints;
    const int limit = list->nposition + list->nvelocity;
    double most = 0;
    CARDO_TRY(cardo_multiply_g(system, state, u, c->errors, error));
    for (int row = 0; row < limit; ++row) {
        const int *at = c->place + 2 * row;
        if (driven && is_on(state, at[0]))
            c->errors[row] += c->rows.offset[list->plans[at[0]].row_first + at[1]];
        most = fmax(most, fabs(c->errors[row]));
    }
    if (!(most > 0))
        return CARDO_OK;
    cardo_multipliers_respond(system, state, limit, c->errors, c->errors, c->speeds);
    for (int j = 0; j < system->nu; ++j)
        u[j] += c->speeds[j];
done:
    return status;
}

cardo_status cardo_project_free_speeds(const cardo_system *system, const cardo_state *state,
                                       double *u, cardo_error *error)
{
    return project(system, state, false, u, error);
}

cardo_status cardo_project_speeds(const cardo_system *system, const cardo_state *state, double *u,
                                  cardo_error *error)
{
    return project(system, state, true, u, error);
}

cardo_status cardo_project_free_forces(const cardo_system *system, const cardo_state *state,
                                       double *f, cardo_error *error)
{
    cardo_status status = require(state, "projection of forces", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    constraint_cache *c = state->cache->constraints;
    CARDO_TRY(cardo_multiply_minv(system, state, f, c->speeds, error));
    CARDO_TRY(cardo_multiply_g(system, state, c->speeds, c->errors, error));
    cardo_multipliers_respond(system, state, list_of(system)->nrow, c->errors, c->errors,
                              c->speeds);
    CARDO_TRY(cardo_multiply_gt(system, state, c->errors, c->speeds, error));
    for (int j = 0; j < system->nu; ++j)
        f[j] -= c->speeds[j];
done:
    return status;
}
