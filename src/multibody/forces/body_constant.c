#include "multibody/forces/check.h"

static cardo_status check(const cardo_system *system, const void *parameters, cardo_error *error)
{
    const cardo_body_constant *p = parameters;
    cardo_status status;
    const double numbers[9] = {p->point.x, p->point.y,  p->point.z,  p->force.x, p->force.y,
                               p->force.z, p->torque.x, p->torque.y, p->torque.z};
    CARDO_TRY(cardo_force_check_body(system, p->body, error));
    CARDO_TRY(cardo_force_check_numbers(numbers, 9, error));
done:
    return status;
}

static double compute(const void *parameters, const cardo_force_work *work)
{
    const cardo_body_constant *p = parameters;
    const cardo_transform *X = &work->X_GB[p->body];
    const cardo_vec3 arm = m33_mul_v3(X->R, p->point);
    if (work->body_forces) {
        const cardo_spatial F = {v3_add(p->torque, v3_cross(arm, p->force)), p->force};
        work->body_forces[p->body] = spatial_add(work->body_forces[p->body], F);
    }
    /* the torque has no potential */
    return -v3_dot(p->force, v3_add(X->p, arm));
}

const cardo_force_element cardo_force_body_constant = {
    .name = "body-constant",
    .doc = "constant force at a point of a body, and constant torque",
    .parameter_size = sizeof(cardo_body_constant),
    .check = check,
    .compute = compute,
};
