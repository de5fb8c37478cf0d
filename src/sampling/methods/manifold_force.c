#include "sampling/methods/manifold_force.h"

#include "base/memory.h"
#include "cardo/manifold.h"
#include "multibody/tree/operators.h"
#include "sampling/variables/response.h"

#include <string.h>

cardo_status cardo_manifold_force_open(const cardo_system *system, cardo_manifold_force *out,
                                       cardo_error *error)
{
    cardo_status status;
    const int nu = cardo_system_nu(system);
    *out = (cardo_manifold_force){.system = system};
    CARDO_TRY(cardo_state_create(system, &out->state, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->gradient, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->response, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->direction, nu, error));
done:
    return status;
}

void cardo_manifold_force_clear(cardo_manifold_force *self)
{
    cardo_state_destroy(self->state);
    cardo_free(self->gradient);
    cardo_free(self->response);
    cardo_free(self->direction);
    *self = (cardo_manifold_force){0};
}

/* Acceleration of one mobility where gravity alone acts, at speeds that obey the constraints. */
static cardo_status accelerate(cardo_manifold_force *self, int speed, const double *speeds,
                               double *value, cardo_error *error)
{
    cardo_state_set_u(self->state, speeds);
    cardo_status status = cardo_realize(self->system, self->state, CARDO_STAGE_ACCELERATION, error);
    *value = status == CARDO_OK ? cardo_state_udot(self->state)[speed] : 0;
    return status;
}

/* The sum over directions t_i: W e_i, W W^T = M^-1, without what constraints forbid. */
static cardo_status sum_accelerations(cardo_manifold_force *self, int speed, double *sum,
                                      cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const int nu = cardo_system_nu(self->system);
    double *unit = self->gradient, one;
    *sum = 0;
    for (int i = 0; i < nu; ++i) {
        for (int k = 0; k < nu; ++k)
            unit[k] = k == i;
        CARDO_TRY(
            cardo_multiply_sqrt_minv(self->system, self->state, unit, self->direction, error));
        CARDO_TRY(cardo_project_free_speeds(self->system, self->state, self->direction, error));
        CARDO_TRY(accelerate(self, speed, self->direction, &one, error));
        *sum += one;
    }
done:
    return status;
}

cardo_status cardo_manifold_force_sample(cardo_manifold_force *self, const cardo_state *state,
                                         int speed, const double *resisting, double kT,
                                         double *force, cardo_error *error)
{
    cardo_status status;
    double rate, rest, along, sum;
    const int nu = cardo_system_nu(self->system);
    *force = 0;
    for (int k = 0; k < nu; ++k)
        self->gradient[k] = k == speed;
    cardo_state_copy(self->state, state);
    cardo_state_set_forces(self->state, NULL, NULL);
    CARDO_TRY(cardo_variable_response(self->system, self->state, self->gradient, self->response,
                                      &rate, error));
    if (!(rate > 0)) {
        status = CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                            "constraints hold the coordinate where it is: it has no mean force");
        goto done;
    }
    for (int k = 0; k < nu; ++k)
        *force += self->response[k] * resisting[k] / (rate * kT);
    CARDO_TRY(accelerate(self, speed, self->response, &along, error));
    memset(self->gradient, 0, (size_t)nu * sizeof *self->gradient);
    CARDO_TRY(accelerate(self, speed, self->gradient, &rest, error));
    CARDO_TRY(sum_accelerations(self, speed, &sum, error));
    *force -= (sum - nu * rest - 2 * (along - rest) / rate) / rate;
done:
    return status;
}
