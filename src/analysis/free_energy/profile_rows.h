/* Profiles that depend on numbers with errors: F at places, and by rows how it changes with them. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_PROFILE_ROWS_H
#define CARDO_ANALYSIS_FREE_ENERGY_PROFILE_ROWS_H

/* Shifts F, so that exp(-F) times width adds up to 1 over n places, and the rows (n x ncolumn) with
 * it; width <= 0 marks places that do not count. share[n]: exp(-F) width after. */
void cardo_profile_normalize(int n, int ncolumn, const double *width, double *F, double *rows,
                             double *share);

/* Free energies of basins against the first one, basin_F[nbasin], and their rows after the n of the
 * places. Basin b holds the places xi from basin[2 b] to basin[2 b + 1]; NaN where it has no share. */
void cardo_profile_basins(int n, const double *xi, const double *share, int ncolumn, double *rows,
                          double period, int nbasin, const double *basin, double *basin_F);

#endif
