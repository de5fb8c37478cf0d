#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/placed.h"

typedef struct revolute {
    cardo_vec3 point[2];
} revolute;

static const cardo_vec3 axes[2] = {{1, 0, 0}, {0, 1, 0}};

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_planar_revolute *p = parameters;
    const double numbers[4] = {p->point1[0], p->point1[1], p->point2[0], p->point2[1]};
    const revolute own = {{{p->point1[0], p->point1[1], 0}, {p->point2[0], p->point2[1], 0}}};
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_pair(system, p->body1, p->body2, error));
    CARDO_TRY(cardo_constraint_check_numbers(numbers, 4, error));
    CARDO_TRY(cardo_constraint_keep_pair(shape, p->body1, p->body2, 2, &own, sizeof own, error));
done:
    return status;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    const revolute *own = data;
    const cardo_vec3 p1 = place(&work->X_GB[0], own->point[0]).at;
    const cardo_vec3 p2 = place(&work->X_GB[1], own->point[1]).at;
    error[0] = p1.x - p2.x;
    error[1] = p1.y - p2.y;
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const revolute *own = data;
    for (int b = 0; b < 2; ++b) {
        const cardo_vec3 arm = place(&work->X_GB[b], own->point[b]).arm;
        for (int i = 0; i < 2; ++i)
            out->bodies[2 * i + b] = spatial_scale(b == 0 ? 1 : -1, pull(arm, axes[i]));
    }
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const revolute *own = data;
    for (int b = 0; b < 2; ++b) {
        const cardo_vec3 arm = place(&work->X_GB[b], own->point[b]).arm;
        const cardo_vec3 turning = v3_cross(work->V_GB[b].angular, arm);
        for (int i = 0; i < 2; ++i)
            out->bodies[2 * i + b] =
                spatial_scale(b == 0 ? 1 : -1, pull_rate(arm, axes[i], turning, v3(0, 0, 0)));
    }
}

static const char *const names[] = {"x", "y", NULL};

const cardo_constraint cardo_constraint_planar_revolute = {
    .name = "planar-revolute",
    .doc = "two points coincide in the plane x, y of ground",
    .row_names = names,
    .compile = compile,
    .position = position,
    .rows = rows,
    .rates = rates,
    .on_any_motion = true,
};
