/* The attraction of atoms as sums of products of a few numbers an atom: the matrix of C6 split by its largest eigenvalues. */
#ifndef CARDO_FORCES_RIGID_KERNELS_DISPERSION_H
#define CARDO_FORCES_RIGID_KERNELS_DISPERSION_H

#include "base/status.h"
#include "forces/rigid/kernels/kernels.h"

/* Numbers of an atom, negative strength where the product of two atoms' attracts; and the share of the attraction that they miss. */
typedef struct cardo_dispersion {
    int rank;
    double strength[CARDO_FAR_RANK];
    double left_out;
} cardo_dispersion;

/* Of n atoms, as views have them: so many numbers that the tolerance is held, where CARDO_FAR_RANK are enough for that; number (n x rank): the caller frees it,
 * zero where nothing attracts. Errors are CARDO_ERROR_MEMORY. */
cardo_status cardo_dispersion_split(int n, const double *root_epsilon, const double *half_sigma,
                                    double tolerance, cardo_dispersion *split, double **number,
                                    cardo_error *error);

#endif
