/* Parameters of the path mobilizer: one coordinate q moves M in F along a path through given
 * transforms.
 *
 * q = 0 at the first transform, 1 at the second, m at the last of m + 1; it continues smoothly
 * beyond the ends.
 *   screw   the geodesic of SE(3): X(q) = exp(q log D) X_0, D = X_1 X_0^-1: one axis, constant
 *           pitch. Two transforms.
 *   euler   body-fixed 1-2-3 angles (a, b, c) and displacement d of D, each linear in q and about
 *           F's origin: x' = Rx(q a) Ry(q b) Rz(q c) x + q d. Two transforms. Put F's origin at
 *           the hinge point.
 *   spline  natural cubic spline through all transforms in exponential coordinates of
 *           X_i X_0^-1 (angle vector and translation part of the se(3) logarithm): twice
 *           continuously differentiable; with two transforms, the screw.
 *
 * Up to two angles more may turn M about its own origin, off the path: X(q, a, b) = X(q) R(a) R(b),
 * each about an axis that is fixed in M as it is before that turn. */
#ifndef CARDO_MULTIBODY_MOBILIZERS_PATH_H
#define CARDO_MULTIBODY_MOBILIZERS_PATH_H

#include "base/vec.h"

typedef enum cardo_path_kind {
    CARDO_PATH_SCREW,
    CARDO_PATH_EULER,
    CARDO_PATH_SPLINE
} cardo_path_kind;

enum { CARDO_PATH_ANGLES = 2 };

/* An angle beside the path. */
typedef struct cardo_path_angle {
    const char *name; /* of the coordinate; borrowed as long as systems of it live          */
    cardo_vec3 axis;  /* unit vector in M                                                    */
} cardo_path_angle;

/* Parameters of cardo_mobilizer_path: copied. */
typedef struct cardo_path {
    cardo_path_kind kind;
    int count;                   /* transforms: m + 1, at least 2                         */
    const cardo_transform *X_FM; /* pose of M in F at q = 0, 1, ... m          (count)    */
    int nangle;
    cardo_path_angle angle[CARDO_PATH_ANGLES]; /*                              (nangle)   */
} cardo_path;

/* The screw that takes a rigid body from X_FM = 0 to D: turn by angle (0..pi) about the unit axis
 * through point, and shift along the axis. A pure translation has angle 0 and the axis along it.
 * Point: the one nearest the origin. */
typedef struct cardo_screw_axis {
    cardo_vec3 axis, point;
    double angle, shift;
} cardo_screw_axis;
cardo_screw_axis cardo_screw_axis_of(const cardo_transform *D);

#endif
