/* What walks down the trees of bodies have in common: a row against columns that are halved until they act on it. */
#ifndef CARDO_FORCES_RIGID_FAR_WALK_H
#define CARDO_FORCES_RIGID_FAR_WALK_H

#include "forces/rigid/far.h"

#include <string.h>

/* Is a column far enough to act on a row as it is? */
typedef bool cardo_far_asker(const void *walk, int row, int column);

/* Lists of nodes that a row's columns become. */
typedef struct cardo_far_offered {
    int ntaken, nleft;
    int *taken; /* act as they are                                        */
    int *left;  /* are left for the row's own halves, or, of two blocks, for their atoms */
    int *queue; /* room, as in the others, for all nodes                  */
} cardo_far_offered;

/* Offers n nodes to a row: each is taken, or halved where it is the larger of the two and has halves, or left. Inlined with what asks, since this is asked of most
 * pairs of nodes; and nothing branches on the answers, which a processor cannot guess. */
static inline void cardo_far_offer(const cardo_far *far, int row, int n, const int *columns,
                                   cardo_far_asker acts, const void *walk, cardo_far_offered *to)
{
    const cardo_far_node *a = &far->node[row];
    const double limit = a->child < 0 ? -1 : a->radius;
    int ntaken = 0, nleft = 0, end = n, *queue = to->queue;
    memcpy(queue, columns, sizeof *queue * (size_t)n);
    for (int at = 0; at < end; ++at) {
        const int column = queue[at];
        const cardo_far_node *b = &far->node[column];
        const int taken = acts(walk, row, column);
        const int halved = !taken & (b->child >= 0) & (b->radius > limit);
        to->taken[ntaken] = to->left[nleft] = column;
        queue[end] = b->child;
        queue[end + 1] = b->child + 1;
        ntaken += taken;
        nleft += !taken & !halved;
        end += 2 * halved;
    }
    to->ntaken = ntaken;
    to->nleft = nleft;
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
