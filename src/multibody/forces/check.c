#include "multibody/forces/check.h"

cardo_status cardo_force_check_body(const cardo_system *system, int body, cardo_error *error)
{
    if (body >= 0 && body < cardo_system_nbody(system))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there is no body %d: the last is %d", body,
                      cardo_system_nbody(system) - 1);
}

cardo_status cardo_force_check_mobility(const cardo_system *system, int body, int mobility,
                                        cardo_error *error)
{
    cardo_status status = cardo_force_check_body(system, body, error);
    if (status != CARDO_OK)
        return status;
    cardo_body_info info;
    cardo_system_body(system, body, &info);
    if (mobility >= 0 && mobility < info.nu)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "body %d has no speed number %d: it has %d",
                      body, mobility, info.nu);
}

cardo_status cardo_force_check_numbers(const double *numbers, int n, cardo_error *error)
{
    for (int i = 0; i < n; ++i)
        if (!isfinite(numbers[i]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a parameter is %g", numbers[i]);
    return CARDO_OK;
}

two_points cardo_force_two_points(const cardo_force_work *work, int body1, cardo_vec3 point1,
                                  int body2, cardo_vec3 point2)
{
    const cardo_transform *X1 = &work->X_GB[body1], *X2 = &work->X_GB[body2];
    two_points pair = {.arm1 = m33_mul_v3(X1->R, point1), .arm2 = m33_mul_v3(X2->R, point2)};
    const cardo_vec3 line = v3_sub(v3_add(X2->p, pair.arm2), v3_add(X1->p, pair.arm1));
    pair.distance = v3_norm(line);
    /* two points at one place pull in no direction */
    pair.along = pair.distance > 0 ? v3_scale(1.0 / pair.distance, line) : v3(0, 0, 0);
    if (work->V_GB) {
        const cardo_spatial *V1 = &work->V_GB[body1], *V2 = &work->V_GB[body2];
        const cardo_vec3 v1 = v3_add(V1->linear, v3_cross(V1->angular, pair.arm1));
        const cardo_vec3 v2 = v3_add(V2->linear, v3_cross(V2->angular, pair.arm2));
        pair.rate = v3_dot(pair.along, v3_sub(v2, v1));
    }
    return pair;
}

void cardo_force_pull(const cardo_force_work *work, int body1, int body2, const two_points *pair,
                      double pull)
{
    const cardo_vec3 f = v3_scale(pull, pair->along);
    const cardo_spatial on1 = {v3_cross(pair->arm1, f), f}, on2 = {v3_cross(pair->arm2, f), f};
    work->body_forces[body1] = spatial_add(work->body_forces[body1], on1);
    work->body_forces[body2] = spatial_sub(work->body_forces[body2], on2);
}
