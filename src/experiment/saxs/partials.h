/* Partial profiles: what atoms (V), the solvent that they displace (E) and the water on the surface (W) scatter with
 * each other, so that the density of the layer and the size of the displaced volumes are fitted without touching an atom:
 *   I(q) = VV + G^2 EE + c2^2 WW - 2 G VE + 2 c2 VW - 2 G c2 EW
 *   G(q) = c1^3 exp(-q^2 (c1^2 - 1) v^(2/3)/(4 pi)), v the mean displaced volume
 * (Schneidman-Duhovny et al. 2013, Biophys. J. 105, 962, eqs. 1-4; the exponent is what scaling the radius of a Gaussian sphere by c1 gives). c1 is
 * CRYSOL's r0/rm, c2 the contrast of the layer. */
#ifndef CARDO_EXPERIMENT_SAXS_PARTIALS_H
#define CARDO_EXPERIMENT_SAXS_PARTIALS_H

#include "base/status.h"

enum {
    CARDO_PARTIAL_VV,
    CARDO_PARTIAL_EE,
    CARDO_PARTIAL_WW,
    CARDO_PARTIAL_VE,
    CARDO_PARTIAL_VW,
    CARDO_PARTIAL_EW,
    CARDO_PARTIALS
};

/* Weights of the six at q (1/nm), and their derivatives by c1 and c2 (NULL: not wanted). */
void cardo_partial_weights(double q, double mean_volume, double c1, double c2,
                           double weight[CARDO_PARTIALS], double by_c1[CARDO_PARTIALS],
                           double by_c2[CARDO_PARTIALS]);

/* Few values of q from which the profile of a body of a size follows at all others: I(q) is an even function without frequencies
 * above its largest distance, so that Chebyshev nodes on (-q_max, q_max), of which the positive ones are kept, carry it. */
typedef struct cardo_q_nodes {
    int n;
    double most; /* 1/nm                */
    double *q;   /* 1/nm, falling   (n) */
} cardo_q_nodes;

/* For q from 0 to most and distances up to size (nm); the error is below 1e-7 of a smooth profile, and below 1e-4
 * with form factors from the spline through a table. The caller clears *out. */
cardo_status cardo_q_nodes_make(double most, double size, cardo_q_nodes *out, cardo_error *error);
void cardo_q_nodes_clear(cardo_q_nodes *nodes);

/* The row with which values at the nodes make the one at q (nodes->n). */
void cardo_q_nodes_row(const cardo_q_nodes *nodes, double q, double *row);

#endif
