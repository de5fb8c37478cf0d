#include "dynamics/integrators/verlet_step.h"
#include "dynamics/thermostats/bath.h"

static cardo_status langevin_step(cardo_integration *run, cardo_error *error)
{
    const cardo_langevin_options *options = run->options;
    const double h = run->timestep;
    cardo_status status = cardo_bath_rub(run, options->friction, 0.5 * h, error);
    if (status == CARDO_OK)
        status = cardo_verlet_step(run, h, &options->verlet, error);
    if (status == CARDO_OK)
        status = cardo_bath_rub(run, options->friction, 0.5 * h, error);
    return status == CARDO_OK
               ? cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error)
               : status;
}

const cardo_field cardo_langevin_fields[] = {
    {"friction", CARDO_FIELD_DOUBLE, offsetof(cardo_langevin_options, friction), "1/ps", "1", 0,
     1e6, NULL, "rate at which the bath takes momentum"},
    CARDO_FLIGHT_TOLERANCE_FIELD(cardo_langevin_options, verlet.flight_tolerance, "1e-9"),
    {0},
};

const cardo_integrator cardo_integrator_langevin = {
    .name = "langevin",
    .doc = "Langevin dynamics, OBABO splitting with exact friction and noise: constant temperature",
    .citation = "Bussi, Parrinello 2007",
    .traits = CARDO_INTEGRATOR_THERMOSTAT | CARDO_INTEGRATOR_STOCHASTIC,
    .evaluations = 1,
    .fields = cardo_langevin_fields,
    .options_size = sizeof(cardo_langevin_options),
    .bath_field = "friction",
    .bath_steps = 0.1,
    .keep_count = cardo_bath_keep_count,
    .work_count = cardo_bath_work_count,
    .step = langevin_step,
    .bath_energy = cardo_bath_energy,
};
