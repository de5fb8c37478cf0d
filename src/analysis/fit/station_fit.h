/* The coordinates that best reproduce given places of stations: least squares over all mobilizers.
 *
 * Minimizes sum_i w_i |x_i(q) - y_i|^2 by Levenberg-Marquardt steps with exact Jacobians (Marquardt
 * 1963, J. SIAM 11, 431). J^T J comes from composite weights of subtrees, as a mass matrix comes
 * from composite inertias, in O(n depth). */
#ifndef CARDO_ANALYSIS_FIT_STATION_FIT_H
#define CARDO_ANALYSIS_FIT_STATION_FIT_H

#include "multibody/tree/state.h"

#include <stdbool.h>

/* Where stations should be. */
typedef struct cardo_station_targets {
    int n;
    const int *station;     /* (n), each at most once                  */
    const double *position; /* nm, in ground                  (n x 3) */
    const double *weight;   /* (n), not negative; NULL: all one        */
} cardo_station_targets;

typedef struct cardo_station_fit {
    double rmsd;    /* root of the weighted mean square distance, nm           */
    int iterations; /* steps that were tried                                   */
    bool converged; /* no step lowers the sum any more                         */
} cardo_station_fit;

/* Moves q of the state, body by body from the roots outwards, to where each body's own stations lie
 * best: bodies with three stations off a line by superposition, those on pins by their angle, others
 * stay. A start for cardo_station_fit_improve. Realizes POSITION. */
cardo_status cardo_station_fit_start(const cardo_system *system, cardo_state *state,
                                     const cardo_station_targets *targets, cardo_error *error);

/* Improves q of the state until nothing is gained; sets u to zero. Coordinates that no target
 * depends on stay. Leaves POSITION realized. */
cardo_status cardo_station_fit_improve(const cardo_system *system, cardo_state *state,
                                       const cardo_station_targets *targets, cardo_station_fit *fit,
                                       cardo_error *error);

/* Both, from the state's q on; and improved from the state's q alone: the better one stays. */
cardo_status cardo_station_fit_run(const cardo_system *system, cardo_state *state,
                                   const cardo_station_targets *targets, cardo_station_fit *fit,
                                   cardo_error *error);

#endif
