#include "dynamics/integrators/adaptive.h"

static cardo_status bdf_open(cardo_integration *run, cardo_error *error)
{
    return cardo_adaptive_open(run, CARDO_ODE_BDF, error);
}

const cardo_integrator cardo_integrator_bdf = {
    .name = "bdf",
    .doc = "backward differentiation, order 1 to 5, with error control: for stiff models",
    .citation = "Gear 1971; Hindmarsh et al. 2005 (CVODE)",
    .traits = CARDO_INTEGRATOR_ADAPTIVE,
    .fields = cardo_adaptive_fields,
    .options_size = sizeof(cardo_adaptive_options),
    .keep_count = cardo_adaptive_keep_count,
    .work_count = cardo_adaptive_work_count,
    .open = bdf_open,
    .close = cardo_adaptive_close,
    .start = cardo_adaptive_start,
    .forget = cardo_adaptive_forget,
    .step = cardo_adaptive_step,
    .report = cardo_adaptive_report,
};
