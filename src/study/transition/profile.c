#include "study/transition/profile.h"

#include <math.h>

static const double half = 0.5;
/* kT: what counts as a barrier between two wells. */
static const double least_barrier = 0.5;

static bool is_low(const cardo_hinge_profile *p, int k)
{
    return isfinite(p->free_energy[k]) && p->free_energy[k] <= CARDO_PROFILE_HIGH;
}

static int find_lowest(const cardo_hinge_profile *p, bool above)
{
    int found = -1;
    for (int k = 0; k < p->n; ++k)
        if ((p->q[k] > half) == above && isfinite(p->free_energy[k]) &&
            (found < 0 || p->free_energy[k] < p->free_energy[found]))
            found = k;
    return found;
}

static void find_range(cardo_hinge_profile *p, int lowest)
{
    int first = lowest, last = lowest;
    while (first > 0 && is_low(p, first - 1))
        --first;
    while (last < p->n - 1 && is_low(p, last + 1))
        ++last;
    p->lowest = p->q[first];
    p->highest = p->q[last];
    /* Bins next to 0 and 1 may have them half a bin beyond their middles. */
    const double bin = p->n > 1 ? (p->q[p->n - 1] - p->q[0]) / (p->n - 1) : 0;
    p->whole = p->lowest <= bin && p->highest >= 1 - bin;
}

/* Z on one side, and the sum of the squares of its terms' errors. */
static double sum_side(const cardo_hinge_profile *p, bool above, double *square)
{
    double sum = 0;
    *square = 0;
    for (int k = 0; k < p->n; ++k) {
        if ((p->q[k] > half) != above || !isfinite(p->free_energy[k]))
            continue;
        const double weight = exp(-p->free_energy[k]);
        sum += weight;
        if (isfinite(p->sigma[k]))
            *square += weight * weight * p->sigma[k] * p->sigma[k];
    }
    return sum;
}

static void find_difference(cardo_hinge_profile *p)
{
    double square[2];
    const double below = sum_side(p, false, &square[0]), above = sum_side(p, true, &square[1]);
    p->difference = below > 0 && above > 0 ? log(below / above) : (double)NAN;
    p->error = sqrt(square[0] / (below * below) + square[1] / (above * above));
}

static void find_ends(cardo_hinge_profile *p)
{
    int near[2] = {-1, -1};
    p->between = 0;
    for (int k = 0; k < p->n; ++k) {
        for (int end = 0; end < 2; ++end)
            if (p->q[k] >= 0 && p->q[k] <= 1 &&
                (near[end] < 0 || fabs(p->q[k] - end) < fabs(p->q[near[end]] - end)))
                near[end] = k;
        if (p->q[k] >= 0 && p->q[k] <= 1)
            p->between = isfinite(p->free_energy[k]) ? fmax(p->between, p->free_energy[k])
                                                     : (double)INFINITY;
    }
    for (int end = 0; end < 2; ++end)
        p->end[end] = near[end] < 0 ? (double)NAN : p->free_energy[near[end]];
}

static void find_barrier(cardo_hinge_profile *p, const int well[2])
{
    int top = well[0];
    for (int k = well[0]; k <= well[1]; ++k)
        if (!isfinite(p->free_energy[k]) || p->free_energy[k] > p->free_energy[top])
            top = k;
    p->barrier_at = p->q[top];
    p->barrier = p->free_energy[top] - fmin(p->f[0], p->f[1]);
    p->wells = top != well[0] && top != well[1] && well[0] > 0 && well[1] < p->n - 1 &&
               p->free_energy[top] - fmax(p->f[0], p->f[1]) > least_barrier;
}

void cardo_hinge_profile_judge(cardo_hinge_profile *p)
{
    const int well[2] = {find_lowest(p, false), find_lowest(p, true)};
    p->whole = p->wells = false;
    p->barrier = p->barrier_at = p->difference = p->error = NAN;
    p->lowest = p->highest = NAN;
    find_ends(p);
    for (int side = 0; side < 2; ++side) {
        p->at[side] = well[side] < 0 ? (double)NAN : p->q[well[side]];
        p->f[side] = well[side] < 0 ? (double)NAN : p->free_energy[well[side]];
    }
    if (well[0] < 0 && well[1] < 0)
        return;
    find_range(p, well[1] < 0 || (well[0] >= 0 && p->f[0] <= p->f[1]) ? well[0] : well[1]);
    if (well[0] < 0 || well[1] < 0)
        return;
    find_difference(p);
    find_barrier(p, well);
}
