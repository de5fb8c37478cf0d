/* What walks down the trees of bodies have in common: a row against columns that are halved until they act on it. */
#ifndef CARDO_FORCES_RIGID_FAR_WALK_H
#define CARDO_FORCES_RIGID_FAR_WALK_H

#include "forces/rigid/far.h"
#include "forces/rigid/model.h"

#include <string.h>

/* Which of up to CARDO_FAR_ASKED columns are far enough to act on a row as they are: answers 1 or 0. */
typedef void cardo_far_asker(const void *walk, int row, int n, const int *columns, int *answers);

/* Lists of nodes that a row's columns become. */
typedef struct cardo_far_offered {
    int ntaken, nleft;
    int *taken; /* act as they are                                        */
    int *left;  /* are left for the row's own halves, or, of two blocks, for their atoms */
    int *queue; /* room, as in the others, for all nodes                  */
} cardo_far_offered;

/* Offers n nodes to a row: each is taken, or halved where it is the larger of the two and has halves, or left; alike: of two as large the first is halved, so that
 * it is the same one from both sides. Many are asked at once, and nothing branches on the answers, which a processor cannot guess. */
static inline void cardo_far_offer(const cardo_far *far, bool alike, int row, int n,
                                   const int *columns, cardo_far_asker acts, const void *walk,
                                   cardo_far_offered *to)
{
    const cardo_rigid_far_seen *seen = far->seen;
    const float limit = seen[row].child < 0 ? -1 : seen[row].radius;
    int ntaken = 0, nleft = 0, end = n, *queue = to->queue;
    memcpy(queue, columns, sizeof *queue * (size_t)n);
    for (int from = 0, until; from < end; from = until) {
        int answers[CARDO_FAR_ASKED];
        until = end < from + CARDO_FAR_ASKED ? end : from + CARDO_FAR_ASKED;
        acts(walk, row, until - from, queue + from, answers);
        for (int at = from; at < until; ++at) {
            const int column = queue[at], taken = answers[at - from];
            const int child = seen[column].child;
            const float radius = seen[column].radius;
            const int larger = (radius > limit) | (alike & (radius == limit) & (column < row));
            const int halved = !taken & (child >= 0) & larger;
            to->taken[ntaken] = to->left[nleft] = column;
            queue[end] = child;
            queue[end + 1] = child + 1;
            ntaken += taken;
            nleft += !taken & !halved;
            end += 2 * halved;
        }
    }
    to->ntaken = ntaken;
    to->nleft = nleft;
}

/* n nodes in the order of their bodies, otherwise as they are: in `to`, with room for as many; count: room for numbers of all bodies. */
static inline const int *cardo_far_by_body(const cardo_far *far, int n, const int *columns, int *to,
                                           int *count)
{
    int least = n > 0 ? far->body[columns[0]] : 0, most = least, sum = 0;
    for (int k = 1; k < n; ++k) {
        const int body = far->body[columns[k]];
        least = body < least ? body : least;
        most = body > most ? body : most;
    }
    memset(count + least, 0, sizeof *count * (size_t)(most - least + 1));
    for (int k = 0; k < n; ++k)
        ++count[far->body[columns[k]]];
    for (int body = least; body <= most; ++body) {
        const int of_body = count[body];
        count[body] = sum;
        sum += of_body;
    }
    for (int k = 0; k < n; ++k)
        to[count[far->body[columns[k]]]++] = columns[k];
    return to;
}

/* Gives the bodies of a row and of n columns what a kernel has found, times sign: forces and torques about the row's place; totals: what push (kernels/kernels.h) sums. */
static inline void cardo_far_push(const cardo_rigid_model *model, int row, double sign, int n,
                                  const int *columns, int numbers,
                                  double (*pull)[CARDO_FAR_COLUMNS], double *totals,
                                  cardo_spatial *wrench)
{
    const cardo_far *far = model->far;
    const cardo_rigid_far_push by = {.place = far->place + 3 * (size_t)row,
                                     .sign = sign,
                                     .columns = columns,
                                     .ncolumn = n,
                                     .bodies = far->body,
                                     .wrench = wrench};
    cardo_spatial *of_row = &wrench[far->body[row]];
    model->kernels->push(&by, numbers, pull, totals);
    of_row->linear = v3_add(of_row->linear, v3_load(totals));
    of_row->angular = v3_add(of_row->angular, v3_load(totals + 3));
}

/* The series of n columns at a row in the precision asked for; pull (8): a kernel's (kernels/kernels.h). */
static inline cardo_rigid_far_job cardo_far_job_of(const cardo_far *far, bool single, int row,
                                                   int n, const int *columns,
                                                   double (*pull)[CARDO_FAR_COLUMNS])
{
    const double *place = far->place + 3 * (size_t)row;
    const size_t first = (size_t)far->record * (size_t)row;
    return (cardo_rigid_far_job){.order = far->order,
                                 .rank = far->rank,
                                 .record = far->record,
                                 .strength = far->strength,
                                 .row = single ? (const void *)(far->moment_single + first)
                                               : far->moment + first,
                                 .place = {place[0], place[1], place[2]},
                                 .places = far->place,
                                 .columns = columns,
                                 .ncolumn = n,
                                 .pull = pull};
}

/* Pairs and solvent of a job with blocks sorted by how far they are into work->near and work->far; excess: what solvent pairs have beyond plain ones alone. */
static inline void cardo_far_act_by_atoms(const cardo_rigid_model *model, bool excess,
                                          cardo_rigid_work *work, cardo_rigid_job *job)
{
    const cardo_rigid_kernels *kernels = model->kernels;
    const bool tabled = model->rules.excess != NULL;
    if (excess)
        cardo_rigid_by_distance(
            model, work, kernels->full.excess_between, kernels->full.excess_between,
            tabled ? kernels->tabled_between : kernels->single.excess_between, job);
    else
        cardo_rigid_by_distance(
            model, work, kernels->full.pairs_and_solvent, kernels->full.pairs_and_solvent,
            tabled ? kernels->tabled_pairs : kernels->single.pairs_and_solvent, job);
}

#endif
