#include "dynamics/bath.h"

#include "dynamics/velocities.h"
#include "multibody/operators.h"

#include <math.h>

int cardo_bath_keep_count(int nq, int nu)
{
    (void)nq;
    (void)nu;
    return 1;
}

double cardo_bath_energy(const cardo_integration *run)
{
    return run->keep[0];
}

/* Sets u and books what that gave. */
static cardo_status give(cardo_integration *run, const double *u, cardo_error *error)
{
    double before, after;
    cardo_status status = cardo_kinetic_energy(run->system, run->state, &before, error);
    if (status != CARDO_OK)
        return status;
    cardo_state_set_u(run->state, u);
    status = cardo_realize(run->system, run->state, CARDO_STAGE_DYNAMICS, error);
    if (status == CARDO_OK)
        status = cardo_kinetic_energy(run->system, run->state, &after, error);
    if (status == CARDO_OK)
        run->keep[0] += after - before;
    return status;
}

/* noise is sqrt(1 - c^2), which a c near 1 no longer holds. */
static cardo_status refresh(cardo_integration *run, double c, double noise, cardo_error *error)
{
    double *xi = run->work, *u = xi + run->nu, *mean = u + run->nu;
    cardo_status status = cardo_driven_speeds(run->system, run->state, xi, mean, error);
    if (status != CARDO_OK)
        return status;
    cardo_random_normal(&run->random, run->nu, xi);
    status = cardo_multiply_sqrt_minv(run->system, run->state, xi, u, error);
    if (status != CARDO_OK)
        return status;
    const double *old = cardo_state_u(run->state), amplitude = noise * sqrt(run->kT);
    for (int k = 0; k < run->nu; ++k)
        u[k] = mean[k] + (c * (old[k] - mean[k]) + amplitude * u[k]);
    return give(run, u, error);
}

cardo_status cardo_bath_refresh(cardo_integration *run, double c, cardo_error *error)
{
    return refresh(run, c, sqrt(1.0 - c * c), error);
}

cardo_status cardo_bath_rub(cardo_integration *run, double rate, double time, cardo_error *error)
{
    double decay = rate * time;
    return refresh(run, exp(-decay), sqrt(-expm1(-2.0 * decay)), error);
}

cardo_status cardo_bath_kinetic(cardo_integration *run, double *kinetic, cardo_error *error)
{
    return cardo_thermal_energy(run->system, run->state, run->work, kinetic, error);
}

cardo_status cardo_bath_scale(cardo_integration *run, double factor, cardo_error *error)
{
    double *u = run->work, *mean = u + run->nu;
    cardo_status status = cardo_driven_speeds(run->system, run->state, u, mean, error);
    if (status != CARDO_OK)
        return status;
    const double *old = cardo_state_u(run->state);
    for (int k = 0; k < run->nu; ++k)
        u[k] = mean[k] + factor * (old[k] - mean[k]);
    return give(run, u, error);
}
