#include "sampling/methods/manifold_density.h"

#include "base/memory.h"
#include "cardo/manifold.h"
#include "multibody/tree/operators.h"
#include "sampling/variables/response.h"

#include <math.h>

cardo_status cardo_manifold_density_open(const cardo_sampling *sampling,
                                         cardo_manifold_density *out, cardo_error *error)
{
    cardo_status status;
    const int nu = cardo_system_nu(sampling->plan.system);
    const int base = cardo_sampling_base_freedoms(sampling);
    *out = (cardo_manifold_density){.sampling = sampling};
    CARDO_TRY(cardo_state_create(sampling->plan.system, &out->state, error));
    cardo_state_copy(out->state, sampling->plan.start);
    CARDO_TRY(CARDO_ALLOCATE(&out->gradient, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->response, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->columns, base * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->inertia, base * base, error));
done:
    return status;
}

void cardo_manifold_density_clear(cardo_manifold_density *self)
{
    cardo_state_destroy(self->state);
    cardo_free(self->gradient);
    cardo_free(self->response);
    cardo_free(self->columns);
    cardo_free(self->inertia);
}

/* ln det of the free base's block of M, by Cholesky's method. */
static cardo_status log_det_base(cardo_manifold_density *self, double *log_det, cardo_error *error)
{
    const cardo_system *system = self->sampling->plan.system;
    const int nu = cardo_system_nu(system), n = cardo_sampling_base_freedoms(self->sampling);
    double *A = self->inertia;
    cardo_status status = CARDO_OK;
    *log_det = 0;
    for (int i = 0; i < n && status == CARDO_OK; ++i) {
        for (int k = 0; k < nu; ++k)
            self->response[k] = k == i;
        status =
            cardo_multiply_m(system, self->state, self->response, self->columns + i * nu, error);
        for (int j = 0; j < n; ++j)
            A[i * n + j] = self->columns[i * nu + j];
    }
    for (int i = 0; i < n && status == CARDO_OK; ++i) {
        for (int j = 0; j <= i; ++j) {
            for (int k = 0; k < j; ++k)
                A[i * n + j] -= A[i * n + k] * A[j * n + k];
            A[i * n + j] = j < i ? A[i * n + j] / A[j * n + j] : sqrt(A[i * n + i]);
        }
        *log_det += 2 * log(A[i * n + i]);
    }
    return status;
}

/* What the ensemble adds to U, over kT. */
static cardo_status added(cardo_manifold_density *self, double *sum, cardo_error *error)
{
    double log_m = 0, log_y = 0;
    const int ensemble = self->sampling->walk.simulation.ensemble;
    const cardo_system *system = self->sampling->plan.system;
    cardo_status status = CARDO_OK;
    if (ensemble == CARDO_ENSEMBLE_FIXMAN || ensemble == CARDO_ENSEMBLE_FULL)
        status = cardo_log_det_m(system, self->state, &log_m, error);
    if (status == CARDO_OK &&
        (ensemble == CARDO_ENSEMBLE_CLOSURE || ensemble == CARDO_ENSEMBLE_FULL))
        status = cardo_log_det_y(system, self->state, &log_y, error);
    *sum = 0.5 * (log_m + log_y);
    return status;
}

cardo_status cardo_manifold_exponent(cardo_manifold_density *self, double *exponent,
                                     cardo_error *error)
{
    cardo_status status;
    double xi, rate, log_base;
    const cardo_variable *variable = self->sampling->plan.variable;
    const cardo_system *system = self->sampling->plan.system;
    CARDO_TRY(cardo_realize(system, self->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_variable_gradient(variable, self->state, &xi, self->gradient, error));
    CARDO_TRY(log_det_base(self, &log_base, error));
    CARDO_TRY(
        cardo_variable_response(system, self->state, self->gradient, self->response, &rate, error));
    if (!(rate > 0)) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "at %s = %.6g the constraints let nothing move the variable, and its "
                            "density has no bound; take a range without that point",
                            cardo_variable_name(variable), xi);
        goto done;
    }
    CARDO_TRY(added(self, exponent, error));
    *exponent += 0.5 * (log(rate) - log_base);
done:
    return status;
}
