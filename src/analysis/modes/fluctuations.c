#include "analysis/modes/fluctuations.h"

#include "base/vec.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

void cardo_mode_fluctuations(int n, int nmode, const double *displacement, const double *variance,
                             double *fluctuation)
{
    memset(fluctuation, 0, (size_t)n * sizeof *fluctuation);
    for (int m = 0; m < nmode; ++m)
        for (int i = 0; i < n; ++i) {
            cardo_vec3 d = v3_load(displacement + 3 * ((size_t)m * (size_t)n + (size_t)i));
            fluctuation[i] += variance[m] * v3_dot(d, d);
        }
}

void cardo_mode_correlations(int n, int nmode, const double *displacement, const double *variance,
                             double *correlation)
{
    const size_t size = (size_t)n;
    memset(correlation, 0, size * size * sizeof *correlation);
    for (int m = 0; m < nmode; ++m)
        for (size_t i = 0; i < size; ++i) {
            const double *restrict own = displacement + 3 * size * (size_t)m;
            double *restrict row = correlation + i * size;
            const double x = variance[m] * own[3 * i], y = variance[m] * own[3 * i + 1],
                         z = variance[m] * own[3 * i + 2];
            for (size_t j = 0; j <= i; ++j)
                row[j] += x * own[3 * j] + y * own[3 * j + 1] + z * own[3 * j + 2];
        }
    for (size_t i = 0; i < size; ++i)
        for (size_t j = 0; j < i; ++j) {
            double both = correlation[i * size + i] * correlation[j * size + j];
            double share = both > 0 ? correlation[i * size + j] / sqrt(both) : 0;
            correlation[i * size + j] = correlation[j * size + i] = share;
        }
    for (size_t i = 0; i < size; ++i)
        correlation[i * size + i] = correlation[i * size + i] > 0 ? 1 : 0;
}
