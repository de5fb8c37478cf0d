#include "dynamics/coordinates/velocities.h"

#include "base/memory.h"
#include "dynamics/coordinates/constrained.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"

#include <math.h>

cardo_status cardo_driven_speeds(const cardo_system *system, const cardo_state *state,
                                 double *scratch, double *speeds, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int nu = cardo_system_nu(system);
    const double *u = cardo_state_u(state);
    for (int k = 0; k < nu; ++k)
        speeds[k] = 0;
    if (cardo_system_nprescribed(system) == 0)
        return cardo_is_constrained(system) ? cardo_project_speeds(system, state, speeds, error)
                                            : CARDO_OK;
    /* M^-1 is that of the free ones, with zeros for the prescribed: so M^-1 M takes away what of
     * the speeds is not driven. */
    status = cardo_multiply_m(system, state, u, scratch, error);
    if (status == CARDO_OK)
        status = cardo_multiply_minv(system, state, scratch, speeds, error);
    for (int k = 0; k < nu; ++k)
        speeds[k] = u[k] - speeds[k];
    if (status == CARDO_OK && cardo_is_constrained(system))
        status = cardo_project_speeds(system, state, speeds, error);
    return status;
}

/* The same where constraints drive the system too. */
static cardo_status constrained_thermal_energy(const cardo_system *system, const cardo_state *state,
                                               double *scratch, double *energy, cardo_error *error)
{
    const int nu = cardo_system_nu(system);
    double *momenta = scratch, *own = scratch + nu;
    const double *u = cardo_state_u(state);
    cardo_status status = cardo_driven_speeds(system, state, momenta, own, error);
    for (int k = 0; k < nu; ++k)
        own[k] = u[k] - own[k];
    if (status == CARDO_OK)
        status = cardo_multiply_m(system, state, own, momenta, error);
    *energy = 0;
    for (int k = 0; status == CARDO_OK && k < nu; ++k)
        *energy += 0.5 * own[k] * momenta[k];
    return status;
}

cardo_status cardo_thermal_energy(const cardo_system *system, const cardo_state *state,
                                  double *scratch, double *energy, cardo_error *error)
{
    int nu = cardo_system_nu(system);
    double *momenta = scratch, *own = scratch + nu;
    if (cardo_is_constrained(system))
        return constrained_thermal_energy(system, state, scratch, energy, error);
    if (cardo_system_nprescribed(system) == 0)
        return cardo_kinetic_energy(system, state, energy, error);
    cardo_status status = cardo_multiply_m(system, state, cardo_state_u(state), momenta, error);
    if (status == CARDO_OK)
        status = cardo_multiply_minv(system, state, momenta, own, error);
    *energy = 0;
    for (int k = 0; status == CARDO_OK && k < nu; ++k)
        *energy += 0.5 * own[k] * momenta[k];
    return status;
}

cardo_status cardo_draw_velocities(const cardo_system *system, cardo_state *state, double kT,
                                   cardo_random *random, cardo_error *error)
{
    cardo_status status;
    int nu = cardo_system_nu(system);
    double *work = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&work, 3 * (size_t)nu, error));
    cardo_state_prescribe(system, state);
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, error));
    if (nu > 0) {
        double *xi = work, *u = work + nu, *mean = u + nu;
        CARDO_TRY(cardo_driven_speeds(system, state, xi, mean, error));
        cardo_random_normal(random, nu, xi);
        CARDO_TRY(cardo_multiply_sqrt_minv(system, state, xi, u, error));
        if (cardo_is_constrained(system))
            CARDO_TRY(cardo_project_free_speeds(system, state, u, error));
        for (int k = 0; k < nu; ++k)
            u[k] = mean[k] + sqrt(kT) * u[k];
        cardo_state_set_u(state, u);
    }
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_VELOCITY, error));
done:
    cardo_free(work);
    return status;
}
