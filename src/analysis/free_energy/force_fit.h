/* Mean forces at nodes, straight between them, fitted to forces that were summed in blocks of time
 * (mean_force_blocks.h): what its parts share. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_FORCE_FIT_H
#define CARDO_ANALYSIS_FREE_ENERGY_FORCE_FIT_H

#include "analysis/free_energy/mean_force_blocks.h"

/* Parts of a run that are as long as can be and still several. */
enum { CARDO_LONG_PARTS = 10 };

/* The fit, over visited nodes first ... first + n - 1, of a period round its seam, numbered from 0. */
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

/* Among all nodes, the one that is visited node i. */
int cardo_force_fit_node(const cardo_force_fit *fit, int i);

/* Sums over blocks, which nodes count as visited, and the forces there; blocks and nodes are borrowed. The
 * caller clears *fit, zeroed before, also after a failure. n is 0 where no two neighbouring nodes were visited. */
cardo_status cardo_force_fit_create(const cardo_force_blocks *blocks,
                                    const cardo_force_nodes *nodes, cardo_force_fit *fit,
                                    cardo_error *error);
void cardo_force_fit_clear(cardo_force_fit *fit);

/* out = (the matrix of all blocks) v; out = its inverse times v. v[n], out[n], not the same. */
void cardo_force_fit_multiply(const cardo_force_fit *fit, const double *v, double *out);
void cardo_force_fit_invert(const cardo_force_fit *fit, const double *v, double *out);

/* What is left of the forces of one block, its sum of h_b f less that of the fit: out[n]. */
void cardo_force_fit_residual(const cardo_force_fit *fit, const cardo_force_blocks *blocks,
                              int block, double *out);

/* Standard error of a number that sums of forces move by influence[n] each, less what the fit makes of
 * them. */
double cardo_force_fit_sigma(cardo_force_fit *fit, const double *influence);

#endif
