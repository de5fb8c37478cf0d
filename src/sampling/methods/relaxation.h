/* A configuration at a given value of the variable, with the energy minimal in everything else.
 *
 * A spring k/2 (xi - c)^2 holds the variable while L-BFGS goes downhill, and its centre c is moved by
 * what is missing until xi is where it should be: Hestenes's and Powell's method of multipliers, with
 * lambda = k (c - xi) = dU/dxi along the adiabatic profile. It does for any variable what
 * prescribing does for a coordinate. */
#ifndef CARDO_SAMPLING_METHODS_RELAXATION_H
#define CARDO_SAMPLING_METHODS_RELAXATION_H

#include "dynamics/minimization.h"
#include "sampling/methods/method.h"

typedef struct cardo_relaxation {
    const cardo_system *system;
    const cardo_variable *variable;
    cardo_minimization_options options;
    cardo_bias_potential spring;
    cardo_state *state;
    cardo_force_provider *provider; /* the model's forces and the spring */
    cardo_evaluator *evaluator;
} cardo_relaxation;

/* Memory for the study's system and forces. stiffness: of the spring, kJ/mol per square of the variable's
 * unit; it is raised where that is too soft. Zero-initialise; cardo_relaxation_clear also after a
 * failure. */
cardo_status cardo_relaxation_open(cardo_relaxation *relaxation, const cardo_sampling *sampling,
                                   const cardo_minimization_options *options, double stiffness,
                                   cardo_error *error);
void cardo_relaxation_clear(cardo_relaxation *relaxation);

/* Brings q (nq) to the variable's value `place` and down to the minimum there. *slope: dU/dxi, in: a
 * guess. *potential: U at the place, kJ/mol. *reached: the minimization did not run out of
 * iterations, and the variable came to within `tolerance`. *interrupted: nothing was changed. */
cardo_status cardo_relaxation_run(cardo_relaxation *relaxation, double place, double tolerance,
                                  const volatile sig_atomic_t *interrupt, double *q, double *slope,
                                  double *potential, bool *reached, bool *interrupted,
                                  cardo_error *error);

#endif
