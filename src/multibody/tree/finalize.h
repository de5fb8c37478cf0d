/* Steps of cardo_system_finalize, in order. */
#ifndef CARDO_MULTIBODY_TREE_FINALIZE_H
#define CARDO_MULTIBODY_TREE_FINALIZE_H

#include "multibody/tree/system.h"

/* Frames are rotations, masses and inertias possible, numbers finite; all that is wrong goes into
 * one message. */
cardo_status cardo_finalize_check(const cardo_system *system, cardo_error *error);
/* Stations fill 0..n-1 once; makes station_body. */
cardo_status cardo_finalize_stations(cardo_system *system, cardo_error *error);
/* Offsets, frames, mass properties in M and clusters. */
cardo_status cardo_finalize_bodies(cardo_system *system, cardo_error *error);
/* Factors the mass matrix at two generic configurations: a hinge that is singular at both always
 * is. */
cardo_status cardo_finalize_check_inertia(const cardo_system *system, cardo_error *error);

#endif
