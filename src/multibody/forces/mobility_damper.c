#include "multibody/forces/check.h"

static cardo_status check(const cardo_system *system, const void *parameters, cardo_error *error)
{
    const cardo_mobility_damper *p = parameters;
    cardo_status status;
    CARDO_TRY(cardo_force_check_mobility(system, p->body, p->mobility, error));
    CARDO_TRY(cardo_force_check_numbers(&p->damping, 1, error));
done:
    return status;
}

static double compute(const void *parameters, const cardo_force_work *work)
{
    const cardo_mobility_damper *p = parameters;
    if (!work->mobility_forces)
        return 0;
    cardo_body_info info;
    cardo_system_body(work->system, p->body, &info);
    const int j = info.u_first + p->mobility;
    work->mobility_forces[j] -= p->damping * work->u[j];
    return 0;
}

const cardo_force_element cardo_force_mobility_damper = {
    .name = "mobility-damper",
    .doc = "linear damper on a speed",
    .parameter_size = sizeof(cardo_mobility_damper),
    .check = check,
    .compute = compute,
};
