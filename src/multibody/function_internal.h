/* The compiled function's inside, shared by function.c and spline.c. */
#ifndef CARDO_MULTIBODY_FUNCTION_INTERNAL_H
#define CARDO_MULTIBODY_FUNCTION_INTERNAL_H

#include "multibody/function.h"

#include <stdbool.h>

struct cardo_compiled_function {
    cardo_function_kind kind;
    int narg, args[CARDO_FUNCTION_MAX_ARGS];
    int ncoefficient;
    double *coefficients;
    int *exponents;
    int npiece, degree; /* splines: polynomials of this degree between knots               */
    double *knots;      /* (npiece + 1)                                                   */
    double *pieces;     /* lowest power first, of x - knots[i]          (npiece x (degree + 1)) */
    cardo_function_callback callback;
    void *user;
};

/* Makes knots and pieces. */
cardo_status cardo_spline_compile(const cardo_function *definition, cardo_compiled_function *f,
                                  cardo_error *error);
/* Value, first and second derivative. */
void cardo_spline_evaluate(const cardo_compiled_function *f, double x, double out[3]);

#endif
