/* Distance, angle and torsion of atoms among positions (natom x 3, nm). */
#ifndef CARDO_FORCES_RELAX_BONDED_GEOMETRY_H
#define CARDO_FORCES_RELAX_BONDED_GEOMETRY_H

#include "base/vec.h"

#include <math.h>
#include <stddef.h>

static inline cardo_vec3 cardo_from_to(const double *positions, int a, int b)
{
    return v3_sub(v3_load(positions + 3 * (size_t)b), v3_load(positions + 3 * (size_t)a));
}

/* nm. */
static inline double cardo_distance_of(const double *positions, int a, int b)
{
    return v3_norm(cardo_from_to(positions, a, b));
}

/* At b, rad. */
static inline double cardo_angle_of(const double *positions, int a, int b, int c)
{
    const cardo_vec3 u = cardo_from_to(positions, b, a), v = cardo_from_to(positions, b, c);
    return atan2(v3_norm(v3_cross(u, v)), v3_dot(u, v));
}

/* About b-c, rad in -pi ... pi, positive as IUPAC-IUB (1970) has it; 0 is cis. */
static inline double cardo_torsion_of(const double *positions, const int atom[4])
{
    const cardo_vec3 u = cardo_from_to(positions, atom[0], atom[1]),
                     v = cardo_from_to(positions, atom[1], atom[2]),
                     w = cardo_from_to(positions, atom[2], atom[3]);
    const cardo_vec3 m = v3_cross(u, v), n = v3_cross(v, w);
    return atan2(v3_norm(v) * v3_dot(u, n), v3_dot(m, n));
}

#endif
