/* What thermostats do to the speeds while the coordinates stand still.
 *
 * They act on the degrees of freedom alone: on u less the speeds that prescribed motions give the
 * system (cardo_driven_speeds), which is u itself where none is prescribed. Below u means that.
 * Where there are constraints draws are projected on what they leave, as M measures it: that keeps
 * the Maxwell-Boltzmann distribution of speeds along the manifold.
 * Each takes a state realized to DYNAMICS, leaves one realized to DYNAMICS, and adds the kinetic
 * energy that the system gained to keep[0], the energy given by the bath. They use the first
 * cardo_bath_work_count numbers of the integration's work.
 *
 * u = o + i: overall motion, in which the joints on ground move and all that they carry goes along
 * as one body, and internal motion, which has no momentum in those joints (cardo_overall_speeds).
 * Both are orthogonal in the metric of M, so K = K_o + K_i, and of a Maxwell-Boltzmann draw the two
 * are independent. Forces that do not change when everything is moved at once keep the momenta of o,
 * and a bath that scales speeds keeps their directions and ratios for ever: it may scale i alone.
 * Constraints between what one joint on ground carries leave o as it is. Where they reach ground or
 * tie several of them together not everything can be moved at once: all motion counts as internal
 * then (integration->tied). */
#ifndef CARDO_DYNAMICS_THERMOSTATS_BATH_H
#define CARDO_DYNAMICS_THERMOSTATS_BATH_H

#include "dynamics/integrators/integrator.h"

/* keep_count and bath_energy of thermostats whose keep is that energy alone. */
int cardo_bath_keep_count(int nq, int nu);
double cardo_bath_energy(const cardo_integration *integration);

/* Numbers of scratch of what is below, and of verlet's step. */
int cardo_bath_work_count(int nq, int nu);

/* u <- c u + sqrt(1 - c^2) sqrt(kT) M^{-1/2} xi, which keeps the Maxwell-Boltzmann distribution for
 * any M(q) and any c from 0 (all speeds drawn anew) to 1. */
cardo_status cardo_bath_refresh(cardo_integration *integration, double c, cardo_error *error);

/* The same with c = exp(-rate time): exact Ornstein-Uhlenbeck motion. rate in 1/ps, time in ps. */
cardo_status cardo_bath_rub(cardo_integration *integration, double rate, double time,
                            cardo_error *error);

/* The same with a rate for overall and one for internal motion: what a bath that scales internal
 * speeds needs beside it, over a time (ps), where its own relaxation time is relaxation (ps).
 * Overall motion has the rate 1/(2 relaxation), by which its kinetic energy relaxes as fast as the
 * internal one does. Internal motion has 1/(2 n relaxation), n its degrees of freedom: each speed is
 * disturbed as much as by the stochastic scaling itself, and whatever else the forces happen to
 * conserve (uncoupled oscillators, a balanced rotor) is sampled too. */
cardo_status cardo_bath_rub_beside(cardo_integration *integration, double relaxation, double time,
                                   cardo_error *error);

/* The internal speeds i (nu) and their kinetic energy, kJ/mol: integration->internal kT/2 on
 * average. */
cardo_status cardo_bath_internal(cardo_integration *integration, double *speeds, double *kinetic,
                                 cardo_error *error);

/* u <- u + (factor - 1) i: scales the internal speeds, which were just found. They may be the first
 * nu numbers of the work. */
cardo_status cardo_bath_scale_internal(cardo_integration *integration, double factor,
                                       const double *speeds, cardo_error *error);

#endif
