/* Operators on a realized state: cardo/operators.h. */
#ifndef CARDO_MULTIBODY_TREE_OPERATORS_H
#define CARDO_MULTIBODY_TREE_OPERATORS_H

#include "cardo/operators.h"
#include "multibody/tree/state.h"

/* Positions in ground of count stations from `first` on, nm (count x 3), of a state that is realized to positions. */
void cardo_station_positions_of(const cardo_system *system, const cardo_state *state, int first,
                                int count, double *positions);

#endif
