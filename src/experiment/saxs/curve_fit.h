/* What a curve asks of c1, c2, scale and background, and how well a profile meets it. */
#ifndef CARDO_EXPERIMENT_SAXS_CURVE_FIT_H
#define CARDO_EXPERIMENT_SAXS_CURVE_FIT_H

#include "experiment/saxs/curve.h"
#include "experiment/saxs/partials.h"

/* Where c1 and c2 may lie (FoXS's ranges), or where they are held: low = high. */
typedef struct cardo_curve_fit_options {
    double c1[2], c2[2];
    bool background; /* a constant is fitted too */
} cardo_curve_fit_options;

typedef struct cardo_curve_fit {
    double c1, c2, scale, background;
    double chi_square; /* sum of ((I - fit)/sigma)^2                                       */
    double reduced;    /* over points less the parameters that were fitted                 */
    int parameters;
    bool at_bound;        /* c1 or c2 lies at the end of its range                            */
    double durbin_watson; /* of residuals over sigma: 2 without a trend                        */
    int runs;             /* of residuals with one sign                                      */
    double runs_expected, runs_z; /* without a trend, and how many standard deviations off      */
} cardo_curve_fit;

/* Fits partial profiles at the curve's q (n x CARDO_PARTIALS) by weighted least squares: scale and background are exact, c1 and c2
 * from the best of 49 places by Gauss-Newton steps inside of their ranges. fitted (n): the curve of it. A profile that the scale turns negative for is
 * CARDO_ERROR_NUMERICAL. */
cardo_status cardo_curve_fit_find(const cardo_curve *curve, const double *partials,
                                  double mean_volume, const cardo_curve_fit_options *options,
                                  cardo_curve_fit *out, double *fitted, cardo_error *error);

#endif
