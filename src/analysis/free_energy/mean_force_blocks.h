/* F(xi) from instantaneous forces that were summed as they came, in blocks of time.
 *
 * The mean force is taken to be straight between nodes, m(xi) = sum_b m_b h_b(xi), h_b the hat about
 * node b, and fitted to all forces by least squares: sum over samples of h_b h_c, times m, is sum of
 * h_b f. Unlike the mean in a bin that does not depend on where in a bin samples lie, and integrals
 * over the fit are exact to fourth order of the spacing. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_MEAN_FORCE_BLOCKS_H
#define CARDO_ANALYSIS_FREE_ENERGY_MEAN_FORCE_BLOCKS_H

#include "analysis/free_energy/coordinate_bins.h"
#include "base/status.h"

/* The nodes: low, low + spacing, ...; of a period n nodes go round it. */
typedef struct cardo_force_nodes {
    int n; /* 2 or more; 3 of a period */
    double low, spacing;
    bool periodic;
} cardo_force_nodes;

/* Sums over blocks of equal length, a row of n each. */
typedef struct cardo_force_blocks {
    int nblock;
    const double *square; /* h_b h_b                                   (nblock x n) */
    const double *next;   /* h_b h_(b+1), of a period round to the first (nblock x n) */
    const double *moment; /* h_b f, kT per unit                        (nblock x n) */
} cardo_force_blocks;

/* Adds a sample at xi with force f (kT per unit) to sums of n each; false, and nothing, where xi is
 * beyond the nodes. */
bool cardo_force_nodes_add(const cardo_force_nodes *nodes, double xi, double force, double *square,
                           double *next, double *moment);

/* What is wanted, and where it goes. */
typedef struct cardo_force_profile {
    const cardo_force_blocks
        *walkers;           /* the same forces, walker by walker in place of block by block,
                                          or NULL                                               */
    const cardo_bins *bins; /* NULL: none                                                      */
    double *F, *sigma;      /* kT                                                 (bins->n)    */
    double *unresolved;     /* what of sigma is for forces that are not straight between nodes,
                               kT                                                 (bins->n)    */
    int nbasin;             /* free energies of basins basin[2 b] to basin[2 b + 1] against the
                               first; 0: none                                                  */
    const double *basin;
    double *basin_F, *basin_sigma; /* kT                                          (nbasin)     */
} cardo_force_profile;

/* F of bins, -ln of the mean density in each as from cardo_weighted_profile, normalized: exp(-F) has
 * integral 1 over the visited nodes. Nodes whose sum of squares is below 1, or that were visited in
 * one block, or one tenth of the run, for the most part, count as not visited. Of the stretches between
 * them the one that was sampled most has an F; bins and basins that reach beyond it are NaN, as nothing
 * says how far other places lie from it.
 *
 * Errors come from the correlation between blocks, of which there should be twenty or more, and which need
 * not be longer than memory; from what tenths of the run, or walkers, show beyond that
 * (force_groups.h), which know of longer memories; and from what the fit changes by when every other node
 * is left out. None is below 1e-4 kT: forces are no better known. */
cardo_status cardo_integrate_blocks(const cardo_force_blocks *blocks,
                                    const cardo_force_nodes *nodes, cardo_force_profile *profile,
                                    cardo_error *error);

#endif
