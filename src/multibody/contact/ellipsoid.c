#include "base/memory.h"
#include "multibody/contact/shape.h"

static cardo_status compile(const void *parameters, void **out, cardo_error *error)
{
    const cardo_vec3 r = ((const cardo_contact_ellipsoid *)parameters)->radii;
    cardo_contact_ellipsoid *own;
    cardo_status status;
    if (!(r.x > 0 && r.y > 0 && r.z > 0) || !isfinite(r.x + r.y + r.z))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "an ellipsoid needs three radii above 0, not %g, %g, %g", r.x, r.y, r.z);
    CARDO_TRY(CARDO_ALLOCATE(&own, 1, error));
    own->radii = r;
    *out = own;
done:
    return status;
}

static void bounds(const void *data, cardo_vec3 *centre, cardo_vec3 *half)
{
    *centre = v3(0, 0, 0);
    *half = ((const cardo_contact_ellipsoid *)data)->radii;
}

/* From the box about it. */
static double distance(const void *data, cardo_vec3 point)
{
    const cardo_vec3 r = ((const cardo_contact_ellipsoid *)data)->radii;
    const cardo_vec3 over = v3(fmax(fabs(point.x) - r.x, 0), fmax(fabs(point.y) - r.y, 0),
                               fmax(fabs(point.z) - r.z, 0));
    return v3_norm(over);
}

/* The nearest place x of the surface from a point p inside: x_i = r_i^2 p_i / (t + r_i^2), with the t in (-min r^2, 0] at which it is on the surface.
 * Of coordinates that are 0 the shortest axis may still have x_i other than 0, where no such t is left. */
static bool inside(const void *data, cardo_vec3 point, shape_depth *out)
{
    const cardo_vec3 radii = ((const cardo_contact_ellipsoid *)data)->radii;
    const double r[3] = {radii.x, radii.y, radii.z}, p[3] = {point.x, point.y, point.z};
    double level = 0, x[3], normal[3], short_square = INFINITY;
    int shortest = 0;
    for (int i = 0; i < 3; ++i) {
        level += p[i] * p[i] / (r[i] * r[i]);
        if (r[i] * r[i] < short_square) {
            short_square = r[i] * r[i];
            shortest = i;
        }
    }
    if (!(level < 1))
        return false;
    /* sum (r p / (t + r^2))^2 falls from infinity, or from a limit, to level < 1; the middle is taken in the logarithm of t + r_short^2 */
    double low = 0, high = short_square;
    for (int k = 0; k < 200 && high - low > 4e-16 * short_square; ++k) {
        const double s = 0.5 * (low + high);
        double sum = 0;
        for (int i = 0; i < 3; ++i) {
            const double f = p[i] != 0 ? r[i] * p[i] / (s + (r[i] * r[i] - short_square)) : 0;
            sum += f * f;
        }
        *(sum > 1 ? &low : &high) = s;
    }
    double rest = 1;
    for (int i = 0; i < 3; ++i) {
        x[i] = p[i] != 0 ? r[i] * r[i] * p[i] / (high + (r[i] * r[i] - short_square)) : 0;
        if (i != shortest)
            rest -= x[i] * x[i] / (r[i] * r[i]);
    }
    x[shortest] = copysign(r[shortest] * sqrt(fmax(rest, 0)), p[shortest]);
    double norm = 0, square = 0;
    for (int i = 0; i < 3; ++i) {
        normal[i] = x[i] / (r[i] * r[i]);
        norm += normal[i] * normal[i];
        square += (x[i] - p[i]) * (x[i] - p[i]);
    }
    *out = (shape_depth){sqrt(square), v3_scale(1 / sqrt(norm), v3_load(normal))};
    return true;
}

static cardo_vec3 semi_axes(const void *data)
{
    return ((const cardo_contact_ellipsoid *)data)->radii;
}

const cardo_contact_shape cardo_contact_ellipsoid_shape = {
    .name = "ellipsoid",
    .doc = "an ellipsoid about the origin along its frame's axes: three radii",
    .compile = compile,
    .bounds = bounds,
    .distance = distance,
    .inside = inside,
    .semi_axes = semi_axes,
};
