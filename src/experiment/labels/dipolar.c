#include "experiment/labels/dipolar.h"

#include "base/units.h"

#include <complex.h>
#include <math.h>

/* The power series, for small x. */
static void fresnel_series(double x, double *C, double *S)
{
    const double u = 0.5 * CARDO_PI * x * x;
    double term = x, cosine = 0, sine = 0;
    for (int k = 0; k < 200; ++k) {
        const double part = term / (2 * k + 1) * (k & 2 ? -1 : 1);
        if (k & 1)
            sine += part;
        else
            cosine += part;
        term *= u / (k + 1);
        if (fabs(term) < 1e-18 * fabs(x))
            break;
    }
    *C = cosine;
    *S = sine;
}

/* The complementary error function's continued fraction, for larger ones (modified Lentz; Press et al., Numerical Recipes,
 * give the scheme, Abramowitz & Stegun 7.1.14 the fraction). */
static void fresnel_fraction(double x, double *C, double *S)
{
    const double tiny = 1e-300;
    double complex b = CMPLX(1, -CARDO_PI * x * x), c = 1 / tiny, d = 1 / b, h = d;
    for (int k = 2, n = -1; k < 1000; ++k) {
        n += 2;
        const double a = -n * (n + 1.0);
        b += 4;
        d = 1 / (a * d + b);
        c = b + a / c;
        const double complex change = c * d;
        h *= change;
        if (fabs(creal(change) - 1) + fabs(cimag(change)) < 1e-16)
            break;
    }
    h *= CMPLX(x, -x);
    const double u = 0.5 * CARDO_PI * x * x;
    const double complex value = CMPLX(0.5, 0.5) * (1 - CMPLX(cos(u), sin(u)) * h);
    *C = creal(value);
    *S = cimag(value);
}

void cardo_fresnel(double x, double *C, double *S)
{
    const double size = fabs(x);
    if (size < 1.8)
        fresnel_series(size, C, S);
    else
        fresnel_fraction(size, C, S);
    if (x < 0) {
        *C = -*C;
        *S = -*S;
    }
}

double cardo_dipolar_kernel(double time, double distance)
{
    const double phase =
        2 * CARDO_PI * CARDO_DIPOLAR_CONSTANT / (distance * distance * distance) * fabs(time);
    const double z = sqrt(6 * phase / CARDO_PI);
    double C, S;
    if (z < 1e-4)
        return 1;
    cardo_fresnel(z, &C, &S);
    return (cos(phase) * C + sin(phase) * S) / z;
}

double cardo_dipolar_background(double time, double rate, double dimension)
{
    return exp(-pow(rate * fabs(time), dimension / 3));
}

double cardo_dipolar_signal(double time, int n, const double *distance, const double *share,
                            double depth, double rate, double dimension)
{
    double form = 0;
    for (int k = 0; k < n; ++k)
        form += share[k] * cardo_dipolar_kernel(time, distance[k]);
    return (1 - depth + depth * form) * cardo_dipolar_background(time, rate, dimension);
}
