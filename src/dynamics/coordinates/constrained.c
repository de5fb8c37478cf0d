#include "dynamics/coordinates/constrained.h"

#include "multibody/constraints/parts/descriptor.h"

#include <math.h>

int cardo_constraint_row_count(const cardo_system *system)
{
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(system, &counts);
    return counts.nrow;
}

bool cardo_stays_on_constraints(const cardo_system *system)
{
    const cardo_stabilization_method method = cardo_system_stabilization(system).method;
    return method == CARDO_STABILIZATION_PROJECTION || method == CARDO_STABILIZATION_PARTITIONING;
}

/* Velocity errors are known to rounding of the speeds. */
static double speed_tolerance(const cardo_system *system, const cardo_state *state,
                              double tolerance)
{
    const double *u = cardo_state_u(state);
    double most = 1;
    for (int k = 0; k < cardo_system_nu(system); ++k)
        most = fmax(most, fabs(u[k]));
    return tolerance * most;
}

static cardo_status project_speeds(const cardo_system *system, cardo_state *state, double tolerance,
                                   cardo_error *error)
{
    return cardo_project_u(system, state, speed_tolerance(system, state, tolerance), error);
}

/* A shorter step may do where projection fails. */
static cardo_status recoverable(cardo_status status, cardo_error *error)
{
    if (status != CARDO_ERROR_NUMERICAL)
        return status;
    if (error)
        error->code = CARDO_RECOVERABLE;
    return CARDO_RECOVERABLE;
}

cardo_status cardo_return_to_constraints(const cardo_system *system, cardo_state *state,
                                         double tolerance, cardo_error *error)
{
    cardo_status status;
    if (cardo_constraint_row_count(system) == 0)
        return CARDO_OK;
    status = cardo_stabilize(system, state, tolerance, error);
    if (status == CARDO_OK)
        status = cardo_realize(system, state, CARDO_STAGE_DYNAMICS, error);
    return recoverable(status, error);
}

cardo_status cardo_begin_on_constraints(const cardo_system *system, cardo_state *state,
                                        cardo_error *error)
{
    if (cardo_constraint_row_count(system) == 0 || !cardo_stays_on_constraints(system))
        return CARDO_OK;
    const cardo_assembly_options options = {.size = sizeof options,
                                            .tolerance = CARDO_POSITION_TOLERANCE};
    cardo_assembly made;
    cardo_status status = cardo_assemble_q(system, state, &options, &made, error);
    if (status == CARDO_OK && made.branch)
        return CARDO_FAIL(
            error, CARDO_ERROR_NUMERICAL,
            "the nearest configuration that fulfils the constraints is a branch point, "
            "from where there are several ways to go (rank %d, more near by): start a "
            "little way off",
            made.rank);
    return status == CARDO_OK ? project_speeds(system, state, CARDO_POSITION_TOLERANCE, error)
                              : status;
}

cardo_status cardo_check_way(cardo_branch_watch *watch, cardo_state *state, long long *count,
                             cardo_error *error)
{
    bool passed = false;
    cardo_status status = watch ? cardo_branch_watch_step(watch, state, &passed, error) : CARDO_OK;
    if (count)
        *count += passed;
    else if (status == CARDO_OK && passed)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "the constraints have a branch point on the way of this step, where they "
                          "leave several ways to go and the motion's own is chance: change the "
                          "start, or a length by a little, so that it is passed by, or go on with "
                          "branch-points=pass");
    return status;
}

bool cardo_constraints_reach_ground(const cardo_system *system, const cardo_state *state)
{
    cardo_constraint_info info;
    for (int i = 0; cardo_system_constraint(system, i, &info, NULL) == CARDO_OK; ++i)
        if (info.ancestor == 0 && cardo_state_has_constraint(state, i))
            return true;
    return false;
}

bool cardo_constraints_may_work(const cardo_system *system)
{
    cardo_constraint_info info;
    for (int i = 0; cardo_system_constraint(system, i, &info, NULL) == CARDO_OK; ++i)
        if (info.nvelocity > 0 || info.nacceleration > 0 || info.constraint->moves ||
            info.constraint == cardo_constraint_find("callback"))
            return true;
    return false;
}

static cardo_status refuse(const cardo_constraint_info *info, int index, const char *method,
                           const char *why, cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                      "%s cannot move a system under constraint %d%s%s (%s), %s: use verlet, "
                      "rk-merson, adams or bdf",
                      method, index, info->name ? " " : "", info->name ? info->name : "",
                      cardo_constraint_name(info->constraint), why);
}

cardo_status cardo_require_still_constraints(const cardo_system *system, const cardo_state *state,
                                             const char *method, cardo_error *error)
{
    cardo_constraint_info info;
    for (int i = 0; cardo_system_constraint(system, i, &info, NULL) == CARDO_OK; ++i) {
        if (!cardo_state_has_constraint(state, i))
            continue;
        if (info.nvelocity > 0 || info.nacceleration > 0)
            return refuse(&info, i, method, "which is not one of positions", error);
        if (info.constraint->moves)
            return refuse(&info, i, method, "which moves with time", error);
    }
    return CARDO_OK;
}
