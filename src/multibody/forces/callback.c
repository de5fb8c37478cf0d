#include "multibody/forces/check.h"

static cardo_status check(const cardo_system *system, const void *parameters, cardo_error *error)
{
    const cardo_force_callback_parameters *p = parameters;
    (void)system;
    if (!p->compute)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there is no function to call");
    return CARDO_OK;
}

static double compute(const void *parameters, const cardo_force_work *work)
{
    const cardo_force_callback_parameters *p = parameters;
    return p->compute(p->user, work);
}

const cardo_force_element cardo_force_callback = {
    .name = "callback",
    .doc = "the user's own forces",
    .parameter_size = sizeof(cardo_force_callback_parameters),
    .check = check,
    .compute = compute,
};
