/* The bodies of a system, each free: what rotations and translations of blocks (RTB) are made of. */
#ifndef CARDO_ANALYSIS_MODES_FREE_BODIES_H
#define CARDO_ANALYSIS_MODES_FREE_BODIES_H

#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

/* A system of the same bodies and stations on free joints, and a state of it with every body where it
 * is in the given one, realized to VELOCITY. POSITION. The caller owns *free_system and *free_state.
 * CARDO_ERROR_INPUT names bodies that are single points or lines, which have no rotation of their
 * own. */
cardo_status cardo_free_bodies(const cardo_system *system, const cardo_state *state,
                               cardo_system **free_system, cardo_state **free_state,
                               cardo_error *error);

#endif
