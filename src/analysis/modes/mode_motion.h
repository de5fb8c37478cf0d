/* Moving along modes, and comparing their displacements with others. */
#ifndef CARDO_ANALYSIS_MODES_MODE_MOTION_H
#define CARDO_ANALYSIS_MODES_MODE_MOTION_H

#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

/* Moves the state from its q by the constant speeds u (nu) for a time `distance`: qdot = N(q) u, so
 * every body stays rigid and every joint a joint however far it goes. Realizes POSITION. */
cardo_status cardo_move_along(const cardo_system *system, cardo_state *state, const double *speeds,
                              double distance, cardo_error *error);

/* The same on the manifold of constraints: the speeds, as far as constraints leave them where the state has come to, in short parts, each
 * brought back as cardo_project_q does. *reached (may be NULL) is how far of the distance that goes: less where the manifold ends.
 * Without constraints it is cardo_move_along. The state must be on the manifold. Realizes POSITION. */
cardo_status cardo_move_on_constraints(const cardo_system *system, cardo_state *state,
                                       const double *speeds, double distance, double *reached,
                                       cardo_error *error);

/* Takes from displacements (n x 3) of points at positions (n x 3) what a rigid motion of the whole,
 * with equal weights, explains: no net translation and no net rotation is left (Eckart's conditions).
 * CARDO_ERROR_INPUT for points on a line. */
cardo_status cardo_remove_rigid_motion(int n, const double *positions, double *displacement,
                                       cardo_error *error);

/* Pearson's correlation of two series; 0 where one is constant. */
double cardo_correlation(int n, const double *a, const double *b);

#endif
