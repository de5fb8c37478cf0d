/* Communities of a weighted graph: groups of nodes that are tied more to each other than chance would have it. */
#ifndef CARDO_ANALYSIS_DOMAINS_ERRORS_COMMUNITIES_H
#define CARDO_ANALYSIS_DOMAINS_ERRORS_COMMUNITIES_H

#include "base/status.h"

/* Finds the division of n nodes with the largest modularity that local moves and joins reach,
 *     Q = sum over pairs in one community of (w_ij - resolution k_i k_j / 2m),  k_i = sum_j w_ij,  2m = sum_i k_i
 * (Newman 2004, Phys. Rev. E 69, 066133; resolution: Reichardt & Bornholdt 2006, Phys. Rev. E 74, 016110) by the method of Blondel et al. 2008
 * (J. Stat. Mech. P10008), nodes always in their order, and with moves of single nodes once more in the end: the same graph gives the same division.
 * weight: n x n, symmetric, not negative; its diagonal is not looked at. community (n): from 0, by rising first node.
 * *modularity: Q/2m, or NULL. Some 10 n^2 operations. */
cardo_status cardo_communities_find(int n, const double *weight, double resolution, int *community,
                                    int *count, double *modularity, cardo_error *error);

#endif
