/* Mean forces at nodes, straight between them, fitted to forces that were summed in blocks of time
 * (mean_force_blocks.h): what its parts share. */
#ifndef CARDO_ANALYSIS_FORCE_FIT_H
#define CARDO_ANALYSIS_FORCE_FIT_H

#include "analysis/mean_force_blocks.h"

/* The fit, over visited nodes first ... first + n - 1, numbered from 0. */
typedef struct cardo_force_fit {
    const cardo_force_blocks *blocks; /* the caller's */
    const cardo_force_nodes *nodes;
    int first, n;
    bool whole;                     /* all nodes of a period                                */
    double *square, *next, *moment; /* sums over blocks                         (all nodes) */
    double *inverse;                /* of the matrix, then working memory       (2 n x n)   */
    double *mean;                   /* the forces, kT per unit                  (n)         */
    double *phi;                    /* working memory                           (nblock)    */
} cardo_force_fit;

/* Sums over blocks, which nodes count as visited, and the forces there; blocks and nodes are borrowed. The
 * caller clears *fit, zeroed before, also after a failure. Errors as of cardo_integrate_blocks. */
cardo_status cardo_force_fit_create(const cardo_force_blocks *blocks,
                                    const cardo_force_nodes *nodes, cardo_force_fit *fit,
                                    cardo_error *error);
void cardo_force_fit_clear(cardo_force_fit *fit);

/* out = (the matrix of all blocks) v; out = its inverse times v. v[n], out[n], not the same. */
void cardo_force_fit_multiply(const cardo_force_fit *fit, const double *v, double *out);
void cardo_force_fit_invert(const cardo_force_fit *fit, const double *v, double *out);

/* Standard error of a number that sums of forces move by influence[n] each, less what the fit makes of
 * them. */
double cardo_force_fit_sigma(cardo_force_fit *fit, const double *influence);

#endif
