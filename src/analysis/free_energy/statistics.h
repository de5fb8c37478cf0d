/* Statistics of correlated series: how many independent samples a series is worth, and what its
 * mean is known to.
 *
 * The variance of a mean of n correlated values is L/n, L the long-run variance: the sum of the
 * autocovariances of all lags, g times the variance of one value. g is the statistical
 * inefficiency, n/g the effective samples. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_STATISTICS_H
#define CARDO_ANALYSIS_FREE_ENERGY_STATISTICS_H

#include "base/status.h"

/* Long-run variance of n values, by the initial monotone sequence of pairs of lags (Geyer 1992,
 * Stat. Sci. 7, 473), with the correction for the mean's being taken from the same values (Wolff
 * 2004, Comput. Phys. Commun. 156, 143, eq. 49); at least a tenth of the variance of one value.
 * Long memories are followed in means of 2, 4, 8 ... values. 0 for a constant or fewer than two
 * values. values[n] are destroyed. */
double cardo_long_run_variance(int n, double *values);

/* The same of a series that takes part in a memory too faint to be seen in it, such as the share of a
 * bin that is visited now and then while walkers seldom cross a barrier: noise hides small
 * correlations at long lags, and their sum is cut off too early. `memory` is the inefficiency of
 * what remembers longest. Where that is longer than the series' own, 2 V(b) - V(b/2), V(b) the
 * variance of means of overlapping blocks of b = 5 memory values (a sixth of the series at most),
 * times b: without the first-order bias of blocks (Vats & Flegal 2022, Biometrika 109, 735).
 * *freedom, if not NULL: how many degrees of freedom it has. values[n] are destroyed. */
double cardo_long_run_variance_over(int n, double *values, double memory, double *freedom);

/* The same where not even that memory is known: at least `memory`, but possibly any part of the run.
 * Blocks of a tenth of the run hold it, but are so few that they scatter; that they do so low is seen
 * in those of a fortieth. Over white noise and a slow part (remembered for 1 to 5 % of the run, with 0
 * to 9 times the noise's long-run variance) 67 to 70 % of deviations are then below one standard error
 * and 0.1 to 0.3 % beyond four; of blocks of a tenth alone up to 0.6 %. values[n] are destroyed. */
double cardo_long_run_variance_unseen(int n, double *values, double memory, double *freedom);

/* The same of a few values, such as means of blocks, that are hardly correlated: without the noise that
 * the sum over pairs of lags keeps as it ends where one happens to be negative. Of n values without correlation it
 * makes the variance too large by 1.8/sqrt(n), of ones with 1/4 from each to the next by 1.5/sqrt(n)
 * (measured, n from 40 to 400); the latter is taken off. */
double cardo_long_run_variance_of_few(int n, double *values, double *freedom);

/* By what a standard error estimated with so many degrees of freedom is multiplied to hold 68.3 % of
 * deviations: Student's quantile (Fisher & Cornish 1960, Technometrics 2, 209). */
double cardo_student_factor(double freedom);

typedef struct cardo_series_mean {
    double mean;
    double sigma;        /* standard error of the mean                         */
    double inefficiency; /* g, at least 0.1; 1 for a constant                  */
    double effective;    /* n/g                                                */
} cardo_series_mean;

/* Mean of n > 0 values in order of time. Not finite values are CARDO_ERROR_INPUT. */
cardo_status cardo_series_statistics(int n, const double *values, cardo_series_mean *out,
                                     cardo_error *error);

/* Where a series has come to equilibrium: the start that leaves the most effective samples (Chodera
 * 2016, J. Chem. Theory Comput. 12, 1799), among 0, 1/50, 2/50 ... of n up to nine tenths. */
cardo_status cardo_series_equilibration(int n, const double *values, int *start,
                                        cardo_error *error);

/* Standard error of the mean from the scatter of nblock means of consecutive blocks of equal
 * length; what is left over at the beginning is dropped. At least two blocks, else NaN. */
double cardo_block_error(int n, const double *values, int nblock);

#endif
