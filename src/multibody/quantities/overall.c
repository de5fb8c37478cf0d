/* Overall motion: the joints on ground move, and all that each carries goes along as one body. */
#include "multibody/tree/hinge.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/state_internal.h"

#include <math.h>

/* Mobilities of the joint that are free, in out; returns how many. */
static int free_mobilities(const body_plan *body, int *out)
{
    int n = 0;
    for (int j = 0; j < body->nu; ++j)
        if (!(body->prescribed & (1u << j)))
            out[n++] = j;
    return n;
}

int cardo_system_noverall(const cardo_system *system)
{
    int n = 0, mobilities[CARDO_MOBILIZER_MAX_U];
    for (int k = 1; k < system->nbody; ++k)
        if (system->bodies[k].parent == 0)
            n += free_mobilities(&system->bodies[k], mobilities);
    return n;
}

/* Solves A x = b in place by Cholesky factorization; A (n x n, the lower half) positive definite. */
static bool solve(int n, double A[][CARDO_MOBILIZER_MAX_U], double *b)
{
    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
            for (int k = 0; k < j; ++k)
                A[i][j] -= A[i][k] * A[j][k];
            if (i == j && !(A[j][j] > 0.0))
                return false;
            A[i][j] = i == j ? sqrt(A[j][j]) : A[i][j] / A[j][j];
        }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k)
            b[i] -= A[i][k] * b[k];
        b[i] /= A[i][i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            b[i] -= A[k][i] * b[k];
        b[i] /= A[i][i];
    }
    return true;
}

/* Speeds of one joint on ground, whose body carries the inertia, from the momenta in its rows. */
static bool solve_joint(const body_plan *body, const double *map, const composite *carried,
                        const double *momenta, double *speeds)
{
    int mobilities[CARDO_MOBILIZER_MAX_U];
    double A[CARDO_MOBILIZER_MAX_U][CARDO_MOBILIZER_MAX_U], b[CARDO_MOBILIZER_MAX_U];
    const int n = free_mobilities(body, mobilities);
    for (int j = 0; j < n; ++j) {
        cardo_spatial H = spatial_zero();
        double row[CARDO_MOBILIZER_MAX_U] = {0};
        HINGE_SWITCH(body->form, H = hinge_column(form, map, mobilities[j]))
        const cardo_spatial f = rigid_mul(carried->mass, carried->I, H);
        HINGE_SWITCH(body->form, hinge_project(form, body->nu, map, f, row))
        for (int i = 0; i < n; ++i)
            A[i][j] = row[mobilities[i]];
        b[j] = momenta[body->u_first + mobilities[j]];
    }
    if (!solve(n, A, b))
        return false;
    for (int j = 0; j < n; ++j)
        speeds[body->u_first + mobilities[j]] = b[j];
    return true;
}

cardo_status cardo_overall_speeds(const cardo_system *system, const cardo_state *state,
                                  const double *momenta, double *speeds, cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_POSITION, "speeds of overall motion", error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < system->nu; ++k)
        speeds[k] = 0;
    cardo_sum_inertias(system, state);
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        if (body->parent == 0 && !solve_joint(body, state->cache->maps + body->map_first,
                                              &state->cache->scratch[k].inertia, momenta, speeds))
            return CARDO_FAIL(error, CARDO_ERROR_SINGULAR,
                              "body %d (%s) and all that it carries have no inertia along a "
                              "mobility of the joint on ground",
                              k, system->sources[k].name ? system->sources[k].name : "unnamed");
    }
    return CARDO_OK;
}
