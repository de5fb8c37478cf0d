#include "multibody/constraints/parts/check.h"

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_speed_coupler *p = parameters;
    cardo_status status;
    if (p->nmobility < 1 || p->nmobility > CARDO_FUNCTION_MAX_ARGS)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a coupler of %d speeds: there may be 1 to %d", p->nmobility,
                          (int)CARDO_FUNCTION_MAX_ARGS);
    for (int i = 0; i < p->nmobility; ++i) {
        CARDO_TRY(cardo_constraint_check_mobility(system, p->mobilities[i], error));
        shape->mobilities[i] = p->mobilities[i];
    }
    CARDO_TRY(cardo_constraint_check_numbers(p->coefficients, p->nmobility, error));
    CARDO_TRY(cardo_constraint_check_numbers(&p->value, 1, error));
    shape->nvelocity = 1;
    shape->nmobility = p->nmobility;
    CARDO_TRY(cardo_constraint_keep(shape, p, sizeof *p, error));
done:
    return status;
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const cardo_speed_coupler *p = data;
    (void)work;
    for (int i = 0; i < p->nmobility; ++i)
        out->mobilities[i] = p->coefficients[i];
    out->offset[0] = -p->value;
}

static const char *const names[] = {"speeds", NULL};

const cardo_constraint cardo_constraint_speed_coupler = {
    .name = "speed-coupler",
    .doc = "a sum of multiples of speeds has a value",
    .row_names = names,
    .compile = compile,
    .rows = rows,
};
