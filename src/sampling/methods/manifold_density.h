/* The density along a variable where constraints leave it alone free, without sampling.
 *
 * With t = w/z, the speeds that obey the constraints and at which the variable changes at rate 1 (manifold_force.h), the volume that M
 * measures on the manifold has t^T M t = 1/z for each step of xi, and with a free base E of six more speeds, along which xi does not change
 * and which are orthogonal to t, det(E^T M E)/z:
 *
 *     -ln rho(xi) = A/kT + 1/2 ln z - 1/2 ln det(E^T M E),
 *
 * A = U + what the ensemble adds. z is det Y' / det Y, Y' that of the constraints with xi held besides: the weight 1/sqrt(z) of
 * blue-moon ensembles (Carter, Ciccotti, Hynes & Kapral 1989). Without constraints z = 1/M and F = U - kT/2 ln M. */
#ifndef CARDO_SAMPLING_METHODS_MANIFOLD_DENSITY_H
#define CARDO_SAMPLING_METHODS_MANIFOLD_DENSITY_H

#include "sampling/methods/method.h"

typedef struct cardo_manifold_density {
    const cardo_sampling *sampling;
    cardo_state *state; /* the caller sets q */
    double *gradient, *response;
    double *columns, *inertia; /* of a free base (base x nu), (base x base) */
} cardo_manifold_density;

cardo_status cardo_manifold_density_open(const cardo_sampling *sampling,
                                         cardo_manifold_density *out, cardo_error *error);
void cardo_manifold_density_clear(cardo_manifold_density *self);

/* -ln rho at the state but for U/kT; DYNAMICS afterwards. CARDO_ERROR_INPUT where the variable turns back, so that its density has no
 * bound. */
cardo_status cardo_manifold_exponent(cardo_manifold_density *self, double *exponent,
                                     cardo_error *error);

#endif
