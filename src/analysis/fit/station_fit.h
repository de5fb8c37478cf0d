/* The coordinates that best reproduce given places of stations (cardo/fit.h), from a start that superposes body by body. */
#ifndef CARDO_ANALYSIS_FIT_STATION_FIT_H
#define CARDO_ANALYSIS_FIT_STATION_FIT_H

#include "cardo/fit.h"
#include "multibody/tree/state.h"

/* Moves q of the state, body by body from the roots outwards, to where each body's own stations lie
 * best: bodies with three stations off a line by superposition, those on pins by their angle, others
 * stay. A start for cardo_fit_stations; it knows of no constraints. Realizes POSITION. */
cardo_status cardo_station_fit_start(const cardo_system *system, cardo_state *state,
                                     const cardo_station_targets *targets, cardo_error *error);

/* Both, from the state's q on; and improved from the state's q alone: the better one stays. */
cardo_status cardo_station_fit_run(const cardo_system *system, cardo_state *state,
                                   const cardo_station_targets *targets, cardo_station_fit *fit,
                                   cardo_error *error);

#endif
