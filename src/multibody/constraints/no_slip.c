#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/placed.h"

typedef struct rolling {
    cardo_vec3 point, direction;
} rolling;

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_no_slip *p = parameters;
    const double numbers[3] = {p->point0.x, p->point0.y, p->point0.z};
    rolling own = {p->point0, p->direction0};
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_pair(system, p->body1, p->body2, error));
    if (p->body0 != p->body1)
        CARDO_TRY(cardo_constraint_check_pair(system, p->body0, p->body1, error));
    CARDO_TRY(cardo_constraint_check_numbers(numbers, 3, error));
    CARDO_TRY(cardo_constraint_make_unit(&own.direction, error));
    shape->nvelocity = 1;
    shape->nbody = 3;
    shape->bodies[0] = p->body1;
    shape->bodies[1] = p->body2;
    shape->bodies[2] = p->body0;
    CARDO_TRY(cardo_constraint_keep(shape, &own, sizeof own, error));
done:
    return status;
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const rolling *own = data;
    const placed_point point = place(&work->X_GB[2], own->point);
    const cardo_vec3 direction = m33_mul_v3(work->X_GB[2].R, own->direction);
    out->bodies[0] = spatial_negative(pull(v3_sub(point.at, work->X_GB[0].p), direction));
    out->bodies[1] = pull(v3_sub(point.at, work->X_GB[1].p), direction);
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const rolling *own = data;
    const placed_point point = place(&work->X_GB[2], own->point);
    const cardo_vec3 direction = m33_mul_v3(work->X_GB[2].R, own->direction);
    const cardo_vec3 turning = v3_cross(work->V_GB[2].angular, direction);
    const cardo_vec3 v = velocity_at(&work->V_GB[2], point.arm);
    for (int b = 0; b < 2; ++b) {
        const cardo_vec3 arm = v3_sub(point.at, work->X_GB[b].p);
        out->bodies[b] = pull_rate(arm, direction, v3_sub(v, work->V_GB[b].linear), turning);
    }
    out->bodies[0] = spatial_negative(out->bodies[0]);
}

static const char *const names[] = {"slip", NULL};

const cardo_constraint cardo_constraint_no_slip = {
    .name = "no-slip",
    .doc = "two bodies have the same velocity along a direction at a point",
    .row_names = names,
    .compile = compile,
    .rows = rows,
    .rates = rates,
};
