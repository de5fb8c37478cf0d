/* What constraints ask of whoever moves a state: after a step back onto them, and of a bath or a start nothing that they forbid.
 * All do nothing in a system without constraints. */
#ifndef CARDO_DYNAMICS_COORDINATES_CONSTRAINED_H
#define CARDO_DYNAMICS_COORDINATES_CONSTRAINED_H

#include "cardo/manifold.h"
#include "cardo/stabilization.h"
#include "multibody/tree/state.h"

/* Largest position error that a step leaves, in the rows' units (nm, radian): below 1e-12, above rounding. */
#define CARDO_POSITION_TOLERANCE 5e-13

/* Rows of constraints of all kinds. */
int cardo_constraint_row_count(const cardo_system *system);

/* Whether states of the system are on its constraints, as far as its method of stabilization goes (cardo/stabilization.h). */
bool cardo_stays_on_constraints(const cardo_system *system);

/* Does what the system's method of stabilization does after a step: brings q, and then u, onto the constraints, by the least change as M measures it, where position errors
 * are above the tolerance, or velocity errors above that tolerance of the largest speed; or only some of it, or nothing. The state comes and goes with time, q and u of a step's end;
 * DYNAMICS is realized. CARDO_RECOVERABLE where there is no way back: the step was too long. */
cardo_status cardo_return_to_constraints(const cardo_system *system, cardo_state *state,
                                         double tolerance, cardo_error *error);

/* To begin with: q to the nearest that fulfils the constraints, u to the nearest at that q. What fulfils them stays to the bit. */
cardo_status cardo_begin_on_constraints(const cardo_system *system, cardo_state *state,
                                        cardo_error *error);

/* CARDO_ERROR_NUMERICAL where the motion that is watched has gone through a branch point on its way to the state, or, with a count,
 * one more of them; watch NULL: nothing is
 * watched. */
cardo_status cardo_check_way(cardo_branch_watch *watch, cardo_state *state, long long *count,
                             cardo_error *error);

/* Whether a constraint that is switched on reaches beyond what one joint on ground carries: then not everything may be moved at
 * once. */
bool cardo_constraints_reach_ground(const cardo_system *system, const cardo_state *state);

/* Whether one of the constraints, switched on or off, may do work: it moves with time, holds speeds or accelerations, or is the user's
 * own. */
bool cardo_constraints_may_work(const cardo_system *system);

/* CARDO_ERROR_UNSUPPORTED, naming the constraint and `method`, where its rows are not of positions alone, or move with time: what
 * the method keeps (phase-space volume, the energy) such motion does not. ACCELERATION. */
cardo_status cardo_require_still_constraints(const cardo_system *system, const cardo_state *state,
                                             const char *method, cardo_error *error);

#endif
