/* Generalized speeds to begin with: thermal draws, also beside prescribed motions. */
#ifndef CARDO_DYNAMICS_COORDINATES_VELOCITIES_H
#define CARDO_DYNAMICS_COORDINATES_VELOCITIES_H

#include "base/random.h"
#include "multibody/tree/state.h"

/* Speeds (nu) that prescribed motions alone give the system: theirs, and of the others those with
 * the least kinetic energy, M_ff u_f = -M_fp u_p. They are the mean of the Maxwell-Boltzmann
 * distribution of u given the prescribed ones, whose deviations from it have the covariance kT
 * M_ff^-1: a bath at rest in ground acts on the deviations alone. Constraints that depend on time or hold
 * speeds drive likewise. Zero without any of these. speeds (nu)
 * and scratch (nu) are the caller's. DYNAMICS. */
cardo_status cardo_driven_speeds(const cardo_system *system, const cardo_state *state,
                                 double *scratch, double *speeds, cardo_error *error);

/* Kinetic energy of the state less that of its driven speeds, kJ/mol: what the degrees of freedom
 * share, half a kT each. scratch: 2 nu. DYNAMICS. */
cardo_status cardo_thermal_energy(const cardo_system *system, const cardo_state *state,
                                  double *scratch, double *energy, cardo_error *error);

/* Sets u = sqrt(kT) M^{-1/2} xi, an exact Maxwell-Boltzmann draw at the state's q; kT in kJ/mol.
 * Prescribed speeds are those of their motions, and the others are drawn given them. Leaves the
 * state realized to VELOCITY or above. */
cardo_status cardo_draw_velocities(const cardo_system *system, cardo_state *state, double kT,
                                   cardo_random *random, cardo_error *error);

#endif
