/* What the forward model is at q = 0, and the distribution of distances that its profile is the transform of. */
#ifndef CARDO_EXPERIMENT_SAXS_DISTANCES_H
#define CARDO_EXPERIMENT_SAXS_DISTANCES_H

#include "experiment/saxs/partials.h"
#include "experiment/saxs/scatterers.h"

/* The six partials at q = 0: products of sums of amplitudes.. */
cardo_status cardo_scattering_forward(const cardo_scatterers *scatterers,
                                      double out[CARDO_PARTIALS], cardo_error *error);

/* p(r) of n bins of a width (nm), electrons^2/nm: pairs of scatterers, each with its electrons beyond those of the water that it displaces, c1 = 1,
 * without the layer; both orders of a pair, and no scatterer with itself. Its integral and the sum of squares are I(0) of c2 = 0. Distances beyond
 * the last bin are left out. */
void cardo_scatterers_distances(const cardo_scatterers *scatterers, double width, int n,
                                double *out);

#endif
