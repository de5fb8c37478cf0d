/* Interpolating splines as piecewise polynomials. */
#include "base/linalg.h"
#include "base/memory.h"
#include "multibody/functions/compiled.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static cardo_status check_knots(const cardo_function *d, cardo_error *error)
{
    if (d->nknot < 2)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a spline needs at least 2 knots, not %d",
                          d->nknot);
    for (int i = 0; i < d->nknot; ++i) {
        if (!isfinite(d->knots[i]) || !isfinite(d->values[i]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "knot %d of a spline is (%g, %g)", i,
                              d->knots[i], d->values[i]);
        if (i > 0 && !(d->knots[i] > d->knots[i - 1]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "knot %d of a spline, %g, does not rise above the one before, %g", i,
                              d->knots[i], d->knots[i - 1]);
    }
    return CARDO_OK;
}

/* Second derivatives at the knots of the cubic spline (tridiagonal elimination); slopes: at both
 * ends, or NULL: natural. */
static void second_derivatives(const cardo_function *d, const double *slopes, double *diagonal,
                               double *m)
{
    const int n = d->nknot;
    const double *x = d->knots, *y = d->values;
    /* Rows: h[i-1] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i] m[i+1] = 6 (slope[i] - slope[i-1]). */
    assert(n >= 2);
    double h = x[1] - x[0], slope = (y[1] - y[0]) / h;
    diagonal[0] = slopes ? 2 * h : 1;
    m[0] = slopes ? 6 * (slope - slopes[0]) : 0;
    double above = slopes ? h : 0; /* element to the right of the diagonal in the row before */
    for (int i = 1; i < n; ++i) {
        double left = h, right = 0, middle = 0, rhs;
        if (i < n - 1) {
            double next = x[i + 1] - x[i], next_slope = (y[i + 1] - y[i]) / next;
            middle = 2 * (left + next);
            rhs = 6 * (next_slope - slope);
            right = next;
            h = next;
            slope = next_slope;
        } else {
            middle = slopes ? 2 * left : 1;
            rhs = slopes ? 6 * (slopes[1] - slope) : 0;
            left = slopes ? left : 0;
        }
        double factor = left / diagonal[i - 1];
        diagonal[i] = middle - factor * above;
        m[i] = rhs - factor * m[i - 1];
        above = right;
    }
    m[n - 1] /= diagonal[n - 1];
    for (int i = n - 2; i >= 0; --i) {
        double right = i > 0 || slopes ? x[i + 1] - x[i] : 0;
        m[i] = (m[i] - right * m[i + 1]) / diagonal[i];
    }
}

static cardo_status compile_cubic(const cardo_function *d, cardo_compiled_function *f,
                                  cardo_error *error)
{
    const bool clamped = d->kind == CARDO_FUNCTION_CLAMPED_SPLINE;
    double *diagonal = NULL, *m = NULL;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&diagonal, d->nknot, error));
    CARDO_TRY(CARDO_ALLOCATE(&m, d->nknot, error));
    f->degree = 3;
    CARDO_TRY(CARDO_ALLOCATE(&f->pieces, (size_t)f->npiece * 4, error));
    second_derivatives(d, clamped ? d->coefficients : NULL, diagonal, m);
    for (int i = 0; i < f->npiece; ++i) {
        double h = d->knots[i + 1] - d->knots[i], *c = f->pieces + 4 * i;
        c[0] = d->values[i];
        c[1] = (d->values[i + 1] - d->values[i]) / h - h * (2 * m[i] + m[i + 1]) / 6;
        c[2] = m[i] / 2;
        c[3] = (m[i + 1] - m[i]) / (6 * h);
    }
done:
    cardo_free(diagonal);
    cardo_free(m);
    return status;
}

/* Number of unknowns of a piece: its coefficients; and how far from the diagonal the equations reach. */
enum { QUINTIC = 6, BAND = 3 };

typedef struct quintic_system {
    double *A, *b; /* b: (6 npiece), the coefficients piece by piece */
    int row;       /* the next one */
} quintic_system;

static void add_entry(quintic_system *system, int column, double value)
{
    if (value == 0)
        return;
    assert(abs(system->row - column) <= BAND);
    system->A[cardo_band_index(BAND, BAND, system->row, column)] = value;
}

/* Adds the equation left . (coefficients of a piece) + right . (those of the next) = rhs. */
static void add_equation(quintic_system *system, int piece, const double *left, const double *right,
                         double rhs)
{
    for (int k = 0; k < QUINTIC; ++k) {
        add_entry(system, piece * QUINTIC + k, left[k]);
        if (right)
            add_entry(system, (piece + 1) * QUINTIC + k, right[k]);
    }
    system->b[system->row++] = rhs;
}

/* Row of the d-th derivative of a piece at distance h from its knot. */
static void derivative_row(int d, double h, double sign, double row[QUINTIC])
{
    for (int k = 0; k < QUINTIC; ++k) {
        double factor = k < d ? 0 : sign;
        for (int i = 0; i < d; ++i)
            factor *= k - i;
        for (int i = d; i < k; ++i)
            factor *= h;
        row[k] = factor;
    }
}

/* Natural quintic spline: values at both ends of each piece, four continuous derivatives, third and
 * fourth zero at the ends. In this order no entry is farther than BAND from the diagonal. */
static void set_up_quintic(quintic_system *system, const cardo_function *d, double unit)
{
    const int npiece = d->nknot - 1;
    const double *x = d->knots;
    double left[QUINTIC], right[QUINTIC];
    for (int order = 3; order <= 4; ++order) {
        derivative_row(order, 0, 1, left);
        add_equation(system, 0, left, NULL, 0);
    }
    for (int i = 0; i < npiece; ++i) {
        const double h = (x[i + 1] - x[i]) / unit;
        const bool last = i + 1 == npiece;
        derivative_row(0, 0, 1, left);
        add_equation(system, i, left, NULL, d->values[i]);
        derivative_row(0, h, 1, left);
        add_equation(system, i, left, NULL, d->values[i + 1]);
        for (int order = last ? 3 : 1; order <= 4; ++order) {
            derivative_row(order, h, 1, left);
            derivative_row(order, 0, -1, right);
            add_equation(system, i, left, last ? NULL : right, 0);
        }
    }
}

static cardo_status compile_quintic(const cardo_function *d, cardo_compiled_function *f,
                                    cardo_error *error)
{
    const int n = f->npiece * QUINTIC;
    /* Distances in units of a mean piece condition the equations. */
    const double unit = (d->knots[f->npiece] - d->knots[0]) / f->npiece;
    quintic_system system = {0};
    cardo_status status;
    if (f->npiece < 2)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a quintic spline needs at least 3 knots, not %d", d->nknot);
    f->degree = 5;
    CARDO_TRY(CARDO_ALLOCATE(&f->pieces, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&system.A, (size_t)n * (3 * BAND + 1), error));
    system.b = f->pieces;
    set_up_quintic(&system, d, unit);
    assert(system.row == n);
    CARDO_TRY(cardo_band_solve(n, BAND, BAND, system.A, f->pieces, error));
    for (int i = 0; i < f->npiece; ++i) {
        double power = 1;
        for (int k = 0; k < QUINTIC; ++k, power *= unit)
            f->pieces[i * QUINTIC + k] /= power;
    }
done:
    cardo_free(system.A);
    return status;
}

/* Where to begin looking for a piece: two bins a piece. */
static cardo_status make_bins(cardo_compiled_function *f, cardo_error *error)
{
    const double first = f->knots[0], range = f->knots[f->npiece] - first;
    f->nbin = 2 * f->npiece;
    f->bins_per_unit = f->nbin / range;
    cardo_status status = CARDO_ALLOCATE(&f->bins, f->nbin, error);
    int piece = 0;
    for (int b = 0; status == CARDO_OK && b < f->nbin; ++b) {
        while (piece + 1 < f->npiece && f->knots[piece + 1] <= first + b / f->bins_per_unit)
            ++piece;
        assert(piece < f->npiece);
        f->bins[b] = piece;
    }
    return status;
}

cardo_status cardo_spline_compile(const cardo_function *definition, cardo_compiled_function *f,
                                  cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(check_knots(definition, error));
    f->npiece = definition->nknot - 1;
    CARDO_TRY(CARDO_ALLOCATE(&f->knots, definition->nknot, error));
    for (int i = 0; i < definition->nknot; ++i)
        f->knots[i] = definition->knots[i];
    if (definition->kind == CARDO_FUNCTION_QUINTIC_SPLINE)
        CARDO_TRY(compile_quintic(definition, f, error));
    else
        CARDO_TRY(compile_cubic(definition, f, error));
    CARDO_TRY(make_bins(f, error));
done:
    return status;
}
