/* Elastic networks: springs between all pairs of points within a cutoff, at rest where the points
 * are (Tirion 1996, Phys. Rev. Lett. 77, 1905; as the anisotropic network model Atilgan et al. 2001,
 * Biophys. J. 80, 505). E = sum over springs of k/2 (r - r0)^2. */
#ifndef CARDO_ANALYSIS_MODES_SPRING_NETWORK_H
#define CARDO_ANALYSIS_MODES_SPRING_NETWORK_H

#include "base/status.h"
#include "base/vec.h"

typedef struct cardo_spring {
    int end[2];      /* points, the lower first                      */
    cardo_vec3 line; /* unit vector from the first to the second end */
    double k;        /* kJ/mol/nm^2                                  */
} cardo_spring;

typedef struct cardo_spring_network {
    int npoint, nspring, capacity;
    const double *position; /* nm (npoint x 3), borrowed */
    cardo_spring *spring;   /* by first end, then by second end */
} cardo_spring_network;

typedef struct cardo_spring_options {
    double cutoff;      /* nm                                                                  */
    double stiffness;   /* k, kJ/mol/nm^2, of a spring of length unit_length                   */
    int power;          /* k falls with length^-power: 0 uniform, 2 as Yang, Song & Jernigan 2009 */
    double unit_length; /* nm                                                                */
} cardo_spring_options;

/* ProDy's anisotropic network: 1.5 nm, equal springs of 1 kcal/mol/A^2. */
cardo_spring_options cardo_spring_options_default(void);

/* All pairs closer than the cutoff, found through cells: O(n). positions are borrowed and outlive
 * the network; a position that is not finite and two points in one place are CARDO_ERROR_INPUT. The
 * caller owns *out. */
cardo_status cardo_spring_network_create(int npoint, const double *positions,
                                         const cardo_spring_options *options,
                                         cardo_spring_network **out, cardo_error *error);
void cardo_spring_network_destroy(cardo_spring_network *network);

#endif
