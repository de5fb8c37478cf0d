/* What geometric kinds of constraints are made of: points and directions that are fixed on bodies, in ground. */
#ifndef CARDO_MULTIBODY_CONSTRAINTS_PARTS_PLACED_H
#define CARDO_MULTIBODY_CONSTRAINTS_PARTS_PLACED_H

#include "multibody/constraints/parts/descriptor.h"

/* A point of a body: its arm from the body's origin, and where it is. */
typedef struct placed_point {
    cardo_vec3 arm, at;
} placed_point;

static inline placed_point place(const cardo_transform *X, cardo_vec3 point)
{
    const cardo_vec3 arm = m33_mul_v3(X->R, point);
    return (placed_point){arm, v3_add(X->p, arm)};
}

/* Velocity of a point whose arm on the body is this. */
static inline cardo_vec3 velocity_at(const cardo_spatial *V, cardo_vec3 arm)
{
    return v3_add(V->linear, v3_cross(V->angular, arm));
}

/* The row entry of a body for direction . velocity of its point; with its rate, where the arm changes by arm_rate and the
 * direction by direction_rate. */
static inline cardo_spatial pull(cardo_vec3 arm, cardo_vec3 direction)
{
    return (cardo_spatial){v3_cross(arm, direction), direction};
}

static inline cardo_spatial pull_rate(cardo_vec3 arm, cardo_vec3 direction, cardo_vec3 arm_rate,
                                      cardo_vec3 direction_rate)
{
    return (cardo_spatial){v3_add(v3_cross(arm_rate, direction), v3_cross(arm, direction_rate)),
                           direction_rate};
}

static inline cardo_spatial spatial_negative(cardo_spatial a)
{
    return spatial_scale(-1, a);
}

#endif
