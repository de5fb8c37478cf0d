/* What a study says about free energies: the profile along the variable, differences between basins,
 * and what tells whether they are converged. Every method fills what it has. In kT.
 *
 * No number without an error: a bin or basin whose samples are worth less than one and a half, so that
 * nobody knows how they scatter, counts as not sampled, and what is not sampled is NaN. */
#ifndef CARDO_SAMPLING_METHODS_ESTIMATE_H
#define CARDO_SAMPLING_METHODS_ESTIMATE_H

#include "analysis/free_energy/coordinate_bins.h"
#include "analysis/free_energy/mbar.h"
#include "analysis/free_energy/verdict.h"
#include "sampling/sampling.h"

enum { CARDO_MOST_BASINS = 16 };

/* What is wanted. */
typedef struct cardo_estimate_request {
    int nbin;   /* over the range of the study                                             */
    int nbasin; /* basins, values of the variable from basin[2 b] to basin[2 b + 1]         */
    double basin[2 * CARDO_MOST_BASINS];
    int nreplicate; /* of the bootstrap, 0: none                                               */
    int npart;      /* parts of forward and backward convergence, 0: none; needs two basins     */
} cardo_estimate_request;

typedef struct cardo_estimate {
    cardo_bins bins;
    const char *remark; /* what to say of the profile instead of a verdict, static; NULL: nothing */
    bool
        folded; /* the variable is (sampling/methods/fold.h), and samples lie on one side alone          */
    double kT; /* kJ/mol                                                                       */
    /* The profile at the bins' centres, normalized as in analysis/free_energy/weighted_samples.h (bins.n each); F and
     * sigma are NaN where nothing was sampled. */
    double *xi, *F, *sigma;
    double *bootstrap; /* standard errors by bootstrap, or NULL                                */
    double *effective; /* samples that each bin is worth, or NULL                              */
    /* Of metadynamics, 0 of others: by how much the bias rose in the last half of the run while a walker forgot its
     * place, kT. */
    double haste;
    bool roam;    /* each walker goes over the whole range                                     */
    int passages; /* of what travels, from one end of the range to the other; -1: nothing does */
    /* What each walker has seen of the coordinates that are recorded, the variable first. */
    int nwalker, ncoordinate;
    const char
        *names[1 + CARDO_MOST_SLOW]; /* borrowed from the study  (ncoordinate)              */
    /* Of all replicas together: how often a walker crossed where it saw each (analysis/free_energy/crossings.h). */
    double crossings[1 + CARDO_MOST_SLOW];
    cardo_verdict_moments *moments; /* (nwalker x ncoordinate)                             */
    double
        *memory; /* statistical inefficiency of the slowest of them       (nwalker)             */
    /* Of adaptive-force, or NULL: what of sigma is for want of force-bins (bins.n). */
    double *unresolved;
    int nbasin;
    bool halves; /* the two basins are the halves of the range: none were asked for */
    double basin[2 * CARDO_MOST_BASINS];
    /* Bins that hold places of each basin, and those among them without samples. */
    int basin_bins[CARDO_MOST_BASINS], basin_empty[CARDO_MOST_BASINS];
    /* Against the first; all three NaN where any of its bins, or of the first's, has no samples. */
    double basin_F[CARDO_MOST_BASINS], basin_sigma[CARDO_MOST_BASINS];
    double basin_bootstrap[CARDO_MOST_BASINS]; /* NaN: none */
    /* Of windows (0: the method has none). */
    int nwindow, row;   /* in all, and at each temperature, one temperature after the other   */
    cardo_mbar mbar;    /* of the windows; its data are count and u                           */
    double *histograms; /* samples in each bin                    (nwindow x bins.n)          */
    int *count;         /* samples of each window                 (nwindow)                   */
    int nsample;        /* in all                                                             */
    double *u;          /* reduced energies of all samples in all windows (nwindow x nsample) */
    double *samples;    /* the variable of each sample            (nsample)                   */
    /* The second basin against the first from parts of the run (npart each), 0: none; NaN where it is
     * not known. */
    int npart;
    double *forward, *forward_sigma, *backward, *backward_sigma;
} cardo_estimate;

/* Whether the basins asked for are ranges of the variable that overlap the study's, and not each
 * other: CARDO_ERROR_INPUT. */
cardo_status cardo_estimate_check(const cardo_estimate_request *request,
                                  const cardo_sampling_plan *plan, cardo_error *error);

/* Estimates from the samples so far. The caller clears *estimate, zero-initialised before, also after
 * a failure. */
cardo_status cardo_sampling_estimate(const cardo_sampling *sampling,
                                     const cardo_estimate_request *request,
                                     cardo_estimate *estimate, cardo_error *error);
void cardo_estimate_clear(cardo_estimate *estimate);

/* Fills passages, what walkers have seen, and their memory. */
cardo_status cardo_estimate_walkers(const cardo_sampling *sampling, cardo_estimate *estimate,
                                    cardo_error *error);

/* The bins of a study's range, periodic where that is a whole period. */
cardo_bins cardo_sampling_bins(const cardo_sampling *sampling, int nbin);
/* A value of the variable as its image from `from` upwards; itself where there is no period. */
double cardo_sampling_image(const cardo_sampling *sampling, double xi);

#endif
