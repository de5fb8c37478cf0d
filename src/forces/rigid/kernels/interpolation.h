/* Polynomials through points. */
#ifndef CARDO_FORCES_RIGID_KERNELS_INTERPOLATION_H
#define CARDO_FORCES_RIGID_KERNELS_INTERPOLATION_H

/* The k-th of n of Chebyshev's points between -1 and 1, from the last one on. */
double cardo_chebyshev_point(int n, int k);
/* Coefficients (n) of the polynomial through n values at places x, by Newton's differences, which are left in values. */
void cardo_interpolate(int n, const double *x, double *values, double *coefficients);

#endif
