/* Orientation coordinates shared by ball-like mobilizers: a unit quaternion (w, x, y, z) or
 * body-fixed 1-2-3 angles, with the angular velocity of M in F, expressed in F, as speeds. */
#ifndef CARDO_MULTIBODY_ALGEBRA_ORIENTATION_H
#define CARDO_MULTIBODY_ALGEBRA_ORIENTATION_H

#include "base/vec.h"

#include <stdbool.h>

static inline cardo_mat33 orientation_matrix(bool euler, const double *q)
{
    if (euler)
        return m33_from_euler(q[0], q[1], q[2]);
    return m33_from_quat((cardo_quaternion){q[0], q[1], q[2], q[3]});
}

/* Rate of the quaternion q turning with angular velocity w: half the product of w and q. */
static inline void quaternion_rate(const double *q, cardo_vec3 w, double *qdot)
{
    qdot[0] = -0.5 * (w.x * q[1] + w.y * q[2] + w.z * q[3]);
    qdot[1] = 0.5 * (w.x * q[0] + w.y * q[3] - w.z * q[2]);
    qdot[2] = 0.5 * (w.y * q[0] + w.z * q[1] - w.x * q[3]);
    qdot[3] = 0.5 * (w.z * q[0] + w.x * q[2] - w.y * q[1]);
}

/* Angular velocity of the angles' rates: w = W thetadot, W = [x, Rx y, Rx Ry z]. */
static inline cardo_vec3 euler_angular_velocity(const double *q, const double *qdot)
{
    double c1 = cos(q[0]), s1 = sin(q[0]), c2 = cos(q[1]), s2 = sin(q[1]);
    return v3(qdot[0] + s2 * qdot[2], c1 * qdot[1] - s1 * c2 * qdot[2],
              s1 * qdot[1] + c1 * c2 * qdot[2]);
}

/* thetadot = W^-1 w. Infinite at theta2 = +-90 degrees, the singularity of these angles. */
static inline void euler_rate(const double *q, cardo_vec3 w, double *qdot)
{
    double c1 = cos(q[0]), s1 = sin(q[0]), c2 = cos(q[1]), s2 = sin(q[1]);
    double t = (c1 * w.z - s1 * w.y) / c2;
    qdot[0] = w.x - s2 * t;
    qdot[1] = c1 * w.y + s1 * w.z;
    qdot[2] = t;
}

/* Wdot thetadot. */
static inline cardo_vec3 euler_velocity_bias(const double *q, const double *qdot)
{
    double c1 = cos(q[0]), s1 = sin(q[0]), c2 = cos(q[1]), s2 = sin(q[1]);
    double a = qdot[0], b = qdot[1], c = qdot[2];
    return v3(c2 * b * c, -s1 * a * b - (c1 * c2 * a - s1 * s2 * b) * c,
              c1 * a * b - (s1 * c2 * a + c1 * s2 * b) * c);
}

/* qdot = N w */
static inline void orientation_rate(bool euler, const double *q, cardo_vec3 w, double *qdot)
{
    if (euler)
        euler_rate(q, w, qdot);
    else
        quaternion_rate(q, w, qdot);
}

/* w = N^+ qdot */
static inline cardo_vec3 orientation_velocity(bool euler, const double *q, const double *qdot)
{
    if (euler)
        return euler_angular_velocity(q, qdot);
    double norm2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double s = 2.0 / norm2;
    return v3(s * (-q[1] * qdot[0] + q[0] * qdot[1] - q[3] * qdot[2] + q[2] * qdot[3]),
              s * (-q[2] * qdot[0] + q[3] * qdot[1] + q[0] * qdot[2] - q[1] * qdot[3]),
              s * (-q[3] * qdot[0] - q[2] * qdot[1] + q[1] * qdot[2] + q[0] * qdot[3]));
}

/* Ndot w */
static inline void orientation_rate_dot(bool euler, const double *q, cardo_vec3 w, double *out)
{
    double qdot[4];
    orientation_rate(euler, q, w, qdot);
    if (euler)
        euler_rate(q, v3_neg(euler_velocity_bias(q, qdot)), out);
    else
        quaternion_rate(qdot, w, out);
}

/* Coordinates of the rotation R; of the two quaternions, or of equivalent angles, the ones nearest
 * to those in q. */
static inline void orientation_fit(bool euler, cardo_mat33 R, double *q)
{
    if (euler) {
        static const double turn = 6.283185307179586476925;
        cardo_vec3 e = m33_to_euler(R);
        double t[3] = {e.x, e.y, e.z};
        for (int i = 0; i < 3; ++i)
            q[i] = t[i] + turn * nearbyint((q[i] - t[i]) / turn);
        return;
    }
    cardo_quaternion a = quat_from_m33(R);
    double s = a.w * q[0] + a.x * q[1] + a.y * q[2] + a.z * q[3] < 0 ? -1.0 : 1.0;
    q[0] = s * a.w;
    q[1] = s * a.x;
    q[2] = s * a.y;
    q[3] = s * a.z;
}

#endif
