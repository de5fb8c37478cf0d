#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/placed.h"
#include "multibody/constraints/parts/planar.h"

typedef struct guided {
    planar_drive drive;
    cardo_vec3 point, axis;
} guided;

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_planar_place *p = parameters;
    const double numbers[2] = {p->point[0], p->point[1]};
    const guided own = {.point = {p->point[0], p->point[1], 0},
                        .axis = {p->axis == 0, p->axis == 1, 0}};
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_pair(system, 0, p->body, error));
    CARDO_TRY(cardo_constraint_check_numbers(numbers, 2, error));
    if (p->axis != 0 && p->axis != 1)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "axis %d is neither 0 (x) nor 1 (y)",
                          p->axis);
    shape->nposition = 1;
    shape->nbody = 1;
    shape->bodies[0] = p->body;
    CARDO_TRY(cardo_constraint_keep(shape, &own, sizeof own, error));
    CARDO_TRY(cardo_constraint_planar_drive(&p->function, shape->data, error));
done:
    return status;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    const guided *own = data;
    double f[3];
    cardo_function_evaluate1(own->drive.function, work->time, f);
    error[0] = v3_dot(own->axis, place(&work->X_GB[0], own->point).at) - f[0];
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const guided *own = data;
    double f[3];
    cardo_function_evaluate1(own->drive.function, work->time, f);
    out->bodies[0] = pull(place(&work->X_GB[0], own->point).arm, own->axis);
    out->offset[0] = -f[1];
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const guided *own = data;
    const cardo_vec3 arm = place(&work->X_GB[0], own->point).arm;
    double f[3];
    cardo_function_evaluate1(own->drive.function, work->time, f);
    out->bodies[0] = pull_rate(arm, own->axis, v3_cross(work->V_GB[0].angular, arm), v3(0, 0, 0));
    out->offset[0] = -f[2];
}

static const char *const names[] = {"place", NULL};

const cardo_constraint cardo_constraint_planar_place = {
    .name = "planar-place",
    .doc = "x or y of a point is a function of time",
    .row_names = names,
    .compile = compile,
    .release = cardo_constraint_planar_release,
    .position = position,
    .rows = rows,
    .rates = rates,
    .on_any_motion = true,
    .moves = true,
};
