#include "dynamics/integrators/verlet_step.h"
#include "dynamics/thermostats/bath.h"

#include <math.h>

/* In internal coordinates no single particle can be hit by the bath, since M couples the speeds:
 * all are drawn anew together, at random times. */
static cardo_status andersen_step(cardo_integration *run, cardo_error *error)
{
    const cardo_andersen_options *options = run->options;
    cardo_status status = cardo_verlet_step(run, run->timestep, &options->verlet, error);
    if (status != CARDO_OK)
        return status;
    double chance;
    cardo_random_uniform(&run->random, 1, &chance);
    if (chance >= -expm1(-options->rate * run->timestep))
        return CARDO_OK;
    status = cardo_bath_refresh(run, 0.0, error);
    return status == CARDO_OK
               ? cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error)
               : status;
}

static const cardo_field andersen_fields[] = {
    {"collision-rate", CARDO_FIELD_DOUBLE, offsetof(cardo_andersen_options, rate), "1/ps", "1", 0,
     1e6, NULL, "mean number of times a picosecond at which all speeds are drawn anew"},
    CARDO_FLIGHT_TOLERANCE_FIELD(cardo_andersen_options, verlet.flight_tolerance, "1e-9"),
    {0},
};

const cardo_integrator cardo_integrator_andersen = {
    .name = "andersen",
    .doc = "velocity Verlet with all speeds drawn anew at random times: constant temperature",
    .citation = "Andersen 1980",
    .traits = CARDO_INTEGRATOR_THERMOSTAT | CARDO_INTEGRATOR_STOCHASTIC,
    .evaluations = 1,
    .fields = andersen_fields,
    .options_size = sizeof(cardo_andersen_options),
    .bath_field = "collision-rate",
    .bath_steps = 0.1,
    .keep_count = cardo_bath_keep_count,
    .work_count = cardo_bath_work_count,
    .step = andersen_step,
    .bath_energy = cardo_bath_energy,
};
