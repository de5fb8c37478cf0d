/* The weighted histogram analysis method (Kumar et al. 1992, J. Comput. Chem. 13, 1011): MBAR's
 * binned limit, every sample taken to lie at the centre of its bin. Its cost does not grow with the
 * samples; it errs where a bias changes by more than about 1 kT across a bin. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_WHAM_H
#define CARDO_ANALYSIS_FREE_ENERGY_WHAM_H

#include "analysis/free_energy/weighted_samples.h"

typedef struct cardo_wham {
    cardo_bins bins;
    int nsample;        /* inside the bins                                  */
    int *count;         /* of each state, inside the bins        (nstate)   */
    int *bin;           /* of each sample inside                 (nsample)  */
    double *log_weight; /*                                       (nsample)  */
    double *bias;       /* kT                             (nstate x nbin)   */
    cardo_mbar mbar;    /* its configurations are the bins                  */
} cardo_wham;

/* Solves. xi: the coordinate of the samples, state by state in order of time, count[nstate] of
 * each; bias: kT, at the centres of the bins (nstate x bins->n). Samples outside the bins are left out. The
 * caller owns *out, zero-initialized before, and clears it. Errors are those of cardo_mbar_solve. */
cardo_status cardo_wham_solve(int nstate, const int *count, const double *xi, const double *bias,
                              const cardo_bins *bins, cardo_wham *out, cardo_error *error);
void cardo_wham_clear(cardo_wham *wham);

/* Its samples, for the errors, bootstrap and convergence of weighted_samples.h: bins are sets.
 * Borrowed from wham. */
cardo_weighted_samples cardo_wham_samples(const cardo_wham *wham);

/* F(xi) of the bins as from cardo_weighted_profile. */
cardo_status cardo_wham_profile(const cardo_wham *wham, double *F, double *sigma, double *effective,
                                cardo_error *error);

#endif
