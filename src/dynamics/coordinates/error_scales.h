/* What a unit of error is: the scales that make one accuracy number fit every coordinate.
 *
 * After Sherman, Seth and Delp 2011, section 3.3: the speeds have unit scales, and those of the
 * coordinates follow from q' = N u. Here the unit of a speed comes from the bodies that it moves:
 * with L = sqrt(M_kk / m), the root-mean-square distance that the material outboard of mobility k
 * moves for a unit change, a coordinate's unit is what moves it by 1 nm, and a speed's what moves
 * it as fast as the whole system moves (root mean square), or would come to move from rest within 1
 * nm. */
#ifndef CARDO_DYNAMICS_COORDINATES_ERROR_SCALES_H
#define CARDO_DYNAMICS_COORDINATES_ERROR_SCALES_H

#include "multibody/tree/state.h"

/* Writes the unit of each q (nq), then of each u (nu), at a state realized to ACCELERATION; a
 * quaternion's four have the same. composites: room for nbody, work: for 2 nu + nq numbers. */
cardo_status cardo_error_scales(const cardo_system *system, const cardo_state *state,
                                double *scales, cardo_mass_properties *composites, double *work,
                                cardo_error *error);

#endif
