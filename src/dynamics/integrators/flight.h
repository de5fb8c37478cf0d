/* Inertial flight: a system moving by itself, without applied forces, integrated to rounding.
 *
 * The kinetic part of a splitting. It costs no evaluation of forces, only O(n) dynamics, so it may
 * as well be exact: classical Runge-Kutta steps, doubled in number until two resolutions agree,
 * then extrapolated. Being the flow of a Hamiltonian (the kinetic energy, and gravity where the
 * system has it) it keeps phase-space volume whatever the mass matrix does, and is reversible in
 * time. Where there are constraints it is the motion along their manifold, by extrapolation over the whole or over parts of it, and
 * each end is brought back onto the constraints, which is a correction by no more than the tolerance: the error of the integration
 * is all that leads away from them. There the flight is also under the potential of the ensemble, where one is corrected (closure, full,
 * fixman): the flow of K + kT/2 ln det, just as Hamiltonian, and as steep as that potential is where a loop is nearly stretched. */
#ifndef CARDO_DYNAMICS_INTEGRATORS_FLIGHT_H
#define CARDO_DYNAMICS_INTEGRATORS_FLIGHT_H

#include "dynamics/integrators/integrator.h"

/* Numbers of scratch that a flight uses. */
int cardo_flight_work_count(int nq, int nu);

/* Moves the state's time, q and u by h (ps, of either sign); its applied forces become others.
 * Prescribed mobilizers are where their motions say all the way, and carry the others along.
 * tolerance is relative to the change over h. Uses the integration's work as counted above. CARDO_RECOVERABLE when the
 * speeds are too high for h, CARDO_ERROR_NUMERICAL when something is not finite. */
cardo_status cardo_fly(cardo_integration *run, double h, double tolerance, cardo_error *error);

#endif
