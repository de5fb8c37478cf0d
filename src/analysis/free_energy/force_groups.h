/* What mean forces fitted to groups of samples change by when a group is left out: the longest parts of
 * a run, or the walkers that made it.
 *
 * Blocks of time tell of memories that are short beside the run. What is remembered for as long as a
 * node is visited shows in no block of it, but where the node is come back to, or where another walker
 * comes by. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_FORCE_GROUPS_H
#define CARDO_ANALYSIS_FREE_ENERGY_FORCE_GROUPS_H

#include "analysis/free_energy/force_fit.h"

typedef struct cardo_force_groups {
    int n, ngroup;  /* 0 groups: too few to say anything                        */
    double *change; /* of the forces                                (ngroup x n) */
} cardo_force_groups;

/* Groups of consecutive blocks, as many as CARDO_LONG_PARTS, or half as many as there are blocks. */
cardo_status cardo_force_groups_of_time(const cardo_force_fit *fit, cardo_force_groups *groups,
                                        cardo_error *error);
/* Groups whose sums are given as blocks. The caller clears *groups, zeroed before, also after a failure. */
cardo_status cardo_force_groups_create(const cardo_force_fit *fit, const cardo_force_blocks *sums,
                                       cardo_force_groups *groups, cardo_error *error);
void cardo_force_groups_clear(cardo_force_groups *groups);

/* What the jackknife over groups (Efron & Stein 1981, Ann. Stat. 9, 586) finds beyond the standard error
 * `noise` that shorter blocks gave of a number that depends on the forces by row[n]: the square root of what
 * its variance is more than noise makes it by chance once in ten, with Student's factor for as many groups
 * as carry it; 0 for none. */
double cardo_force_groups_excess(const cardo_force_groups *groups, const double *row, double noise);

#endif
