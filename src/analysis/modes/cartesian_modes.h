/* Modes of an elastic network in Cartesian coordinates, every point of unit mass: the plain anisotropic
 * network model, to compare with. */
#ifndef CARDO_ANALYSIS_MODES_CARTESIAN_MODES_H
#define CARDO_ANALYSIS_MODES_CARTESIAN_MODES_H

#include "analysis/modes/spring_network.h"

/* All 3 npoint eigenvalues (kJ/mol/nm^2), rising, and eigenvectors (rows; 3 npoint x 3 npoint), which
 * the caller owns (cardo_free). O(npoint^3) with a dense matrix. */
cardo_status cardo_cartesian_modes(const cardo_spring_network *network, double **values,
                                   double **vectors, cardo_error *error);

#endif
