#include "sampling/study/other_start.h"

#include "dynamics/coordinates/constrained.h"
#include "dynamics/evaluation/evaluate.h"
#include "sampling/walkers/steer.h"

#include <math.h>

enum { PLACES = 65 }; /* over the range */

/* Energies at configurations, one after the other. */
typedef struct energy_probe {
    cardo_evaluator *evaluator;
    cardo_state *state;
} energy_probe;

static cardo_status open_probe(const cardo_sampling_plan *plan, energy_probe *probe,
                               cardo_error *error)
{
    cardo_status status =
        cardo_evaluator_create(plan->system, plan->provider, &probe->evaluator, error);
    return status == CARDO_OK ? cardo_state_create(plan->system, &probe->state, error) : status;
}

static void close_probe(energy_probe *probe)
{
    cardo_evaluator_destroy(probe->evaluator);
    cardo_state_destroy(probe->state);
}

/* Infinite where there is no energy. kJ/mol */
static cardo_status look(energy_probe *probe, double *energy, cardo_error *error)
{
    cardo_status status = cardo_evaluate(probe->evaluator, probe->state, error);
    if (status == CARDO_OK)
        status = cardo_evaluator_potential(probe->evaluator, probe->state, energy, error);
    if (status != CARDO_RECOVERABLE && status != CARDO_ERROR_NUMERICAL)
        return status;
    *energy = HUGE_VAL;
    return CARDO_OK;
}

/* False where the variable cannot be brought there. */
static bool bring_into_range(const cardo_sampling *sampling, cardo_state *state)
{
    double xi;
    const cardo_sampling_plan *plan = &sampling->plan;
    const double from = sampling->options.from, to = sampling->options.to;
    if (cardo_variable_value(plan->variable, state, &xi, NULL) != CARDO_OK)
        return false;
    xi = cardo_sampling_image(sampling, xi);
    return (xi >= from && xi <= to) || cardo_steer(plan->variable, plan->system, state,
                                                   xi < from ? from : to, NULL) == CARDO_OK;
}

/* The highest energy with the variable at places over the range and all else as at the other start. */
static cardo_status look_over_range(const cardo_sampling *sampling, energy_probe *probe,
                                    double *highest, cardo_error *error)
{
    const cardo_sampling_options *o = &sampling->options;
    const cardo_sampling_plan *plan = &sampling->plan;
    *highest = -HUGE_VAL;
    for (int k = 0; k < PLACES && *highest < HUGE_VAL; ++k) {
        double energy = HUGE_VAL, place = o->from + (o->to - o->from) * k / (PLACES - 1);
        cardo_state_copy(probe->state, sampling->other);
        cardo_status status = CARDO_OK;
        if (cardo_steer(plan->variable, plan->system, probe->state, place, NULL) == CARDO_OK)
            status = look(probe, &energy, error);
        if (status != CARDO_OK)
            return status;
        *highest = fmax(*highest, energy);
    }
    return CARDO_OK;
}

cardo_status cardo_sampling_take_other_start(cardo_sampling *sampling, bool *everywhere,
                                             cardo_error *error)
{
    cardo_status status;
    energy_probe probe = {0};
    double own, other, highest;
    const cardo_sampling_plan *plan = &sampling->plan;
    *everywhere = false;
    if (sampling->number % 2 == 0 || !plan->other_start)
        return CARDO_OK;
    CARDO_TRY(cardo_state_create(plan->system, &sampling->other, error));
    cardo_state_copy(sampling->other, plan->other_start);
    if (cardo_begin_on_constraints(plan->system, sampling->other, NULL) != CARDO_OK) {
        cardo_sampling_note(sampling, "with all hinges as in their last structures the constraints "
                                      "cannot be fulfilled: it begins as the first replica does\n");
        goto done;
    }
    CARDO_TRY(cardo_realize(plan->system, sampling->other, CARDO_STAGE_POSITION, error));
    if (!bring_into_range(sampling, sampling->other)) {
        cardo_sampling_note(sampling,
                            "with all hinges as in their last structures the variable cannot be "
                            "brought into the range: it begins as the first replica does\n");
        goto done;
    }
    CARDO_TRY(open_probe(plan, &probe, error));
    cardo_state_copy(probe.state, plan->start);
    CARDO_TRY(look(&probe, &own, error));
    cardo_state_copy(probe.state, sampling->other);
    CARDO_TRY(look(&probe, &other, error));
    if (!(other <= own + sampling->options.highest_start)) {
        cardo_sampling_note(sampling,
                            "with all hinges as in their last structures the energy is %.3g kJ/mol "
                            "above the start's (highest-start is %g): it begins as the first "
                            "replica does\n",
                            other - own, sampling->options.highest_start);
        goto done;
    }
    CARDO_TRY(look_over_range(sampling, &probe, &highest, error));
    *everywhere = highest <= own + sampling->options.highest_start;
    sampling->plan.start = sampling->walk.start = sampling->other;
    cardo_sampling_note(sampling, "it begins with all hinges as in their last structures%s\n",
                        *everywhere ? "" : ", and from there");
done:
    close_probe(&probe);
    return status;
}
