/* What thermostats do to the speeds while the coordinates stand still.
 *
 * They act on the degrees of freedom alone: on u less the speeds that prescribed motions give the
 * system (cardo_driven_speeds), which is u itself where none is prescribed. Below u means that.
 * Each takes a state realized to DYNAMICS, leaves one realized to DYNAMICS, and adds the kinetic
 * energy that the system gained to keep[0], the energy given by the bath. They use 3 nu numbers of
 * the integration's work. */
#ifndef CARDO_DYNAMICS_BATH_H
#define CARDO_DYNAMICS_BATH_H

#include "dynamics/integrator.h"

/* keep_count and bath_energy of thermostats whose keep is that energy alone. */
int cardo_bath_keep_count(int nq, int nu);
double cardo_bath_energy(const cardo_integration *integration);

/* u <- c u + sqrt(1 - c^2) sqrt(kT) M^{-1/2} xi, which keeps the Maxwell-Boltzmann distribution for
 * any M(q) and any c from 0 (all speeds drawn anew) to 1. */
cardo_status cardo_bath_refresh(cardo_integration *integration, double c, cardo_error *error);

/* The same with c = exp(-rate time): exact Ornstein-Uhlenbeck motion. rate in 1/ps, time in ps. */
cardo_status cardo_bath_rub(cardo_integration *integration, double rate, double time,
                            cardo_error *error);

/* Kinetic energy of the degrees of freedom, kJ/mol: degrees kT/2 on average. */
cardo_status cardo_bath_kinetic(cardo_integration *integration, double *kinetic,
                                cardo_error *error);

/* u <- factor u. */
cardo_status cardo_bath_scale(cardo_integration *integration, double factor, cardo_error *error);

#endif
