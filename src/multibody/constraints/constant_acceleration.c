#include "multibody/constraints/parts/check.h"

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_constant_acceleration *p = parameters;
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_mobility(system, p->mobility, error));
    CARDO_TRY(cardo_constraint_check_numbers(&p->value, 1, error));
    shape->nacceleration = 1;
    shape->nmobility = 1;
    shape->mobilities[0] = p->mobility;
    CARDO_TRY(cardo_constraint_keep(shape, p, sizeof *p, error));
done:
    return status;
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    (void)data, (void)work;
    out->mobilities[0] = 1;
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const cardo_constant_acceleration *p = data;
    (void)work;
    out->offset[0] = -p->value;
}

static const char *const names[] = {"acceleration", NULL};

const cardo_constraint cardo_constraint_constant_acceleration = {
    .name = "constant-acceleration",
    .doc = "the rate of a speed has a value",
    .row_names = names,
    .compile = compile,
    .rows = rows,
    .rates = rates,
};
