#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/planar.h"

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_planar_angle *p = parameters;
    const planar_drive own = {NULL};
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_pair(system, p->body1, p->body2, error));
    CARDO_TRY(cardo_constraint_keep_pair(shape, p->body1, p->body2, 1, &own, sizeof own, error));
    CARDO_TRY(cardo_constraint_planar_drive(&p->function, shape->data, error));
done:
    return status;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    const planar_drive *own = data;
    double f[3];
    cardo_function_evaluate1(own->function, work->time, f);
    error[0] = planar_angle_between(&work->X_GB[0].R, &work->X_GB[1].R, f[0]);
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const planar_drive *own = data;
    double f[3];
    cardo_function_evaluate1(own->function, work->time, f);
    out->bodies[0].angular = v3(0, 0, 1);
    out->bodies[1].angular = v3(0, 0, -1);
    out->offset[0] = -f[1];
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const planar_drive *own = data;
    double f[3];
    cardo_function_evaluate1(own->function, work->time, f);
    out->offset[0] = -f[2];
}

static const char *const names[] = {"angle", NULL};

const cardo_constraint cardo_constraint_planar_angle = {
    .name = "planar-angle",
    .doc = "the angle between two bodies about z is a function of time",
    .row_names = names,
    .compile = compile,
    .release = cardo_constraint_planar_release,
    .position = position,
    .rows = rows,
    .rates = rates,
    .moves = true,
};
