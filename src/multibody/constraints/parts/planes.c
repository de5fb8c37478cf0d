#include "multibody/constraints/parts/planes.h"

#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/placed.h"

cardo_status cardo_constraint_planes_shape(const cardo_system *system, int body1, int body2,
                                           const planes *own, constraint_shape *shape,
                                           cardo_error *error)
{
    cardo_status status = cardo_constraint_check_pair(system, body1, body2, error);
    if (status != CARDO_OK)
        return status;
    shape->nposition = own->count;
    shape->nbody = 2;
    shape->bodies[0] = body1;
    shape->bodies[1] = body2;
    return cardo_constraint_keep(shape, own, sizeof *own, error);
}

void cardo_constraint_planes_position(const void *data, const cardo_constraint_work *work,
                                      double *error)
{
    const planes *p = data;
    const placed_point point = place(&work->X_GB[1], p->point);
    const cardo_vec3 seen = m33_tmul_v3(work->X_GB[0].R, v3_sub(point.at, work->X_GB[0].p));
    for (int i = 0; i < p->count; ++i)
        error[i] = v3_dot(p->normals[i], seen) - p->heights[i];
}

/* The velocity of the point less that of what is there of body 1, along the normals. */
void cardo_constraint_planes_rows(const void *data, const cardo_constraint_work *work,
                                  cardo_constraint_rows *out)
{
    const planes *p = data;
    const placed_point point = place(&work->X_GB[1], p->point);
    const cardo_vec3 arm1 = v3_sub(point.at, work->X_GB[0].p);
    for (int i = 0; i < p->count; ++i) {
        const cardo_vec3 normal = m33_mul_v3(work->X_GB[0].R, p->normals[i]);
        out->bodies[2 * i] = spatial_negative(pull(arm1, normal));
        out->bodies[2 * i + 1] = pull(point.arm, normal);
    }
}

void cardo_constraint_planes_rates(const void *data, const cardo_constraint_work *work,
                                   cardo_constraint_rows *out)
{
    const planes *p = data;
    const cardo_spatial *V1 = &work->V_GB[0], *V2 = &work->V_GB[1];
    const placed_point point = place(&work->X_GB[1], p->point);
    const cardo_vec3 arm1 = v3_sub(point.at, work->X_GB[0].p);
    const cardo_vec3 arm1_rate = v3_sub(velocity_at(V2, point.arm), V1->linear);
    const cardo_vec3 arm2_rate = v3_cross(V2->angular, point.arm);
    for (int i = 0; i < p->count; ++i) {
        const cardo_vec3 normal = m33_mul_v3(work->X_GB[0].R, p->normals[i]);
        const cardo_vec3 turning = v3_cross(V1->angular, normal);
        out->bodies[2 * i] = spatial_negative(pull_rate(arm1, normal, arm1_rate, turning));
        out->bodies[2 * i + 1] = pull_rate(point.arm, normal, arm2_rate, turning);
    }
}
