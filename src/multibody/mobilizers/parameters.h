/* Parameters of mobilizers that have a few numbers each; those with more have a header of their own
 * (multibody/mobilizers/function_based.h, multibody/mobilizers/path.h). */
#ifndef CARDO_MULTIBODY_MOBILIZERS_PARAMETERS_H
#define CARDO_MULTIBODY_MOBILIZERS_PARAMETERS_H

#include "base/vec.h"

#include <stdbool.h>

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

#endif
