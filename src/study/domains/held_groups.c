#include "study/domains/held_groups.h"

#include <math.h>

enum { BEFORE_TOGETHER = 2 };

/* The cheapest of those that were not tried; -1: none. */
static int take_cheapest(int nresidue, const double *share, bool *tried)
{
    int residue = -1;
    double least = HUGE_VAL;
    for (int r = 0; r < nresidue; ++r)
        if (!tried[r] && share[r] < least) {
            least = share[r];
            residue = r;
        }
    if (residue >= 0)
        tried[residue] = true;
    return residue;
}

/* One that is not tried of those of which the stiffness says nothing; -1: none. */
static int take_unweighed(int nresidue, const double *share, const bool *unweighed, bool *tried)
{
    for (int r = 0; r < nresidue; ++r)
        if (!tried[r] && unweighed[r] && !isfinite(share[r])) {
            tried[r] = true;
            return r;
        }
    return -1;
}

void cardo_held_group_take(int nresidue, const double *share, const bool *unweighed, double now,
                           int most, bool *tried, cardo_held_group *group)
{
    double sum = now;
    group->n = 0;
    while (group->n < most) {
        int residue = take_cheapest(nresidue, share, tried);
        if (residue < 0 && group->n == 0 && unweighed)
            residue = take_unweighed(nresidue, share, unweighed, tried);
        if (residue < 0)
            return;
        sum += share[residue] - now;
        if (group->n > 0 && sum > 1) {
            tried[residue] = false;
            return;
        }
        group->residue[group->n++] = residue;
    }
}

int cardo_held_group_next(const cardo_held_group *group, bool held, int *in_turn)
{
    *in_turn = held ? *in_turn + 1 : 0;
    if (!held || *in_turn < BEFORE_TOGETHER)
        return 1;
    return 2 * group->n < CARDO_HELD_TOGETHER ? 2 * group->n : CARDO_HELD_TOGETHER;
}
