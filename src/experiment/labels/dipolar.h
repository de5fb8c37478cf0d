/* Signals of dipolar spectroscopy (DEER, PELDOR) from distances between two spin labels. */
#ifndef CARDO_EXPERIMENT_LABELS_DIPOLAR_H
#define CARDO_EXPERIMENT_LABELS_DIPOLAR_H

#include "base/status.h"

/* Frequency of two electrons' dipoles 1 nm apart, MHz nm^3: mu0 g^2 muB^2 / (4 pi h) with g of the free electron (CODATA 2018). */
#define CARDO_DIPOLAR_CONSTANT 52.0410

/* The kernel: cos(w t (1 - 3 x^2)) averaged over x from 0 to 1, directions alike, w = 2 pi 52.04 MHz nm^3 / r^3. time in microseconds,
 * either sign; distance in nm, above 0. By Fresnel's integrals (Edwards & Stoll 2018, J. Magn. Reson. 288, 58, eq. 6):
 *     K = (cos p C(z) + sin p S(z)) / z,  p = w |t|,  z = sqrt(6 p / pi). */
double cardo_dipolar_kernel(double time, double distance);

/* Fresnel's integrals of cos and sin (pi x^2 / 2) from 0 to x, to 1e-14 (Abramowitz & Stegun 1964, 7.3). */
void cardo_fresnel(double x, double *C, double *S);

/* What is not of the pair: exp(-(rate |t|)^(dimension / 3)); rate in 1/microsecond. */
double cardo_dipolar_background(double time, double rate, double dimension);

/* A signal: (1 - depth + depth sum_k P_k K(t, r_k)) times the background; share (n): of the distances, adding up to 1. */
double cardo_dipolar_signal(double time, int n, const double *distance, const double *share,
                            double depth, double rate, double dimension);

#endif
