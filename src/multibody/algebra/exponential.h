/* Exponential coordinates of rotations and rigid transforms.
 *
 * exp(phi) turns by |phi| about phi. The left Jacobian V(phi) = 1 + b [phi] + c [phi]^2, b = (1 -
 * cos a)/a^2, c = (a - sin a)/a^3, a = |phi|, serves twice: the translation of exp(phi, rho) is V
 * rho, and the angular velocity of exp(phi(t)) is V phidot. */
#ifndef CARDO_MULTIBODY_ALGEBRA_EXPONENTIAL_H
#define CARDO_MULTIBODY_ALGEBRA_EXPONENTIAL_H

#include "base/vec.h"

/* The vector phi, |phi| <= pi, with R = exp(phi). */
cardo_vec3 cardo_rotation_log(cardo_mat33 R);
cardo_mat33 cardo_rotation_exp(cardo_vec3 phi);
/* V(phi) x. */
cardo_vec3 cardo_left_jacobian_mul(cardo_vec3 phi, cardo_vec3 x);
/* V(phi)^-1 x; |phi| < 2 pi. */
cardo_vec3 cardo_left_jacobian_solve(cardo_vec3 phi, cardo_vec3 x);

/* A curve with its first and second derivative. */
typedef struct curve3 {
    cardo_vec3 value, first, second;
} curve3;

/* V(phi(t)) x(t) with its derivatives; |phi| up to about 2 pi. */
curve3 cardo_left_jacobian_curve(const curve3 *phi, const curve3 *x);

#endif
