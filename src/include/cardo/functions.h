/* Functions of generalized coordinates, twice differentiable: what function-based mobilizers and
 * prescribed motions are made of. A definition is a plain struct; whoever takes one copies what it
 * points to. */
#ifndef CARDO_FUNCTIONS_H
#define CARDO_FUNCTIONS_H

#include <cardo/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CARDO_FUNCTION_MAX_ARGS = 6 };

typedef enum cardo_function_kind {
    CARDO_FUNCTION_CONSTANT,   /* coefficients[0]                                              */
    CARDO_FUNCTION_LINEAR,     /* sum_i coefficients[i] x_i + coefficients[narg]                */
    CARDO_FUNCTION_POLYNOMIAL, /* of x_0, highest power first                                 */
    CARDO_FUNCTION_SINUSOID,   /* coefficients = amplitude, frequency, phase:
                                  amplitude sin(frequency x_0 + phase)                        */
    CARDO_FUNCTION_MULTIPOLY,  /* sum over terms of coefficients[t] prod_i x_i^exponents[t narg + i]
                                */
    CARDO_FUNCTION_SPLINE,     /* natural cubic spline through (knots, values)                 */
    CARDO_FUNCTION_CLAMPED_SPLINE, /* cubic spline with end slopes coefficients[0], coefficients[1]
                                    */
    CARDO_FUNCTION_QUINTIC_SPLINE, /* natural quintic spline: third and fourth derivatives zero at
                                      the ends; four times continuously differentiable */
    CARDO_FUNCTION_CALLBACK        /* the user's own                                              */
} cardo_function_kind;

/* A user's function: value, gradient (narg) and Hessian (narg x narg, row-major) at x (narg). May
 * be called from several threads at once. */
typedef void (*cardo_function_callback)(void *user, int narg, const double *x, double *value,
                                        double *gradient, double *hessian);

/* Zero-initialise, then set what the kind needs. */
typedef struct cardo_function {
    cardo_function_kind kind;
    int narg; /* arguments, 0..6                                          */
    int args[CARDO_FUNCTION_MAX_ARGS]; /* which coordinate of the mobilizer each argument is */
    int ncoefficient;
    const double *coefficients; /* (ncoefficient)                                           */
    const int *exponents;       /* multipoly: (ncoefficient x narg), each >= 0               */
    int nknot;
    const double *knots, *values; /* splines: knots rising (nknot)                             */
    cardo_function_callback callback;
    void *user; /* handed to the callback; must outlive the system            */
} cardo_function;

/* A function copied and made ready. */
typedef struct cardo_compiled_function cardo_compiled_function;

/* Copies and checks a definition; the caller owns *out. */
CARDO_API cardo_status cardo_function_compile(const cardo_function *definition,
                                              cardo_compiled_function **out, cardo_error *error);
CARDO_API void cardo_function_destroy(cardo_compiled_function *function);

/* Value, gradient and Hessian by argument (not by coordinate) at x (narg). gradient and hessian may
 * be NULL. Beyond its ends a spline continues with its last polynomial. */
CARDO_API void cardo_function_evaluate(const cardo_compiled_function *function, const double *x,
                                       double *value, double *gradient, double *hessian);
/* For functions of at most one argument: value, first and second derivative. */
CARDO_API void cardo_function_evaluate1(const cardo_compiled_function *function, double x,
                                        double out[3]);
/* Number of arguments and the coordinate that argument i is. */
CARDO_API int cardo_function_narg(const cardo_compiled_function *function);
CARDO_API int cardo_function_arg(const cardo_compiled_function *function, int i);

#ifdef __cplusplus
}
#endif

#endif
