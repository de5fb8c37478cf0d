/* Points from bond lengths, angles and torsions. Internal to prepare. */
#ifndef CARDO_STRUCTURE_PREPARE_GEOMETRY_H
#define CARDO_STRUCTURE_PREPARE_GEOMETRY_H

#include "base/units.h"
#include "base/vec.h"

static inline double distance_of(cardo_vec3 a, cardo_vec3 b)
{
    return v3_norm(v3_sub(a, b));
}

/* Angle a-b-c. */
static inline double angle_of(cardo_vec3 a, cardo_vec3 b, cardo_vec3 c)
{
    cardo_vec3 u = v3_sub(a, b), v = v3_sub(c, b);
    return atan2(v3_norm(v3_cross(u, v)), v3_dot(u, v));
}

/* Torsion a-b-c-d by IUPAC's sign. */
static inline double torsion_of(cardo_vec3 a, cardo_vec3 b, cardo_vec3 c, cardo_vec3 d)
{
    cardo_vec3 u = v3_sub(b, a), v = v3_sub(c, b), w = v3_sub(d, c);
    cardo_vec3 n = v3_cross(u, v), m = v3_cross(v, w);
    return atan2(v3_dot(v3_cross(n, m), v) / v3_norm(v), v3_dot(n, m));
}

/* The point bonded to a with this length, angle to b and torsion about b-a from c. */
static inline cardo_vec3 point_by_torsion(cardo_vec3 a, cardo_vec3 b, cardo_vec3 c, double length,
                                          double angle, double torsion)
{
    cardo_vec3 axis = v3_unit(v3_sub(a, b)), normal = v3_cross(v3_sub(b, c), axis);
    double n = v3_norm(normal);
    normal = n > 1e-9 ? v3_scale(1 / n, normal) : v3_perpendicular(axis);
    cardo_vec3 side = v3_cross(normal, axis);
    cardo_vec3 d = v3_scale(-cos(angle), axis);
    d = v3_add_scaled(d, sin(angle) * cos(torsion), side);
    d = v3_add_scaled(d, sin(angle) * sin(torsion), normal);
    return v3_add_scaled(a, length, d);
}

/* The sum of unit vectors from a to the points. */
static inline cardo_vec3 sum_of_directions(cardo_vec3 a, int n, const cardo_vec3 *point)
{
    cardo_vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < n; ++k)
        sum = v3_add(sum, v3_unit(v3_sub(point[k], a)));
    return sum;
}

/* The axes at a that two of its neighbours span: along their bisector, across, and normal. */
static inline cardo_mat33 frame_of(cardo_vec3 a, cardo_vec3 b, cardo_vec3 c)
{
    cardo_vec3 u = v3_unit(v3_sub(b, a)), v = v3_unit(v3_sub(c, a));
    cardo_vec3 x = v3_unit(v3_add(u, v)), z = v3_unit(v3_cross(u, v));
    return m33_from_columns(x, v3_cross(z, x), z);
}

#endif
