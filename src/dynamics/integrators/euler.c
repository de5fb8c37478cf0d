#include "dynamics/integrators/explicit.h"

static cardo_status euler_step(cardo_integration *run, cardo_error *error)
{
    static const cardo_runge_kutta euler = {1, {0}, {1}};
    return cardo_runge_kutta_step(run, &euler, error);
}

const cardo_integrator cardo_integrator_euler = {
    .name = "euler",
    .doc = "Euler's forward method, first order: to see how energy goes wrong",
    .citation = "Euler 1768",
    .traits = CARDO_INTEGRATOR_STABILIZED,
    .evaluations = 1,
    .work_count = cardo_runge_kutta_work_count,
    .step = euler_step,
};
