/* Normal modes in the coordinates of a multibody system: K v = lambda M v.
 *
 * v are speeds (u), so that modes of quaternion coordinates live in their tangent space; the rigid
 * motions of a free system come out first, with eigenvalue zero.
 *
 * Under constraints p(q) = 0 modes are those of the manifold: v = T y with a basis T of the speeds that G leaves, G T = 0 and
 * T^T M T = 1 (cardo_free_basis), and T^T K T y = lambda y. K is then of the Lagrangian U + l^T p, whose gradient g + G^T l vanishes at
 * a constrained minimum: along a curve on the manifold d2U/ds2 = v^T H_U v + g . a, and the acceleration a across the manifold is
 * what d2p/ds2 = v^T H_p v + G a = 0 asks for, so g . a = -l^T G a = v^T (sum l_i H_pi) v (Nocedal & Wright, Numerical Optimization,
 * 12.5). At a minimum this needs no connection: K is symmetric in any speeds. Elsewhere l is what bears the forces as M measures it,
 * l = Y^-1 G M^-1 f, and d2U/ds2 is along the curves that go off at constant speeds v and are brought back as cardo_project_q does.
 * An elastic network at rest has g = 0, so l = 0, and its own K is that of the Lagrangian. */
#ifndef CARDO_ANALYSIS_MODES_MODES_H
#define CARDO_ANALYSIS_MODES_MODES_H

#include "analysis/modes/mode_vectors.h"
#include "analysis/modes/spring_network.h"
#include "base/status.h"
#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

#include <stdbool.h>

/* The count lowest modes (at most nu) of stiffness K (nu x nu; destroyed) and the system's mass
 * matrix at the state. invariant: the energy depends on places relative to each other alone, so that
 * the six rigid motions of a free system (rigid_motions.h) are known: they come first, with
 * eigenvalue zero, the modes after them have no momentum, and what K says of the first free body's
 * speeds is not looked at. Constraints that reach to ground leave fewer of these motions, or none; then all of K counts. Speeds that
 * constraints act on are not held. VELOCITY; DYNAMICS under constraints, of which those of speeds or accelerations are refused. The
 * caller owns *out. */
cardo_status cardo_modes_create(const cardo_system *system, const cardo_state *state, double *K,
                                bool invariant, int count, cardo_modes **out, cardo_error *error);
/* The same for a network of which K would be too large for LAPACK's dense solvers: the packed K is
 * factored and the lowest modes found by subspace iteration (Bathe & Wilson 1972, Int. J. Numer.
 * Methods Eng. 6, 707) with several powers of K^-1 M in a round. Body 1 may be free, all others hang on it: CARDO_ERROR_SINGULAR when the
 * network leaves any other motion without stiffness. Half of 8 nu^2 bytes, nu^3/3 operations.
 * Under constraints each vector is brought onto what they leave, in the metric of K; CARDO_ERROR_ARGUMENT where these reach to ground and
 * body 1 is free. VELOCITY; DYNAMICS under constraints. */
cardo_status cardo_modes_create_large(const cardo_system *system, const cardo_state *state,
                                      const cardo_spring_network *network, const int *station,
                                      int count, cardo_modes **out, cardo_error *error);

/* nu/(2 pi) of a mode in 1/ps, and as a wave number in 1/cm; negative for an imaginary one (lambda <
 * 0), as is the custom. */
double cardo_mode_frequency(double eigenvalue);
double cardo_mode_wavenumber(double eigenvalue);

/* Velocities of all stations in a mode (nstation x 3): J v. POSITION. */
cardo_status cardo_mode_displacement(const cardo_system *system, const cardo_state *state,
                                     const cardo_modes *modes, int mode, double *displacement,
                                     cardo_error *error);

/* How evenly a mode's squared displacements (n x 3) are spread over the points, 1/n for one point to
 * 1 (Bruschweiler 1995, J. Chem. Phys. 102, 3396, eq. 5). */
double cardo_mode_collectivity(int n, const double *displacement);

/* |a . b|/(|a| |b|) of two displacements (n x 3); 0 where one is zero (Marques & Sanejouand 1995). */
double cardo_mode_overlap(int n, const double *a, const double *b);

/* Makes displacements (count x n x 3) orthonormal in place, each to those before it; what nothing is
 * left of becomes zero. */
void cardo_mode_orthonormalize(int n, int count, double *displacement);

/* Root mean square inner product of two sets of orthonormal displacements (count_a, count_b x n x 3), by
 * the smaller of the two counts: 1 when one's span holds the other's (Amadei, Ceruso & Di Nola 1999,
 * Proteins 36, 419). */
double cardo_mode_subspace_overlap(int n, int count_a, const double *a, int count_b,
                                   const double *b);

/* Overlap of b with what the first modes can do together: cumulative[m] is the length of b's
 * projection on the span of displacements 0..m, over its own. displacement: count x n x 3,
 * orthonormal. */
void cardo_mode_cumulative_overlap(int n, int count, const double *displacement, const double *b,
                                   double *cumulative);

#endif
