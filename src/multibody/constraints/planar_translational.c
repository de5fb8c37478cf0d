#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/placed.h"
#include "multibody/constraints/parts/planar.h"

typedef struct translational {
    cardo_vec3 point1, normal1, point2;
    double offset;
} translational;

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_planar_translational *p = parameters;
    const double numbers[5] = {p->point1[0], p->point1[1], p->point2[0], p->point2[1], p->offset};
    translational own = {.point1 = {p->point1[0], p->point1[1], 0},
                         .normal1 = {p->normal1[0], p->normal1[1], 0},
                         .point2 = {p->point2[0], p->point2[1], 0},
                         .offset = p->offset};
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_pair(system, p->body1, p->body2, error));
    CARDO_TRY(cardo_constraint_check_numbers(numbers, 5, error));
    CARDO_TRY(cardo_constraint_make_unit(&own.normal1, error));
    CARDO_TRY(cardo_constraint_keep_pair(shape, p->body1, p->body2, 2, &own, sizeof own, error));
done:
    return status;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    const translational *own = data;
    const cardo_vec3 apart =
        v3_sub(place(&work->X_GB[1], own->point2).at, place(&work->X_GB[0], own->point1).at);
    error[0] = v3_dot(m33_mul_v3(work->X_GB[0].R, own->normal1), apart);
    error[1] = planar_angle_between(&work->X_GB[0].R, &work->X_GB[1].R, own->offset);
}

/* The first row is normal . (velocity of point 2 - that of the point of body 1 that is there now). */
static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const translational *own = data;
    const cardo_vec3 normal = m33_mul_v3(work->X_GB[0].R, own->normal1);
    const placed_point p2 = place(&work->X_GB[1], own->point2);
    out->bodies[0] = spatial_negative(pull(v3_sub(p2.at, work->X_GB[0].p), normal));
    out->bodies[1] = pull(p2.arm, normal);
    out->bodies[2].angular = v3(0, 0, 1);
    out->bodies[3].angular = v3(0, 0, -1);
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const translational *own = data;
    const cardo_spatial *V1 = &work->V_GB[0], *V2 = &work->V_GB[1];
    const cardo_vec3 normal = m33_mul_v3(work->X_GB[0].R, own->normal1);
    const cardo_vec3 turning = v3_cross(V1->angular, normal);
    const placed_point p2 = place(&work->X_GB[1], own->point2);
    const cardo_vec3 parting = v3_sub(velocity_at(V2, p2.arm), V1->linear);
    out->bodies[0] =
        spatial_negative(pull_rate(v3_sub(p2.at, work->X_GB[0].p), normal, parting, turning));
    out->bodies[1] = pull_rate(p2.arm, normal, v3_cross(V2->angular, p2.arm), turning);
}

static const char *const names[] = {"across", "angle", NULL};

const cardo_constraint cardo_constraint_planar_translational = {
    .name = "planar-translational",
    .doc = "a body slides along a line of another in the plane x, y of ground",
    .row_names = names,
    .compile = compile,
    .position = position,
    .rows = rows,
    .rates = rates,
};
