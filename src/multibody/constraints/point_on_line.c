#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/planes.h"

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_point_on_line *p = parameters;
    const double numbers[6] = {p->point1.x, p->point1.y, p->point1.z,
                               p->point2.x, p->point2.y, p->point2.z};
    cardo_vec3 line = p->direction1;
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_numbers(numbers, 6, error));
    CARDO_TRY(cardo_constraint_make_unit(&line, error));
    const cardo_vec3 x = v3_perpendicular(line), y = v3_cross(line, x);
    const planes own = {.count = 2,
                        .normals = {x, y},
                        .heights = {v3_dot(x, p->point1), v3_dot(y, p->point1)},
                        .point = p->point2};
    CARDO_TRY(cardo_constraint_planes_shape(system, p->body1, p->body2, &own, shape, error));
done:
    return status;
}

static const char *const names[] = {"x", "y", NULL};

const cardo_constraint cardo_constraint_point_on_line = {
    .name = "point-on-line",
    .doc = "a point of one body stays on a line of another",
    .row_names = names,
    .compile = compile,
    .position = cardo_constraint_planes_position,
    .rows = cardo_constraint_planes_rows,
    .rates = cardo_constraint_planes_rates,
};
