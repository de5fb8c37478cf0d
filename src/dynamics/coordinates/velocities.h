/* Generalized speeds to begin with: thermal draws, also beside prescribed motions. */
#ifndef CARDO_DYNAMICS_COORDINATES_VELOCITIES_H
#define CARDO_DYNAMICS_COORDINATES_VELOCITIES_H

#include "base/random.h"
#include "multibody/tree/state.h"

/* Speeds (nu) that prescribed motions, and constraints that move with time or hold speeds, give the system alone: theirs, and of
 * the others those with the least kinetic energy, M_ff u_f = -M_fp u_p without constraints. They are the mean of the Maxwell-Boltzmann
 * distribution of u given the prescribed ones, whose deviations from it have the covariance kT
 * M_ff^-1, of which constraints leave the M-orthogonal projection on what is free: a bath at rest in ground acts on the deviations
 * alone. Zero without motions, and rounding where constraints stand still; the state's u fulfils the constraints. speeds (nu)
 * and scratch (nu) are the caller's. DYNAMICS. */
cardo_status cardo_driven_speeds(const cardo_system *system, const cardo_state *state,
                                 double *scratch, double *speeds, cardo_error *error);

/* Kinetic energy of the state less that of its driven speeds, kJ/mol: what the degrees of freedom
 * share, half a kT each. scratch: 2 nu. DYNAMICS. */
cardo_status cardo_thermal_energy(const cardo_system *system, const cardo_state *state,
                                  double *scratch, double *energy, cardo_error *error);

/* Sets u = sqrt(kT) M^{-1/2} xi, an exact Maxwell-Boltzmann draw at the state's q; kT in kJ/mol. Where there are constraints q is
 * brought onto them first, and the draw is projected as M measures it: u has the distribution of speeds along the manifold.
 * Prescribed speeds are those of their motions, and the others are drawn given them. Leaves the
 * state realized to VELOCITY or above. */
cardo_status cardo_draw_velocities(const cardo_system *system, cardo_state *state, double kT,
                                   cardo_random *random, cardo_error *error);

#endif
