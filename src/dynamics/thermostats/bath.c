#include "dynamics/thermostats/bath.h"

#include "cardo/manifold.h"
#include "dynamics/coordinates/velocities.h"
#include "dynamics/integrators/verlet_step.h"
#include "multibody/tree/operators.h"

#include <math.h>

int cardo_bath_keep_count(int nq, int nu)
{
    (void)nq;
    (void)nu;
    return 1;
}

int cardo_bath_work_count(int nq, int nu)
{
    int verlet = cardo_verlet_work_count(nq, nu);
    return verlet > 4 * nu ? verlet : 4 * nu;
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

/* An Ornstein-Uhlenbeck step: what is left of the speeds, and how much of a thermal draw comes in,
 * sqrt(1 - left^2), which a left near 1 no longer holds. */
typedef struct stir {
    double left, drawn;
} stir;

static stir stir_by(double rate, double time)
{
    const double decay = rate * time;
    return (stir){exp(-decay), sqrt(-expm1(-2.0 * decay))};
}

/* Internal and overall speeds are stirred each by its own: all as the internal ones, and then what
 * the difference makes of the overall ones, their projection. */
static cardo_status refresh(cardo_integration *run, stir internal, stir overall, cardo_error *error)
{
    const int nu = run->nu;
    double *xi = run->work, *u = xi + nu, *mean = u + nu, *momenta = mean + nu;
    const double left = overall.left - internal.left, drawn = overall.drawn - internal.drawn;
    const double thermal = sqrt(run->kT), amplitude = internal.drawn * thermal;
    cardo_status status = cardo_driven_speeds(run->system, run->state, xi, mean, error);
    if (status != CARDO_OK)
        return status;
    cardo_random_normal(&run->random, nu, xi);
    status = cardo_multiply_sqrt_minv(run->system, run->state, xi, u, error);
    if (status == CARDO_OK)
        status = cardo_project_free_speeds(run->system, run->state, u, error);
    if (status != CARDO_OK)
        return status;
    const double *old = cardo_state_u(run->state);
    for (int k = 0; k < nu; ++k) {
        const double own = old[k] - mean[k], draw = u[k];
        u[k] = mean[k] + (internal.left * own + amplitude * draw);
        xi[k] = left * own + drawn * thermal * draw;
    }
    if ((left != 0 || drawn != 0) && !run->tied) {
        status = cardo_multiply_m(run->system, run->state, xi, momenta, error);
        if (status == CARDO_OK)
            status = cardo_overall_speeds(run->system, run->state, momenta, xi, error);
        if (status != CARDO_OK)
            return status;
        for (int k = 0; k < nu; ++k)
            u[k] += xi[k];
    }
    return give(run, u, error);
}

cardo_status cardo_bath_refresh(cardo_integration *run, double c, cardo_error *error)
{
    const stir all = {c, sqrt(1.0 - c * c)};
    return refresh(run, all, all, error);
}

cardo_status cardo_bath_rub(cardo_integration *run, double rate, double time, cardo_error *error)
{
    const stir all = stir_by(rate, time);
    return refresh(run, all, all, error);
}

cardo_status cardo_bath_rub_beside(cardo_integration *run, double relaxation, double time,
                                   cardo_error *error)
{
    const double rate = 0.5 / relaxation;
    const int n = run->internal > 0 ? run->internal : 1;
    return refresh(run, stir_by(rate / n, time), stir_by(rate, time), error);
}

cardo_status cardo_bath_internal(cardo_integration *run, double *speeds, double *kinetic,
                                 cardo_error *error)
{
    const int nu = run->nu;
    double *own = run->work + nu, *momenta = own + nu, *overall = momenta + nu;
    cardo_status status = cardo_driven_speeds(run->system, run->state, momenta, own, error);
    if (status != CARDO_OK)
        return status;
    const double *u = cardo_state_u(run->state);
    for (int k = 0; k < nu; ++k)
        own[k] = u[k] - own[k];
    status = cardo_multiply_m(run->system, run->state, own, momenta, error);
    if (status == CARDO_OK && !run->tied)
        status = cardo_overall_speeds(run->system, run->state, momenta, overall, error);
    for (int k = 0; k < nu && run->tied; ++k)
        overall[k] = 0;
    *kinetic = 0;
    for (int k = 0; k < nu && status == CARDO_OK; ++k) {
        speeds[k] = own[k] - overall[k];
        *kinetic += 0.5 * speeds[k] * momenta[k];
    }
    return status;
}

cardo_status cardo_bath_scale_internal(cardo_integration *run, double factor, const double *speeds,
                                       cardo_error *error)
{
    const double *old = cardo_state_u(run->state);
    double *u = run->work + run->nu;
    for (int k = 0; k < run->nu; ++k)
        u[k] = old[k] + (factor - 1.0) * speeds[k];
    return give(run, u, error);
}
