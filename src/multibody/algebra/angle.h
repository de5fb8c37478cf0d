/* Angles: turns about a coordinate axis, and angles nearest to a start. */
#ifndef CARDO_MULTIBODY_ALGEBRA_ANGLE_H
#define CARDO_MULTIBODY_ALGEBRA_ANGLE_H

#include "base/vec.h"

/* Rotations about x, y, z from cosine and sine. */
static inline cardo_mat33 rotation_x(double c, double s)
{
    return (cardo_mat33){{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
}

static inline cardo_mat33 rotation_y(double c, double s)
{
    return (cardo_mat33){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
}

static inline cardo_mat33 rotation_z(double c, double s)
{
    return (cardo_mat33){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

/* The angle equal to this one but for whole turns that is nearest to start. */
static inline double angle_near(double angle, double start)
{
    static const double turn = 6.283185307179586476925;
    return angle + turn * nearbyint((start - angle) / turn);
}

/* The turn about y or z that comes nearest to R. */
static inline double angle_about_y(cardo_mat33 R)
{
    return atan2(R.m[0][2] - R.m[2][0], R.m[0][0] + R.m[2][2]);
}

static inline double angle_about_z(cardo_mat33 R)
{
    return atan2(R.m[1][0] - R.m[0][1], R.m[0][0] + R.m[1][1]);
}

#endif
