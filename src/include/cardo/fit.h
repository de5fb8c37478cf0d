/* Fits of a mobilizer's coordinates and speeds to a given pose and velocity, and how far it is from
 * singular.
 *
 * All see the mobilizer as the tree does: M in F, reversal included. q and u are the body's own
 * (its nq and nu). Nothing here needs a state or allocates. */
#ifndef CARDO_FIT_H
#define CARDO_FIT_H

#include <cardo/system.h>

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

#ifdef __cplusplus
}
#endif

#endif
