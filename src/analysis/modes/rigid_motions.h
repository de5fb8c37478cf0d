/* The rigid motions of a free system as a whole, in its speeds. */
#ifndef CARDO_ANALYSIS_MODES_RIGID_MOTIONS_H
#define CARDO_ANALYSIS_MODES_RIGID_MOTIONS_H

#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

enum { CARDO_RIGID_MOTIONS = 6 };

/* CARDO_RIGID_MOTIONS where every body on ground is free and no station is on ground, else 0: the
 * whole cannot move as one, or something stays behind. */
int cardo_rigid_motion_count(const cardo_system *system);

/* The first of the six speeds of the first body on ground, which may stand still in their stead. */
int cardo_rigid_motion_base(const cardo_system *system);

/* Their speeds (6 x nu, rows; overwritten), M-orthonormal: v^T M v' = 1 or 0. Needs
 * cardo_rigid_motion_count 6. VELOCITY. */
cardo_status cardo_rigid_motions(const cardo_system *system, const cardo_state *state,
                                 double *speeds, cardo_error *error);

/* Those of them that constraints leave, found at the state's q to first order, in speeds (room for 6 x nu), M-orthonormal; *count: 6
 * where there are no constraints, or none that reaches to ground. DYNAMICS. */
cardo_status cardo_free_rigid_motions(const cardo_system *system, const cardo_state *state,
                                      double *speeds, int *count, cardo_error *error);

#endif
