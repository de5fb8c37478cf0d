/* What a shape of contact is made of (cardo/contact.h): a const descriptor, a file of its own here and a line in the list below. */
#ifndef CARDO_MULTIBODY_CONTACT_SHAPE_H
#define CARDO_MULTIBODY_CONTACT_SHAPE_H

#include "base/vec.h"
#include "cardo/contact.h"

#include <stdbool.h>

/* A point inside a shape: how deep, the outward normal of the nearest place of the surface. In the shape's frame. */
typedef struct shape_depth {
    double depth;
    cardo_vec3 normal;
} shape_depth;

struct cardo_contact_shape {
    const char *name;
    const char *doc;
    bool unbounded;
    /* Checks parameters and makes *out of them, which cardo_free frees, or release where there is one. NULL: has none. */
    cardo_status (*compile)(const void *parameters, void **out, cardo_error *error);
    void (*release)(void *data);
    /* A box along the axes of its frame that holds it; not of unbounded shapes. */
    void (*bounds)(const void *data, cardo_vec3 *centre, cardo_vec3 *half);
    /* No more than the distance of a point from the surface, outside; 0 or less inside. */
    double (*distance)(const void *data, cardo_vec3 point);
    /* Whether a point is inside, and where. */
    bool (*inside)(const void *data, cardo_vec3 point, shape_depth *out);
    /* Of ellipsoids: semi-axes; NULL: is none. */
    cardo_vec3 (*semi_axes)(const void *data);
};

/* In the order that a pair has its surfaces: a new one is a file beside this one and a line here. */
// clang-format off
#define CARDO_CONTACT_SHAPES(X) \
    X(half_space) \
    X(sphere) \
    X(ellipsoid) \
    X(box) \
    X(mesh)
// clang-format on
#define CARDO_CONTACT_SHAPES_DECLARE(name)                                                         \
    extern const cardo_contact_shape cardo_contact_##name##_shape;
CARDO_CONTACT_SHAPES(CARDO_CONTACT_SHAPES_DECLARE)
#undef CARDO_CONTACT_SHAPES_DECLARE

#endif
