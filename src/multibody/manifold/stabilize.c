/* Stabilization as an option of a system, and what it does between steps (cardo/stabilization.h). */
#include "cardo/stabilization.h"

#include "base/number.h"
#include "cardo/manifold.h"
#include "multibody/manifold/operations.h"
#include "multibody/manifold/partition.h"
#include "multibody/manifold/set.h"

#include <math.h>

static const double default_tolerance = 1e-13;

const char *cardo_stabilization_name(cardo_stabilization_method method)
{
    static const char *const names[] = {"projection",           "baumgarte",    "penalty",
                                        "augmented-lagrangian", "partitioning", "null-space"};
    return method >= 0 && method < CARDO_STABILIZATION_METHODS ? names[method] : "none";
}

static cardo_status check(const cardo_stabilization *s, cardo_error *error)
{
    const bool penalized = s->method == CARDO_STABILIZATION_PENALTY ||
                           s->method == CARDO_STABILIZATION_AUGMENTED_LAGRANGIAN;
    const char *name = cardo_stabilization_name(s->method);
    if (s->method < 0 || s->method >= CARDO_STABILIZATION_METHODS)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there is no method of stabilization %d",
                          (int)s->method);
    if (!(isfinite(s->alpha) && isfinite(s->beta) && isfinite(s->omega) && isfinite(s->mu)))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "%s: alpha %g, beta %g, omega %g and mu %g must be numbers", name,
                          s->alpha, s->beta, s->omega, s->mu);
    if (penalized && !(s->stiffness > 0 && isfinite(s->stiffness)))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s: a stiffness of %g is not positive",
                          name, s->stiffness);
    if (s->method == CARDO_STABILIZATION_AUGMENTED_LAGRANGIAN && s->solves < 1)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s: %d solves are not one or more", name,
                          s->solves);
    return CARDO_OK;
}

cardo_status cardo_system_set_stabilization(cardo_system *system,
                                            const cardo_stabilization *stabilization,
                                            cardo_error *error)
{
    cardo_status status;
    if (system->finalized)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "the system is finalized: how it is stabilized is said before that");
    CARDO_TRY(check(stabilization, error));
    CARDO_TRY(cardo_constraint_make_list(system, error));
    ((constraint_list *)system->constraints)->stabilization = *stabilization;
done:
    return status;
}

cardo_stabilization cardo_system_stabilization(const cardo_system *system)
{
    return system->constraints ? list_of(system)->stabilization : (cardo_stabilization){0};
}

/* Velocity errors are known to rounding of the speeds. */
static double of_speeds(const cardo_state *state, double tolerance)
{
    double most = 1;
    for (int j = 0; j < state->system->nu; ++j)
        most = fmax(most, fabs(state->u[j]));
    return tolerance * most;
}

cardo_status cardo_stabilize(const cardo_system *system, cardo_state *state, double tolerance,
                             cardo_error *error)
{
    const double least = tolerance > 0 ? tolerance : default_tolerance;
    cardo_status status = CARDO_OK;
    if (!system->constraints)
        return CARDO_OK;
    switch (list_of(system)->stabilization.method) {
    case CARDO_STABILIZATION_PROJECTION:
        CARDO_TRY(cardo_project_q(system, state, least, error));
        CARDO_TRY(cardo_project_u(system, state, of_speeds(state, least), error));
        break;
    case CARDO_STABILIZATION_NULL_SPACE:
        CARDO_TRY(cardo_project_u(system, state, of_speeds(state, least), error));
        break;
    case CARDO_STABILIZATION_PARTITIONING:
        CARDO_TRY(cardo_partition_q(system, state, least, error));
        CARDO_TRY(cardo_partition_u(system, state, of_speeds(state, least), error));
        break;
    default:
        break;
    }
done:
    return status;
}

cardo_status cardo_stabilize_stage(const cardo_system *system, cardo_state *state, double tolerance,
                                   cardo_error *error)
{
    if (!system->constraints ||
        list_of(system)->stabilization.method != CARDO_STABILIZATION_PARTITIONING)
        return CARDO_OK;
    return cardo_stabilize(system, state, tolerance, error);
}

cardo_status cardo_baumgarte_by_z_plane(int stages, double h, double *alpha, double *beta,
                                        cardo_error *error)
{
    /* zeros of 1 + z, 1 + z + z^2/2, and of 1 + z + z^2/2 + z^3/6 + z^4/24 the pair with the larger damping: minus its real part, and its modulus */
    static const double places[5][2] = {[1] = {1, 1},
                                        [2] = {1, 1.4142135623730951},
                                        [4] = {1.7294442310677056, 1.9445443655968941}};
    if ((stages != 1 && stages != 2 && stages != 4) || !(h > 0) || !isfinite(h))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "%d stages and a step of %g: stages are 1, 2 or 4, and the step more "
                          "than 0",
                          stages, h);
    *alpha = places[stages][0] / h;
    *beta = places[stages][1] / h;
    return CARDO_OK;
}
