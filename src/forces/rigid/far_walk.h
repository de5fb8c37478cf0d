/* What walks down the trees of bodies have in common: a row against columns that are halved until they act on it. */
#ifndef CARDO_FORCES_RIGID_FAR_WALK_H
#define CARDO_FORCES_RIGID_FAR_WALK_H

#include "forces/rigid/far.h"

/* Takes a column that is far enough to act on a row as it is; false: it is not. */
typedef bool (*cardo_far_taker)(void *walk, int row, int column);

/* Offers n nodes to a row: each is taken, or halved where it is the larger of the two and has halves, or left for the row's own halves,
 * or, of two blocks, for their atoms. left: room for those; returns how many they are. Inlined with what takes them: this is asked of most pairs
 * of nodes. */
static inline int cardo_far_offer(const cardo_far *far, int row, int n, const int *columns,
                                  int *left, cardo_far_taker take, void *walk)
{
    const cardo_far_node *a = &far->node[row];
    int nleft = 0, open[64];
    for (int k = 0; k < n; ++k) {
        int nopen = 0;
        open[nopen++] = columns[k];
        while (nopen > 0) {
            const int column = open[--nopen];
            const cardo_far_node *b = &far->node[column];
            if (take(walk, row, column))
                continue;
            if (b->child >= 0 && (a->child < 0 || b->radius > a->radius)) {
                open[nopen++] = b->child + 1;
                open[nopen++] = b->child;
            } else {
                left[nleft++] = column;
            }
        }
    }
    return nleft;
}

/* The series of n columns at a row; pull (n x 8): a kernel's (kernels/kernels.h). */
static inline cardo_rigid_far_job cardo_far_job_of(const cardo_far *far, int row, int n,
                                                   const int *columns, double (*pull)[8])
{
    const double *place = far->place + 3 * (size_t)row;
    return (cardo_rigid_far_job){.order = far->order,
                                 .rank = far->rank,
                                 .record = far->record,
                                 .strength = far->strength,
                                 .row = far->moment + (size_t)far->record * (size_t)row,
                                 .place = {place[0], place[1], place[2]},
                                 .places = far->place,
                                 .columns = columns,
                                 .ncolumn = n,
                                 .pull = pull};
}

#endif
