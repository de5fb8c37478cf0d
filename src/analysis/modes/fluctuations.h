/* Thermal fluctuations that modes add up to: every mode swings for itself with the variance
 * kT/lambda. */
#ifndef CARDO_ANALYSIS_MODES_FLUCTUATIONS_H
#define CARDO_ANALYSIS_MODES_FLUCTUATIONS_H

/* Mean square displacement of each point (n, overwritten), nm^2. displacement (nmode x n x 3): of modes
 * with v^T M v = 1; variance (nmode): kT/lambda, 0 for a mode that is left out. */
void cardo_mode_fluctuations(int n, int nmode, const double *displacement, const double *variance,
                             double *fluctuation);

/* Cross-correlations <d_i . d_j>/sqrt(<d_i^2> <d_j^2>) of all pairs (n x n, overwritten), from -1 to 1;
 * 0 for points that do not move (Ichiye & Karplus 1991, Proteins 11, 205). */
void cardo_mode_correlations(int n, int nmode, const double *displacement, const double *variance,
                             double *correlation);

#endif
