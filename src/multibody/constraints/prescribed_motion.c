#include "base/memory.h"
#include "multibody/constraints/parts/check.h"
#include "multibody/functions/function.h"
#include "multibody/mobilizers/descriptor.h"

typedef struct prescribed {
    cardo_compiled_function *function;
} prescribed;

static void release(void *data)
{
    prescribed *own = data;
    if (own)
        cardo_function_destroy(own->function);
    cardo_free(own);
}

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_prescribed_coordinate *p = parameters;
    prescribed *own = NULL;
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_coordinate(system, p->coordinate, error));
    const cardo_joint *joint = cardo_system_joint(system, p->coordinate.body);
    if (joint->mobilizer->multiply_n)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "body %d: the speeds of a %s mobilizer are not the rates of its "
                          "coordinates: hold its speeds, or couple its coordinates, instead",
                          p->coordinate.body, joint->mobilizer->name);
    if (p->function.narg > 1)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the motion has %d arguments: time is the only one", p->function.narg);
    CARDO_TRY(CARDO_ALLOCATE(&own, 1, error));
    shape->data = own;
    CARDO_TRY(cardo_function_compile(&p->function, &own->function, error));
    shape->nposition = 1;
    shape->ncoordinate = 1;
    shape->coordinates[0] = p->coordinate;
    shape->nmobility = 1;
    shape->mobilities[0] = (cardo_mobility_of){p->coordinate.body, p->coordinate.coordinate};
done:
    return status;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    const prescribed *own = data;
    double f[3];
    cardo_function_evaluate1(own->function, work->time, f);
    error[0] = work->q[work->coordinates[0]] - f[0];
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const prescribed *own = data;
    double f[3];
    cardo_function_evaluate1(own->function, work->time, f);
    out->mobilities[0] = 1;
    out->offset[0] = -f[1];
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const prescribed *own = data;
    double f[3];
    cardo_function_evaluate1(own->function, work->time, f);
    out->offset[0] = -f[2];
}

static const char *const names[] = {"coordinate", NULL};

const cardo_constraint cardo_constraint_prescribed_motion = {
    .name = "prescribed-motion",
    .doc = "a coordinate is a function of time",
    .row_names = names,
    .compile = compile,
    .release = release,
    .position = position,
    .rows = rows,
    .rates = rates,
    .moves = true,
};
