#include "dynamics/verlet_step.h"

#include "multibody/operators.h"

#include <math.h>

/* keep[0]: energy that the bath has given so far. */
static int langevin_keep_count(int nq, int nu)
{
    (void)nq;
    (void)nu;
    return 1;
}

/* The O steps need two arrays of nu, but never while the Verlet step needs its own. */
static int langevin_work_count(int nq, int nu)
{
    return cardo_verlet_work_count(nq, nu);
}

/* Exact Ornstein-Uhlenbeck motion over half a step: u <- a u + sqrt(1 - a^2) sqrt(kT) M^{-1/2} xi
 * with a = exp(-friction h/2); holds for any M(q) since q stands still. Books the energy with the
 * bath. */
static cardo_status half_bath(cardo_integration *run, cardo_error *error)
{
    const cardo_langevin_options *options = run->options;
    double *xi = run->work, *u = xi + run->nu;
    double decay = options->friction * run->timestep * 0.5;
    double keep = exp(-decay), noise = sqrt(-expm1(-2.0 * decay) * run->kT);
    double before, after;
    cardo_status status = cardo_kinetic_energy(run->system, run->state, &before, error);
    if (status != CARDO_OK)
        return status;
    cardo_random_normal(&run->random, run->nu, xi);
    status = cardo_multiply_sqrt_minv(run->system, run->state, xi, u, error);
    if (status != CARDO_OK)
        return status;
    const double *old = cardo_state_u(run->state);
    for (int k = 0; k < run->nu; ++k)
        u[k] = keep * old[k] + noise * u[k];
    cardo_state_set_u(run->state, u);
    status = cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_kinetic_energy(run->system, run->state, &after, error);
    run->keep[0] += after - before;
    return status;
}

static cardo_status langevin_step(cardo_integration *run, cardo_error *error)
{
    const cardo_langevin_options *options = run->options;
    cardo_status status = half_bath(run, error);
    if (status == CARDO_OK)
        status = cardo_verlet_step(run, &options->verlet, error);
    return status == CARDO_OK ? half_bath(run, error) : status;
}

static double langevin_bath_energy(const cardo_integration *run)
{
    return run->keep[0];
}

static const cardo_field langevin_fields[] = {
    {"friction", CARDO_FIELD_DOUBLE, offsetof(cardo_langevin_options, friction), "1/ps", "1", 0,
     1e6, NULL, "rate at which the bath takes momentum"},
    {"flight-tolerance", CARDO_FIELD_DOUBLE,
     offsetof(cardo_langevin_options, verlet.flight_tolerance), "", "1e-9", 1e-14, 1e-3, NULL,
     "relative accuracy of the free motion between the kicks of the forces"},
    {0},
};

const cardo_integrator cardo_integrator_langevin = {
    .name = "langevin",
    .doc = "Langevin dynamics, OBABO splitting with exact friction and noise: constant temperature",
    .citation = "Bussi, Parrinello 2007",
    .traits = CARDO_INTEGRATOR_THERMOSTAT | CARDO_INTEGRATOR_STOCHASTIC,
    .evaluations = 1,
    .fields = langevin_fields,
    .options_size = sizeof(cardo_langevin_options),
    .keep_count = langevin_keep_count,
    .work_count = langevin_work_count,
    .step = langevin_step,
    .bath_energy = langevin_bath_energy,
};
