#include "analysis/oscillators.h"

#include "support/support.h"

#include <math.h>
#include <stdio.h>

void oscillator_series(cardo_random *random, int n, double centre, double width, double correlation,
                       double *x)
{
    double noise = sqrt(1 - correlation * correlation);
    cardo_random_normal(random, n, x);
    for (int i = 1; i < n; ++i)
        x[i] = correlation * x[i - 1] + noise * x[i];
    for (int i = 0; i < n; ++i)
        x[i] = centre + width * x[i];
}

void coverage_take(coverage *c, double deviation, double sigma)
{
    c->n++;
    c->within += fabs(deviation) <= sigma;
    c->squares += deviation * deviation / (sigma * sigma);
}

void assert_honest(const char *what, const coverage *c)
{
    double fraction = (double)c->within / c->n, size = sqrt(c->squares / c->n);
    printf("%-44s %5d deviations, %.1f %% within one sigma, rms %.3f sigma\n", what, c->n,
           100 * fraction, size);
    fflush(stdout);
    assert_close(fraction, 0.683, 0.07);
    assert_close(size, 1, 0.15);
}
