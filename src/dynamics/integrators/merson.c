#include "dynamics/integrators/adaptive.h"

static cardo_status merson_open(cardo_integration *run, cardo_error *error)
{
    return cardo_adaptive_open(run, CARDO_ODE_MERSON, error);
}

const cardo_integrator cardo_integrator_merson = {
    .name = "rk-merson",
    .doc = "Merson's Runge-Kutta method 4(3) with error control: general, robust to jumps of force",
    .citation = "Merson 1957; Gardner et al. 2022 (ARKODE)",
    .traits = CARDO_INTEGRATOR_ADAPTIVE,
    .fields = cardo_adaptive_fields,
    .options_size = sizeof(cardo_adaptive_options),
    .keep_count = cardo_adaptive_keep_count,
    .work_count = cardo_adaptive_work_count,
    .open = merson_open,
    .close = cardo_adaptive_close,
    .start = cardo_adaptive_start,
    .forget = cardo_adaptive_forget,
    .step = cardo_adaptive_step,
    .report = cardo_adaptive_report,
};
