/* Real spherical harmonics, spherical Bessel functions and Gauss and Legendre's points: what expansions of amplitudes are made of.
 *
 * Y_lm(theta, phi) = P_l|m|(cos theta) times 1/sqrt(2 pi), cos(m phi)/sqrt(pi) or, for m < 0, sin(|m| phi)/sqrt(pi); they are
 * orthonormal on the sphere. Number l^2 + l + m. */
#ifndef CARDO_EXPERIMENT_SAXS_HARMONICS_H
#define CARDO_EXPERIMENT_SAXS_HARMONICS_H

#include "base/status.h"

/* The k-th positive root of the Legendre polynomial of degree n, from the largest, and its weight on (-1, 1), by Newton's steps. */
double cardo_legendre_root(int n, int k, double *weight);

/* Factors of the recursion of associated Legendre functions up to a degree, which asks for square roots. */
typedef struct cardo_harmonics {
    int degree;
    double *a, *b, *diagonal; /* by l(l + 1)/2 + m; diagonal by m */
} cardo_harmonics;

/* Zero-initialise *out; the caller clears it. */
cardo_status cardo_harmonics_make(int degree, cardo_harmonics *out, cardo_error *error);
void cardo_harmonics_clear(cardo_harmonics *harmonics);

/* P_lm(x) for 0 <= m <= l <= degree, out[l(l + 1)/2 + m], normalized on (-1, 1); no sign of Condon and Shortley's. */
void cardo_legendre_functions(const cardo_harmonics *harmonics, int degree, double x, double *out);

/* All Y_lm of a direction (unit length) up to a degree, out[(degree + 1)^2]; work holds (degree + 1)(degree + 2)/2. */
void cardo_spherical_harmonics(const cardo_harmonics *harmonics, int degree, const double e[3],
                               double *out, double *work);

/* What turns coefficients of real harmonics when the function is turned by 90 degrees about x: of each l a matrix, of which the entries that
 * vanish by symmetry are left out. Row m of degree l begins at first[l^2 + l + m] and multiplies m' = begin, begin +- 2, ... */
typedef struct cardo_quarter_turn {
    int degree;
    int *first; /* ((degree + 1)^2 + 1) */
    double *value;
} cardo_quarter_turn;

/* By Ivanic and Ruedenberg's recursion (1996, J. Phys. Chem. 100, 6342; 1998, 102, 9099). Zero-initialise *out; the caller clears it. */
cardo_status cardo_quarter_turn_make(int degree, cardo_quarter_turn *out, cardo_error *error);
void cardo_quarter_turn_clear(cardo_quarter_turn *turn);

/* The first m' that row m of degree l multiplies; it goes on by 2 from 0 or 1, or by -2 from -1 or -2. */
static inline int cardo_quarter_turn_begin(int l, int m)
{
    /* x -> -x stays what it is, and y -> -y becomes z -> -z. */
    const int cosine = (l + m) % 2 == 0, even = m >= 0 ? m % 2 == 0 : m % 2 != 0;
    return cosine ? (even ? 0 : 1) : (even ? -1 : -2);
}

/* Angles of R = Rz(alpha) Ry(beta) Rz(gamma), R by rows. */
void cardo_euler_zyz(const double R[9], double *alpha, double *beta, double *gamma);

#endif
