/* Operators on a realized state, all O(n) unless said otherwise (Rodriguez, Jain & Kreutz-Delgado;
 * in the form of Jain, Vaidehi & Rodriguez 1993). None allocates. Output arrays are the caller's.
 * Each fails with CARDO_ERROR_STAGE when the stage named in its comment is not realized, and those
 * that take a body's number with CARDO_ERROR_ARGUMENT when there is none. */
#ifndef CARDO_OPERATORS_H
#define CARDO_OPERATORS_H

#include <cardo/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Station positions in ground, nm (nstation x 3). POSITION. */
CARDO_API cardo_status cardo_station_positions(const cardo_system *system, const cardo_state *state,
                                               double *positions, cardo_error *error);
/* Station velocities, nm/ps (nstation x 3). VELOCITY. */
CARDO_API cardo_status cardo_station_velocities(const cardo_system *system,
                                                const cardo_state *state, double *velocities,
                                                cardo_error *error);
/* ADDS the resultant of station forces (nstation x 3, ground axes) to body_forces (nbody), about
 * body origins. POSITION. */
CARDO_API cardo_status cardo_station_forces_to_bodies(const cardo_system *system,
                                                      const cardo_state *state,
                                                      const double *station_forces,
                                                      cardo_spatial *body_forces,
                                                      cardo_error *error);
/* J^T F: spatial forces on bodies -> generalized forces (nu), overwritten. POSITION. */
CARDO_API cardo_status cardo_multiply_jt(const cardo_system *system, const cardo_state *state,
                                         const cardo_spatial *body_forces, double *generalized,
                                         cardo_error *error);
/* J u: generalized speeds v (nu) -> spatial velocities of bodies (nbody). POSITION. */
CARDO_API cardo_status cardo_multiply_j(const cardo_system *system, const cardo_state *state,
                                        const double *v, cardo_spatial *velocities,
                                        cardo_error *error);
/* qdot = N(q) v (nq). POSITION. */
CARDO_API cardo_status cardo_multiply_n(const cardo_system *system, const cardo_state *state,
                                        const double *v, double *qdot, cardo_error *error);
/* M v and M^-1 v (nu). M v: POSITION. M^-1 v: DYNAMICS. */
CARDO_API cardo_status cardo_multiply_m(const cardo_system *system, const cardo_state *state,
                                        const double *v, double *out, cardo_error *error);
CARDO_API cardo_status cardo_multiply_minv(const cardo_system *system, const cardo_state *state,
                                           const double *v, double *out, cardo_error *error);
/* W xi (nu) with W W^T = M^-1, so that sqrt(kT) W xi is a Maxwell-Boltzmann draw of u for standard
 * normal xi. DYNAMICS. */
CARDO_API cardo_status cardo_multiply_sqrt_minv(const cardo_system *system,
                                                const cardo_state *state, const double *xi,
                                                double *out, cardo_error *error);
/* ln det M = sum_k ln det D_k. DYNAMICS. */
CARDO_API cardo_status cardo_log_det_m(const cardo_system *system, const cardo_state *state,
                                       double *log_det, cardo_error *error);
/* The other products with the factor W of M^-1 = W W^T (M = W^-T W^-1): W^-1 v, W^T v, W^-T v (nu).
 * DYNAMICS. */
CARDO_API cardo_status cardo_multiply_sqrt_m(const cardo_system *system, const cardo_state *state,
                                             const double *v, double *out, cardo_error *error);
CARDO_API cardo_status cardo_multiply_sqrt_minv_transposed(const cardo_system *system,
                                                           const cardo_state *state,
                                                           const double *v, double *out,
                                                           cardo_error *error);
CARDO_API cardo_status cardo_multiply_sqrt_m_transposed(const cardo_system *system,
                                                        const cardo_state *state, const double *v,
                                                        double *out, cardo_error *error);
/* Overall motion: the joints on ground move and nothing else does, so that all that each of them
 * carries goes along as one body. Overall speeds (nu) that have the given momenta in the rows of
 * these joints' mobilities, but for prescribed ones: E (E^T M E)^-1 E^T momenta, E the columns of
 * the identity for these mobilities. With momenta = M v it is the M-orthogonal projection of v
 * (prescribed ones zero) on overall motion, and what is left of v has no momentum there. Where
 * forces do not change when everything is moved at once, these momenta are conserved. speeds may
 * not be momenta. POSITION. */
CARDO_API cardo_status cardo_overall_speeds(const cardo_system *system, const cardo_state *state,
                                            const double *momenta, double *speeds,
                                            cardo_error *error);
/* How many mobilities these are: the degrees of freedom of overall motion. */
CARDO_API int cardo_system_noverall(const cardo_system *system);
/* Gradient of ln det M in the speeds' directions (nu): d/dt ln det M = gradient . u. Fixman's
 * generalized force is -kT/2 times it. From the operational-space compliances J_k M^-1 J_k^T of all
 * bodies in one outward sweep. DYNAMICS. */
CARDO_API cardo_status cardo_log_det_m_gradient(const cardo_system *system,
                                                const cardo_state *state, double *gradient,
                                                cardo_error *error);
/* Explicit M^-1, row-major nu x nu. O(n^2). DYNAMICS. */
CARDO_API cardo_status cardo_mass_matrix_inverse(const cardo_system *system,
                                                 const cardo_state *state, double *M_inverse,
                                                 cardo_error *error);
/* Explicit system Jacobian, row-major (6 nbody) x nu: rows 6 k .. 6 k + 5 are angular and linear
 * velocity of body k's origin, in ground. O(n^2). POSITION. */
CARDO_API cardo_status cardo_jacobian(const cardo_system *system, const cardo_state *state,
                                      double *J, cardo_error *error);
/* Velocity in ground of the point at position_B on a body, for speeds v (nu); the generalized
 * forces (nu, overwritten) of a force f in ground at that point; and the explicit 3 x nu Jacobian
 * of the point. O(depth). POSITION. */
CARDO_API cardo_status cardo_multiply_point_j(const cardo_system *system, const cardo_state *state,
                                              int body, cardo_vec3 position_B, const double *v,
                                              cardo_vec3 *velocity, cardo_error *error);
CARDO_API cardo_status cardo_multiply_point_jt(const cardo_system *system, const cardo_state *state,
                                               int body, cardo_vec3 position_B, cardo_vec3 f,
                                               double *generalized, cardo_error *error);
CARDO_API cardo_status cardo_point_jacobian(const cardo_system *system, const cardo_state *state,
                                            int body, cardo_vec3 position_B, double *J,
                                            cardo_error *error);
/* J u for all stations, v (nu) -> velocities (nstation x 3); J^T f, station forces (nstation x 3)
 * -> generalized forces (nu, overwritten). POSITION. */
CARDO_API cardo_status cardo_multiply_station_j(const cardo_system *system,
                                                const cardo_state *state, const double *v,
                                                double *velocities, cardo_error *error);
CARDO_API cardo_status cardo_multiply_station_jt(const cardo_system *system,
                                                 const cardo_state *state,
                                                 const double *station_forces, double *generalized,
                                                 cardo_error *error);
/* u = N^+ qdot (nu), the inverse of multiply_n. POSITION. */
CARDO_API cardo_status cardo_multiply_n_inverse(const cardo_system *system,
                                                const cardo_state *state, const double *qdot,
                                                double *u, cardo_error *error);
/* Explicit M, row-major nu x nu. O(n^2). POSITION. */
CARDO_API cardo_status cardo_mass_matrix(const cardo_system *system, const cardo_state *state,
                                         double *M, cardo_error *error);
/* tau = M udot + c(q, u) - gravity - body_forces - mobility forces: what is missing for udot
 * (recursive Newton-Euler). body_forces and mobility_forces may be NULL: zero. VELOCITY. */
CARDO_API cardo_status cardo_inverse_dynamics(const cardo_system *system, const cardo_state *state,
                                              const double *udot, const cardo_spatial *body_forces,
                                              const double *mobility_forces, double *tau,
                                              cardo_error *error);
/* c(q, u) (nu): generalized force that velocities alone call for, M udot + c = tau. No gravity in
 * it. VELOCITY. */
CARDO_API cardo_status cardo_bias(const cardo_system *system, const cardo_state *state,
                                  double *bias, cardo_error *error);
/* d/dt (M u) of the system left to itself, Mdot u - c (nu): the sum over bodies of Jdot^T times their
 * momenta. Where qdot = u that is minus the gradient of the kinetic energy at constant momenta, and
 * the gradient at constant speeds. VELOCITY. */
CARDO_API cardo_status cardo_momentum_rate(const cardo_system *system, const cardo_state *state,
                                           double *rate, cardo_error *error);
/* Power of applied forces (either may be NULL), and of gravity, kJ/mol/ps: the rate of the kinetic
 * energy. VELOCITY. */
CARDO_API cardo_status cardo_power(const cardo_system *system, const cardo_state *state,
                                   const cardo_spatial *body_forces, const double *mobility_forces,
                                   double *power, cardo_error *error);
/* The spatial force that each mobilizer exerts on its body, at M's origin, in ground (nbody; [0]:
 * on ground, at its origin). ACCELERATION. */
CARDO_API cardo_status cardo_reactions(const cardo_system *system, const cardo_state *state,
                                       cardo_spatial *reaction_on_body_at_M, cardo_error *error);
/* The spatial force that each mobilizer exerts on the parent of its body, at F's origin, in ground
 * (nbody; [0] zero). ACCELERATION. */
CARDO_API cardo_status cardo_reactions_at_parent(const cardo_system *system,
                                                 const cardo_state *state,
                                                 cardo_spatial *reaction_on_parent_at_F,
                                                 cardo_error *error);
/* Potential energy in the uniform gravity, -sum m g . p, kJ/mol. POSITION. */
CARDO_API cardo_status cardo_gravity_energy(const cardo_system *system, const cardo_state *state,
                                            double *energy, cardo_error *error);
/* Kinetic energy, kJ/mol. VELOCITY. */
CARDO_API cardo_status cardo_kinetic_energy(const cardo_system *system, const cardo_state *state,
                                            double *energy, cardo_error *error);
/* Mass, centre of mass, and momentum about the ground origin (angular, linear) of everything that
 * moves. VELOCITY. */
CARDO_API cardo_status cardo_system_momentum(const cardo_system *system, const cardo_state *state,
                                             double *mass, cardo_vec3 *com, cardo_spatial *momentum,
                                             cardo_error *error);
/* Acceleration of the centre of mass of everything that moves, nm/ps^2. ACCELERATION. */
CARDO_API cardo_status cardo_com_acceleration(const cardo_system *system, const cardo_state *state,
                                              cardo_vec3 *acceleration, cardo_error *error);

/* A body's mobilizer in motion: X_FM; columns of H_FM (nu) and V_FM = H u, Hdot u, of M in F,
 * expressed in F, linear part at M's origin. hinge_map: H's columns at the body origins in ground,
 * V_GB = shift(V_GP) + sum H_k u_k (nu). VELOCITY. */
typedef struct cardo_mobilizer_motion {
    cardo_transform X_FM;
    cardo_spatial V_FM, Hdot_FM_u;
    cardo_spatial H_FM[6], hinge_map[6];
} cardo_mobilizer_motion;
CARDO_API cardo_status cardo_body_mobilizer_motion(const cardo_system *system,
                                                   const cardo_state *state, int body,
                                                   cardo_mobilizer_motion *motion,
                                                   cardo_error *error);
/* (dJ/dt) u (nbody): acceleration A_GB of each body at udot = 0. VELOCITY. */
CARDO_API cardo_status cardo_coriolis_accelerations(const cardo_system *system,
                                                    const cardo_state *state,
                                                    cardo_spatial *accelerations,
                                                    cardo_error *error);
/* (w x I w, m w x (w x c)) of each body about its origin, in ground (nbody). VELOCITY. */
CARDO_API cardo_status cardo_gyroscopic_forces(const cardo_system *system, const cardo_state *state,
                                               cardo_spatial *forces, cardo_error *error);
/* Articulated-body inertia of a body about its origin in ground, before elimination of its own
 * hinge: symmetric 6 x 6, angular first. DYNAMICS. */
CARDO_API cardo_status cardo_articulated_inertia(const cardo_system *system,
                                                 const cardo_state *state, int body, double P[36],
                                                 cardo_error *error);
/* Mass properties of each body together with all its descendants, in ground axes about the body's
 * origin; com from that origin (nbody; [0]: everything that moves). POSITION. */
CARDO_API cardo_status cardo_composite_inertias(const cardo_system *system,
                                                const cardo_state *state,
                                                cardo_mass_properties *composites,
                                                cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
