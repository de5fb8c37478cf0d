#include "sampling/methods/relaxation.h"

#include "base/memory.h"
#include "sampling/walkers/biased_provider.h"
#include "sampling/walkers/steer.h"

#include <math.h>
#include <string.h>

enum { MOST_CORRECTIONS = 40 };

/* A correction that leaves more than this of what was missing shows that the spring is too soft. */
static const double slow = 0.3, stiffer = 8;

cardo_status cardo_relaxation_open(cardo_relaxation *self, const cardo_sampling *sampling,
                                   const cardo_minimization_options *options, double stiffness,
                                   cardo_error *error)
{
    cardo_status status;
    const cardo_sampling_plan *plan = &sampling->plan;
    *self =
        (cardo_relaxation){.system = plan->system, .variable = plan->variable, .options = *options};
    CARDO_TRY(cardo_bias_create(&self->spring, &cardo_bias_harmonic,
                                cardo_variable_period(plan->variable), CARDO_HARMONIC_VALUES,
                                error));
    self->spring.values[CARDO_HARMONIC_STIFFNESS] = stiffness;
    CARDO_TRY(cardo_state_create(plan->system, &self->state, error));
    cardo_state_copy(self->state, plan->start);
    CARDO_TRY(cardo_biased_provider_create(plan->provider, plan->variable, &self->spring,
                                           self->state, cardo_system_nu(plan->system),
                                           &self->provider, error));
    CARDO_TRY(cardo_evaluator_create(plan->system, self->provider, &self->evaluator, error));
done:
    return status;
}

void cardo_relaxation_clear(cardo_relaxation *self)
{
    cardo_evaluator_destroy(self->evaluator);
    cardo_force_provider_destroy(self->provider);
    cardo_state_destroy(self->state);
    cardo_bias_clear(&self->spring);
    *self = (cardo_relaxation){0};
}

/* One minimization; *missing: from xi to the place. */
static cardo_status settle(cardo_relaxation *self, double place,
                           const volatile sig_atomic_t *interrupt,
                           cardo_minimization_result *result, double *missing, cardo_error *error)
{
    double xi;
    const cardo_minimization_observer observer = {.interrupt = interrupt};
    cardo_status status = cardo_minimization_run(self->system, self->state, self->evaluator,
                                                 &self->options, &observer, result, error);
    if (status == CARDO_OK)
        status = cardo_variable_value(self->variable, self->state, &xi, error);
    if (status == CARDO_OK)
        *missing = cardo_periodic_difference(place, xi, self->spring.period);
    return status;
}

cardo_status cardo_relaxation_run(cardo_relaxation *self, double place, double tolerance,
                                  const volatile sig_atomic_t *interrupt, double *q, double *slope,
                                  double *potential, bool *reached, bool *interrupted,
                                  cardo_error *error)
{
    cardo_status status;
    cardo_minimization_result result;
    double *centre = &self->spring.values[CARDO_HARMONIC_CENTRE];
    double *stiffness = &self->spring.values[CARDO_HARMONIC_STIFFNESS];
    double missing = HUGE_VAL, before = HUGE_VAL, bend;
    cardo_state_set_q(self->state, q);
    CARDO_TRY(cardo_steer(self->variable, self->system, self->state, place, error));
    *centre = place + *slope / *stiffness;
    *interrupted = false;
    for (int k = 0; k < MOST_CORRECTIONS && fabs(missing) > tolerance; ++k) {
        CARDO_TRY(settle(self, place, interrupt, &result, &missing, error));
        *interrupted = result.interrupted;
        if (*interrupted)
            goto done;
        const double lambda = *stiffness * (*centre - place + missing);
        if (fabs(missing) > slow * fabs(before))
            *stiffness *= stiffer;
        before = missing;
        *slope = lambda;
        *centre = place + lambda / *stiffness;
    }
    /* Below the energy's rounding there is nothing to be found: that is no failure. */
    *reached = (result.converged || result.last.iteration < self->options.iterations) &&
               fabs(missing) <= tolerance;
    /* The last spring's energy goes, and the rest of the way is straight. */
    CARDO_TRY(cardo_evaluate(self->evaluator, self->state, error));
    CARDO_TRY(cardo_evaluator_potential(self->evaluator, self->state, potential, error));
    *potential -= cardo_bias_evaluate(
        &self->spring, cardo_periodic_difference(place, missing, self->spring.period), &bend);
    *potential += *slope * missing;
    memcpy(q, cardo_state_q(self->state), (size_t)cardo_system_nq(self->system) * sizeof *q);
done:
    return status;
}
