/* F(xi) from mean forces dF/dxi: by quadrature over nodes, or over bins that walkers pass through.
 *
 * Profiles are normalized as those of weighted_samples.h: exp(-F) has integral 1 over the range.
 * Forces in kT per unit of xi. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_THERMODYNAMIC_INTEGRATION_H
#define CARDO_ANALYSIS_FREE_ENERGY_THERMODYNAMIC_INTEGRATION_H

#include "analysis/free_energy/coordinate_bins.h"
#include "base/status.h"

/* F at n >= 2 nodes (rising xi) from mean forces with independent standard errors sigma: cubics
 * through the four nearest nodes are integrated. period > 0: the last node is joined to the first,
 * and the mean of the force over the period, noise in truth, is taken off. F[n], sigma_F[n]. */
cardo_status cardo_integrate_nodes(int n, const double *xi, double period, const double *mean,
                                   const double *sigma, double *F, double *sigma_F,
                                   cardo_error *error);

/* Series of the coordinate and of the instantaneous force whose mean at xi is dF/dxi: walkers one
 * after the other, each in order of time. */
typedef struct cardo_force_series {
    int nseries;
    const int *count;    /*                 (nseries)      */
    const double *xi;    /*                 (sum of count) */
    const double *force; /* kT per unit     (sum of count) */
} cardo_force_series;

/* F at the centres of bins. The mean force of a bin times its width is the difference of F between
 * its ends (exact where a bin is visited evenly, as under an adaptive bias); centres by cubics
 * through the ends. Bins beyond the outermost visited ones get NaN; one without samples between
 * visited ones is CARDO_ERROR_NUMERICAL. sigma[n] from the correlation of each walker's series.
 * in_bin[n] (samples of each bin) may be NULL.
 *
 * nbasin > 1: free energies of basins basin[2 b] to basin[2 b + 1] against the first, from bins whose
 * centres they hold: basin_F, basin_sigma [nbasin]; 0 basins: NULL. */
cardo_status cardo_integrate_bins(const cardo_force_series *series, const cardo_bins *bins,
                                  int nbasin, const double *basin, double *F, double *sigma,
                                  int *in_bin, double *basin_F, double *basin_sigma,
                                  cardo_error *error);

#endif
