#include "forces/rigid/kernels/interpolation.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

double cardo_chebyshev_point(int n, int k)
{
    return cos(CARDO_PI * (k + 0.5) / n);
}

void cardo_interpolate(int n, const double *x, double *values, double *coefficients)
{
    for (int order = 1; order < n; ++order)
        for (int k = n - 1; k >= order; --k)
            values[k] = (values[k] - values[k - 1]) / (x[k] - x[k - order]);
    memset(coefficients, 0, sizeof *coefficients * (size_t)n);
    for (int order = n - 1; order >= 0; --order) {
        for (int k = n - 1; k > 0; --k)
            coefficients[k] = coefficients[k - 1] - x[order] * coefficients[k];
        coefficients[0] = values[order] - x[order] * coefficients[0];
    }
}
