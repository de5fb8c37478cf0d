/* Free energies from weighted samples, with errors that know of correlation: profiles along a
 * coordinate, differences between basins, means.
 *
 * Every estimate here is a smooth function of means over series of samples. To first order a sample
 * n moves it by phi_n, so its variance is the sum over series of length times long-run variance of
 * phi. Where weights come from MBAR, phi holds the part that goes through the states' free energies
 * (the estimating equations linearized: Kong et al. 2003, J. R. Stat. Soc. B 65, 585; for
 * correlated series Doss & Tan 2014, J. R. Stat. Soc. B 76, 683). */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_WEIGHTED_SAMPLES_H
#define CARDO_ANALYSIS_FREE_ENERGY_WEIGHTED_SAMPLES_H

#include "analysis/free_energy/coordinate_bins.h"
#include "analysis/free_energy/mbar.h"
#include "base/random.h"

#include <stdbool.h>

/* Series lie one after the other, each in order of time. All is borrowed. */
typedef struct cardo_weighted_samples {
    int nseries;
    const int *count;         /* samples of each series                               (nseries) */
    const double *log_weight; /* ln of unnormalized weights                (sum of count)       */
    const cardo_mbar *mbar;   /* what the weights come from: series are its states; NULL: they
                                 are known                                                      */
    const double *target;     /* with mbar: reduced energies that the weights lead to, a column
                                 each; NULL: 0                                                  */
    /* Statistical inefficiency of what each series is known to remember longest, such as another
     * coordinate that was recorded; NULL: nothing but the samples' own is known        (nseries). */
    const double *memory;
    bool together; /* series of one length whose walkers exchange places as they go: what one saw
                      others go on with, so that series are not independent                     */
} cardo_weighted_samples;

/* Disjoint sets of samples: bins, or basins. */
typedef struct cardo_sample_sets {
    int n;
    const int *label; /* the set of each sample, -1: none                                       */
    int reference;    /* free energies against this set; -1: against all samples in sets        */
} cardo_sample_sets;

/* F = -ln of each set's share of the weight, kT (n); NaN for a set without samples. sigma (n) and
 * effective (n, the samples that its weights are worth, (sum w)^2/sum w^2) may be NULL. */
cardo_status cardo_weighted_free_energies(const cardo_weighted_samples *samples,
                                          const cardo_sample_sets *sets, double *F, double *sigma,
                                          double *effective, cardo_error *error);

/* The profile F(xi) = -ln p(xi) of bins, p the mean density in a bin, normalized to 1 over the
 * bins' range (xi's unit is that of the bins): kT (n). xi: of each sample. sigma and effective as above. */
cardo_status cardo_weighted_profile(const cardo_weighted_samples *samples, const double *xi,
                                    const cardo_bins *bins, double *F, double *sigma,
                                    double *effective, cardo_error *error);

/* Weighted mean of values (one a sample) and its standard error. */
cardo_status cardo_weighted_mean(const cardo_weighted_samples *samples, const double *values,
                                 double *mean, double *sigma, cardo_error *error);

/* How a bootstrap draws: the blocks of each series, and by what its scatter is too small. */
typedef struct cardo_bootstrap_plan {
    int nreplicate;
    int *block;       /* samples (nseries), the caller's                        */
    double inflation; /* of standard errors: the bias of blocks of finite length */
} cardo_bootstrap_plan;

/* Fills plan->block[nseries] and plan->inflation: each series has blocks of max(5, (n/g)^(1/3))
 * statistical inefficiencies g of xi, at most a quarter of the series; 1 for independent samples.
 * Of series that go together all have the longest of these, a fifth of the series at least, and the
 * same blocks of time are drawn of each.
 * Means of blocks of length l have 1 - (g - 1/g)/2l of the long-run variance where memory is
 * exponential, and their own mean takes l/n more off. */
cardo_status cardo_bootstrap_prepare(const cardo_weighted_samples *samples, const double *xi,
                                     cardo_bootstrap_plan *plan, cardo_error *error);

/* Standard errors of the free energies of ngroup groups of sets by circular block bootstrap (Politis &
 * Romano 1992): each series is drawn anew in blocks, the states' free energies are solved for again,
 * F again; sigma[group][sets[group].n] is the scatter over the replicates in which a set has
 * samples, NaN for fewer than two. sigma_f[nstate]: likewise of the states, or NULL. */
cardo_status cardo_weighted_bootstrap(const cardo_weighted_samples *samples, int ngroup,
                                      const cardo_sample_sets *sets,
                                      const cardo_bootstrap_plan *plan, cardo_random *random,
                                      double *const *sigma, double *sigma_f, cardo_error *error);

/* Free energies of sets from the first and the last parts of every series: forward and backward are
 * npart x sets->n in rows, part p = 1 ... npart holding p/npart of each series; so are their sigmas.
 * Parts without samples in a set, or whose states do not overlap, give NaN. */
cardo_status cardo_weighted_convergence(const cardo_weighted_samples *samples,
                                        const cardo_sample_sets *sets, int npart, double *forward,
                                        double *forward_sigma, double *backward,
                                        double *backward_sigma, cardo_error *error);

#endif
