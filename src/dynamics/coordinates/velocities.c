#include "dynamics/coordinates/velocities.h"

#include "base/memory.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"

#include <math.h>

static bool is_driven(const cardo_system *system)
{
    return cardo_system_nprescribed(system) > 0 || cardo_constraint_row_count(system) > 0;
}

/* What of the speeds is the degrees of freedom's own; momenta: M u. M^-1 is that of the free ones, with zeros for the prescribed:
 * so M^-1 M takes away what of the speeds motions drive. */
static cardo_status own_speeds(const cardo_system *system, const cardo_state *state,
                               const double *momenta, double *own, cardo_error *error)
{
    cardo_status status = cardo_multiply_minv(system, state, momenta, own, error);
    return status == CARDO_OK ? cardo_project_free_speeds(system, state, own, error) : status;
}

cardo_status cardo_driven_speeds(const cardo_system *system, const cardo_state *state,
                                 double *scratch, double *speeds, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int nu = cardo_system_nu(system);
    const double *u = cardo_state_u(state);
    for (int k = 0; k < nu; ++k)
        speeds[k] = 0;
    if (!is_driven(system))
        return CARDO_OK;
    status = cardo_multiply_m(system, state, u, scratch, error);
    if (status == CARDO_OK)
        status = own_speeds(system, state, scratch, speeds, error);
    for (int k = 0; k < nu; ++k)
        speeds[k] = u[k] - speeds[k];
    return status;
}

cardo_status cardo_thermal_energy(const cardo_system *system, const cardo_state *state,
                                  double *scratch, double *energy, cardo_error *error)
{
    int nu = cardo_system_nu(system);
    double *momenta = scratch, *own = scratch + nu;
    if (!is_driven(system))
        return cardo_kinetic_energy(system, state, energy, error);
    cardo_status status = cardo_multiply_m(system, state, cardo_state_u(state), momenta, error);
    if (status == CARDO_OK)
        status = own_speeds(system, state, momenta, own, error);
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
    CARDO_TRY(cardo_begin_on_constraints(system, state, error));
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, error));
    if (nu > 0) {
        double *xi = work, *u = work + nu, *mean = u + nu;
        CARDO_TRY(cardo_driven_speeds(system, state, xi, mean, error));
        cardo_random_normal(random, nu, xi);
        CARDO_TRY(cardo_multiply_sqrt_minv(system, state, xi, u, error));
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
