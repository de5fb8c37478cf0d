/* A Markov chain over the torsions of a model, even over all conformations without a clash.
 *
 * A move takes one residue and draws its torsions anew from the whole circle, or, as often, turns them by a normal deviate of 15 degrees; it is
 * taken where nothing clashes then. Both are symmetric, so that by Metropolis' rule every conformation without a clash is as
 * likely as any other, per volume of torsions (Madras & Sokal 1988, J. Stat. Phys. 50, 109). */
#ifndef CARDO_STUDY_CONFORMATIONS_PIVOTS_H
#define CARDO_STUDY_CONFORMATIONS_PIVOTS_H

#include "base/random.h"
#include "study/conformations/hard_spheres.h"

typedef struct cardo_pivots {
    const cardo_model *model;
    cardo_system *system;
    cardo_state *state; /* at POSITION, where the chain stands */
    cardo_hard_spheres *spheres;
    cardo_random random;
    int nresidue;       /* whose torsions turn */
    int *first;         /* of each one's coordinates below (nresidue + 1) */
    int *coordinate;    /* numbers of q */
    double *q, *before; /* (nq) */
    long long moves, taken;
} cardo_pivots;

/* At the model's start, where atoms may still clash. model is borrowed. A model without torsions, or with loops or constraints, is
 * CARDO_ERROR_UNSUPPORTED. Zero-initialise; cardo_pivots_clear also after a failure. */
cardo_status cardo_pivots_open(const cardo_model *model, double scale, uint64_t seed,
                               cardo_pivots *pivots, cardo_error *error);
void cardo_pivots_clear(cardo_pivots *pivots);

/* Moves that never make clashes more, until there are none. *clashes: at the start. Pairs that are left when most moves in a row made them no fewer, which no torsion
 * can part, are left out from then on and listed in excepted (*nexcepted of them); more than fit there are CARDO_ERROR_NUMERICAL that
 * names one. */
cardo_status cardo_pivots_settle(cardo_pivots *pivots, long long most, int *clashes,
                                 int excepted[CARDO_SPHERES_MOST_EXCEPTED][2], int *nexcepted,
                                 cardo_error *error);

/* Makes so many moves. */
cardo_status cardo_pivots_move(cardo_pivots *pivots, long long moves, cardo_error *error);

#endif
