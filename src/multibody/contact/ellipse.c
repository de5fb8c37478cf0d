#include "cardo/contact.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* K and S = 1 - E / K, which is not the difference of two numbers that are nearly the same, of a parameter m given by 1 - m: the arithmetic-geometric
 * mean (Abramowitz & Stegun 17.6). */
static void integrals(double complement, double *K, double *S)
{
    const double m = 1 - complement;
    double a = 1, b = sqrt(complement), sum = 0.5 * m, power = 0.5;
    for (int i = 0; i < 60; ++i) {
        const double c = 0.5 * (a - b), next = 0.5 * (a + b);
        b = sqrt(a * b);
        a = next;
        power *= 2;
        sum += power * c * c;
        if (fabs(c) <= 1e-17 * a)
            break;
    }
    *K = 0.5 * pi / a;
    *S = sum;
}

/* ln of (k^2 E - K) / (K - E), of ln k. */
static double log_ratio(double log_k)
{
    const double complement = exp(-2 * log_k), m = -expm1(-2 * log_k);
    double K, S;
    if (!(m > 0))
        return 0;
    integrals(complement, &K, &S);
    return log((m - S) / (S * complement));
}

static double of_sum(double A, double B)
{
    return sqrt(2 * sqrt(A / (A + B)) * sqrt(B / (A + B)));
}

static void order(double *A, double *B)
{
    const double least = fmin(*A, *B), most = fmax(*A, *B);
    *B = most;
    *A = fmax(least, 1e-12 * most);
}

cardo_hertz_ellipse cardo_hertz_ellipse_exact(double A, double B)
{
    order(&A, &B);
    const double wanted = log(B / A);
    /* below this the ellipse is a circle to rounding: k = (B/A)^(2/3), and sigma differs from 1 by the square */
    if (wanted < 1e-7)
        return (cardo_hertz_ellipse){exp(2 * wanted / 3), 1};
    double low = 0.5 * wanted, high = 2 * wanted / 3 * (1 + 1e-9);
    double x = log(cardo_hertz_ellipse_antoine(A, B).ratio);
    for (int i = 0; i < 100 && high - low > 1e-15 * high; ++i) {
        if (!(x > low && x < high))
            x = 0.5 * (low + high);
        const double h = 1e-4 * x;
        const double error = log_ratio(x) - wanted;
        *(error > 0 ? &high : &low) = x;
        if (fabs(error) <= 2e-16 * wanted)
            break;
        const double step = error * 2 * h / (log_ratio(x + h) - log_ratio(x - h));
        x -= step;
        if (fabs(step) <= 1e-16 * x)
            break;
    }
    double K, S;
    integrals(exp(-2 * x), &K, &S);
    const double k = exp(x);
    return (cardo_hertz_ellipse){k, 0.5 * pi * k * sqrt((1 - S)) / K * of_sum(A, B)};
}

cardo_hertz_ellipse cardo_hertz_ellipse_antoine(double A, double B)
{
    static const double p[4] = {0.40227436, 3.7491752e-2, 7.4855761e-4, 2.1667028e-6};
    static const double q[4] = {0.42678878, 4.2605401e-2, 9.0786922e-4, 2.7868927e-6};
    order(&A, &B);
    const double X = log10(B / A), X2 = X * X;
    const double above = 1 + X2 * (p[0] + X2 * (p[1] + X2 * (p[2] + X2 * p[3])));
    const double below = 1 + X2 * (q[0] + X2 * (q[1] + X2 * (q[2] + X2 * q[3])));
    const double k = pow(B / A, 2.0 / 3 * above / below);
    const double m1 = 1 / (k * k), log_m1 = log(m1);
    const double K =
        1.38629436112 +
        m1 * (0.09666344259 + m1 * (0.03590092383 + m1 * (0.03742563713 + m1 * 0.01451196212))) -
        log_m1 * (0.5 + m1 * (0.12498593597 +
                              m1 * (0.06880248576 + m1 * (0.03328355346 + m1 * 0.00441787012))));
    const double E =
        1 +
        m1 * (0.44325141463 + m1 * (0.06260601220 + m1 * (0.04757383546 + m1 * 0.01736506451))) -
        log_m1 * m1 *
            (0.24998368310 + m1 * (0.09200180037 + m1 * (0.04069697526 + m1 * 0.00526449639)));
    return (cardo_hertz_ellipse){k, 0.5 * pi * k * sqrt(E / (K * K * K)) * of_sum(A, B)};
}
