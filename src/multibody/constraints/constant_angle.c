#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/coincident.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

typedef struct held_angle {
    cardo_vec3 axis1, axis2;
    double cosine;
} held_angle;

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_constant_angle *p = parameters;
    held_angle own = {p->axis1, p->axis2, cos(p->angle)};
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_pair(system, p->body1, p->body2, error));
    CARDO_TRY(cardo_constraint_make_unit(&own.axis1, error));
    CARDO_TRY(cardo_constraint_make_unit(&own.axis2, error));
    if (!(p->angle > 0 && p->angle < pi))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the angle %g is not between 0 and pi: directions that are parallel are "
                          "held by constant-orientation",
                          p->angle);
    CARDO_TRY(cardo_constraint_keep_pair(shape, p->body1, p->body2, 1, &own, sizeof own, error));
done:
    return status;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    const held_angle *own = data;
    error[0] =
        v3_dot(m33_mul_v3(work->X_GB[0].R, own->axis1), m33_mul_v3(work->X_GB[1].R, own->axis2)) -
        own->cosine;
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const held_angle *own = data;
    cardo_constraint_axes_row(m33_mul_v3(work->X_GB[0].R, own->axis1),
                              m33_mul_v3(work->X_GB[1].R, own->axis2), out->bodies);
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const held_angle *own = data;
    cardo_constraint_axes_rate(m33_mul_v3(work->X_GB[0].R, own->axis1),
                               m33_mul_v3(work->X_GB[1].R, own->axis2), work, out->bodies);
}

static const char *const names[] = {"angle", NULL};

const cardo_constraint cardo_constraint_constant_angle = {
    .name = "constant-angle",
    .doc = "the angle between two directions",
    .row_names = names,
    .compile = compile,
    .position = position,
    .rows = rows,
    .rates = rates,
};
