/* The multistate Bennett acceptance ratio (Shirts & Chodera 2008, J. Chem. Phys. 129, 124105).
 *
 * Samples of K states, with the reduced energy (in kT) of every sample in every state, give the
 * states' reduced free energies f and the weight of each sample in any state. Damped Newton steps
 * on the convex objective, self-consistent steps where its curvature is lost; everything in logs. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_MBAR_H
#define CARDO_ANALYSIS_FREE_ENERGY_MBAR_H

#include "base/status.h"

/* Samples lie state by state, each state's in order of time. Borrowed, also by a solution. */
typedef struct cardo_mbar_data {
    int nstate;
    int ncolumn;       /* configurations with energies                                       */
    const double *u;   /* reduced energies, kT; a constant a column is free (nstate x ncolumn) */
    const int *count;  /* samples of each state, may be 0 but not for all           (nstate) */
    const int *column; /* configuration of each sample, any number of times; NULL: their order */
} cardo_mbar_data;

typedef struct cardo_mbar {
    cardo_mbar_data data;
    int nsample;         /* sum of count                                                   */
    double *f;           /* reduced free energies, f[0] = 0                      (nstate) */
    double *log_mixture; /* ln sum_k N_k exp(f_k - u_kn) of each column         (ncolumn) */
    double *inverse;     /* of the objective's curvature, without its constant direction;
                                0 for states without samples                (nstate x nstate) */
    double *overlap;     /* O_ij = N_j sum_n W_ni W_nj: the chance that a sample of i is as
                                good as one of j; rows sum to 1 over states with samples
                                (Klimovich et al. 2015)                     (nstate x nstate) */
    double *effective;   /* samples that the weights of each state are worth:
                                (sum w)^2 / sum w^2                                 (nstate) */
    double gap;          /* 1 - second eigenvalue of the overlap: 0 when states fall apart */
    double residual;     /* last change of f, kT                                          */
    int iterations;
} cardo_mbar;

/* Solves; start[nstate]: a guess at f, or NULL. The caller owns *out, zero-initialized before, and
 * clears it. Energies that are not finite: CARDO_ERROR_INPUT with state and sample; groups of
 * states that no sample connects: CARDO_ERROR_NUMERICAL with the states that should be nearer. */
cardo_status cardo_mbar_solve(const cardo_mbar_data *data, const double *start, cardo_mbar *out,
                              cardo_error *error);
void cardo_mbar_clear(cardo_mbar *mbar);

/* P_ni = N_i exp(f_i - u_ni)/mixture_n, the share of state i in the mixture at a column; a row of
 * nstate numbers a column, n columns from first on. */
void cardo_mbar_shares(const cardo_mbar *mbar, int first, int n, double *shares);

/* Standard errors of f_j - f_i were all samples independent (eq. 8 there), kT (nstate x nstate):
 * of samples with statistical inefficiency g they are too small by about sqrt(g); those of
 * cardo_weighted_samples know of correlation. */
cardo_status cardo_mbar_independent_errors(const cardo_mbar *mbar, double *sigma,
                                           cardo_error *error);

/* ln of the unnormalized weight of each sample in a state of reduced energies target[ncolumn] (NULL: 0):
 * -target - ln mixture. log_weight[nsample]. */
void cardo_mbar_log_weights(const cardo_mbar *mbar, const double *target, double *log_weight);

#endif
