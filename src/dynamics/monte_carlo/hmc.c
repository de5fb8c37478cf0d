#include "dynamics/monte_carlo/metropolis.h"
#include "dynamics/thermostats/bath.h"

static cardo_status hmc_step(cardo_integration *run, cardo_error *error)
{
    cardo_status status = cardo_bath_refresh(run, 0.0, error);
    return status == CARDO_OK ? cardo_metropolis_move(run, run->options, error) : status;
}

static cardo_status hmc_start(cardo_integration *run, cardo_error *error)
{
    return cardo_metropolis_start(run, run->options, error);
}

static const cardo_field hmc_fields[] = {
    CARDO_MONTE_CARLO_FIELDS(cardo_monte_carlo_options, , "10", "0.1"),
    {0},
};

const cardo_integrator cardo_integrator_hmc = {
    .name = "hmc",
    .doc =
        "hybrid Monte Carlo: flights of symplectic steps, accepted by their energy error; exact at "
        "any time step",
    .citation = "Duane, Kennedy, Pendleton, Roweth 1987",
    .traits = CARDO_INTEGRATOR_THERMOSTAT | CARDO_INTEGRATOR_STOCHASTIC | CARDO_INTEGRATOR_WARM |
              CARDO_INTEGRATOR_REJECTS,
    .evaluations = 10,
    .fields = hmc_fields,
    .options_size = sizeof(cardo_monte_carlo_options),
    .keep_count = cardo_metropolis_keep_count,
    .work_count = cardo_metropolis_work_count,
    .start = hmc_start,
    .step = hmc_step,
    .bath_energy = cardo_bath_energy,
    .report = cardo_metropolis_report,
};
