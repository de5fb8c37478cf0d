#include "multibody/algebra/exponential.h"

#include <math.h>

cardo_vec3 cardo_rotation_log(cardo_mat33 R)
{
    cardo_quaternion q = quat_from_m33(R);
    cardo_vec3 v = v3(q.x, q.y, q.z);
    double s = v3_norm(v);
    /* angle / sin(angle/2), whose limit at 0 is 2 */
    return v3_scale(s > 0 ? 2 * atan2(s, q.w) / s : 2.0, v);
}

cardo_mat33 cardo_rotation_exp(cardo_vec3 phi)
{
    double angle = v3_norm(phi);
    return angle > 0 ? m33_rotation(v3_scale(1.0 / angle, phi), angle) : m33_identity();
}

/* sum_k (-s)^k / (2k + n)! with its first and second derivative in s: b for n = 2, c for n = 3.
 * Terms alternate, but up to s = (2 pi)^2 the largest is below 20, so at most two digits are lost.
 */
static void coefficient(int n, double s, double out[3])
{
    enum { TERMS = 24 };
    double factor[TERMS], f = n == 2 ? 0.5 : 1.0 / 6.0;
    for (int k = 0; k < TERMS; ++k) {
        factor[k] = f;
        f = -f / ((2 * k + n + 1) * (2 * k + n + 2));
    }
    double value = 0, first = 0, half_second = 0;
    for (int k = TERMS - 1; k >= 0; --k) {
        half_second = half_second * s + first;
        first = first * s + value;
        value = value * s + factor[k];
    }
    out[0] = value;
    out[1] = first;
    out[2] = 2 * half_second;
}

cardo_vec3 cardo_left_jacobian_mul(cardo_vec3 phi, cardo_vec3 x)
{
    double b[3], c[3], s = v3_dot(phi, phi);
    coefficient(2, s, b);
    coefficient(3, s, c);
    cardo_vec3 y = v3_cross(phi, x);
    return v3_add(v3_add_scaled(x, b[0], y), v3_scale(c[0], v3_cross(phi, y)));
}

cardo_vec3 cardo_left_jacobian_solve(cardo_vec3 phi, cardo_vec3 x)
{
    /* V^-1 = 1 - [phi]/2 + d [phi]^2, d = (1 - (a/2) cot(a/2)) / a^2 */
    double s = v3_dot(phi, phi), half = 0.5 * sqrt(s);
    double d = s > 1e-4 ? (1 - half / tan(half)) / s
                        : 1.0 / 12 + s * (1.0 / 720 + s * (1.0 / 30240 + s / 1209600));
    cardo_vec3 y = v3_cross(phi, x);
    return v3_add(v3_add_scaled(x, -0.5, y), v3_scale(d, v3_cross(phi, y)));
}

curve3 cardo_left_jacobian_curve(const curve3 *phi, const curve3 *x)
{
    const cardo_vec3 f0 = phi->value, f1 = phi->first, f2 = phi->second;
    double s = v3_dot(f0, f0), s1 = 2 * v3_dot(f0, f1), s2 = 2 * (v3_dot(f1, f1) + v3_dot(f0, f2));
    double b[3], c[3];
    coefficient(2, s, b);
    coefficient(3, s, c);
    const double b1 = b[1] * s1, b2 = b[2] * s1 * s1 + b[1] * s2;
    const double c1 = c[1] * s1, c2 = c[2] * s1 * s1 + c[1] * s2;

    /* y = phi x x, z = phi x y and their derivatives, then b y + c z by the product rule */
    curve3 y, z;
    y.value = v3_cross(f0, x->value);
    y.first = v3_add(v3_cross(f1, x->value), v3_cross(f0, x->first));
    y.second = v3_add(v3_add(v3_cross(f2, x->value), v3_cross(f0, x->second)),
                      v3_scale(2, v3_cross(f1, x->first)));
    z.value = v3_cross(f0, y.value);
    z.first = v3_add(v3_cross(f1, y.value), v3_cross(f0, y.first));
    z.second = v3_add(v3_add(v3_cross(f2, y.value), v3_cross(f0, y.second)),
                      v3_scale(2, v3_cross(f1, y.first)));
    curve3 out;
    out.value = v3_add_scaled(v3_add_scaled(x->value, b[0], y.value), c[0], z.value);
    out.first = v3_add_scaled(v3_add_scaled(x->first, b[0], y.first), b1, y.value);
    out.first = v3_add_scaled(v3_add_scaled(out.first, c[0], z.first), c1, z.value);
    out.second = v3_add_scaled(v3_add_scaled(x->second, b[0], y.second), b2, y.value);
    out.second = v3_add_scaled(v3_add_scaled(out.second, c[0], z.second), c2, z.value);
    out.second = v3_add_scaled(v3_add_scaled(out.second, 2 * b1, y.first), 2 * c1, z.first);
    return out;
}
