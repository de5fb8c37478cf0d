/* Weights of samples of well-tempered metadynamics (Tiwary & Parrinello 2015, J. Phys. Chem. B 119,
 * 736). */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_METADYNAMICS_WEIGHTS_H
#define CARDO_ANALYSIS_FREE_ENERGY_METADYNAMICS_WEIGHTS_H

#include "base/status.h"

/* c(t), kT: what a bias (kT, at n places an equal way apart over the range where it acts) adds to
 * the free energy of the whole (eq. 12 there):
 *   c = ln sum exp(gamma V/(gamma - 1)) - ln sum exp(V/(gamma - 1)).
 * A sample at xi, drawn under it, has the weight exp(V(xi, t) - c(t)). gamma > 1 is the bias
 * factor; INFINITY: not well-tempered. */
double cardo_metadynamics_offset(int n, const double *bias, double gamma);

/* F(xi) at the places as the bias alone has it: -gamma V/(gamma - 1), kT, with exp(-F) times width
 * adding up to 1. No error comes with it: compare it with the reweighted profile. F[n]. */
void cardo_metadynamics_profile(int n, const double *bias, double gamma, double width, double *F);

#endif
