#include "forces/terms/extent.h"

#include <math.h>

/* Four sums at a time, or every addition waits for the one before it. */
bool cardo_all_finite(const double *x, int n)
{
    double poison[4] = {0.0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            poison[k] += 0.0 * x[i + k];
    for (; i < n; i++)
        poison[0] += 0.0 * x[i];
    return poison[0] + poison[1] + poison[2] + poison[3] == 0.0;
}

cardo_status cardo_measure_extent(const double *x, int natom, double *extent, cardo_error *error)
{
    if (!cardo_all_finite(x, 3 * natom)) {
        int i = 0;
        while (isfinite(x[i]))
            i++;
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "coordinate %c of atom %d (counted from 1) is %g", "xyz"[i % 3],
                          i / 3 + 1, x[i]);
    }
    double low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]}, square = 0.0;
    for (int i = 0; i < natom; i++)
        for (int k = 0; k < 3; k++) {
            double c = x[3 * i + k];
            low[k] = c < low[k] ? c : low[k];
            high[k] = c > high[k] ? c : high[k];
        }
    for (int k = 0; k < 3; k++)
        square += (high[k] - low[k]) * (high[k] - low[k]);
    *extent = sqrt(square);
    return CARDO_OK;
}
