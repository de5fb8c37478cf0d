/* The door to SUNDIALS (Hindmarsh et al. 2005; Gardner et al. 2022): y' = f(t, y) with control of
 * the local error, one step of its own choice at a time.
 *
 * The step sequence depends on the equations, the weights and where the integration began, on
 * nothing else: values between steps are interpolated. */
#ifndef CARDO_DYNAMICS_INTEGRATORS_SUNDIALS_H
#define CARDO_DYNAMICS_INTEGRATORS_SUNDIALS_H

#include "base/status.h"

typedef enum cardo_ode_method {
    CARDO_ODE_ADAMS, /* Adams-Moulton, orders 1 to 12, fixed-point iteration (CVODE)            */
    CARDO_ODE_BDF,   /* backward differentiation, orders 1 to 5, Newton with a dense Jacobian of
                      difference quotients (CVODE)                                              */
    CARDO_ODE_MERSON /* Merson's explicit Runge-Kutta 4(3) in five stages (ARKODE)              */
} cardo_ode_method;

/* The equations, of n unknowns. The functions get user back. */
typedef struct cardo_ode {
    void *user;
    int n;
    /* rate = f(time, y). CARDO_RECOVERABLE and CARDO_ERROR_NUMERICAL make the step shorter; any
     * other failure ends the integration and is handed on. */
    cardo_status (*rate)(void *user, double time, const double *y, double *rate,
                         cardo_error *error);
    /* One over the local error that each unknown may have at y; the step is taken when the root
     * mean square of the weighted errors is at most one. */
    void (*weigh)(void *user, const double *y, double *weights);
    /* Moves y to the nearest point of its manifold, and takes from local_error, where it is not NULL, its
     * part off the manifold. NULL: none. `adams` has no place to call it (see dynamics/README.md).
     * Failures are as those of rate. */
    cardo_status (*project)(void *user, double time, double *y, double *local_error,
                            cardo_error *error);
} cardo_ode;

typedef struct cardo_ode_solver cardo_ode_solver;

/* ode is copied. The caller owns *out. */
cardo_status cardo_ode_solver_create(cardo_ode_method method, const cardo_ode *ode,
                                     cardo_ode_solver **out, cardo_error *error);
void cardo_ode_solver_destroy(cardo_ode_solver *solver);

/* Begins anew at a time and a y (n), without a past. */
cardo_status cardo_ode_solver_begin(cardo_ode_solver *solver, double time, const double *y,
                                    cardo_error *error);
/* Takes one step; *time, where the last one ended, becomes its end. When this fails the solver has
 * to begin anew. */
cardo_status cardo_ode_solver_step(cardo_ode_solver *solver, double *time, cardo_error *error);
/* y (n) at a time within the last step, by the method's own polynomial. */
cardo_status cardo_ode_solver_interpolate(const cardo_ode_solver *solver, double time, double *y,
                                          cardo_error *error);

#endif
