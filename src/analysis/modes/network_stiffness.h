/* The stiffness of an elastic network in the coordinates of a multibody system, pair by pair, without
 * a matrix of atoms.
 *
 * A spring along the unit vector e through the point x resists a motion with spatial velocity s (of
 * whatever holds x; angular, linear about the ground origin) by k (w . s)^2/2 with the line's
 * coordinates w = (x cross e, e), and it does not matter which of its ends x is. A mobility moves the
 * two ends against each other when it lies between them in the tree. So K_ab = s_a . (sum of +-k w
 * w^T over the springs that both a and b separate) . s_b, and these 6 x 6 sums follow by recursion
 * over the tree (Noguti & Go 1983, J. Phys. Soc. Jpn. 52, 3685, in spatial form). At rest, springs
 * add no term with second derivatives of positions. */
#ifndef CARDO_ANALYSIS_MODES_NETWORK_STIFFNESS_H
#define CARDO_ANALYSIS_MODES_NETWORK_STIFFNESS_H

#include "analysis/modes/spring_network.h"
#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

/* K (nu x nu, row-major, whole; overwritten), kJ/mol per product of two speeds' units: the second
 * derivative of the energy along speeds. station: the system's station of each point (npoint), or
 * NULL: point i is station i. The network's positions are the stations' at the state, in ground.
 * Springs within a body count for nothing. O(nu^2 + springs). VELOCITY. */
cardo_status cardo_network_stiffness(const cardo_system *system, const cardo_state *state,
                                     const cardo_spring_network *network, const int *station,
                                     double *K, cardo_error *error);

/* The same without the first `drop` speeds (those of a free base, which springs of the whole do not
 * resist), packed (cardo_packed_index of base/linalg.h; order nu - drop): for systems whose K would
 * not fit otherwise. */
cardo_status cardo_network_stiffness_packed(const cardo_system *system, const cardo_state *state,
                                            const cardo_spring_network *network, const int *station,
                                            int drop, double *K, cardo_error *error);

#endif
