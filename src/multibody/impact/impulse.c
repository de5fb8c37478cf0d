/* Impulses by themselves. */
#include "base/memory.h"
#include "cardo/impact.h"
#include "cardo/operators.h"

#include <math.h>
#include <string.h>

cardo_status cardo_impulse_response(const cardo_system *system, const cardo_state *state,
                                    const cardo_spatial *body_impulses,
                                    const double *mobility_impulses, double *change,
                                    cardo_error *error)
{
    /* as accelerations follow from forces, where velocities call for none */
    return cardo_induced_accelerations(system, state, body_impulses, mobility_impulses, change,
                                       error);
}

cardo_status cardo_impulse_for_change(const cardo_system *system, const cardo_state *state,
                                      int ntask, const double *jacobian, const double *wanted,
                                      double *impulses, double *change, cardo_error *error)
{
    cardo_status status;
    const size_t m = (size_t)ntask, nu = (size_t)cardo_system_nu(system);
    double *inertia = NULL, *compliance = NULL, *inverse = NULL;
    if (ntask < 1)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there are no speeds to change");
    CARDO_TRY(CARDO_ALLOCATE(&inertia, m * m, error));
    CARDO_TRY(CARDO_ALLOCATE(&compliance, m * m, error));
    CARDO_TRY(CARDO_ALLOCATE(&inverse, nu * m, error));
    cardo_task task = {.compliance = compliance, .inertia = inertia, .inverse = inverse};
    CARDO_TRY(cardo_operational_space(system, state, ntask, jacobian, &task, error));
    double most = 0, off = 0;
    for (size_t i = 0; i < m; ++i) {
        impulses[i] = 0;
        for (size_t j = 0; j < m; ++j)
            impulses[i] += inertia[i * m + j] * wanted[j];
    }
    for (size_t i = 0; i < m; ++i) {
        double got = -wanted[i];
        for (size_t j = 0; j < m; ++j)
            got += compliance[i * m + j] * impulses[j];
        most = fmax(most, fabs(wanted[i]));
        off = fmax(off, fabs(got));
    }
    if (!(off <= 1e-9 * most))
        status = CARDO_FAIL(error, CARDO_ERROR_SINGULAR,
                            "no impulses along these %d rows change their speeds as wanted: %g of "
                            "%g is left; the rows depend on each other, or on constraints",
                            ntask, off, most);
    for (size_t i = 0; change && i < nu; ++i) {
        change[i] = 0;
        for (size_t j = 0; j < m; ++j)
            change[i] += inverse[i * m + j] * wanted[j];
    }
done:
    cardo_free(inertia);
    cardo_free(compliance);
    cardo_free(inverse);
    return status;
}
