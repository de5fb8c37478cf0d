#include "multibody/tree/given_masses.h"

#include "multibody/algebra/mass_matrix.h"
#include "multibody/tree/constraint_set.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/state_internal.h"

#include <math.h>

/* What has no meaning beside a constant mass matrix. */
static cardo_status check(const cardo_system *system, const double *A, cardo_error *error)
{
    const cardo_vec3 g = system->gravity;
    const size_t nu = (size_t)system->nu;
    if (!system->finalized)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a system is finalized before it is given a mass matrix");
    if (system->constraints && system->constraints->count > 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "a system with constraints moves by its bodies' masses alone");
    if (system->nmotion > 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "a system with prescribed motion moves by its bodies' masses alone");
    if (g.x != 0 || g.y != 0 || g.z != 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "a system in a field of gravity moves by its bodies' masses alone");
    for (int k = 1; k < system->nbody; ++k)
        if (system->bodies[k].joint.mobilizer->multiply_n)
            return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                              "body %d%s%s (%s) turns about no fixed axes: its speeds are not the "
                              "rates of its coordinates, which a constant mass matrix needs",
                              k, system->sources[k].name ? " " : "",
                              system->sources[k].name ? system->sources[k].name : "",
                              system->bodies[k].joint.mobilizer->name);
    for (size_t i = 0; i < nu; ++i)
        for (size_t j = 0; j < i; ++j)
            if (!(fabs(A[i * nu + j] - A[j * nu + i]) <=
                  1e-9 * sqrt(fabs(A[i * nu + i] * A[j * nu + j]))))
                return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                                  "the mass matrix is not symmetric in row %zu, column %zu", i, j);
    return CARDO_OK;
}

cardo_status cardo_system_set_mass_matrix(cardo_system *system, const double *A, cardo_error *error)
{
    mass_matrix *masses;
    cardo_status status = check(system, A, error);
    if (status == CARDO_OK)
        status = cardo_mass_matrix_create(system->nu, A, &masses, error);
    if (status != CARDO_OK)
        return status;
    cardo_mass_matrix_destroy(system->masses);
    system->masses = masses;
    return CARDO_OK;
}

const double *cardo_system_mass_matrix(const cardo_system *system)
{
    return system->masses ? system->masses->A : NULL;
}

cardo_status cardo_given_masses_accelerate(const cardo_system *system, cardo_state *state,
                                           cardo_error *error)
{
    state_cache *cache = state->cache;
    double *udot = cache->udot;
    for (int j = 0; j < system->nu; ++j)
        udot[j] = 0;
    if (cache->applied_bodies) {
        cardo_status status = cardo_multiply_jt(system, state, cache->applied_bodies, udot, error);
        if (status != CARDO_OK)
            return status;
    }
    for (int j = 0; cache->applied_mobilities && j < system->nu; ++j)
        udot[j] += cache->applied_mobilities[j];
    cardo_mass_matrix_solve(system->masses, udot, udot);
    cardo_sweep_outward(system, state, udot, spatial_zero(), cache->scratch_a);
    for (int k = 0; k < system->nbody; ++k)
        cache->nodes[k].a = cache->scratch_a[k];
    return CARDO_OK;
}

cardo_status cardo_given_masses_refuse(const cardo_system *system, const char *what,
                                       cardo_error *error)
{
    if (system->masses)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s: a quantity of the bodies' own masses, by which a system with a "
                          "constant mass matrix does not move",
                          what);
    return CARDO_OK;
}
