#include "dynamics/integrators/explicit.h"

static cardo_status rk4_step(cardo_integration *run, cardo_error *error)
{
    return cardo_runge_kutta_step(run, &cardo_runge_kutta_4, error);
}

const cardo_integrator cardo_integrator_rk4 = {
    .name = "rk4",
    .doc = "classical Runge-Kutta method, fourth order: accurate over short times, energy drifts",
    .citation = "Kutta 1901",
    .traits = CARDO_INTEGRATOR_STABILIZED,
    .evaluations = 4,
    .work_count = cardo_runge_kutta_work_count,
    .step = rk4_step,
};
