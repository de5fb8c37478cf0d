#include "dynamics/integrators/flight.h"
#include "dynamics/integrators/verlet_step.h"
#include "dynamics/thermostats/bath.h"

static cardo_status fly_half(cardo_integration *run, cardo_error *error)
{
    const cardo_langevin_options *options = run->options;
    return cardo_fly(run, 0.5 * run->timestep, options->verlet.flight_tolerance, error);
}

/* Kick, flight, bath, flight, kick: the bath acts half-way along the flight, where M is another. */
static cardo_status baoab_step(cardo_integration *run, cardo_error *error)
{
    const cardo_langevin_options *options = run->options;
    const double h = run->timestep;
    cardo_status status;
    CARDO_TRY(cardo_kick(run, 0.5 * h, error));
    CARDO_TRY(fly_half(run, error));
    CARDO_TRY(cardo_realize(run->system, run->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_bath_rub(run, options->friction, h, error));
    CARDO_TRY(fly_half(run, error));
    CARDO_TRY(cardo_evaluate(run->evaluator, run->state, error));
    CARDO_TRY(cardo_realize(run->system, run->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_kick(run, 0.5 * h, error));
    CARDO_TRY(cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error));
done:
    return status;
}

const cardo_integrator cardo_integrator_baoab = {
    .name = "baoab",
    .doc = "Langevin dynamics, BAOAB splitting: the more accurate one for coordinates",
    .citation = "Leimkuhler, Matthews 2013",
    .traits = CARDO_INTEGRATOR_THERMOSTAT | CARDO_INTEGRATOR_STOCHASTIC,
    .evaluations = 1,
    .fields = cardo_langevin_fields,
    .options_size = sizeof(cardo_langevin_options),
    .bath_field = "friction",
    .bath_steps = 0.1,
    .keep_count = cardo_bath_keep_count,
    .work_count = cardo_bath_work_count,
    .step = baoab_step,
    .bath_energy = cardo_bath_energy,
};
