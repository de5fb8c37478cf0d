/* Interpolating splines as piecewise polynomials. */
#include "base/memory.h"
#include "multibody/function_internal.h"

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
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED, "quintic splines are not there yet");
    CARDO_TRY(compile_cubic(definition, f, error));
done:
    return status;
}

void cardo_spline_evaluate(const cardo_compiled_function *f, double x, double out[3])
{
    int low = 0, high = f->npiece;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (x < f->knots[middle])
            high = middle;
        else
            low = middle;
    }
    const double *c = f->pieces + low * (f->degree + 1), d = x - f->knots[low];
    double value = 0, first = 0, half_second = 0;
    for (int i = f->degree; i >= 0; --i) {
        half_second = half_second * d + first;
        first = first * d + value;
        value = value * d + c[i];
    }
    out[0] = value;
    out[1] = first;
    out[2] = 2 * half_second;
}
