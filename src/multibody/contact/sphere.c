#include "base/memory.h"
#include "multibody/contact/shape.h"

static cardo_status compile(const void *parameters, void **out, cardo_error *error)
{
    const cardo_contact_sphere *given = parameters;
    cardo_contact_sphere *own;
    cardo_status status;
    if (!(given->radius > 0) || !isfinite(given->radius))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a sphere needs a radius above 0, not %g",
                          given->radius);
    CARDO_TRY(CARDO_ALLOCATE(&own, 1, error));
    *own = *given;
    *out = own;
done:
    return status;
}

static void bounds(const void *data, cardo_vec3 *centre, cardo_vec3 *half)
{
    const double r = ((const cardo_contact_sphere *)data)->radius;
    *centre = v3(0, 0, 0);
    *half = v3(r, r, r);
}

static double distance(const void *data, cardo_vec3 point)
{
    return v3_norm(point) - ((const cardo_contact_sphere *)data)->radius;
}

static bool inside(const void *data, cardo_vec3 point, shape_depth *out)
{
    const double r = ((const cardo_contact_sphere *)data)->radius, from = v3_norm(point);
    if (!(from < r))
        return false;
    *out = (shape_depth){r - from, from > 0 ? v3_scale(1 / from, point) : v3(1, 0, 0)};
    return true;
}

static cardo_vec3 semi_axes(const void *data)
{
    const double r = ((const cardo_contact_sphere *)data)->radius;
    return v3(r, r, r);
}

const cardo_contact_shape cardo_contact_sphere_shape = {
    .name = "sphere",
    .doc = "a sphere about the origin: radius",
    .compile = compile,
    .bounds = bounds,
    .distance = distance,
    .inside = inside,
    .semi_axes = semi_axes,
};
