/* What the classical explicit methods share: the state as one vector y = (q, u) and its rate.
 *
 * Each method comes from a state realized to ACCELERATION, so the rate at its start is at hand, and
 * ends with an evaluation at its last y, which serves the next step. */
#ifndef CARDO_DYNAMICS_INTEGRATORS_EXPLICIT_H
#define CARDO_DYNAMICS_INTEGRATORS_EXPLICIT_H

#include "dynamics/integrators/integrator.h"

/* Copies the state's y, and its rate (qdot, udot), nq + nu numbers each. */
void cardo_explicit_read(const cardo_integration *integration, double *y, double *rate);

/* Sets time and y and evaluates there: the state is realized to ACCELERATION. */
cardo_status cardo_explicit_evaluate(cardo_integration *integration, double time, const double *y,
                                     cardo_error *error);

/* The same where a step ends, after it has been brought back onto the constraints. */
cardo_status cardo_explicit_arrive(cardo_integration *integration, double time, const double *y,
                                   cardo_error *error);

/* An explicit Runge-Kutta method in which each stage reaches forward along the rate of the one
 * before. */
typedef struct cardo_runge_kutta {
    int stages;
    double reach[4];  /* of each stage from the start, in steps; the first is 0           */
    double weight[4]; /* of its rate                                                      */
} cardo_runge_kutta;

/* One step by the method; uses 4 (nq + nu) numbers of work. */
int cardo_runge_kutta_work_count(int nq, int nu);
cardo_status cardo_runge_kutta_step(cardo_integration *integration, const cardo_runge_kutta *method,
                                    cardo_error *error);

extern const cardo_runge_kutta cardo_runge_kutta_4;

#endif
