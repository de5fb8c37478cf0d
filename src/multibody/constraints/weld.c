#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/coincident.h"

typedef struct welded {
    aligned axes;
    coincident origins;
} welded;

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_welded_frames *p = parameters;
    const double numbers[6] = {p->frame1.p.x, p->frame1.p.y, p->frame1.p.z,
                               p->frame2.p.x, p->frame2.p.y, p->frame2.p.z};
    welded own = {.axes = {.R1 = p->frame1.R, .R2 = p->frame2.R},
                  .origins = {.point1 = p->frame1.p, .point2 = p->frame2.p}};
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_pair(system, p->body1, p->body2, error));
    CARDO_TRY(cardo_constraint_check_numbers(numbers, 6, error));
    CARDO_TRY(cardo_constraint_check_rotation(&p->frame1.R, error));
    CARDO_TRY(cardo_constraint_check_rotation(&p->frame2.R, error));
    cardo_constraint_coincident_bodies(system, p->body1, p->body2, &own.origins, shape);
    own.axes.nbody = shape->nbody;
    shape->nposition = 6;
    CARDO_TRY(cardo_constraint_keep(shape, &own, sizeof own, error));
done:
    return status;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    const welded *own = data;
    cardo_constraint_aligned_position(&own->axes, work, error);
    cardo_constraint_coincident_position(&own->origins, work, error + 3);
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const welded *own = data;
    cardo_constraint_aligned_rows(&own->axes, work, out->bodies);
    cardo_constraint_coincident_rows(&own->origins, work, out->bodies + 3 * own->origins.nbody);
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const welded *own = data;
    cardo_constraint_aligned_rates(&own->axes, work, out->bodies);
    cardo_constraint_coincident_rates(&own->origins, work, out->bodies + 3 * own->origins.nbody);
}

static bool is_turned(const void *data, const cardo_constraint_work *work)
{
    const welded *own = data;
    return cardo_constraint_aligned_is_turned(&own->axes, work);
}

static void closure(const void *data, cardo_joint_closure *out)
{
    const welded *own = data;
    out->frame1 = (cardo_transform){own->axes.R1, own->origins.point1};
    out->frame2 = (cardo_transform){own->axes.R2, own->origins.point2};
    out->mobilizer = cardo_mobilizer_find("weld");
}

static const char *const names[] = {"x2.y1", "y2.z1", "z2.x1", "x", "y", "z", NULL};

const cardo_constraint cardo_constraint_weld = {
    .name = "weld",
    .doc = "two frames coincide",
    .row_names = names,
    .compile = compile,
    .position = position,
    .rows = rows,
    .rates = rates,
    .is_turned = is_turned,
    .closure = closure,
};
