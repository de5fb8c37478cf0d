#include "forces/rigid/kernels/born.h"

#include <math.h>

/* OBC2's curve from descreening to radius (Onufriev, Bashford & Case 2004, eq. 8). */
static const double alpha = 1.0, beta = 0.8, gamma_ = 4.85;

double cardo_born_radius(double offset, double radius, double integral, double *slope)
{
    const double psi = offset * integral;
    const double t = tanh(psi * (alpha - psi * (beta - psi * gamma_)));
    const double born = 1 / (1 / offset - t / radius);
    *slope =
        born * born * (1 - t * t) * offset * (alpha - psi * (2 * beta - psi * 3 * gamma_)) / radius;
    return born;
}

double cardo_born_largest(double offset, double radius)
{
    return 1 / (1 / offset - 1 / radius);
}
