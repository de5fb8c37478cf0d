/* Correlated samples of harmonic oscillators: x_(n+1) = c + r (x_n - c) + sqrt(1 - r^2) s z has the exact marginal
 * N(c, s^2) and the statistical inefficiency (1 + r)/(1 - r). */
#ifndef CARDO_TESTS_ANALYSIS_OSCILLATORS_H
#define CARDO_TESTS_ANALYSIS_OSCILLATORS_H

#include "base/random.h"

void oscillator_series(cardo_random *random, int n, double centre, double width, double correlation,
                       double *x);

/* Of many deviations: how many lie within their standard error. */
typedef struct coverage {
    int n, within;
    double squares; /* of deviation/sigma */
} coverage;

void coverage_take(coverage *c, double deviation, double sigma);

/* 68 +- 7 % within one sigma, and the root mean square of deviation/sigma within 0.85 to 1.15. Prints both. */
void assert_honest(const char *what, const coverage *c);

#endif
