/* The way of prescribed motions on the manifold of constraints: how far it goes. */
#ifndef CARDO_DYNAMICS_MOTION_WAY_H
#define CARDO_DYNAMICS_MOTION_WAY_H

#include "multibody/tree/state.h"

/* Takes a state that fulfils the constraints along its prescribed motions to a later time, or back to an earlier one, at rest elsewhere: the other coordinates
 * follow by the least change as M measures it, in parts that are short enough. Where the manifold ends, as at a dead point of a linkage,
 * CARDO_ERROR_NUMERICAL names the place (the first prescribed coordinate, located to rounding of the time) and the row that would have
 * to give way; the state is left there. Without constraints only time and prescribed coordinates change. Realizes POSITION. Allocates. */
cardo_status cardo_follow_motions(const cardo_system *system, cardo_state *state, double until,
                                  cardo_error *error);

/* Whether constraints leave a mobility (of u) that is not prescribed free at the state's q; if not, the row that holds it, *row (may be
 * NULL). DYNAMICS. Allocates. */
cardo_status cardo_mobility_is_free(const cardo_system *system, const cardo_state *state,
                                    int mobility, bool *is_free, int *row, cardo_error *error);

#endif
