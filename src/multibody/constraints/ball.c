#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/coincident.h"

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_coincident_points *p = parameters;
    const double numbers[6] = {p->point1.x, p->point1.y, p->point1.z,
                               p->point2.x, p->point2.y, p->point2.z};
    coincident own = {.point1 = p->point1, .point2 = p->point2};
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_pair(system, p->body1, p->body2, error));
    CARDO_TRY(cardo_constraint_check_numbers(numbers, 6, error));
    cardo_constraint_coincident_bodies(system, p->body1, p->body2, &own, shape);
    shape->nposition = 3;
    CARDO_TRY(cardo_constraint_keep(shape, &own, sizeof own, error));
done:
    return status;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    cardo_constraint_coincident_position(data, work, error);
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    cardo_constraint_coincident_rows(data, work, out->bodies);
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    cardo_constraint_coincident_rates(data, work, out->bodies);
}

static void closure(const void *data, cardo_joint_closure *out)
{
    const coincident *own = data;
    out->frame1.p = own->point1;
    out->frame2.p = own->point2;
    out->mobilizer = cardo_mobilizer_find("ball");
}

static const char *const names[] = {"x", "y", "z", NULL};

const cardo_constraint cardo_constraint_ball = {
    .name = "ball",
    .doc = "two points coincide",
    .row_names = names,
    .compile = compile,
    .position = position,
    .rows = rows,
    .rates = rates,
    .closure = closure,
};
