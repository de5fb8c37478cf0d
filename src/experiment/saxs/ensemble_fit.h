/* Which shares of several conformations a curve asks for. */
#ifndef CARDO_EXPERIMENT_SAXS_ENSEMBLE_FIT_H
#define CARDO_EXPERIMENT_SAXS_ENSEMBLE_FIT_H

#include "experiment/saxs/curve_fit.h"

typedef struct cardo_conformations {
    int n;
    const double *partials; /* at the curve's q (n x curve->n x CARDO_PARTIALS)     */
    const double *volume;   /* mean displaced volume of each, nm^3 (n)              */
    const double *prior;    /* shares expected without the curve, above 0, sum 1 (n) */
    /* Averages over the ensemble that were measured beside the curve, each over its standard error; their squared deviations are part of chi^2. */
    int nmeasured;          /* 0: none                                               */
    const double *measured; /* (nmeasured)                                           */
    const double *property; /* of each conformation (n x nmeasured)                  */
} cardo_conformations;

/* The average number j that was measured beside the curve, as shares (n) have it, over its standard error. */
double cardo_conformations_average(const cardo_conformations *conformations, const double *weight,
                                   int j);
/* Sum of the squared deviations of all of them. */
double cardo_conformations_measured(const cardo_conformations *conformations, const double *weight);

/* What is wanted beside a small chi^2. */
typedef struct cardo_ensemble_wish {
    double theta;       /* confidence in the prior, above 0                              */
    const double *pull; /* what is to be large on the average (n); NULL: nothing         */
    double strength;    /* of the pull; negative: the average is to be small             */
} cardo_ensemble_wish;

typedef struct cardo_ensemble_fit {
    double c1, c2, scale, background, chi_square;
    double divergence; /* sum w ln(w/prior): kT times it is what the shares cost */
} cardo_ensemble_fit;

/* The shares w (weight, n; sum 1) with the least
 *   chi^2/2 + theta sum w ln(w/prior) - strength sum w pull
 * with scale, background, c1 and c2 free as in a curve's fit, common to all conformations (maximum entropy: Gull & Daniell 1978,
 * Nature 272, 686; Hummer & Koefinger 2015, J. Chem. Phys. 143, 243150, eq. 9): Levenberg and Marquardt's steps in ln w.
 * out and weight are where it begins (cardo_ensemble_start). Where no step helps although the gradient has not vanished:
 * CARDO_ERROR_NUMERICAL. */
cardo_status cardo_ensemble_fit_find(const cardo_curve *curve,
                                     const cardo_conformations *conformations,
                                     const cardo_curve_fit_options *options,
                                     const cardo_ensemble_wish *wish, cardo_ensemble_fit *out,
                                     double *weight, cardo_error *error);

/* The prior's own shares, with the best scale, background, c1 and c2 for them. */
cardo_status cardo_ensemble_start(const cardo_curve *curve,
                                  const cardo_conformations *conformations,
                                  const cardo_curve_fit_options *options, cardo_ensemble_fit *out,
                                  double *weight, cardo_error *error);

/* How well each fifth of the points is foretold by the others: chi^2 a point, for one theta. begin and weight as what fits all. */
cardo_status cardo_ensemble_foretell(const cardo_curve *curve,
                                     const cardo_conformations *conformations,
                                     const cardo_curve_fit_options *options, double theta,
                                     const cardo_ensemble_fit *begin, const double *weight,
                                     double *score, cardo_error *error);

/* How small and how large the average of a property (n) can be in ensembles whose chi^2 is at most `rise` above the least, whatever
 * the prior: one standard error at rise 1 (profile likelihood). begin and weight: the least chi^2's. */
cardo_status cardo_ensemble_range(const cardo_curve *curve,
                                  const cardo_conformations *conformations,
                                  const cardo_curve_fit_options *options, const double *property,
                                  double rise, const cardo_ensemble_fit *begin,
                                  const double *weight, double range[2], cardo_error *error);

/* Confidence in the prior below which it says nothing: its pull is less than a hundredth in chi^2. */
#define CARDO_ENSEMBLE_NO_PRIOR 1e-3

/* Averaged partial profiles (curve->n x CARDO_PARTIALS) and mean volume. */
void cardo_ensemble_average(const cardo_curve *curve, const cardo_conformations *conformations,
                            const double *weight, double *partials, double *volume);

#endif
