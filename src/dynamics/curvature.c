#include "dynamics/curvature.h"

#include "base/linalg.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Of a step's own curvature a change shows at least this share (Powell). */
static const double least_share = 0.2;

cardo_status cardo_curvature_open(cardo_curvature *self, int nu, cardo_error *error)
{
    cardo_status status;
    const size_t square = (size_t)nu * (size_t)nu;
    self->nu = nu;
    CARDO_TRY(CARDO_ALLOCATE(&self->by_y, square + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->room, square + 3 * (size_t)nu + 1, error));
done:
    return status;
}

void cardo_curvature_clear(cardo_curvature *self)
{
    cardo_free(self->by_y);
    cardo_mass_matrix_destroy(self->metric);
    cardo_free(self->room);
    *self = (cardo_curvature){0};
}

static void make_symmetric(int n, double *A)
{
    for (size_t i = 0; i < (size_t)n; ++i)
        for (size_t j = 0; j < i; ++j)
            A[i * (size_t)n + j] = A[j * (size_t)n + i] =
                0.5 * (A[i * (size_t)n + j] + A[j * (size_t)n + i]);
}

cardo_status cardo_curvature_take_chart(cardo_curvature *self, const cardo_manifold_chart *chart,
                                        cardo_error *error)
{
    cardo_status status;
    const int n = cardo_manifold_chart_size(chart), nu = self->nu;
    double *by_x = NULL, *y = self->room + (size_t)nu * (size_t)nu;
    cardo_mass_matrix_destroy(self->metric);
    self->metric = NULL;
    if (!self->known || n == 0)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&by_x, (size_t)n * (size_t)n, error));
    /* S^T B by rows of B, which is symmetric; then S^T of its columns. */
    for (int j = 0; j < nu; ++j)
        cardo_manifold_chart_gather(chart, self->by_y + (size_t)j * (size_t)nu,
                                    self->room + (size_t)j * (size_t)n);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < nu; ++j)
            y[j] = self->room[(size_t)j * (size_t)n + (size_t)i];
        cardo_manifold_chart_gather(chart, y, by_x + (size_t)i * (size_t)n);
    }
    make_symmetric(n, by_x);
    status = cardo_mass_matrix_create(n, by_x, &self->metric, error);
    if (status == CARDO_ERROR_SINGULAR)
        status = CARDO_OK;
done:
    cardo_free(by_x);
    return status;
}

void cardo_curvature_to_x(const cardo_curvature *self, double *w)
{
    if (self->metric)
        cardo_mass_matrix_root_solve_transposed(self->metric, w, w);
}

void cardo_curvature_to_w(const cardo_curvature *self, double *gradient)
{
    if (self->metric)
        cardo_mass_matrix_root_solve(self->metric, gradient, gradient);
}

/* The first guess: as stiff in all directions. */
static void begin(cardo_curvature *self, double stiffness)
{
    const size_t nu = (size_t)self->nu;
    memset(self->by_y, 0, nu * nu * sizeof *self->by_y);
    for (size_t k = 0; k < nu; ++k)
        self->by_y[k * nu + k] = stiffness;
    self->known = true;
}

void cardo_curvature_learn(cardo_curvature *self, const cardo_manifold_chart *chart,
                           const double *step, const double *change)
{
    const int nu = self->nu;
    double *s = self->room + (size_t)nu * (size_t)nu, *y = s + nu, *Bs = y + nu;
    cardo_manifold_chart_spread(chart, step, s);
    cardo_manifold_chart_spread(chart, change, y);
    const double sy = cardo_dot(nu, s, y);
    if (!self->known && sy > 0)
        begin(self, cardo_dot(nu, y, y) / sy);
    if (!self->known || !(cardo_dot(nu, s, s) > 0))
        return;
    for (int j = 0; j < nu; ++j)
        Bs[j] = cardo_dot(nu, self->by_y + (size_t)j * (size_t)nu, s);
    const double sBs = cardo_dot(nu, s, Bs);
    self->known = sBs > 0; /* else rounding has made it none: the next step begins it anew */
    if (!self->known)
        return;
    const double own =
        sy < least_share * sBs ? (1 - least_share) * sBs / (sBs - sy) : 1; /* Powell's theta */
    for (int j = 0; j < nu; ++j)
        y[j] = own * y[j] + (1 - own) * Bs[j];
    const double across = cardo_dot(nu, s, y);
    for (int i = 0; i < nu; ++i) {
        double *row = self->by_y + (size_t)i * (size_t)nu;
        for (int j = 0; j < nu; ++j)
            row[j] += y[i] * y[j] / across - Bs[i] * Bs[j] / sBs;
    }
}
