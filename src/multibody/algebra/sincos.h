/* Sine and cosine of an angle together, inline: a third of the pin's position pass would otherwise
 * be the library's.
 *
 * Reduction to [-pi/4, pi/4] by three parts of pi/2 of 33 bits each, of which products with up to
 * 20-bit integers are exact; then Taylor polynomials, whose next terms are below 1e-18. Within 2.5
 * units in the last place, the same bits on every machine. Angles beyond 1e5 go to the library. */
#ifndef CARDO_MULTIBODY_ALGEBRA_SINCOS_H
#define CARDO_MULTIBODY_ALGEBRA_SINCOS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SINCOS_LARGEST 1e5

/* For |x| below SINCOS_LARGEST: without a branch, so that loops over angles are vectorized. */
static inline __attribute__((always_inline)) void sincos_kernel(double x, double *sine,
                                                                double *cosine)
{
    static const double two_over_pi = 6.36619772367581382433e-01;
    static const double part1 = 1.57079632673412561417e+00; /* first 33 bits of pi/2            */
    static const double part2 = 6.07710050630396597660e-11; /* the next 33                      */
    static const double part3 = 2.02226624879595063154e-21; /* what is left                     */
    static const double to_integer =
        6755399441055744.0; /* 1.5 2^52: rounds, integer in the low bits */
    const double shifted = x * two_over_pi + to_integer;
    const double k = shifted - to_integer;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    const double r = ((x - k * part1) - k * part2) - k * part3;
    const double t = r * r, t2 = t * t, t4 = t2 * t2;
    /* r - r^3/3! + ... + r^17/17!, 1 - r^2/2! + ... + r^16/16!, in Estrin's order for a short chain
     */
    const double s = ((-1.0 / 6 + t * (1.0 / 120)) + t2 * (-1.0 / 5040 + t * (1.0 / 362880))) +
                     t4 * ((-1.0 / 39916800 + t * (1.0 / 6227020800)) +
                           t2 * (-1.0 / 1307674368000 + t * (1.0 / 355687428096000)));
    const double c =
        ((1.0 / 24 + t * (-1.0 / 720)) + t2 * (1.0 / 40320 + t * (-1.0 / 3628800))) +
        t4 * ((1.0 / 479001600 + t * (-1.0 / 87178291200)) + t2 * (1.0 / 20922789888000));
    const double sine_r = r + r * t * s;
    const double cosine_r = (1.0 - 0.5 * t) + t2 * c;
    const double a = bits & 1 ? cosine_r : sine_r, b = bits & 1 ? sine_r : cosine_r;
    *sine = bits & 2 ? -a : a;
    *cosine = (bits + 1) & 2 ? -b : b;
}

static inline void sincos_inline(double x, double *sine, double *cosine)
{
    if (fabs(x) < SINCOS_LARGEST) {
        sincos_kernel(x, sine, cosine);
    } else {
        *sine = sin(x);
        *cosine = cos(x);
    }
}

enum { SINCOS_BLOCK = 8 };

/* The same of SINCOS_BLOCK angles side by side. */
static inline __attribute__((always_inline)) void
sincos_block(const double x[restrict SINCOS_BLOCK], double sine[restrict SINCOS_BLOCK],
             double cosine[restrict SINCOS_BLOCK])
{
    bool small = true;
    for (int i = 0; i < SINCOS_BLOCK; ++i)
        small &= fabs(x[i]) < SINCOS_LARGEST;
    if (small)
        for (int i = 0; i < SINCOS_BLOCK; ++i)
            sincos_kernel(x[i], &sine[i], &cosine[i]);
    else
        for (int i = 0; i < SINCOS_BLOCK; ++i)
            sincos_inline(x[i], &sine[i], &cosine[i]);
}

#endif
