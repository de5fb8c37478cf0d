/* MBAR solved again for samples drawn anew from those of a solution.
 *
 * A drawing moves the states' free energies f by little, so its solution is sought from the one of
 * all samples: the weights W_nk = exp(f_k - u_kn)/mixture_n are kept, samples in the new f differ
 * from them by sums over states alone, without an exponential, and the curvature is that of all
 * samples (a Newton step with a stale Hessian, whose error shrinks by the relative change of the
 * curvature at each). Where that does not lead to the solution, the caller solves from scratch. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_MBAR_RESAMPLE_H
#define CARDO_ANALYSIS_FREE_ENERGY_MBAR_RESAMPLE_H

#include "analysis/free_energy/mbar.h"

#include <stdbool.h>

typedef struct cardo_mbar_resampling {
    const cardo_mbar *mbar; /* borrowed                                                        */
    float *weight;          /* W of all samples                           (nstate x nsample) */
    double *shift;          /* of f against mbar's, kT                              (nstate) */
    double *ratio;          /* the mixture of each sample in the new f over the old (nsample) */
    double *sum;            /* sum_n times_n W_nk / ratio_n                         (nstate) */
    double *factor;         /* N_k exp(shift_k)                                     (nstate) */
} cardo_mbar_resampling;

/* The caller zero-initialises *out and clears it, also after a failure. */
cardo_status cardo_mbar_resampling_create(const cardo_mbar *mbar, cardo_mbar_resampling *out,
                                          cardo_error *error);
void cardo_mbar_resampling_clear(cardo_mbar_resampling *resampling);

/* Solves for times[nsample] copies of each sample, which leave each state as many as it had. True:
 * shift (shift[0] = 0) and ratio are set, to 1e-6 kT; false: the drawing is too different. */
bool cardo_mbar_resampling_solve(cardo_mbar_resampling *resampling, const double *times);

#endif
