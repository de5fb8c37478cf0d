/* Where some stations are, for those who look at a state now and then. */
#ifndef CARDO_MULTIBODY_QUANTITIES_GATHER_STATIONS_H
#define CARDO_MULTIBODY_QUANTITIES_GATHER_STATIONS_H

#include "multibody/tree/state.h"

/* Positions in ground of stations station[n], nm (n x 3, overwritten). POSITION; allocates. */
cardo_status cardo_gather_stations(const cardo_system *system, const cardo_state *state, int n,
                                   const int *station, double *positions, cardo_error *error);

#endif
