#include "multibody/forces/check.h"

static cardo_status check(const cardo_system *system, const void *parameters, cardo_error *error)
{
    const cardo_mobility_constant *p = parameters;
    cardo_status status;
    CARDO_TRY(cardo_force_check_mobility(system, p->body, p->mobility, error));
    CARDO_TRY(cardo_force_check_numbers(&p->force, 1, error));
done:
    return status;
}

static double compute(const void *parameters, const cardo_force_work *work)
{
    const cardo_mobility_constant *p = parameters;
    if (!work->mobility_forces)
        return 0;
    cardo_body_info info;
    cardo_system_body(work->system, p->body, &info);
    work->mobility_forces[info.u_first + p->mobility] += p->force;
    return 0;
}

const cardo_force_element cardo_force_mobility_constant = {
    .name = "mobility-constant",
    .doc = "constant generalized force on a speed",
    .parameter_size = sizeof(cardo_mobility_constant),
    .check = check,
    .compute = compute,
};
