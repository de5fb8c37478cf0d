/* Interpolating splines as piecewise polynomials. */
#include "base/memory.h"
#include "multibody/functions/compiled.h"

#include <math.h>

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

/* Number of unknowns of a piece: its coefficients. */
enum { QUINTIC = 6 };

/* Adds the equation sum over pieces i and i+1 (coefficients at 6 i) of row . c = rhs to a dense
 * system. */
static void quintic_row(double *A, double *b, int n, int row, int piece, const double *left,
                        const double *right, double rhs)
{
    for (int k = 0; k < QUINTIC; ++k) {
        if (left)
            A[(size_t)row * (size_t)n + (size_t)(piece * QUINTIC + k)] += left[k];
        if (right)
            A[(size_t)row * (size_t)n + (size_t)((piece + 1) * QUINTIC + k)] += right[k];
    }
    b[row] = rhs;
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

/* Gaussian elimination with row exchanges within a band of half-width 2 QUINTIC. */
static bool solve_band(double *A, double *b, int n)
{
    for (int i = 0; i < n; ++i) {
        int pivot = i, last = i + 2 * QUINTIC < n ? i + 2 * QUINTIC : n - 1;
        for (int r = i + 1; r <= last; ++r)
            if (fabs(A[(size_t)r * (size_t)n + (size_t)i]) >
                fabs(A[(size_t)pivot * (size_t)n + (size_t)i]))
                pivot = r;
        double *top = A + (size_t)i * (size_t)n, *swap = A + (size_t)pivot * (size_t)n;
        if (!(fabs(swap[i]) > 0))
            return false;
        int end = i + 4 * QUINTIC < n ? i + 4 * QUINTIC : n;
        for (int c = i; pivot != i && c < end; ++c) {
            double t = top[c];
            top[c] = swap[c];
            swap[c] = t;
        }
        double t = b[i];
        b[i] = b[pivot];
        b[pivot] = t;
        for (int r = i + 1; r <= last; ++r) {
            double *row = A + (size_t)r * (size_t)n, factor = row[i] / top[i];
            for (int c = i; factor != 0 && c < end; ++c)
                row[c] -= factor * top[c];
            b[r] -= factor * b[i];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        int end = i + 4 * QUINTIC < n ? i + 4 * QUINTIC : n;
        for (int c = i + 1; c < end; ++c)
            b[i] -= A[(size_t)i * (size_t)n + (size_t)c] * b[c];
        b[i] /= A[(size_t)i * (size_t)n + (size_t)i];
    }
    return true;
}

/* Natural quintic spline: values at both ends of each piece, four continuous derivatives, third and
 * fourth zero at the ends. Rows are ordered so that the matrix is banded. Distances are in units of
 * the piece before it, for conditioning. */
static cardo_status compile_quintic(const cardo_function *d, cardo_compiled_function *f,
                                    cardo_error *error)
{
    const int n = f->npiece * QUINTIC;
    const double *x = d->knots;
    double *A = NULL, unit = (x[f->npiece] - x[0]) / f->npiece, left[QUINTIC], right[QUINTIC];
    int row = 0;
    cardo_status status;
    if (f->npiece < 2 || f->npiece > 500)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a quintic spline has 3 to 501 knots, not %d",
                          d->nknot);
    f->degree = 5;
    CARDO_TRY(CARDO_ALLOCATE(&f->pieces, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&A, (size_t)n * (size_t)n, error));
    for (int order = 3; order <= 4; ++order) {
        derivative_row(order, 0, 1, left);
        quintic_row(A, f->pieces, n, row++, 0, left, NULL, 0);
    }
    for (int i = 0; i < f->npiece; ++i) {
        const double h = (x[i + 1] - x[i]) / unit;
        derivative_row(0, 0, 1, left);
        quintic_row(A, f->pieces, n, row++, i, left, NULL, d->values[i]);
        derivative_row(0, h, 1, left);
        quintic_row(A, f->pieces, n, row++, i, left, NULL, d->values[i + 1]);
        for (int order = 1; i + 1 < f->npiece && order <= 4; ++order) {
            derivative_row(order, h, 1, left);
            derivative_row(order, 0, -1, right);
            quintic_row(A, f->pieces, n, row++, i, left, right, 0);
        }
        for (int order = 3; i + 1 == f->npiece && order <= 4; ++order) {
            derivative_row(order, h, 1, left);
            quintic_row(A, f->pieces, n, row++, i, left, NULL, 0);
        }
    }
    if (!solve_band(A, f->pieces, n))
        status =
            CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "the quintic spline's equations are singular");
    for (int i = 0; i < f->npiece; ++i) {
        double power = 1;
        for (int k = 0; k < QUINTIC; ++k, power *= unit)
            f->pieces[i * QUINTIC + k] /= power;
    }
done:
    cardo_free(A);
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
