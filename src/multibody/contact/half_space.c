#include "multibody/contact/shape.h"

static double distance(const void *data, cardo_vec3 point)
{
    (void)data;
    return -point.x;
}

static bool inside(const void *data, cardo_vec3 point, shape_depth *out)
{
    (void)data;
    *out = (shape_depth){point.x, v3(-1, 0, 0)};
    return point.x > 0;
}

const cardo_contact_shape cardo_contact_half_space_shape = {
    .name = "half-space",
    .doc = "all that is beyond a plane: x > 0",
    .unbounded = true,
    .distance = distance,
    .inside = inside,
};
