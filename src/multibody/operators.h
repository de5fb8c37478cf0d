/* Operators on a realized state, all O(n) unless said otherwise (Rodriguez, Jain & Kreutz-Delgado; in the form of
 * Jain, Vaidehi & Rodriguez 1993). None allocates. Output arrays are the caller's. Each fails with
 * CARDO_ERROR_STAGE when the stage named in its comment is not realized. */
#ifndef CARDO_MULTIBODY_OPERATORS_H
#define CARDO_MULTIBODY_OPERATORS_H

#include "multibody/state.h"

/* Station positions in ground, nm (nstation x 3). POSITION. */
cardo_status cardo_station_positions(const cardo_system *system, const cardo_state *state,
                                     double *positions, cardo_error *error);
/* Station velocities, nm/ps (nstation x 3). VELOCITY. */
cardo_status cardo_station_velocities(const cardo_system *system, const cardo_state *state,
                                      double *velocities, cardo_error *error);
/* ADDS the resultant of station forces (nstation x 3, ground axes) to body_forces (nbody), about body origins.
 * POSITION. */
cardo_status cardo_station_forces_to_bodies(const cardo_system *system, const cardo_state *state,
                                            const double *station_forces, cardo_spatial *body_forces,
                                            cardo_error *error);
/* J^T F: spatial forces on bodies -> generalized forces (nu), overwritten. POSITION. */
cardo_status cardo_multiply_jt(const cardo_system *system, const cardo_state *state,
                               const cardo_spatial *body_forces, double *generalized,
                               cardo_error *error);
/* J u: generalized speeds v (nu) -> spatial velocities of bodies (nbody). POSITION. */
cardo_status cardo_multiply_j(const cardo_system *system, const cardo_state *state, const double *v,
                              cardo_spatial *velocities, cardo_error *error);
/* qdot = N(q) v (nq). POSITION. */
cardo_status cardo_multiply_n(const cardo_system *system, const cardo_state *state, const double *v,
                              double *qdot, cardo_error *error);
/* M v and M^-1 v (nu). M v: POSITION. M^-1 v: DYNAMICS. */
cardo_status cardo_multiply_m(const cardo_system *system, const cardo_state *state, const double *v,
                              double *out, cardo_error *error);
cardo_status cardo_multiply_minv(const cardo_system *system, const cardo_state *state,
                                 const double *v, double *out, cardo_error *error);
/* W xi (nu) with W W^T = M^-1, so that sqrt(kT) W xi is a Maxwell-Boltzmann draw of u for standard normal xi.
 * DYNAMICS. */
cardo_status cardo_multiply_sqrt_minv(const cardo_system *system, const cardo_state *state,
                                      const double *xi, double *out, cardo_error *error);
/* ln det M = sum_k ln det D_k. DYNAMICS. */
cardo_status cardo_log_det_m(const cardo_system *system, const cardo_state *state, double *log_det,
                             cardo_error *error);
/* Explicit M, row-major nu x nu. O(n^2). POSITION. */
cardo_status cardo_mass_matrix(const cardo_system *system, const cardo_state *state, double *M,
                               cardo_error *error);
/* tau = M udot + c(q, u) - gravity - body_forces - mobility forces: what is missing for udot (recursive Newton-Euler).
 * body_forces and mobility_forces may be NULL: zero. VELOCITY. */
cardo_status cardo_inverse_dynamics(const cardo_system *system, const cardo_state *state,
                                    const double *udot, const cardo_spatial *body_forces,
                                    const double *mobility_forces, double *tau, cardo_error *error);
/* The spatial force that each mobilizer exerts on its body, at M's origin, in ground (nbody; [0]: on ground, at its
 * origin). ACCELERATION. */
cardo_status cardo_reactions(const cardo_system *system, const cardo_state *state,
                             cardo_spatial *reaction_on_body_at_M, cardo_error *error);
/* Potential energy in the uniform gravity, -sum m g . p, kJ/mol. POSITION. */
cardo_status cardo_gravity_energy(const cardo_system *system, const cardo_state *state,
                                  double *energy, cardo_error *error);
/* Kinetic energy, kJ/mol. VELOCITY. */
cardo_status cardo_kinetic_energy(const cardo_system *system, const cardo_state *state,
                                  double *energy, cardo_error *error);
/* Mass, centre of mass, and momentum about the ground origin (angular, linear) of everything that moves. VELOCITY. */
cardo_status cardo_system_momentum(const cardo_system *system, const cardo_state *state, double *mass,
                                   cardo_vec3 *com, cardo_spatial *momentum, cardo_error *error);

#endif
