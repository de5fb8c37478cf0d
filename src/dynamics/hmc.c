#include "dynamics/bath.h"
#include "dynamics/metropolis.h"

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
    {"flights", CARDO_FIELD_INT, offsetof(cardo_monte_carlo_options, flights), "", "10", 1, 1e6,
     NULL, "steps in a move; a move counts as one step of the run"},
    {"jitter", CARDO_FIELD_DOUBLE, offsetof(cardo_monte_carlo_options, jitter), "", "0.1", 0, 0.9,
     NULL, "fraction by which the time step varies at random from move to move"},
    {"propagator", CARDO_FIELD_CHOICE, offsetof(cardo_monte_carlo_options, propagator), "",
     "verlet", 0, 0, cardo_propagator_choices,
     "how a move flies: verlet, or leapfrog with the check that each step leads back"},
    {"burn-in", CARDO_FIELD_INT, offsetof(cardo_monte_carlo_options, burn_in), "", "0", 0, 1e9,
     NULL, "first moves, in which the time step is adapted; they are not to be analysed"},
    {"acceptance", CARDO_FIELD_DOUBLE, offsetof(cardo_monte_carlo_options, acceptance), "", "0.8",
     0.05, 0.99, NULL, "fraction of moves to be accepted, to which burn-in adapts the time step"},
    {"flight-tolerance", CARDO_FIELD_DOUBLE,
     offsetof(cardo_monte_carlo_options, verlet.flight_tolerance), "", "1e-9", 1e-14, 1e-3, NULL,
     "relative accuracy of the free motion between the kicks of the forces"},
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
