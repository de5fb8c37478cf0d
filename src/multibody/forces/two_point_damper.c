#include "multibody/forces/check.h"

static cardo_status check(const cardo_system *system, const void *parameters, cardo_error *error)
{
    const cardo_two_point_damper *p = parameters;
    cardo_status status;
    const double numbers[8] = {p->point1.x, p->point1.y, p->point1.z, p->point2.x,
                               p->point2.y, p->point2.z, p->damping,  0};
    CARDO_TRY(cardo_force_check_body(system, p->body1, error));
    CARDO_TRY(cardo_force_check_body(system, p->body2, error));
    CARDO_TRY(cardo_force_check_numbers(numbers, 8, error));
done:
    return status;
}

static double compute(const void *parameters, const cardo_force_work *work)
{
    const cardo_two_point_damper *p = parameters;
    if (!work->body_forces)
        return 0;
    const two_points pair = cardo_force_two_points(work, p->body1, p->point1, p->body2, p->point2);
    cardo_force_pull(work, p->body1, p->body2, &pair, p->damping * pair.rate);
    return 0;
}

const cardo_force_element cardo_force_two_point_damper = {
    .name = "two-point-damper",
    .doc = "linear damper between two points",
    .parameter_size = sizeof(cardo_two_point_damper),
    .check = check,
    .compute = compute,
};
