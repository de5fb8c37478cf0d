#include "multibody/impact/complementarity.h"

#include "multibody/manifold/semidefinite.h"

#include <math.h>
#include <string.h>

enum { REFUSED = 2 };
static const double least_pivot = 1e-11;

/* x on the set is where w vanishes on it, 0 elsewhere. */
typedef struct problem {
    int n, nset;
    const double *Y, *q;
    const bool *free;
    double *x, *trial;
    double *factor, *shortest, *scale, *right, *solution, *spare;
    int *set, *in_set, *order;
} problem;

static void solve_on_set(const problem *p)
{
    const int n = p->n, m = p->nset;
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j)
            p->factor[i * m + j] = p->Y[p->set[i] * n + p->set[j]];
        p->scale[i] = p->factor[i * m + i] > 0 ? p->factor[i * m + i] : 1;
        p->right[i] = -p->q[p->set[i]];
    }
    const int rank =
        cardo_semidefinite_factor(m, m, p->factor, p->shortest, p->scale, p->order, least_pivot);
    cardo_semidefinite_solve(m, m, rank, p->factor, p->shortest, p->order, p->right, p->solution,
                             p->spare);
    for (int i = 0; i < n; ++i)
        p->trial[i] = 0;
    for (int i = 0; i < m; ++i)
        p->trial[p->set[i]] = p->solution[i];
}

static double w_of(const problem *p, const double *x, int i)
{
    double w = p->q[i];
    for (int j = 0; j < p->n; ++j)
        w += p->Y[i * p->n + j] * x[j];
    return w;
}

static double root_of(const problem *p, int i)
{
    const double Y = p->Y[i * p->n + i];
    return Y > 0 ? sqrt(Y) : 1;
}

static void put(problem *p, int i)
{
    p->in_set[i] = 1;
    p->set[p->nset++] = i;
}

static void drop(problem *p, int at)
{
    p->in_set[p->set[at]] = 0;
    memmove(p->set + at, p->set + at + 1, (size_t)(p->nset - at - 1) * sizeof *p->set);
    --p->nset;
}

/* All rows at once: done where no force pulls and no row is left. */
static bool all_will_do(problem *p, double level)
{
    double most = 0;
    for (int i = 0; i < p->n; ++i)
        put(p, i);
    solve_on_set(p);
    for (int i = 0; i < p->n; ++i)
        most = fmax(most, fabs(p->trial[i]) * root_of(p, i));
    for (int i = 0; i < p->n; ++i) {
        if (fabs(w_of(p, p->trial, i)) > 16 * level * root_of(p, i))
            return false;
        if (!p->free[i] && p->trial[i] * root_of(p, i) < -1e-12 * most)
            return false;
    }
    for (int i = 0; i < p->n; ++i)
        p->x[i] = p->free[i] ? p->trial[i] : fmax(p->trial[i], 0);
    return true;
}

/* Brings x on the set to where w vanishes there, taking out of the set what would become negative on the way. */
static void go_along(problem *p)
{
    for (;;) {
        double share = 1;
        solve_on_set(p);
        for (int k = 0; k < p->nset; ++k) {
            const int i = p->set[k];
            if (!p->free[i] && p->trial[i] <= 0)
                share = fmin(share, p->x[i] / (p->x[i] - p->trial[i]));
        }
        if (!(share < 1)) {
            memcpy(p->x, p->trial, (size_t)p->n * sizeof *p->x);
            return;
        }
        for (int i = 0; i < p->n; ++i)
            p->x[i] += share * (p->trial[i] - p->x[i]);
        bool dropped = false;
        for (int k = p->nset - 1; k >= 0; --k) {
            const int i = p->set[k];
            if (!p->free[i] && p->trial[i] <= 0 && p->x[i] <= 1e-15 * fabs(p->trial[i])) {
                p->x[i] = 0;
                drop(p, k);
                dropped = true;
            }
        }
        if (!dropped)
            return;
    }
}

cardo_status cardo_complementarity_solve(int n, const double *Y, const double *q, const bool *free,
                                         double level, double *x, double *work, int *numbers,
                                         cardo_error *error)
{
    problem p = {.n = n,
                 .Y = Y,
                 .q = q,
                 .free = free,
                 .x = x,
                 .factor = work,
                 .shortest = work + n * n,
                 .trial = work + 2 * n * n,
                 .scale = work + 2 * n * n + n,
                 .right = work + 2 * n * n + 2 * n,
                 .solution = work + 2 * n * n + 3 * n,
                 .spare = work + 2 * n * n + 4 * n,
                 .set = numbers,
                 .in_set = numbers + n,
                 .order = numbers + 2 * n};
    if (n == 0 || all_will_do(&p, level))
        return CARDO_OK;
    p.nset = 0;
    memset(p.in_set, 0, (size_t)n * sizeof *p.in_set);
    for (int i = 0; i < n; ++i) {
        x[i] = 0;
        if (free[i])
            put(&p, i);
    }
    if (p.nset > 0)
        go_along(&p);
    for (int trial = 0; trial < 20 * n; ++trial) {
        int worst = -1;
        double least = -level;
        for (int i = 0; i < n; ++i) {
            const double w = p.in_set[i] ? 0 : w_of(&p, x, i) / root_of(&p, i);
            if (w < least) {
                least = w;
                worst = i;
            }
        }
        if (worst < 0)
            return CARDO_OK;
        put(&p, worst);
        solve_on_set(&p);
        if (p.trial[worst] > 0) {
            for (int i = 0; i < n; ++i)
                p.in_set[i] = p.in_set[i] == REFUSED ? 0 : p.in_set[i];
            go_along(&p);
        } else { /* by rounding: what it depends on is in the set already */
            drop(&p, p.nset - 1);
            p.in_set[worst] = REFUSED;
        }
    }
    return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                      "no set of contact forces was found that neither pulls nor lets bodies "
                      "overlap, among %d rows",
                      n);
}
