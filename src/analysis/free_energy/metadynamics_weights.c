#include "analysis/free_energy/metadynamics_weights.h"

#include <math.h>

static double log_sum(int n, const double *bias, double scale)
{
    double most = scale * bias[0], sum = 0;
    for (int i = 1; i < n; ++i)
        most = fmax(most, scale * bias[i]);
    for (int i = 0; i < n; ++i)
        sum += exp(scale * bias[i] - most);
    return most + log(sum);
}

double cardo_metadynamics_offset(int n, const double *bias, double gamma)
{
    double flat = isinf(gamma) ? 0 : 1 / (gamma - 1);
    return log_sum(n, bias, 1 + flat) - log_sum(n, bias, flat);
}

void cardo_metadynamics_profile(int n, const double *bias, double gamma, double width, double *F)
{
    double scale = isinf(gamma) ? 1 : gamma / (gamma - 1);
    double norm = log_sum(n, bias, scale) + log(width);
    for (int i = 0; i < n; ++i)
        F[i] = norm - scale * bias[i];
}
