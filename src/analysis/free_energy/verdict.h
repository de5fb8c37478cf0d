/* Whether a free energy can be believed, in words.
 *
 * "Converged" is said where nothing speaks against it and all that could is there to be looked at: the
 * rule, method by method, stands in sampling/README.md. A generous target takes none of it away. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_VERDICT_H
#define CARDO_ANALYSIS_FREE_ENERGY_VERDICT_H

#include "analysis/free_energy/mbar.h"

#include <stdbool.h>
#include <stddef.h>

/* What a walker has seen of a coordinate. */
typedef struct cardo_verdict_moments {
    double mean, variance;
    double effective; /* samples that its series is worth, n/g */
    double half[2];   /* means of the first and of the last half of it */
} cardo_verdict_moments;

/* One of several runs of the whole study, from a start of its own. All is borrowed. */
typedef struct cardo_verdict_replica {
    const cardo_mbar *mbar; /* the windows, or NULL                                              */
    int row;                /* windows at one temperature, one after the other; 0: all           */
    int nwalker;            /* of windows: as many; 0: nothing is known of walkers               */
    bool roam;              /* each walker goes over the whole range: none has a place of its own */
    const cardo_verdict_moments *moments; /* (nwalker x ncoordinate)                              */
    int passages; /* from one end of the range to the other; -1: nothing travels                 */
    /* By how much a bias that grows rose, in the last half of the run, while a walker forgot its place, kT. */
    double haste;
    const double *F, *sigma;             /* kT                                               (n) */
    const double *state_F, *state_sigma; /* against the first state, kT; NaN: not known (nstate) */
} cardo_verdict_replica;

typedef struct cardo_verdict_input {
    const char *coordinate; /* its name                                                          */
    int ncoordinate;        /* that are recorded: the variable first                             */
    const char *const *names;
    /* Of each coordinate, how often a walker went from one side of where it was seen to the other, on average
     * (crossings.h); negative where that is not known. NULL: of none (ncoordinate). */
    const double *crossings;
    bool folded; /* two configurations have the same value of it, and one of them was not sampled */
    int nreplica;
    const cardo_verdict_replica *replica;
    const char
        *another; /* how one replica gets another beside it; NULL: "sample.replicas=2"      */
    /* Of all replicas together, kT. */
    int n; /* places of the profile */
    const double *xi, *F, *sigma;
    const double *unresolved; /* what of sigma is for want of nodes of the force, or NULL (n)     */
    double highest; /* kT above the lowest F: the error of places above it is not judged; 0: all  */
    double target;  /* kT: the standard error that was hoped for, 0: none                         */
    /* States, ranges of the coordinate from state[2 s] to state[2 s + 1], the first one the reference;
     * halves: that the range was merely cut in two, where no states were asked for. */
    int nstate;
    bool halves;
    const double *state, *state_F, *state_sigma;
    /* A free energy from the first and the last half of the run, with standard errors, kT; sigmas not
     * above 0: not there. */
    double first_half, first_sigma, last_half, last_sigma;
} cardo_verdict_input;

typedef enum cardo_verdict {
    CARDO_VERDICT_CONVERGED,
    CARDO_VERDICT_DOUBTFUL, /* the errors given may be too small                              */
    CARDO_VERDICT_NOT_CONVERGED
} cardo_verdict;

/* "converged", "doubtful", "not converged". */
const char *cardo_verdict_word(cardo_verdict verdict);

/* Lines for people into text, each with its end, and the verdict. Looked at are: places and states
 * without samples; the largest standard error, and whether it reaches the target; windows that overlap by
 * less than 0.03 (Klimovich et al. 2015, J. Comput.-Aided Mol. Des. 29, 397) and, where they do not
 * exchange, windows that have seen different values of another recorded coordinate; passages of what
 * travels; how many independent values of the slowest recorded coordinate were seen, as its series tell and
 * as walkers scatter, and how often it crossed where it was seen; a bias that still rose by more than kT while walkers forgot their places; whether replicas agree, and whether both halves of
 * the run do. */
cardo_verdict cardo_free_energy_verdict(const cardo_verdict_input *input, char *text, size_t size);

#endif
