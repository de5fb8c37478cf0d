/* What forces do to a constrained system: induced accelerations, operational space, a basis of what is free. */
#include "base/memory.h"
#include "cardo/manifold.h"
#include "multibody/manifold/semidefinite.h"
#include "multibody/manifold/set.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

static const double least_independent = 1e-11;

/* out = Mc f */
static cardo_status accelerate(const cardo_system *system, const cardo_state *state,
                               const double *f, double *out, cardo_error *error)
{
    cardo_status status = cardo_multiply_minv(system, state, f, out, error);
    return status == CARDO_OK ? cardo_project_free_speeds(system, state, out, error) : status;
}

cardo_status cardo_induced_accelerations(const cardo_system *system, const cardo_state *state,
                                         const cardo_spatial *body_forces,
                                         const double *mobility_forces, double *udot,
                                         cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "induced accelerations", error);
    if (status != CARDO_OK)
        return status;
    for (int j = 0; j < system->nu; ++j)
        udot[j] = 0;
    if (body_forces)
        CARDO_TRY(cardo_multiply_jt(system, state, body_forces, udot, error));
    for (int j = 0; mobility_forces && j < system->nu; ++j)
        udot[j] += mobility_forces[j];
    CARDO_TRY(accelerate(system, state, udot, udot, error));
done:
    return status;
}

/* Working memory: columns Mc J^T, the compliance factored, and what that takes. */
typedef struct workspace {
    double *columns, *C, *factor, *shortest, *scale, *vector, *more, *inertia;
    int *order;
} workspace;

static cardo_status open_workspace(int n, int nu, workspace *w, cardo_error *error)
{
    const size_t square = (size_t)n * (size_t)n;
    cardo_status status;
    *w = (workspace){0};
    CARDO_TRY(CARDO_ALLOCATE(&w->columns, (size_t)n * (size_t)nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->C, square, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->factor, square, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->shortest, square, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->inertia, square, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->scale, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->vector, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->more, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->order, n, error));
done:
    return status;
}

static void close_workspace(workspace *w)
{
    cardo_free(w->columns);
    cardo_free(w->C);
    cardo_free(w->factor);
    cardo_free(w->shortest);
    cardo_free(w->inertia);
    cardo_free(w->scale);
    cardo_free(w->vector);
    cardo_free(w->more);
    cardo_free(w->order);
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[k] * b[k];
    return sum;
}

/* w->columns (rows here): Mc J^T; w->C: J Mc J^T. The scale of a row is what it would be without constraints. */
static cardo_status make_compliance(const cardo_system *system, const cardo_state *state, int n,
                                    const double *J, workspace *w, cardo_error *error)
{
    const int nu = system->nu;
    cardo_status status = CARDO_OK;
    for (int i = 0; i < n; ++i) {
        double *column = w->columns + i * nu;
        CARDO_TRY(cardo_multiply_minv(system, state, J + i * nu, column, error));
        const double alone = dot(nu, J + i * nu, column);
        w->scale[i] = alone > 0 ? alone : 1;
        /* Twice: where rows nearly depend on one another the first time leaves rounding that the inverse of a task which they block
         * would blow up. */
        for (int pass = 0; pass < 2; ++pass)
            CARDO_TRY(cardo_project_free_speeds(system, state, column, error));
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j)
            w->C[i * n + j] = w->C[j * n + i] = dot(nu, J + i * nu, w->columns + j * nu);
done:
    return status;
}

static void invert(int n, workspace *w, cardo_task *task)
{
    memcpy(w->factor, w->C, (size_t)n * (size_t)n * sizeof *w->C);
    task->rank = cardo_semidefinite_factor(n, n, w->factor, w->shortest, w->scale, w->order,
                                           least_independent);
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i)
            w->vector[i] = i == j;
        cardo_semidefinite_solve(n, n, task->rank, w->factor, w->shortest, w->order, w->vector,
                                 w->inertia + j * n, w->more);
    }
}

cardo_status cardo_operational_space(const cardo_system *system, const cardo_state *state,
                                     int ntask, const double *jacobian, cardo_task *task,
                                     cardo_error *error)
{
    const int nu = system->nu, n = ntask;
    workspace w = {0};
    cardo_status status;
    CARDO_TRY(cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "operational space", error));
    if (n < 1)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "a task of %d rows", n);
    CARDO_TRY(open_workspace(n, nu, &w, error));
    CARDO_TRY(make_compliance(system, state, n, jacobian, &w, error));
    invert(n, &w, task);
    if (task->compliance)
        memcpy(task->compliance, w.C, (size_t)n * (size_t)n * sizeof *w.C);
    if (task->inertia)
        memcpy(task->inertia, w.inertia, (size_t)n * (size_t)n * sizeof *w.inertia);
    for (int a = 0; a < nu && (task->inverse || task->projector); ++a) {
        double *row = w.vector;
        for (int i = 0; i < n; ++i) {
            row[i] = 0;
            for (int j = 0; j < n; ++j)
                row[i] += w.columns[j * nu + a] * w.inertia[j * n + i];
            if (task->inverse)
                task->inverse[a * n + i] = row[i];
        }
        for (int b = 0; task->projector && b < nu; ++b) {
            double sum = a == b;
            for (int i = 0; i < n; ++i)
                sum -= row[i] * jacobian[i * nu + b];
            task->projector[a * nu + b] = sum;
        }
    }
done:
    close_workspace(&w);
    return status;
}

/* With x = W xi, W W^T = M^-1, speeds are as long as M says; there projection on what is free is an orthogonal projector P, whose
 * Cholesky factor L, with pivots as far as its rank goes, has orthonormal columns: L L^T = P = P P gives L^T L = 1. */
cardo_status cardo_free_basis(const cardo_system *system, const cardo_state *state, double *T,
                              int *freedoms, cardo_error *error)
{
    const int nu = system->nu;
    workspace w = {0};
    cardo_status status;
    *freedoms = 0;
    CARDO_TRY(cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "a basis of free speeds", error));
    CARDO_TRY(open_workspace(nu, nu, &w, error));
    CARDO_TRY(cardo_degrees_of_freedom(system, state, freedoms, error));
    for (int j = 0; j < nu; ++j) {
        double *column = w.C + j * nu;
        for (int i = 0; i < nu; ++i)
            w.vector[i] = i == j;
        CARDO_TRY(cardo_multiply_sqrt_minv(system, state, w.vector, w.more, error));
        CARDO_TRY(cardo_project_free_speeds(system, state, w.more, error));
        CARDO_TRY(cardo_multiply_sqrt_m(system, state, w.more, column, error));
        w.scale[j] = 1;
    }
    for (int i = 0; i < nu; ++i)
        for (int j = 0; j < i; ++j)
            w.C[i * nu + j] = w.C[j * nu + i] = 0.5 * (w.C[i * nu + j] + w.C[j * nu + i]);
    const int rank = cardo_semidefinite_factor(nu, nu, w.C, w.shortest, w.scale, w.order, 1e-8);
    if (rank != *freedoms)
        status = CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                            "%d directions are free where %d should be: the constraints are nearly "
                            "dependent",
                            rank, *freedoms);
    for (int column = 0; column < rank && status == CARDO_OK; ++column) {
        /* of L rows up to the rank are a triangle, those beyond are T L_11 */
        for (int i = 0; i < nu; ++i) {
            double x = i < rank ? (i >= column ? w.C[i * nu + column] : 0) : 0;
            for (int k = column; i >= rank && k < rank; ++k)
                x += w.C[i * nu + k] * w.C[k * nu + column];
            w.vector[w.order[i]] = x;
        }
        CARDO_TRY(cardo_multiply_sqrt_minv(system, state, w.vector, w.more, error));
        CARDO_TRY(cardo_project_free_speeds(system, state, w.more, error));
        for (int i = 0; i < nu; ++i)
            T[i * rank + column] = w.more[i];
    }
done:
    close_workspace(&w);
    return status;
}
