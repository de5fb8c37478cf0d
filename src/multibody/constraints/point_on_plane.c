#include "multibody/constraints/parts/planes.h"

#include "multibody/constraints/parts/check.h"

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_point_on_plane *p = parameters;
    const double numbers[4] = {p->point2.x, p->point2.y, p->point2.z, p->height};
    planes own = {.count = 1, .normals = {p->normal1}, .heights = {p->height}, .point = p->point2};
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_numbers(numbers, 4, error));
    CARDO_TRY(cardo_constraint_make_unit(&own.normals[0], error));
    CARDO_TRY(cardo_constraint_planes_shape(system, p->body1, p->body2, &own, shape, error));
done:
    return status;
}

static const char *const names[] = {"height", NULL};

const cardo_constraint cardo_constraint_point_on_plane = {
    .name = "point-on-plane",
    .doc = "a point of one body stays at a height in a plane of another",
    .row_names = names,
    .compile = compile,
    .position = cardo_constraint_planes_position,
    .rows = cardo_constraint_planes_rows,
    .rates = cardo_constraint_planes_rates,
};
