/* The mixed sampler: moves of hinges and moves of all atoms by turns, both leaving e^(-U(x)/kT)dx of
 * the Cartesian positions as it is (Gibbs sampling over two sets of moves), so that domains or
 * torsions take large steps while everything else relaxes. Unbiased: bodies are rigid only while
 * they turn.
 *
 * A cycle: some Cartesian moves (sampling/mixed/cartesian.h); then the hinged molecule is made anew of the
 * atoms where they are (sampling/mixed/hinges.h) and makes some hybrid Monte Carlo moves of its own, from
 * momenta p of the mass matrix M(q) on the orbit. The density along the orbit is to be e^(-U/kT) in
 * the group's invariant measure. Integrating e^(-H/kT), H = p^T M^-1 p/2 + U, over p would leave
 * sqrt(det M) too much, so kT/2 ln det M, Fixman's potential, is part of the energy of these moves,
 * and of it alone. For one body that turns about an axis in a base that is welded, M does not depend
 * on q and the term is a constant. */
#ifndef CARDO_SAMPLING_MIXED_MIXED_H
#define CARDO_SAMPLING_MIXED_MIXED_H

#include "base/field.h"
#include "multibody/force.h"
#include "sampling/mixed/hinges.h"

#include <stddef.h>

typedef struct cardo_mixed_options {
    double temperature; /* K                                                            */
    long long seed;
    int replica;           /* another stream of random numbers of the same seed             */
    int hinge_moves;       /* in a cycle                                                    */
    int hinge_flights;     /* steps of a move                                               */
    double hinge_timestep; /* ps                                                            */
    int hinge_turns;       /* turns of one pin by any angle, in a cycle                     */
    int atom_moves;        /* in a cycle                                                    */
    int atom_flights;      /* steps of a move                                               */
    double atom_timestep;  /* ps                                                            */
    int burn_in;           /* first cycles, in which both time steps are adapted            */
    double acceptance;     /* to this share of moves accepted                               */
} cardo_mixed_options;

/* The word that chooses it among methods of sampling. */
#define CARDO_MIXED_METHOD "mixed"

extern const cardo_field cardo_mixed_fields[];

typedef struct cardo_mixed cardo_mixed;

/* A run from positions (nstation x 3, nm). The provider gives forces on all stations by the whole of
 * U, what lies inside bodies too; it and hinges are borrowed. CARDO_ERROR_UNSUPPORTED for hinges that
 * cardo_hinges_check refuses. The caller owns *out. */
cardo_status cardo_mixed_create(const cardo_hinges *hinges, cardo_force_provider *provider,
                                const cardo_mixed_options *options, const double *positions,
                                cardo_mixed **out, cardo_error *error);
void cardo_mixed_destroy(cardo_mixed *mixed);

/* One cycle. A molecule that has wandered more than 0.5 nm is put back where it began, unturned.
 * CARDO_ERROR_INPUT where 50 cycles after burn-in have not had a move of a kind accepted. */
cardo_status cardo_mixed_cycle(cardo_mixed *mixed, cardo_error *error);

/* Cycles so far; positions (nstation x 3, nm) and energy U there (kJ/mol). Borrowed. */
long long cardo_mixed_cycles(const cardo_mixed *mixed);
const double *cardo_mixed_positions(const cardo_mixed *mixed);
double cardo_mixed_energy(const cardo_mixed *mixed);
/* Turns in a cycle: 0 where no joint turns all the way round. */
int cardo_mixed_turns(const cardo_mixed *mixed);
/* Evaluations of the forces so far, by whoever asked. */
long long cardo_mixed_evaluations(const cardo_mixed *mixed);
/* Two or three lines for people: how many moves of each kind were accepted. */
void cardo_mixed_report(const cardo_mixed *mixed, char *text, size_t size);

/* The run between two cycles as plain numbers. A run that is restored goes on with the same bits where
 * the provider is deterministic. */
int cardo_mixed_value_count(const cardo_mixed *mixed);
void cardo_mixed_save(const cardo_mixed *mixed, double *values);
cardo_status cardo_mixed_restore(cardo_mixed *mixed, const double *values, cardo_error *error);

#endif
