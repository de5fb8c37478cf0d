/* Mobilizers: the joints of a tree, each known by its name, and the parameters of those that have any.
 *
 * A mobilizer in four equations (Seth et al. 2010, eq. 1-4): X_FM(q); V_FM = H(q) u; A_FM = H udot
 * + Hdot u; qdot = N(q) u. Every one can be reversed (eq. 15-17). */
#ifndef CARDO_MOBILIZERS_H
#define CARDO_MOBILIZERS_H

#include <cardo/functions.h>
#include <cardo/geometry.h>
#include <cardo/status.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_mobilizer cardo_mobilizer;

/* All kinds, NULL-terminated; by name ("pin"), or NULL. */
CARDO_API const cardo_mobilizer *const *cardo_mobilizer_list(void);
CARDO_API const cardo_mobilizer *cardo_mobilizer_find(const char *name);

/* "pin", and one line of help. */
CARDO_API const char *cardo_mobilizer_name(const cardo_mobilizer *mobilizer);
CARDO_API const char *cardo_mobilizer_doc(const cardo_mobilizer *mobilizer);
/* Coordinates and speeds (with orientations as quaternions); where parameters say how many, in words ("1 to 6"), else NULL. */
CARDO_API const char *cardo_mobilizer_sizes(const cardo_mobilizer *mobilizer, int *nq, int *nu);

/* screw: p = (0, 0, pitch q) while turning by q about z. */
typedef struct cardo_screw_thread {
    double pitch; /* nm per radian */
} cardo_screw_thread;

/* ellipsoid: M's origin at (a n1, b n2, c n3), n its z axis in F. */
typedef struct cardo_ellipsoid {
    cardo_vec3 radii; /* nm */
} cardo_ellipsoid;

/* spherical-coordinates: R = Rz(az) Ry(ze), p = r times M's z (or x) axis; az = +-q1 +
 * azimuth_offset, ze = +-q2 + zenith_offset, r = +-q3. */
typedef struct cardo_spherical {
    double azimuth_offset, zenith_offset; /* radian */
    bool azimuth_negated, zenith_negated, radial_negated;
    bool radial_along_x;
} cardo_spherical;

/* function-based (Seth et al. 2010, section 4): rotation and position
 * of M in F as functions of one to six coordinates.
 *
 * R_FM = R(axes[0], f0) R(axes[1], f1) R(axes[2], f2), p_FM = f3 axes[3] + f4 axes[4] + f5 axes[5];
 * qdot = u. H = [W theta_q ; A p_q], Hdot = [Wdot theta_q + W thetadot_q ; A pdot_q] (eq. 20-35).
 * Copied. */
typedef struct cardo_function_based {
    int ncoordinate; /* 1..6                                                            */
    cardo_function functions[6]; /* three rotations (radian), three translations (nm); narg = 0 and
                                    kind constant: fixed */
    cardo_vec3
        axes[6]; /* need not be unit; all zero: x y z x y z. The three rotation axes are those of
                    body-fixed successive rotations, the three translation axes are fixed in F */
} cardo_function_based;

/* path: one coordinate q moves M in F along a path through given
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
 * Up to five coordinates more may lead M off the path, one after the other: X(q, a, b) = X(q) A(a) B(b), each a turn about an
 * axis through M's origin or a shift along it, fixed in M as it is before. */
typedef enum cardo_path_kind {
    CARDO_PATH_SCREW,
    CARDO_PATH_EULER,
    CARDO_PATH_SPLINE
} cardo_path_kind;

enum { CARDO_PATH_EXTRAS = 5 };

/* A coordinate beside the path. */
typedef struct cardo_path_extra {
    const char *name; /* of the coordinate; borrowed as long as systems of it live          */
    cardo_vec3 axis;  /* unit vector in M                                                    */
    bool shift;       /* along the axis, nm; else a turn about it, rad                       */
} cardo_path_extra;

/* Parameters of mobilizer path: copied. */
typedef struct cardo_path {
    cardo_path_kind kind;
    int count;                   /* transforms: m + 1, at least 2                         */
    const cardo_transform *X_FM; /* pose of M in F at q = 0, 1, ... m          (count)    */
    int nextra;
    cardo_path_extra extra[CARDO_PATH_EXTRAS]; /*                              (nextra)   */
} cardo_path;

/* The screw that takes a rigid body from X_FM = 0 to D: turn by angle (0..pi) about the unit axis
 * through point, and shift along the axis. A pure translation has angle 0 and the axis along it.
 * Point: the one nearest the origin. */
typedef struct cardo_screw_axis {
    cardo_vec3 axis, point;
    double angle, shift;
} cardo_screw_axis;
CARDO_API cardo_screw_axis cardo_screw_axis_of(const cardo_transform *D);

#ifdef __cplusplus
}
#endif

#endif
