#include "multibody/contact/box.h"

#include "base/memory.h"

enum { MOST_ON_EDGE = 16 };

static void release(void *data)
{
    box_data *box = data;
    if (box)
        cardo_free(box->corners);
    cardo_free(box);
}

/* Corners, and `more` between them along each of the edges. */
static void place_corners(box_data *box, int more)
{
    const double h[3] = {box->inner.x, box->inner.y, box->inner.z};
    for (int k = 0; k < 8; ++k)
        box->corners[box->ncorner++] =
            v3(k & 1 ? h[0] : -h[0], k & 2 ? h[1] : -h[1], k & 4 ? h[2] : -h[2]);
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < 4; ++k)
            for (int i = 1; i <= more; ++i) {
                double at[3];
                at[axis] = h[axis] * (2.0 * i / (more + 1) - 1);
                at[(axis + 1) % 3] = k & 1 ? h[(axis + 1) % 3] : -h[(axis + 1) % 3];
                at[(axis + 2) % 3] = k & 2 ? h[(axis + 2) % 3] : -h[(axis + 2) % 3];
                box->corners[box->ncorner++] = v3_load(at);
            }
}

static cardo_status compile(const void *parameters, void **out, cardo_error *error)
{
    const cardo_contact_box *given = parameters;
    const cardo_vec3 h = given->half;
    const double least = fmin(h.x, fmin(h.y, h.z)), r = given->rounding;
    cardo_status status;
    box_data *box = NULL;
    if (!(least > 0) || !isfinite(h.x + h.y + h.z))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a box needs three half edges above 0, not %g, %g, %g", h.x, h.y, h.z);
    if (!(r > 0 && r <= least))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a box's rounding is above 0 and at most its smallest half edge, %g: "
                          "not %g",
                          least, r);
    if (given->edge_corners < 0 || given->edge_corners > MOST_ON_EDGE)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "edge_corners is 0 to %d, not %d", MOST_ON_EDGE,
                          given->edge_corners);
    CARDO_TRY(CARDO_ALLOCATE(&box, 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&box->corners, 8 + 12 * given->edge_corners, error));
    box->half = h;
    box->inner = v3(h.x - r, h.y - r, h.z - r);
    box->rounding = r;
    place_corners(box, given->edge_corners);
    *out = box;
    box = NULL;
done:
    release(box);
    return status;
}

static void bounds(const void *data, cardo_vec3 *centre, cardo_vec3 *half)
{
    *centre = v3(0, 0, 0);
    *half = ((const box_data *)data)->half;
}

static double signed_distance(cardo_vec3 half, cardo_vec3 point, cardo_vec3 *along)
{
    const double h[3] = {half.x, half.y, half.z}, p[3] = {point.x, point.y, point.z};
    double over[3], direction[3] = {0, 0, 0}, square = 0, least = -INFINITY;
    int face = 0;
    for (int i = 0; i < 3; ++i) {
        over[i] = fabs(p[i]) - h[i];
        if (over[i] > least) {
            least = over[i];
            face = i;
        }
        if (over[i] > 0) {
            square += over[i] * over[i];
            direction[i] = copysign(over[i], p[i]);
        }
    }
    if (square > 0) {
        const double norm = sqrt(square);
        *along = v3_scale(1 / norm, v3_load(direction));
        return norm;
    }
    direction[face] = copysign(1, p[face]);
    *along = v3_load(direction);
    return least;
}

double cardo_box_distance(const box_data *box, cardo_vec3 point, cardo_vec3 *along)
{
    return signed_distance(box->inner, point, along);
}

static double distance(const void *data, cardo_vec3 point)
{
    cardo_vec3 along;
    return signed_distance(((const box_data *)data)->half, point, &along);
}

static bool inside(const void *data, cardo_vec3 point, shape_depth *out)
{
    out->depth = -signed_distance(((const box_data *)data)->half, point, &out->normal);
    return out->depth > 0;
}

const cardo_contact_shape cardo_contact_box_shape = {
    .name = "box",
    .doc = "a box about the origin along its frame's axes: half edges, rounding of its corners",
    .compile = compile,
    .release = release,
    .bounds = bounds,
    .distance = distance,
    .inside = inside,
};
