/* Low-frequency modes of an elastic network of C-alpha atoms: what a single structure can do easily.
 *
 * The anisotropic network model (Atilgan et al. 2001, Biophys. J. 80, 505): equal springs between
 * all pairs within a cutoff (analysis/modes/spring_network.h), in the basis of rigid blocks of consecutive
 * residues (Durand, Trinquier & Sanejouand 1994, Biopolymers 34, 759; Tama et al. 2000, Proteins 41,
 * 1), so that the matrix stays small whatever the size of the protein. */
#ifndef CARDO_ANALYSIS_DOMAINS_ELASTIC_NETWORK_H
#define CARDO_ANALYSIS_DOMAINS_ELASTIC_NETWORK_H

#include "base/status.h"

/* The lowest nmode modes above the six of the whole body. position: n x 3, nm; chain: index of the
 * chain of each point, rising (blocks stay within one). cutoff: nm. stiffness[nmode]: eigenvalues for
 * unit masses and springs, rising; displacement[nmode x n x 3]: of unit mean square over the points,
 * nm. A network that falls apart, or fewer than 8 points, are CARDO_ERROR_INPUT. O(n^2 + blocks^3)
 * with at most 120 blocks, or one a point up to 240 points. */
cardo_status cardo_elastic_modes(int n, const double *position, const int *chain, double cutoff,
                                 int nmode, double *stiffness, double *displacement,
                                 cardo_error *error);

#endif
