#include "forces/rigid/kernels/harmonics.h"

#include <math.h>

void cardo_harmonic_scales(int order, double *scale)
{
    for (int n = 0; n <= order; ++n)
        for (int m = 0; m <= n; ++m) {
            const double s = exp(0.5 * (lgamma(n - m + 1) + lgamma(n + m + 1)));
            scale[cardo_harmonic(n, m)] = m > 0 ? sqrt(2) * s : s;
            if (m > 0)
                scale[cardo_harmonic(n, m) + 1] = sqrt(2) * s;
        }
}
