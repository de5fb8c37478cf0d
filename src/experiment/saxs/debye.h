/* Debye's sum over all pairs: the exact orientational average of what a set of scatterers scatters (Debye 1915). */
#ifndef CARDO_EXPERIMENT_SAXS_DEBYE_H
#define CARDO_EXPERIMENT_SAXS_DEBYE_H

#include "base/pool.h"
#include "experiment/saxs/partials.h"
#include "experiment/saxs/scatterers.h"

/* Amplitudes of all scatterers at one q: of the atom, of the solvent that it displaces (a Gaussian sphere of bulk
 * density, Fraser et al. 1978), and of one water, less the 0.0195 nm^3 of bulk that it displaces, times the atom's exposure; n each. */
void cardo_scattering_amplitudes(const cardo_scatterers *scatterers, double q, double *V, double *E,
                                 double *W);

/* Amplitude at q (1/nm) of the layer on an atom that water reaches from all sides, at c2 = 1. */
double cardo_layer_amplitude(double q);

/* The six partial profiles at nq values of q (1/nm): out[nq x CARDO_PARTIALS]. pool: threads that share the values of q, or
 * NULL; the bits are the same. */
cardo_status cardo_debye(const cardo_scatterers *scatterers, int nq, const double *q,
                         cardo_pool *pool, double *out, cardo_error *error);

/* sin(x)/x of n numbers from 0 to 1e8, to 4e-16. */
void cardo_sinc(int n, const double *x, double *out);

#endif
