#include "dynamics/monte_carlo/metropolis.h"
#include "dynamics/thermostats/bath.h"

static cardo_status ghmc_step(cardo_integration *run, cardo_error *error)
{
    const cardo_ghmc_options *options = run->options;
    double time = run->timestep * options->move.flights;
    cardo_status status = cardo_bath_rub(run, options->friction, time, error);
    return status == CARDO_OK ? cardo_metropolis_move(run, &options->move, error) : status;
}

static cardo_status ghmc_start(cardo_integration *run, cardo_error *error)
{
    const cardo_ghmc_options *options = run->options;
    return cardo_metropolis_start(run, &options->move, error);
}

static const cardo_field ghmc_fields[] = {
    {"friction", CARDO_FIELD_DOUBLE, offsetof(cardo_ghmc_options, friction), "1/ps", "1", 0, 1e6,
     NULL, "rate at which the bath takes momentum"},
    CARDO_MONTE_CARLO_FIELDS(cardo_ghmc_options, move., "1", "0"),
    {0},
};

const cardo_integrator cardo_integrator_ghmc = {
    .name = "ghmc",
    .doc = "generalized hybrid Monte Carlo: Langevin dynamics with steps accepted by their energy "
           "error",
    .citation = "Horowitz 1991",
    .traits = CARDO_INTEGRATOR_THERMOSTAT | CARDO_INTEGRATOR_STOCHASTIC | CARDO_INTEGRATOR_WARM |
              CARDO_INTEGRATOR_REJECTS,
    .evaluations = 1,
    .fields = ghmc_fields,
    .options_size = sizeof(cardo_ghmc_options),
    .bath_field = "friction",
    .bath_steps = 0.1,
    .keep_count = cardo_metropolis_keep_count,
    .work_count = cardo_metropolis_work_count,
    .start = ghmc_start,
    .step = ghmc_step,
    .bath_energy = cardo_bath_energy,
    .report = cardo_metropolis_report,
};
