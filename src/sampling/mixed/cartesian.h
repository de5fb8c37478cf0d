/* Hybrid Monte Carlo of all atoms in Cartesian coordinates: exact for e^(-U/kT)dx at any time step.
 *
 * A move draws every atom's velocity anew from Maxwell and Boltzmann, flies by velocity Verlet, and
 * is taken with probability min(1, exp(-dH/kT)) (Duane, Kennedy, Pendleton & Roweth 1987). Forces
 * come from any provider of station forces; the arithmetic around them is 3 n operations a step in
 * double precision, so a run is as reproducible as the provider is. */
#ifndef CARDO_SAMPLING_MIXED_CARTESIAN_H
#define CARDO_SAMPLING_MIXED_CARTESIAN_H

#include "base/random.h"
#include "multibody/force.h"

/* Options of the moves. */
typedef struct cardo_cartesian_options {
    double timestep;   /* ps                                                          */
    int flights;       /* steps in a move                                             */
    double jitter;     /* fraction by which the step varies at random from move to move */
    int burn_in;       /* first moves, in which the step is adapted                   */
    double acceptance; /* to this share of moves accepted                             */
} cardo_cartesian_options;

/* What a run is between two moves beside its positions, plain numbers. */
typedef struct cardo_cartesian_count {
    double moves, accepted, impossible; /* after burn-in; impossible: no energy at the end */
    double burnt, log_step, sum;        /* of burn-in: moves; ln of the factor on the step;
                                           the sum of that over its second half             */
} cardo_cartesian_count;

typedef struct cardo_cartesian {
    int natom;
    const double *mass;             /* Da                           (natom), borrowed           */
    cardo_force_provider *provider; /* borrowed; gives station forces                           */
    double kT;                      /* kJ/mol                                                   */
    cardo_cartesian_options options;
    cardo_random random;
    cardo_cartesian_count count;
    long long evaluations;
    double energy;     /* U at positions, kJ/mol                               */
    double *positions; /* nm                                   (natom x 3)         */
    double *forces;    /* kJ/mol/nm, there                     (natom x 3)         */
    double *velocities, *old_positions,
        *old_forces; /* of a move              (natom x 3)         */
} cardo_cartesian;

/* Zero-initialise *self and set natom, mass, provider, kT, options and random; this allocates the
 * rest. cardo_cartesian_clear frees it, also after a failure. */
cardo_status cardo_cartesian_open(cardo_cartesian *self, cardo_error *error);
void cardo_cartesian_clear(cardo_cartesian *self);

/* Energy and forces at the positions: to be called after something else has moved them. A place that
 * has none is CARDO_RECOVERABLE or CARDO_ERROR_NUMERICAL, as the provider says. */
cardo_status cardo_cartesian_evaluate(cardo_cartesian *self, cardo_error *error);
/* One move from evaluated positions; leaves positions, forces and energy of what was taken. Fails as
 * the provider does, but for places that it cannot evaluate: those are rejected. */
cardo_status cardo_cartesian_move(cardo_cartesian *self, cardo_error *error);

#endif
