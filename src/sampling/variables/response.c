#include "sampling/variables/response.h"

#include "cardo/manifold.h"
#include "multibody/tree/operators.h"

bool cardo_is_constrained(const cardo_system *system)
{
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(system, &counts);
    return counts.nrow > 0;
}

cardo_status cardo_variable_response(const cardo_system *system, const cardo_state *state,
                                     const double *gradient, double *response, double *rate,
                                     cardo_error *error)
{
    cardo_status status = cardo_multiply_minv(system, state, gradient, response, error);
    if (status == CARDO_OK && cardo_is_constrained(system))
        status = cardo_project_free_speeds(system, state, response, error);
    *rate = 0;
    for (int k = 0; k < cardo_system_nu(system); ++k)
        *rate += gradient[k] * response[k];
    return status;
}
