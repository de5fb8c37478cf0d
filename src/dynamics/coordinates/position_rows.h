/* Who asks of constraints that they are of positions. */
#ifndef CARDO_DYNAMICS_COORDINATES_POSITION_ROWS_H
#define CARDO_DYNAMICS_COORDINATES_POSITION_ROWS_H

#include "multibody/tree/state.h"

/* CARDO_ERROR_UNSUPPORTED, naming the constraint, where one that is switched on has rows of velocities or accelerations: these
 * leave every place within reach, so that there is no manifold on which `what` ("minimization") could take place. Those that move
 * with time count as they are at the state's. */
cardo_status cardo_require_position_rows(const cardo_system *system, const cardo_state *state,
                                         const char *what, cardo_error *error);

#endif
