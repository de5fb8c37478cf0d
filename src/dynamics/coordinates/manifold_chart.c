#include "dynamics/coordinates/manifold_chart.h"

#include "base/linalg.h"
#include "base/memory.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/chart.h"
#include "dynamics/coordinates/constrained.h"
#include "multibody/algebra/reflections.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 30 };

/* Rows that depend on others are left out before; of the rest this much of their length is their own. */
static const double LEAST_OWN = 1e-8;
/* Errors below this share of the tolerance are not worth a step. */
static const double NEGLIGIBLE = 0.02;

struct cardo_manifold_chart {
    const cardo_system *system;
    cardo_chart *chart;
    int nu, nrow; /* nrow: of positions; 0: no constraints */
    cardo_reflections basis;
    double *G;      /* explicit (all rows x nu)                                              */
    double *rows;   /* independent rows by the basis' coordinates (nrow x nu)                */
    double *square; /* of these, what the first coordinates have; its factors (nrow x nrow)  */
    int *exchanged; /* rows exchanged in it                                       (nrow)     */
    int *redundant; /* rows that depend on others                            (all rows)      */
    double *errors; /*                                                            (nrow)     */
    double *z;      /* the last move, across the manifold and then along it       (nu)       */
    double *y;      /*                                                            (nu)       */
    double reach;
};

cardo_status cardo_manifold_chart_create(const cardo_system *system, cardo_manifold_chart **out,
                                         cardo_error *error)
{
    cardo_status status;
    cardo_manifold_chart *self = NULL;
    cardo_constraint_counts counts;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    cardo_system_constraint_counts(system, &counts);
    self->system = system;
    self->nu = cardo_system_nu(system);
    self->nrow = counts.nposition;
    const size_t nu = (size_t)self->nu, nrow = (size_t)self->nrow;
    CARDO_TRY(cardo_chart_create(system, &self->chart, error));
    CARDO_TRY(cardo_reflections_open(&self->basis, self->nu, self->nrow, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->G, (size_t)counts.nrow * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->rows, nrow * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->square, nrow * nrow, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->exchanged, nrow, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->redundant, counts.nrow, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->errors, nrow, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->z, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->y, nu, error));
    *out = self;
    self = NULL;
done:
    cardo_manifold_chart_destroy(self);
    return status;
}

void cardo_manifold_chart_destroy(cardo_manifold_chart *self)
{
    if (!self)
        return;
    cardo_chart_destroy(self->chart);
    cardo_reflections_clear(&self->basis);
    cardo_free(self->G);
    cardo_free(self->rows);
    cardo_free(self->square);
    cardo_free(self->exchanged);
    cardo_free(self->redundant);
    cardo_free(self->errors);
    cardo_free(self->z);
    cardo_free(self->y);
    cardo_free(self);
}

static double *row_at(const cardo_manifold_chart *self, double *rows, int row)
{
    return rows + (size_t)row * (size_t)self->nu;
}

cardo_status cardo_manifold_chart_centre(cardo_manifold_chart *self, cardo_state *state,
                                         cardo_error *error)
{
    cardo_status status;
    int rank;
    CARDO_TRY(cardo_chart_centre(self->chart, state, error));
    self->reach = 0;
    self->basis.rank = 0;
    if (self->nrow == 0)
        return CARDO_OK;
    CARDO_TRY(cardo_constraint_matrix(self->system, state, self->G, error));
    CARDO_TRY(cardo_constraint_rank(self->system, state, &rank, self->redundant, error));
    for (int i = 0; i < self->nrow; ++i) {
        double *row = row_at(self, self->rows, i);
        CARDO_TRY(cardo_chart_pull(self->chart, row_at(self, self->G, i), row, error));
        if (self->redundant[i])
            memset(row, 0, (size_t)self->nu * sizeof *row);
    }
    cardo_reflections_factor(&self->basis, self->nrow, self->rows, LEAST_OWN);
    memset(self->z, 0, (size_t)self->nu * sizeof *self->z);
done:
    return status;
}

int cardo_manifold_chart_size(const cardo_manifold_chart *self)
{
    return self->nu - self->basis.rank;
}

/* The independent rows by the basis' coordinates, at the chart's last move, where the state stands. */
static cardo_status find_rows(cardo_manifold_chart *self, const cardo_state *state,
                              cardo_error *error)
{
    cardo_status status = cardo_constraint_matrix(self->system, state, self->G, error);
    for (int i = 0; i < self->basis.rank && status == CARDO_OK; ++i) {
        double *row = row_at(self, self->rows, i);
        status =
            cardo_chart_pull(self->chart, row_at(self, self->G, self->basis.order[i]), row, error);
        cardo_reflections_apply_transposed(&self->basis, row);
    }
    return status;
}

/* Their first columns as L U with exchanges of rows; false where they are singular to rounding. */
static bool factor_square(cardo_manifold_chart *self)
{
    const int n = self->basis.rank;
    double largest = 0;
    for (int i = 0; i < n; ++i)
        memcpy(self->square + (size_t)i * (size_t)n, row_at(self, self->rows, i),
               (size_t)n * sizeof *self->square);
    double *A = self->square;
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(A[i * n + k]) > fabs(A[pivot * n + k]))
                pivot = i;
        self->exchanged[k] = pivot;
        for (int j = 0; pivot != k && j < n; ++j) {
            const double held = A[k * n + j];
            A[k * n + j] = A[pivot * n + j];
            A[pivot * n + j] = held;
        }
        largest = fmax(largest, fabs(A[k * n + k]));
        if (!(fabs(A[k * n + k]) > 1e-12 * largest))
            return false;
        for (int i = k + 1; i < n; ++i) {
            const double share = A[i * n + k] /= A[k * n + k];
            for (int j = k + 1; j < n; ++j)
                A[i * n + j] -= share * A[k * n + j];
        }
    }
    return true;
}

/* x = A^-1 b, in place. */
static void solve_square(const cardo_manifold_chart *self, double *b)
{
    const int n = self->basis.rank;
    const double *A = self->square;
    for (int k = 0; k < n; ++k) {
        const int other = self->exchanged[k];
        const double held = b[other];
        b[other] = b[k];
        b[k] = held;
    }
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < k; ++j)
            b[k] -= A[k * n + j] * b[j];
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j)
            b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
}

/* x = A^-T b, in place. */
static void solve_transposed(const cardo_manifold_chart *self, double *b)
{
    const int n = self->basis.rank;
    const double *A = self->square;
    for (int k = 0; k < n; ++k) {
        for (int j = 0; j < k; ++j)
            b[k] -= A[j * n + k] * b[j];
        b[k] /= A[k * n + k];
    }
    for (int k = n - 1; k >= 0; --k)
        for (int j = k + 1; j < n; ++j)
            b[k] -= A[j * n + k] * b[j];
    for (int k = n - 1; k >= 0; --k) {
        const int other = self->exchanged[k];
        const double held = b[other];
        b[other] = b[k];
        b[k] = held;
    }
}

/* The state's q by z, and its largest position error; of independent rows in errors. */
static cardo_status place(cardo_manifold_chart *self, cardo_state *state, double *most,
                          cardo_error *error)
{
    cardo_status status;
    memcpy(self->y, self->z, (size_t)self->nu * sizeof *self->y);
    cardo_reflections_apply(&self->basis, self->y);
    CARDO_TRY(cardo_chart_move(self->chart, self->y, state, error));
    CARDO_TRY(cardo_realize(self->system, state, CARDO_STAGE_POSITION, error));
    CARDO_TRY(cardo_constraint_position_errors(self->system, state, self->errors, error));
    *most = 0;
    for (int i = 0; i < self->nrow; ++i)
        if (!(fabs(self->errors[i]) <= *most))
            *most = fabs(self->errors[i]);
done:
    return status;
}

/* z that closes the loops, by Newton's method. Its matrix is found anew only where an error is not a tenth of the one before: that is most of the work. */
static cardo_status close_loops(cardo_manifold_chart *self, cardo_state *state, cardo_error *error)
{
    cardo_status status;
    const int rank = self->basis.rank;
    double most, before = HUGE_VAL, *step = self->y;
    bool fresh = false;
    for (int k = 0; k < MOST_STEPS; ++k) {
        CARDO_TRY(place(self, state, &most, error));
        if (most <= NEGLIGIBLE * CARDO_POSITION_TOLERANCE ||
            (most <= CARDO_POSITION_TOLERANCE && !(most < 0.5 * before)))
            return CARDO_OK;
        const bool slow = !(most < 0.1 * before);
        if (fresh && !(most < 4 * before))
            break;
        before = most;
        fresh = k == 0 || slow;
        if (fresh)
            CARDO_TRY(find_rows(self, state, error));
        if (fresh && !factor_square(self))
            break;
        for (int i = 0; i < rank; ++i)
            step[i] = self->errors[self->basis.order[i]];
        solve_square(self, step);
        for (int i = 0; i < rank; ++i)
            self->z[i] -= step[i];
    }
    return CARDO_FAIL(error, CARDO_RECOVERABLE,
                      "no closed configuration lies across from there: the step was too long");
done:
    return status;
}

static void measure_reach(cardo_manifold_chart *self)
{
    const int rank = self->basis.rank, size = self->nu - rank;
    const double across = sqrt(cardo_dot(rank, self->z, self->z)),
                 along = sqrt(cardo_dot(size, self->z + rank, self->z + rank));
    self->reach = along > 0 ? across / along : 0;
}

cardo_status cardo_manifold_chart_move(cardo_manifold_chart *self, const double *x,
                                       cardo_state *state, cardo_error *error)
{
    const int rank = self->basis.rank, size = self->nu - rank;
    if (self->nrow == 0)
        return cardo_chart_move(self->chart, x, state, error);
    memset(self->z, 0, (size_t)rank * sizeof *self->z);
    if (size > 0)
        memcpy(self->z + rank, x, (size_t)size * sizeof *self->z);
    cardo_status status = close_loops(self, state, error);
    if (status == CARDO_OK)
        measure_reach(self);
    return status;
}

cardo_status cardo_manifold_chart_pull(cardo_manifold_chart *self, const cardo_state *state,
                                       const double *gradient, double *by_x, cardo_error *error)
{
    cardo_status status;
    const int rank = self->basis.rank, size = self->nu - rank;
    if (self->nrow == 0)
        return cardo_chart_pull(self->chart, gradient, by_x, error);
    CARDO_TRY(find_rows(self, state, error));
    if (!factor_square(self))
        return CARDO_FAIL(error, CARDO_RECOVERABLE,
                          "the chart of the constraints ends there: rows become dependent");
    CARDO_TRY(cardo_chart_pull(self->chart, gradient, self->y, error));
    cardo_reflections_apply_transposed(&self->basis, self->y);
    solve_transposed(self, self->y);
    memcpy(by_x, self->y + rank, (size_t)size * sizeof *by_x);
    for (int i = 0; i < rank; ++i) {
        const double *row = row_at(self, self->rows, i) + rank;
        for (int k = 0; k < size; ++k)
            by_x[k] -= row[k] * self->y[i];
    }
done:
    return status;
}

void cardo_manifold_chart_spread(const cardo_manifold_chart *self, const double *x, double *y)
{
    const int rank = self->basis.rank;
    memset(y, 0, (size_t)rank * sizeof *y);
    memcpy(y + rank, x, (size_t)(self->nu - rank) * sizeof *y);
    cardo_reflections_apply(&self->basis, y);
}

void cardo_manifold_chart_gather(const cardo_manifold_chart *self, const double *y, double *x)
{
    const int rank = self->basis.rank;
    memcpy(self->y, y, (size_t)self->nu * sizeof *y);
    cardo_reflections_apply_transposed(&self->basis, self->y);
    memcpy(x, self->y + rank, (size_t)(self->nu - rank) * sizeof *x);
}

double cardo_manifold_chart_reach(const cardo_manifold_chart *self)
{
    return fmax(cardo_chart_reach(self->chart), self->reach);
}
