/* Fits of a mobilizer's coordinates and speeds to a given pose and velocity, how far it is from singular, and fits of a whole system to
 * places of its stations.
 *
 * What is of a mobilizer sees it as the tree does: M in F, reversal included; q and u are the body's own (its nq and nu), and
 * nothing needs a state or allocates. */
#ifndef CARDO_FIT_H
#define CARDO_FIT_H

#include <cardo/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* q that brings M nearest to the pose X_FM: least squares of rotation angle (radian) and distance
 * (nm) together, from closed forms where the mobilizer has them, then Levenberg-Marquardt steps. q
 * comes in as a start. *residual (may be NULL) is the root of the sum of squares that is left; 0
 * when the pose can be met. Fails only when X_FM or q is not finite. */
CARDO_API cardo_status cardo_fit_q(const cardo_system *system, int body,
                                   const cardo_transform *X_FM, double *q, double *residual,
                                   cardo_error *error);

/* u that brings V_FM = H(q) u nearest to a velocity (radian/ps and nm/ps alike); of several, the
 * shortest. */
CARDO_API cardo_status cardo_fit_u(const cardo_system *system, int body, const double *q,
                                   const cardo_spatial *V_FM, double *u, double *residual,
                                   cardo_error *error);

/* 1 far from a singular configuration, 0 at one: the least of the smallest to the largest singular
 * value of H with unit columns, and of the mobilizer's own measure for N (cosine of the second of
 * three Euler angles). 1 without mobilities. */
CARDO_API double cardo_mobilizer_regularity(const cardo_system *system, int body, const double *q);

/* CARDO_ERROR_SINGULAR when the regularity of any mobilizer at q (nq, of the whole system) is below
 * threshold; the message names them all with their coordinates. */
CARDO_API cardo_status cardo_check_regularity(const cardo_system *system, const double *q,
                                              double threshold, cardo_error *error);

/* ---- the whole system ---- */

/* Where stations should be. */
typedef struct cardo_station_targets {
    int n;
    const int *station;     /* (n), each at most once                  */
    const double *position; /* nm, in ground                  (n x 3) */
    const double *weight;   /* (n), not negative; NULL: all one        */
} cardo_station_targets;

typedef struct cardo_station_fit {
    double rmsd;      /* root of the weighted mean square distance, nm           */
    int iterations;   /* steps that were tried                                   */
    bool converged;   /* no step lowers the sum any more                         */
    double violation; /* largest position error of the constraints that are on   */
} cardo_station_fit;

/* Inverse kinematics: improves q of the state, by least squares sum_i w_i |x_i(q) - y_i|^2 over all mobilizers that are not prescribed, until
 * nothing is gained; sets u to zero. Coordinates that no target depends on stay. Position rows of the constraints that are on hold
 * exactly: q is assembled first, and steps go along the manifold; the sum is then the least as far as one sees from there. Other rows
 * count for nothing. Leaves POSITION realized. CARDO_ERROR_NUMERICAL where the loops cannot be closed. Allocates. */
CARDO_API cardo_status cardo_fit_stations(const cardo_system *system, cardo_state *state,
                                          const cardo_station_targets *targets,
                                          cardo_station_fit *fit, cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
