/* Vectors, rotations and rigid transforms: plain structs passed by value.
 *
 * A transform X_AB takes coordinates in B to coordinates in A: p_A = R_AB p_B + p_AB. A rotation
 * matrix R_AB has B's axes, expressed in A, as its columns. Quaternions are scalar first and of
 * unit length. */
#ifndef CARDO_GEOMETRY_H
#define CARDO_GEOMETRY_H

#include <cardo/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_vec3 {
    double x, y, z;
} cardo_vec3;

typedef struct cardo_mat33 {
    double m[3][3]; /* m[row][column] */
} cardo_mat33;

typedef struct cardo_quaternion {
    double w, x, y, z;
} cardo_quaternion;

typedef struct cardo_transform {
    cardo_mat33 R;
    cardo_vec3 p;
} cardo_transform;

/* A spatial vector: about a point, in axes that whoever gives it names. A velocity is angular (radian/ps) and of the point
 * (nm/ps); a force on a body is a torque about the body's origin (kJ/mol), then the force (kJ/mol/nm), in ground axes. */
typedef struct cardo_spatial {
    cardo_vec3 angular, linear;
} cardo_spatial;

CARDO_API cardo_transform cardo_transform_identity(void);
/* Turned by an angle (radian) about an axis through the origin, which need not be of unit length, then shifted by p. */
CARDO_API cardo_transform cardo_transform_turn(cardo_vec3 axis, double angle, cardo_vec3 p);
/* X_AB X_BC = X_AC */
CARDO_API cardo_transform cardo_transform_multiply(cardo_transform X_AB, cardo_transform X_BC);
/* X_BA */
CARDO_API cardo_transform cardo_transform_inverse(cardo_transform X_AB);
/* The point p_B, fixed in B, in coordinates of A. */
CARDO_API cardo_vec3 cardo_transform_point(cardo_transform X_AB, cardo_vec3 p_B);

#ifdef __cplusplus
}
#endif

#endif
