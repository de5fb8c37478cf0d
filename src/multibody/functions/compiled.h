/* The compiled function's inside, shared by compile.c and spline.c. */
#ifndef CARDO_MULTIBODY_FUNCTIONS_COMPILED_H
#define CARDO_MULTIBODY_FUNCTIONS_COMPILED_H

#include "multibody/functions/function.h"

#include <stdbool.h>

struct cardo_compiled_function {
    cardo_function_kind kind;
    int narg, args[CARDO_FUNCTION_MAX_ARGS];
    int ncoefficient;
    double *coefficients;
    int *exponents;
    int npiece, degree; /* splines: polynomials of this degree between knots               */
    double *knots;      /* (npiece + 1)                                                   */
    int nbin;           /* equal bins of the knots' range, and the piece that each begins in      */
    int *bins;          /*                                                            (nbin)    */
    double bins_per_unit;
    double *pieces; /* lowest power first, of x - knots[i]          (npiece x (degree + 1)) */
    cardo_function_callback callback;
    void *user;
};

/* Makes knots and pieces. */
cardo_status cardo_spline_compile(const cardo_function *definition, cardo_compiled_function *f,
                                  cardo_error *error);
/* The piece that x falls in: the first or the last beyond the ends. */
static inline int cardo_spline_piece(const cardo_compiled_function *f, double x)
{
    const double at = (x - f->knots[0]) * f->bins_per_unit;
    int i = f->bins[at > 0 ? (at < f->nbin ? (int)at : f->nbin - 1) : 0];
    while (i + 1 < f->npiece && x >= f->knots[i + 1])
        ++i;
    while (i > 0 && x < f->knots[i]) /* a bin's edge is rounded */
        --i;
    return i;
}

/* Value, first and second derivative of a piece's polynomial. */
static inline void cardo_spline_evaluate_piece(const cardo_compiled_function *f, int piece,
                                               double x, double out[3])
{
    const double *c = f->pieces + piece * (f->degree + 1), d = x - f->knots[piece];
    if (f->degree == 3) {
        out[0] = c[0] + d * (c[1] + d * (c[2] + d * c[3]));
        out[1] = c[1] + d * (2 * c[2] + d * (3 * c[3]));
        out[2] = 2 * c[2] + d * (6 * c[3]);
        return;
    }
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

static inline bool cardo_function_is_spline(const cardo_compiled_function *f)
{
    return f->npiece > 0;
}

/* cardo_function_evaluate1 for inner loops: the cheap kinds are inline. */
static inline void cardo_function_evaluate1_inline(const cardo_compiled_function *f, double x,
                                                   double out[3])
{
    if (f->kind == CARDO_FUNCTION_LINEAR && f->narg == 1) {
        out[0] = f->coefficients[0] * x + f->coefficients[1];
        out[1] = f->coefficients[0];
        out[2] = 0;
    } else if (cardo_function_is_spline(f)) {
        cardo_spline_evaluate_piece(f, cardo_spline_piece(f, x), x, out);
    } else {
        cardo_function_evaluate1(f, x, out);
    }
}

#endif
