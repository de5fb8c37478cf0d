#include "multibody/forces/check.h"

static cardo_status check(const cardo_system *system, const void *parameters, cardo_error *error)
{
    const cardo_two_point_constant *p = parameters;
    cardo_status status;
    const double numbers[7] = {p->point1.x, p->point1.y, p->point1.z, p->point2.x,
                               p->point2.y, p->point2.z, p->force};
    CARDO_TRY(cardo_force_check_body(system, p->body1, error));
    CARDO_TRY(cardo_force_check_body(system, p->body2, error));
    CARDO_TRY(cardo_force_check_numbers(numbers, 7, error));
done:
    return status;
}

static double compute(const void *parameters, const cardo_force_work *work)
{
    const cardo_two_point_constant *p = parameters;
    const two_points pair = cardo_force_two_points(work, p->body1, p->point1, p->body2, p->point2);
    if (work->body_forces)
        cardo_force_pull(work, p->body1, p->body2, &pair, p->force);
    return p->force * pair.distance;
}

const cardo_force_element cardo_force_two_point_constant = {
    .name = "two-point-constant",
    .doc = "constant force along the line between two points",
    .parameter_size = sizeof(cardo_two_point_constant),
    .check = check,
    .compute = compute,
};
