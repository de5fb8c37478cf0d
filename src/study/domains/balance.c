#include "study/domains/balance.h"

#include <math.h>

static double spread(int n, const double *q, const double *value, double slope)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < n; ++k) {
        low = fmin(low, value[k] - slope * q[k]);
        high = fmax(high, value[k] - slope * q[k]);
    }
    return high - low;
}

/* The spread is convex and made of straight pieces, which meet where two points share the largest or the least. */
double cardo_balance_slope(int n, const double *q, const double *value)
{
    double best = 0, least = HUGE_VAL;
    for (int i = 1; i < n; ++i)
        for (int j = 0; j < i; ++j) {
            const double slope = (value[i] - value[j]) / (q[i] - q[j]);
            const double now = spread(n, q, value, slope);
            if (now < least) {
                least = now;
                best = slope;
            }
        }
    return best;
}
