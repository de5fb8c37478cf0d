#include "dynamics/integrators/explicit.h"

static cardo_status heun_step(cardo_integration *run, cardo_error *error)
{
    static const cardo_runge_kutta heun = {2, {0, 1}, {0.5, 0.5}};
    return cardo_runge_kutta_step(run, &heun, error);
}

const cardo_integrator cardo_integrator_heun = {
    .name = "heun",
    .doc = "Heun's method, second order: for comparison",
    .citation = "Heun 1900",
    .traits = CARDO_INTEGRATOR_STABILIZED,
    .evaluations = 2,
    .work_count = cardo_runge_kutta_work_count,
    .step = heun_step,
};
