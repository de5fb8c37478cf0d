#include "dynamics/velocities.h"

#include "base/memory.h"
#include "multibody/motion.h"
#include "multibody/operators.h"

#include <math.h>
#include <string.h>

cardo_status cardo_driven_speeds(const cardo_system *system, const cardo_state *state,
                                 double *scratch, double *speeds, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int nu = cardo_system_nu(system);
    const double *u = cardo_state_u(state);
    for (int k = 0; k < nu; ++k)
        speeds[k] = 0;
    if (cardo_system_nprescribed(system) == 0)
        return CARDO_OK;
    /* M^-1 is that of the free ones, with zeros for the prescribed: so M^-1 M takes away what of
     * the speeds is not driven. */
    status = cardo_multiply_m(system, state, u, scratch, error);
    if (status == CARDO_OK)
        status = cardo_multiply_minv(system, state, scratch, speeds, error);
    for (int k = 0; k < nu; ++k)
        speeds[k] = u[k] - speeds[k];
    return status;
}

cardo_status cardo_thermal_energy(const cardo_system *system, const cardo_state *state,
                                  double *scratch, double *energy, cardo_error *error)
{
    int nu = cardo_system_nu(system);
    double *momenta = scratch, *own = scratch + nu;
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
        for (int k = 0; k < nu; ++k)
            u[k] = mean[k] + sqrt(kT) * u[k];
        cardo_state_set_u(state, u);
    }
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_VELOCITY, error));
done:
    cardo_free(work);
    return status;
}

/* The first speed of the one free base body. */
static cardo_status find_free_base(const cardo_system *system, int *first, cardo_error *error)
{
    int found = 0;
    for (int body = 1; body < cardo_system_nbody(system); ++body) {
        cardo_body_info info;
        cardo_system_body(system, body, &info);
        if (info.parent != 0 || info.nu == 0)
            continue;
        if (info.mobilizer != &cardo_mobilizer_free)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "overall motion cannot be removed: body %s hangs on ground by a %s, "
                              "not by a free mobilizer",
                              info.name ? info.name : "unnamed",
                              cardo_mobilizer_name(info.mobilizer));
        if (cardo_system_is_prescribed(system, body))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "overall motion cannot be removed: that of body %s is prescribed",
                              info.name ? info.name : "unnamed");
        *first = info.u_first;
        found++;
    }
    if (found != 1)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "overall motion can be removed where one body is free against ground; "
                          "here are %d: set remove-drift to no",
                          found);
    return CARDO_OK;
}

/* Solves the symmetric positive definite 6x6 system A x = b in place by Cholesky factorization. */
static bool solve6(double A[6][6], double b[6])
{
    for (int j = 0; j < 6; ++j) {
        for (int i = j; i < 6; ++i) {
            for (int k = 0; k < j; ++k)
                A[i][j] -= A[i][k] * A[j][k];
            if (i == j && !(A[j][j] > 0.0))
                return false;
            A[i][j] = i == j ? sqrt(A[j][j]) : A[i][j] / A[j][j];
        }
    }
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < i; ++k)
            b[i] -= A[i][k] * b[k];
        b[i] /= A[i][i];
    }
    for (int i = 5; i >= 0; --i) {
        for (int k = i + 1; k < 6; ++k)
            b[i] -= A[k][i] * b[k];
        b[i] /= A[i][i];
    }
    return true;
}

cardo_status cardo_remove_drift(const cardo_system *system, cardo_state *state, cardo_error *error)
{
    cardo_status status;
    int nu = cardo_system_nu(system), first = 0;
    double *work = NULL, base[6][6], momentum[6];
    CARDO_TRY(find_free_base(system, &first, error));
    CARDO_TRY(CARDO_ALLOCATE(&work, 2 * (size_t)nu, error));
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_VELOCITY, error));
    double *u = work, *column = work + nu;
    CARDO_TRY(cardo_multiply_m(system, state, cardo_state_u(state), column, error));
    memcpy(momentum, column + first, sizeof momentum);
    for (int k = 0; k < 6; ++k) {
        memset(u, 0, (size_t)nu * sizeof *u);
        u[first + k] = 1.0;
        CARDO_TRY(cardo_multiply_m(system, state, u, column, error));
        for (int i = 0; i < 6; ++i)
            base[i][k] = column[first + i];
    }
    if (!solve6(base, momentum)) {
        status = CARDO_FAIL(error, CARDO_ERROR_SINGULAR,
                            "overall motion cannot be removed: the whole has no inertia about "
                            "some axis");
        goto done;
    }
    memcpy(u, cardo_state_u(state), (size_t)nu * sizeof *u);
    for (int k = 0; k < 6; ++k)
        u[first + k] -= momentum[k];
    cardo_state_set_u(state, u);
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_VELOCITY, error));
done:
    cardo_free(work);
    return status;
}
