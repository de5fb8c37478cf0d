/* Arithmetic of the public types of cardo/geometry.h: the short prefixes (v3_, m33_, quat_, xform_) keep equations
 * readable; these functions are internal and inline. */
#ifndef CARDO_BASE_VEC_H
#define CARDO_BASE_VEC_H

#include "cardo/geometry.h"

#include <math.h>

static inline cardo_vec3 v3(double x, double y, double z)
{
    return (cardo_vec3){x, y, z};
}

static inline cardo_vec3 v3_load(const double *a)
{
    return (cardo_vec3){a[0], a[1], a[2]};
}

static inline void v3_store(double *a, cardo_vec3 v)
{
    a[0] = v.x;
    a[1] = v.y;
    a[2] = v.z;
}

static inline cardo_vec3 v3_add(cardo_vec3 a, cardo_vec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline cardo_vec3 v3_sub(cardo_vec3 a, cardo_vec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline cardo_vec3 v3_scale(double s, cardo_vec3 a)
{
    return v3(s * a.x, s * a.y, s * a.z);
}

/* a + s b */
static inline cardo_vec3 v3_add_scaled(cardo_vec3 a, double s, cardo_vec3 b)
{
    return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline cardo_vec3 v3_neg(cardo_vec3 a)
{
    return v3(-a.x, -a.y, -a.z);
}

static inline double v3_dot(cardo_vec3 a, cardo_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline cardo_vec3 v3_cross(cardo_vec3 a, cardo_vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double v3_norm(cardo_vec3 a)
{
    return sqrt(v3_dot(a, a));
}

/* The unit vector along a; a must not be zero. */
static inline cardo_vec3 v3_unit(cardo_vec3 a)
{
    return v3_scale(1.0 / v3_norm(a), a);
}

/* Some unit vector perpendicular to the unit vector a. */
static inline cardo_vec3 v3_perpendicular(cardo_vec3 a)
{
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    cardo_vec3 least = x <= y && x <= z ? v3(1, 0, 0) : y <= z ? v3(0, 1, 0) : v3(0, 0, 1);
    return v3_unit(v3_cross(a, least));
}

/* Adds a point of mass m at r to an inertia about the origin: xx, yy, zz, xy, xz, yz. */
static inline void v3_add_inertia(double inertia[6], double m, cardo_vec3 r)
{
    inertia[0] += m * (r.y * r.y + r.z * r.z);
    inertia[1] += m * (r.x * r.x + r.z * r.z);
    inertia[2] += m * (r.x * r.x + r.y * r.y);
    inertia[3] -= m * r.x * r.y;
    inertia[4] -= m * r.x * r.z;
    inertia[5] -= m * r.y * r.z;
}

static inline cardo_mat33 m33_identity(void)
{
    return (cardo_mat33){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static inline cardo_vec3 m33_mul_v3(cardo_mat33 a, cardo_vec3 v)
{
    return v3(a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
              a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
              a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z);
}

/* transpose(a) v */
static inline cardo_vec3 m33_tmul_v3(cardo_mat33 a, cardo_vec3 v)
{
    return v3(a.m[0][0] * v.x + a.m[1][0] * v.y + a.m[2][0] * v.z,
              a.m[0][1] * v.x + a.m[1][1] * v.y + a.m[2][1] * v.z,
              a.m[0][2] * v.x + a.m[1][2] * v.y + a.m[2][2] * v.z);
}

static inline cardo_mat33 m33_mul(cardo_mat33 a, cardo_mat33 b)
{
    cardo_mat33 c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return c;
}

static inline cardo_mat33 m33_transpose(cardo_mat33 a)
{
    return (cardo_mat33){{{a.m[0][0], a.m[1][0], a.m[2][0]},
                          {a.m[0][1], a.m[1][1], a.m[2][1]},
                          {a.m[0][2], a.m[1][2], a.m[2][2]}}};
}

static inline cardo_vec3 m33_column(cardo_mat33 a, int j)
{
    return v3(a.m[0][j], a.m[1][j], a.m[2][j]);
}

static inline cardo_mat33 m33_from_columns(cardo_vec3 a, cardo_vec3 b, cardo_vec3 c)
{
    return (cardo_mat33){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

static inline double m33_determinant(cardo_mat33 a)
{
    return v3_dot(m33_column(a, 0), v3_cross(m33_column(a, 1), m33_column(a, 2)));
}

/* Rotation by an angle (radian) about a unit axis (Rodrigues). */
static inline cardo_mat33 m33_rotation(cardo_vec3 axis, double angle)
{
    double c = cos(angle), s = sin(angle), t = 1.0 - c;
    double x = axis.x, y = axis.y, z = axis.z;
    return (cardo_mat33){{{c + t * x * x, t * x * y - s * z, t * x * z + s * y},
                          {t * x * y + s * z, c + t * y * y, t * y * z - s * x},
                          {t * x * z - s * y, t * y * z + s * x, c + t * z * z}}};
}

/* Body-fixed 1-2-3 Euler angles: Rx(a) Ry(b) Rz(c). */
static inline cardo_mat33 m33_from_euler(double a, double b, double c)
{
    double ca = cos(a), sa = sin(a), cb = cos(b), sb = sin(b), cc = cos(c), sc = sin(c);
    return (cardo_mat33){{{cb * cc, -cb * sc, sb},
                          {sa * sb * cc + ca * sc, -sa * sb * sc + ca * cc, -sa * cb},
                          {-ca * sb * cc + sa * sc, ca * sb * sc + sa * cc, ca * cb}}};
}

/* The inverse of m33_from_euler, with b in [-90, 90] degrees. */
static inline cardo_vec3 m33_to_euler(cardo_mat33 R)
{
    double cb = hypot(R.m[0][0], R.m[0][1]);
    double b = atan2(R.m[0][2], cb);
    /* At b = +-90 degrees only a +- c is defined: c = 0 by choice. */
    if (cb < 1e-12)
        return v3(atan2(R.m[2][1], R.m[1][1]), b, 0.0);
    return v3(atan2(-R.m[1][2], R.m[2][2]), b, atan2(-R.m[0][1], R.m[0][0]));
}

static inline cardo_quaternion quat_unit(cardo_quaternion a)
{
    double s = 1.0 / sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
    return (cardo_quaternion){s * a.w, s * a.x, s * a.y, s * a.z};
}

static inline cardo_mat33 m33_from_quat(cardo_quaternion q)
{
    double w = q.w, x = q.x, y = q.y, z = q.z;
    return (cardo_mat33){
        {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
         {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
         {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
}

/* The unit quaternion of a rotation matrix, with w >= 0 where the sign is free. */
static inline cardo_quaternion quat_from_m33(cardo_mat33 R)
{
    /* Shepperd's choice of the largest component keeps full precision for any rotation. */
    double t[4] = {R.m[0][0] + R.m[1][1] + R.m[2][2], R.m[0][0], R.m[1][1], R.m[2][2]};
    int k = 0;
    for (int i = 1; i < 4; ++i)
        if (t[i] > t[k])
            k = i;
    cardo_quaternion q;
    if (k == 0)
        q = (cardo_quaternion){1 + t[0], R.m[2][1] - R.m[1][2], R.m[0][2] - R.m[2][0],
                               R.m[1][0] - R.m[0][1]};
    else if (k == 1)
        q = (cardo_quaternion){R.m[2][1] - R.m[1][2], 1 + 2 * t[1] - t[0], R.m[0][1] + R.m[1][0],
                               R.m[0][2] + R.m[2][0]};
    else if (k == 2)
        q = (cardo_quaternion){R.m[0][2] - R.m[2][0], R.m[0][1] + R.m[1][0], 1 + 2 * t[2] - t[0],
                               R.m[1][2] + R.m[2][1]};
    else
        q = (cardo_quaternion){R.m[1][0] - R.m[0][1], R.m[0][2] + R.m[2][0], R.m[1][2] + R.m[2][1],
                               1 + 2 * t[3] - t[0]};
    q = quat_unit(q);
    return q.w < 0 ? (cardo_quaternion){-q.w, -q.x, -q.y, -q.z} : q;
}

static inline cardo_transform xform_identity(void)
{
    return (cardo_transform){m33_identity(), {0, 0, 0}};
}

/* X_AB X_BC = X_AC */
static inline cardo_transform xform_mul(cardo_transform X_AB, cardo_transform X_BC)
{
    return (cardo_transform){m33_mul(X_AB.R, X_BC.R), v3_add(m33_mul_v3(X_AB.R, X_BC.p), X_AB.p)};
}

static inline cardo_transform xform_inverse(cardo_transform X_AB)
{
    return (cardo_transform){m33_transpose(X_AB.R), v3_neg(m33_tmul_v3(X_AB.R, X_AB.p))};
}

/* The point p_B, fixed in B, in coordinates of A. */
static inline cardo_vec3 xform_point(cardo_transform X_AB, cardo_vec3 p_B)
{
    return v3_add(m33_mul_v3(X_AB.R, p_B), X_AB.p);
}

#endif
