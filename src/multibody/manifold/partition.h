/* Coordinate partitioning: some speeds follow from the others by the rows. */
#ifndef CARDO_MULTIBODY_MANIFOLD_PARTITION_H
#define CARDO_MULTIBODY_MANIFOLD_PARTITION_H

#include "multibody/tree/state.h"

/* Brings q onto position rows by changes of dependent coordinates alone, as many as rows are independent: those with the largest pivots of G. Newton's method; the largest
 * error that is left is at most `tolerance`. CARDO_ERROR_NUMERICAL where it does not converge. Only of systems whose method is partitioning. */
cardo_status cardo_partition_q(const cardo_system *system, cardo_state *state, double tolerance,
                               cardo_error *error);
/* The same for u and rows of positions and of velocities. */
cardo_status cardo_partition_u(const cardo_system *system, cardo_state *state, double tolerance,
                               cardo_error *error);

#endif
