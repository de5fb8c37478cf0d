/* Statistics of correlated series: how many independent samples a series is worth, and what its
 * mean is known to.
 *
 * The variance of a mean of n correlated values is L/n, L the long-run variance: the sum of the
 * autocovariances of all lags, g times the variance of one value. g is the statistical
 * inefficiency, n/g the effective samples. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_STATISTICS_H
#define CARDO_ANALYSIS_FREE_ENERGY_STATISTICS_H

#include "base/status.h"

#include <stdbool.h>

/* What a series may remember, or keep of noise, that does not show in it. Zero: nothing. */
typedef struct cardo_memory {
    double
        known; /* inefficiency of what remembers longest of all that takes part in the series            */
    bool
        perhaps_longer; /* something unknown takes part, which may remember any part of the run                   */
    bool
        few_values; /* some 40 to 400, hardly correlated, such as means of blocks                             */
} cardo_memory;

/* Long-run variance of n values; 0 for a constant or fewer than two. *freedom, if not NULL: of how many degrees of freedom
 * (cardo_student_factor). values[n] are destroyed. It is at least a tenth of the variance of one value, and
 *
 * - of what shows in the series itself: the initial monotone sequence of pairs of lags (Geyer 1992, Stat. Sci. 7, 473), with the
 *   correction for the mean's being taken from the same values (Wolff 2004, Comput. Phys. Commun. 156, 143, eq. 49). Long
 *   memories are followed in means of 2, 4, 8 ... values.
 * - where `known` is longer than that: 2 V(b) - V(b/2), V(b) the variance of means of overlapping blocks of b = 5 known values (a
 *   sixth of the series at most), times b: without the first-order bias of blocks (Vats & Flegal 2022, Biometrika 109, 735). Such a
 *   memory is too faint to be seen in the share of a bin that is visited now and then while walkers seldom cross a
 *   barrier: noise hides small correlations at long lags, and their sum is cut off too early.
 * - `perhaps_longer`: the larger of that over blocks of a tenth of the run, which hold such a memory but are so few that they
 *   scatter, and 0.7 times that over a fortieth, which shows where they do so low.
 * - `few_values`: without the noise that the sum over pairs of lags keeps as it ends where one happens to be negative. Of
 *   n values without correlation it makes the variance too large by 1.8/sqrt(n), of ones with 1/4 from each to the next by
 *   1.5/sqrt(n) (measured, n from 40 to 400); the latter is taken off.
 *
 * Deviations below one standard error, as tested, where 68.3 % are meant: AR(1) series of 20,000 values with correlations from -0.5
 * to 0.99 (test_free_energy, 200 of each) 63 to 70 %; estimates from umbrella windows, bins and metadynamics, whose memories
 * are known, 63 to 71 % (the table in analysis/README.md, fifty seeds each); white noise and a slow part that is perhaps longer,
 * remembered for 1 to 5 % of the run and with 0 to 9 times the noise's long-run variance, 67 to 70 %, and 0.1 to 0.3 %
 * beyond four (of blocks of a tenth alone up to 0.6 %); 78 values, hardly correlated, 67 and 68 % (test_free_energy, 4000 of each). */
double cardo_long_run_variance(int n, double *values, cardo_memory memory, double *freedom);

/* By what a standard error estimated with so many degrees of freedom is multiplied to hold 68.3 % of
 * deviations: Student's quantile (Fisher & Cornish 1960, Technometrics 2, 209). */
double cardo_student_factor(double freedom);

/* The variance of a sum of independent parts, each known with some degrees of freedom. Zero-initialise. */
typedef struct cardo_error_sum {
    double variance, squares; /* squares: of the parts over their degrees of freedom */
} cardo_error_sum;
void cardo_error_sum_add(cardo_error_sum *sum, double variance, double freedom);
/* Its standard error, with Student's factor for the degrees of freedom that Satterthwaite adds up (1946, Biometrics Bull. 2,
 * 110); 0 of nothing. */
double cardo_error_sum_sigma(const cardo_error_sum *sum);

typedef struct cardo_series_mean {
    double mean;
    double sigma;        /* standard error of the mean                         */
    double inefficiency; /* g, at least 0.1; 1 for a constant                  */
    double effective;    /* n/g                                                */
} cardo_series_mean;

/* Mean of n > 0 values in order of time. Not finite values are CARDO_ERROR_INPUT. */
cardo_status cardo_series_statistics(int n, const double *values, cardo_series_mean *out,
                                     cardo_error *error);

/* How long a series of labels is remembered: its inefficiency; 1 of none. Where they are the bins of a coordinate, that is the
 * memory of the coordinate, which takes part in all bins. work (n). */
cardo_status cardo_label_memory(int n, const int *label, double *work, double *memory,
                                cardo_error *error);

#endif
