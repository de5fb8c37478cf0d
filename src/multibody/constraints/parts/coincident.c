#include "multibody/constraints/parts/coincident.h"

#include "multibody/constraints/parts/placed.h"

static int parent_of(const cardo_system *system, int body)
{
    cardo_body_info info;
    cardo_system_body(system, body, &info);
    return info.parent;
}

int cardo_constraint_ancestor(const cardo_system *system, int body1, int body2)
{
    /* a parent's number is smaller than its children's */
    while (body1 != body2) {
        if (body1 > body2)
            body1 = parent_of(system, body1);
        else
            body2 = parent_of(system, body2);
    }
    return body1;
}

void cardo_constraint_coincident_bodies(const cardo_system *system, int body1, int body2,
                                        coincident *own, constraint_shape *shape)
{
    const int ancestor = cardo_constraint_ancestor(system, body1, body2);
    shape->nbody = 2;
    shape->bodies[0] = body1;
    shape->bodies[1] = body2;
    own->ancestor = ancestor == 0 ? -1 : ancestor == body1 ? 0 : ancestor == body2 ? 1 : 2;
    if (own->ancestor == 2)
        shape->bodies[shape->nbody++] = ancestor;
    own->nbody = shape->nbody;
}

void cardo_constraint_coincident_position(const coincident *own, const cardo_constraint_work *work,
                                          double *error)
{
    const placed_point p1 = place(&work->X_GB[0], own->point1);
    const placed_point p2 = place(&work->X_GB[1], own->point2);
    const cardo_vec3 apart = v3_sub(p2.at, p1.at);
    v3_store(error, own->ancestor < 0 ? apart : m33_tmul_v3(work->X_GB[own->ancestor].R, apart));
}

static cardo_vec3 axis_of(const coincident *own, const cardo_constraint_work *work, int i)
{
    return own->ancestor < 0 ? v3(i == 0, i == 1, i == 2)
                             : m33_column(work->X_GB[own->ancestor].R, i);
}

void cardo_constraint_coincident_rows(const coincident *own, const cardo_constraint_work *work,
                                      cardo_spatial *out)
{
    const placed_point p1 = place(&work->X_GB[0], own->point1);
    const placed_point p2 = place(&work->X_GB[1], own->point2);
    const cardo_vec3 apart = v3_sub(p2.at, p1.at);
    for (int i = 0; i < 3; ++i) {
        const cardo_vec3 axis = axis_of(own, work, i);
        cardo_spatial *row = out + i * own->nbody;
        row[0] = spatial_negative(pull(p1.arm, axis));
        row[1] = pull(p2.arm, axis);
        if (own->ancestor >= 0)
            row[own->ancestor].angular = v3_add(row[own->ancestor].angular, v3_cross(axis, apart));
    }
}

void cardo_constraint_coincident_rates(const coincident *own, const cardo_constraint_work *work,
                                       cardo_spatial *out)
{
    const placed_point p1 = place(&work->X_GB[0], own->point1);
    const placed_point p2 = place(&work->X_GB[1], own->point2);
    const cardo_spatial *V1 = &work->V_GB[0], *V2 = &work->V_GB[1];
    const cardo_vec3 apart = v3_sub(p2.at, p1.at);
    const cardo_vec3 parting = v3_sub(velocity_at(V2, p2.arm), velocity_at(V1, p1.arm));
    const cardo_vec3 w = own->ancestor < 0 ? v3(0, 0, 0) : work->V_GB[own->ancestor].angular;
    for (int i = 0; i < 3; ++i) {
        const cardo_vec3 axis = axis_of(own, work, i), turning = v3_cross(w, axis);
        cardo_spatial *row = out + i * own->nbody;
        row[0] = spatial_negative(pull_rate(p1.arm, axis, v3_cross(V1->angular, p1.arm), turning));
        row[1] = pull_rate(p2.arm, axis, v3_cross(V2->angular, p2.arm), turning);
        if (own->ancestor >= 0) {
            const cardo_vec3 more = v3_add(v3_cross(turning, apart), v3_cross(axis, parting));
            row[own->ancestor].angular = v3_add(row[own->ancestor].angular, more);
        }
    }
}

void cardo_constraint_axes_row(cardo_vec3 on1, cardo_vec3 on2, cardo_spatial *out)
{
    const cardo_vec3 n = v3_cross(on2, on1);
    out[0].angular = v3_neg(n);
    out[1].angular = n;
}

void cardo_constraint_axes_rate(cardo_vec3 on1, cardo_vec3 on2, const cardo_constraint_work *work,
                                cardo_spatial *out)
{
    const cardo_vec3 rate1 = v3_cross(work->V_GB[0].angular, on1);
    const cardo_vec3 rate2 = v3_cross(work->V_GB[1].angular, on2);
    const cardo_vec3 n = v3_add(v3_cross(rate2, on1), v3_cross(on2, rate1));
    out[0].angular = v3_neg(n);
    out[1].angular = n;
}

/* Axis i of frame 2 is perpendicular to axis i + 1 of frame 1. */
static cardo_vec3 on_body1(const aligned *own, const cardo_constraint_work *work, int i)
{
    return m33_mul_v3(work->X_GB[0].R, m33_column(own->R1, (i + 1) % 3));
}

static cardo_vec3 on_body2(const aligned *own, const cardo_constraint_work *work, int i)
{
    return m33_mul_v3(work->X_GB[1].R, m33_column(own->R2, i));
}

void cardo_constraint_aligned_position(const aligned *own, const cardo_constraint_work *work,
                                       double *error)
{
    for (int i = 0; i < 3; ++i)
        error[i] = v3_dot(on_body2(own, work, i), on_body1(own, work, i));
}

void cardo_constraint_aligned_rows(const aligned *own, const cardo_constraint_work *work,
                                   cardo_spatial *out)
{
    for (int i = 0; i < 3; ++i)
        cardo_constraint_axes_row(on_body1(own, work, i), on_body2(own, work, i),
                                  out + i * own->nbody);
}

void cardo_constraint_aligned_rates(const aligned *own, const cardo_constraint_work *work,
                                    cardo_spatial *out)
{
    for (int i = 0; i < 3; ++i)
        cardo_constraint_axes_rate(on_body1(own, work, i), on_body2(own, work, i), work,
                                   out + i * own->nbody);
}

bool cardo_constraint_aligned_is_turned(const aligned *own, const cardo_constraint_work *work)
{
    double trace = 0;
    for (int i = 0; i < 3; ++i)
        trace +=
            v3_dot(m33_mul_v3(work->X_GB[0].R, m33_column(own->R1, i)), on_body2(own, work, i));
    return trace < 1; /* turned by more than 90 degrees */
}
