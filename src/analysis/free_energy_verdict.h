/* Whether a free energy can be believed, in words. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_VERDICT_H
#define CARDO_ANALYSIS_FREE_ENERGY_VERDICT_H

#include "analysis/mbar.h"

#include <stddef.h>

typedef struct cardo_verdict_input {
    const char *coordinate;    /* its name                                                      */
    const cardo_mbar *mbar;    /* the windows, or NULL                                          */
    int row;                   /* windows at one temperature, one after the other; 0: all       */
    const double *independent; /* effective samples n/g of each window, or NULL     (nstate)    */
    /* Of walkers under a bias that grows, 0: there are none. How many independent places they have
     * seen in all, and by how much the bias rose while a walker forgot its place, kT. */
    double worth, haste;
    int n;                        /* places of the profile                                      */
    const double *xi, *F, *sigma; /* kT                                             (n)         */
    const double *unresolved;     /* what of sigma is for want of nodes of the force, or NULL (n) */
    double highest; /* kT above the lowest F: places above it are not judged; 0: all are         */
    double target;  /* kT: the standard error that was hoped for, 0: none                       */
    /* A free energy from the first and the last half, with standard errors, kT; sigmas not above 0:
     * not there. */
    double first_half, first_sigma, last_half, last_sigma;
} cardo_verdict_input;

typedef enum cardo_verdict {
    CARDO_VERDICT_CONVERGED,
    CARDO_VERDICT_DOUBTFUL, /* the errors given may be too small                              */
    CARDO_VERDICT_NOT_CONVERGED
} cardo_verdict;

/* Lines for people into text, each with its end: neighbouring windows that overlap by less than
 * 0.03 (Klimovich et al. 2015, J. Comput.-Aided Mol. Des. 29, 397), windows or walkers worth
 * fewer than 20 independent samples, a bias that rises by more than kT/2 while walkers forget their places,
 * places without samples, the largest standard error and where it is, halves of the run that differ
 * by more than three standard errors, and the verdict. */
cardo_verdict cardo_free_energy_verdict(const cardo_verdict_input *input, char *text, size_t size);

#endif
