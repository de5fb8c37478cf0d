/* The mean force along a variable of a system with constraints.
 *
 * On the manifold of the constraints walkers have the density e^(-A/kT) by the volume that M measures there, A being U and what the
 * ensemble adds to it (rigid: nothing; fixman: kT/2 ln det M; closure: kT/2 ln det Y; full: both). Coordinates cannot be moved one by
 * one there, so dA/dq and the derivative of ln det M at constant other coordinates mean nothing; but for any field v of speeds that obey the constraints
 * and along which the variable changes at rate 1
 *
 *     dF/dxi = < v A - kT div v >,
 *
 * div by that volume: the derivative of an integral over level sets (Ciccotti, Kapral & Vanden-Eijnden 2005 with the constraints'
 * manifold for space). Here v = w/z, w = Mc g, z = g . w, the motion that a force on the variable brings about (variables/response.h), whose
 * mean force is -d/dt (xidot/z) (Darve & Pohorille 2001) with momenta integrated (den Otter & Briels 1998):
 *
 *     div v = (sum_i B(t_i, t_i) - 2 B(w, w)/z) / z,   sum_i t_i t_i^T = Mc,
 *
 * B(t, t) the second derivative of xi along the geodesic at speeds t: gradient . udot of the constrained system left to itself, plus what changes of the
 * gradient. w is the gradient of xi in the metric M: B is its Hessian, the sum its Laplacian, and 2 B(w, w) the rate of z along w. All
 * exact: 2 + nu accelerations, O(n) each. With one freedom B(w, w)/z is the sum, and what is left integrates to -kT/2 ln z. */
#ifndef CARDO_SAMPLING_METHODS_MANIFOLD_FORCE_H
#define CARDO_SAMPLING_METHODS_MANIFOLD_FORCE_H

#include "multibody/tree/state.h"

typedef struct cardo_manifold_force {
    const cardo_system *system;
    cardo_state *state;                      /* that is moved at speeds of its own */
    double *gradient, *response, *direction; /* (nu) */
} cardo_manifold_force;

cardo_status cardo_manifold_force_open(const cardo_system *system, cardo_manifold_force *out,
                                       cardo_error *error);
void cardo_manifold_force_clear(cardo_manifold_force *self);

/* dF/dxi over kT at a sample, xi the coordinate whose rate is speed number `speed`. state: DYNAMICS, as sampled; resisting (nu): what
 * generalized forces lack, minus those that are applied, of U and of what the ensemble adds. CARDO_ERROR_NUMERICAL where nothing moves the
 * coordinate. */
cardo_status cardo_manifold_force_sample(cardo_manifold_force *self, const cardo_state *state,
                                         int speed, const double *resisting, double kT,
                                         double *force, cardo_error *error);

#endif
