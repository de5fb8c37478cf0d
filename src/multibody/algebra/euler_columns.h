/* Body-fixed 1-2-3 angles whose rates are the speeds: columns of W, w = W thetadot, and their
 * rates. Shared by gimbal and bushing. */
#ifndef CARDO_MULTIBODY_ALGEBRA_EULER_COLUMNS_H
#define CARDO_MULTIBODY_ALGEBRA_EULER_COLUMNS_H

#include "base/vec.h"

/* W = [x, Rx y, Rx Ry z]. */
static inline void euler_columns(const double *q, cardo_vec3 W[3])
{
    double c1 = cos(q[0]), s1 = sin(q[0]), c2 = cos(q[1]), s2 = sin(q[1]);
    W[0] = v3(1, 0, 0);
    W[1] = v3(0, c1, s1);
    W[2] = v3(s2, -s1 * c2, c1 * c2);
}

/* Each axis is carried by the turns before it. */
static inline void euler_column_rates(const double *q, const double *u, cardo_vec3 Wdot[3])
{
    cardo_vec3 W[3];
    euler_columns(q, W);
    cardo_vec3 carried = v3_scale(u[0], W[0]);
    Wdot[0] = v3(0, 0, 0);
    Wdot[1] = v3_cross(carried, W[1]);
    Wdot[2] = v3_cross(v3_add_scaled(carried, u[1], W[1]), W[2]);
}

#endif
