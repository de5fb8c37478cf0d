/* Out of the wells that minimizing stays in: the lowest of some minima about where a state stands.
 *
 * A round is some dynamics at a constant temperature from the lowest minimum so far, then minimization: what is lower is kept
 * (Monte Carlo over minima at no temperature, after Li & Scheraga, Proc Natl Acad Sci 84, 6611 (1987)). It ends where two rounds in a row find nothing lower by 1 kJ/mol, or
 * rounds do, and not where nothing lower is left, which nobody can know. */
#ifndef CARDO_DYNAMICS_ANNEALING_H
#define CARDO_DYNAMICS_ANNEALING_H

#include "dynamics/minimization.h"

typedef struct cardo_annealing {
    const cardo_system *system;
    cardo_state *state;
    cardo_force_provider
        *provider;              /* heats                                                          */
    cardo_evaluator *evaluator; /* of the same forces, cools                                      */
    const volatile sig_atomic_t
        *interrupt; /* ends it when raised; NULL: none                        */
    int rounds,
        steps; /* most rounds, or 0; steps of 8 fs at 300 K in a round, or twice as many of 4 fs where those fail; 0: nothing is done */
    const cardo_minimization_options *minimization;
} cardo_annealing;

typedef struct cardo_annealed {
    double before, after; /* minima, kJ/mol */
    int lowered,
        idle; /* rounds that found something lower; the last, in a row, that found nothing much */
    long long evaluations;
    bool interrupted; /* the interrupt was raised */
} cardo_annealed;

/* Minimizes, and anneals; without rounds it heats once and leaves the state where that comes to, lower or not. The state stands at the lowest minimum then; where there is none to come to, where it was. Rounds
 * draw from streams of their own: two calls from one state end alike. */
cardo_status cardo_anneal(const cardo_annealing *how, cardo_annealed *out, cardo_error *error);

#endif
