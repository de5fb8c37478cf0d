/* Regular solid harmonics Upsilon_n^m* (Dehnen 2014, eq. 45 and 52), as real numbers: for each order n the one of m = 0, then real and
 * imaginary part of m = 1 ... n, from n^2 on. */
#ifndef CARDO_FORCES_RIGID_KERNELS_HARMONICS_H
#define CARDO_FORCES_RIGID_KERNELS_HARMONICS_H

static inline int cardo_harmonic(int n, int m)
{
    return n * n + (m > 0 ? 2 * m - 1 : 0);
}

/* Those up to an order at a place (x, y, z); values ((order + 1)^2). */
static inline void cardo_harmonics(int order, double x, double y, double z, double *values)
{
    const double r2 = x * x + y * y + z * z;
    double re = 1, im = 0; /* of Upsilon_m^m* */
    for (int m = 0; m <= order; ++m) {
        if (m > 0) {
            const double last = re;
            re = (x * re + y * im) / (2 * m);
            im = (x * im - y * last) / (2 * m);
        }
        double one[2] = {re, im}, two[2] = {0, 0};
        for (int n = m; n <= order; ++n) {
            double now[2] = {re, im};
            for (int part = 0; part < 2 && n > m; ++part) {
                now[part] = ((2 * n - 1) * z * one[part] - r2 * two[part]) / (n * n - m * m);
                two[part] = one[part];
                one[part] = now[part];
            }
            values[cardo_harmonic(n, m)] = now[0];
            if (m > 0)
                values[cardo_harmonic(n, m) + 1] = now[1];
        }
    }
}

/* What makes them orthonormal over directions, but for a factor of each order: root of (n - m)! (n + m)!, and of two where m > 0. */
void cardo_harmonic_scales(int order, double *scale);

#endif
