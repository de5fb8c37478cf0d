#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/coincident.h"

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_constant_orientation *p = parameters;
    const aligned own = {.R1 = p->R1, .R2 = p->R2, .nbody = 2};
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_pair(system, p->body1, p->body2, error));
    CARDO_TRY(cardo_constraint_check_rotation(&p->R1, error));
    CARDO_TRY(cardo_constraint_check_rotation(&p->R2, error));
    CARDO_TRY(cardo_constraint_keep_pair(shape, p->body1, p->body2, 3, &own, sizeof own, error));
done:
    return status;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    cardo_constraint_aligned_position(data, work, error);
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    cardo_constraint_aligned_rows(data, work, out->bodies);
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    cardo_constraint_aligned_rates(data, work, out->bodies);
}

static bool is_turned(const void *data, const cardo_constraint_work *work)
{
    return cardo_constraint_aligned_is_turned(data, work);
}

static const char *const names[] = {"x2.y1", "y2.z1", "z2.x1", NULL};

const cardo_constraint cardo_constraint_constant_orientation = {
    .name = "constant-orientation",
    .doc = "the axes of two frames are parallel",
    .row_names = names,
    .compile = compile,
    .position = position,
    .rows = rows,
    .rates = rates,
    .is_turned = is_turned,
};
