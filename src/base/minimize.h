/* The door to liblbfgs: minimization of a smooth function by L-BFGS (Nocedal 1980; Liu & Nocedal
 * 1989). */
#ifndef CARDO_BASE_MINIMIZE_H
#define CARDO_BASE_MINIMIZE_H

#include "base/status.h"

#include <stdbool.h>

/* The function: its value and gradient (n) at x (n). CARDO_RECOVERABLE: not to be evaluated there,
 * which counts as a very high value; every other failure ends the minimization. */
typedef cardo_status (*cardo_objective)(void *context, int n, const double *x, double *value,
                                        double *gradient, cardo_error *error);

/* Told of every iteration, whose point was the last to be evaluated; *stop ends the minimization
 * there, as converged. A failure ends it too. */
typedef cardo_status (*cardo_minimize_progress)(void *context, int iteration, bool *stop,
                                                cardo_error *error);

/* Other variables in which the function is about as steep in all directions: x is a place x0 plus T y, with any n x n matrix T. */
typedef struct cardo_minimize_scaling {
    void *context;
    int iterations; /* then x0 is where the minimization stands, and T is made anew; 0: it begins there for good */
    /* Makes T at x0 (n), with the gradient there (n); a failure ends the minimization. */
    cardo_status (*make)(void *context, const double *x0, const double *gradient,
                         cardo_error *error);
    void (*forth)(void *context, double *v); /* v becomes T v   (n) */
    void (*back)(void *context, double *v);  /* v becomes T^T v (n) */
} cardo_minimize_scaling;

typedef struct cardo_minimize_options {
    int most_iterations;
    double largest_gradient; /* converged when no component of the gradient is larger       */
    cardo_minimize_progress progress; /* NULL: none                                         */
    double
        unit; /* typical length of a first step, in units of x, or of y: the function is scaled by it */
    const cardo_minimize_scaling *scaling; /* NULL: none, y is x                                */
    int memory; /* iterations that the approximate Hessian is made of; 0: 6                     */
    bool
        anew; /* where a line search finds no step it begins once more from the best point, a few times; for who does not do so by other variables */
    double
        rounding; /* values that differ by less than this from an iteration's are told apart by their gradients instead (trapezoidal rule): a line search that
                       asks for a descent would find none in rounding. 0: values are what they are */
} cardo_minimize_options;

typedef struct cardo_minimize_result {
    double first_value, value, largest_gradient; /* where it was begun; where it ends */
    int iterations, evaluations;
    bool converged; /* false: iterations ran out, or the numbers' precision was reached      */
} cardo_minimize_result;

/* Minimizes from x, which becomes the best point found. Not converging is no failure; failing to
 * evaluate the function at the start is. */
cardo_status cardo_minimize(int n, double *x, cardo_objective objective, void *context,
                            const cardo_minimize_options *options, cardo_minimize_result *result,
                            cardo_error *error);

#endif
