#include "analysis/free_energy/force_groups.h"

#include "analysis/free_energy/statistics.h"
#include "base/linalg.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Of a group, what is left out: so that a node which one group alone visited keeps some forces. */
static const double left_out = 0.95;

/* A symmetric matrix with one diagonal beside its own, of a period with corners too. */
typedef struct chain {
    int n;
    bool whole;
    double *diagonal, *beside; /* (n) */
    double *ratio, *corner;    /* working memory (n) */
} chain;

/* Solves in place; the diagonal's first and last are less by `first` and `last`, corners are left aside. */
static void solve_open(const chain *c, double first, double last, double *v)
{
    double pivot = c->diagonal[0] - first;
    for (int i = 0; i < c->n; ++i) {
        if (i > 0) {
            c->ratio[i - 1] = c->beside[i - 1] / pivot;
            pivot =
                c->diagonal[i] - (i == c->n - 1 ? last : 0) - c->beside[i - 1] * c->ratio[i - 1];
            v[i] -= c->beside[i - 1] * v[i - 1];
        }
        v[i] /= pivot;
    }
    for (int i = c->n - 2; i >= 0; --i)
        v[i] -= c->ratio[i] * v[i + 1];
}

/* Corners by Sherman & Morrison. */
static void solve(const chain *c, double *v)
{
    const int n = c->n;
    if (!c->whole) {
        solve_open(c, 0, 0, v);
        return;
    }
    const double gamma = -c->diagonal[0], corner = c->beside[n - 1];
    memset(c->corner, 0, (size_t)n * sizeof *c->corner);
    c->corner[0] = gamma;
    c->corner[n - 1] = corner;
    solve_open(c, gamma, corner * corner / gamma, v);
    solve_open(c, gamma, corner * corner / gamma, c->corner);
    const double part =
        (v[0] + corner * v[n - 1] / gamma) / (1 + c->corner[0] + corner * c->corner[n - 1] / gamma);
    for (int i = 0; i < n; ++i)
        v[i] -= part * c->corner[i];
}

static void chain_clear(chain *c)
{
    cardo_free(c->diagonal);
    cardo_free(c->beside);
    cardo_free(c->ratio);
    cardo_free(c->corner);
}

static cardo_status chain_create(const cardo_force_fit *f, chain *c, cardo_error *error)
{
    cardo_status status;
    c->n = f->n;
    c->whole = f->whole;
    CARDO_TRY(CARDO_ALLOCATE(&c->diagonal, f->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->beside, f->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->ratio, f->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->corner, f->n, error));
done:
    return status;
}

/* Matrix of all groups but one, of which a little is kept. */
static void leave_out(const cardo_force_fit *f, const cardo_force_blocks *sums, int group, chain *c)
{
    const size_t all = (size_t)f->nodes->n;
    for (int i = 0; i < f->n; ++i) {
        const size_t node = (size_t)cardo_force_fit_node(f, i);
        c->diagonal[i] = c->beside[i] = 0;
        for (int k = 0; k < sums->nblock; ++k) {
            const double part = k == group ? 1 - left_out : 1;
            c->diagonal[i] += part * sums->square[(size_t)k * all + node];
            c->beside[i] += part * sums->next[(size_t)k * all + node];
        }
    }
}

cardo_status cardo_force_groups_create(const cardo_force_fit *f, const cardo_force_blocks *sums,
                                       cardo_force_groups *groups, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    chain c = {0};
    groups->n = f->n;
    groups->ngroup = sums->nblock > 1 ? sums->nblock : 0;
    CARDO_TRY(CARDO_ALLOCATE(&groups->change, (size_t)groups->ngroup * (size_t)f->n, error));
    CARDO_TRY(chain_create(f, &c, error));
    for (int g = 0; g < groups->ngroup; ++g) {
        double *change = groups->change + (size_t)g * (size_t)f->n;
        cardo_force_fit_residual(f, sums, g, change);
        leave_out(f, sums, g, &c);
        solve(&c, change);
    }
done:
    chain_clear(&c);
    return status;
}

/* The sums of block k go to group k ngroup / nblock. */
static void add_up(int nblock, int n, const double *blocks, int ngroup, double *groups)
{
    for (int k = 0; k < nblock; ++k)
        for (int i = 0; i < n; ++i)
            groups[(size_t)(k * ngroup / nblock) * (size_t)n + (size_t)i] +=
                blocks[(size_t)k * (size_t)n + (size_t)i];
}

cardo_status cardo_force_groups_of_time(const cardo_force_fit *f, cardo_force_groups *groups,
                                        cardo_error *error)
{
    cardo_status status;
    double *square = NULL, *next = NULL, *moment = NULL;
    const cardo_force_blocks *blocks = f->blocks;
    const int n = f->nodes->n, nblock = blocks->nblock;
    const int ngroup = nblock < 2 * CARDO_LONG_PARTS ? nblock / 2 : CARDO_LONG_PARTS;
    const size_t size = (size_t)ngroup * (size_t)n;
    CARDO_TRY(CARDO_ALLOCATE(&square, size, error));
    CARDO_TRY(CARDO_ALLOCATE(&next, size, error));
    CARDO_TRY(CARDO_ALLOCATE(&moment, size, error));
    add_up(nblock, n, blocks->square, ngroup, square);
    add_up(nblock, n, blocks->next, ngroup, next);
    add_up(nblock, n, blocks->moment, ngroup, moment);
    const cardo_force_blocks sums = {ngroup, square, next, moment};
    CARDO_TRY(cardo_force_groups_create(f, &sums, groups, error));
done:
    cardo_free(square);
    cardo_free(next);
    cardo_free(moment);
    return status;
}

void cardo_force_groups_clear(cardo_force_groups *groups)
{
    cardo_free(groups->change);
}

/* What the mean of so many squares of Gaussian deviates of variance 1 exceeds by chance once in ten
 * (Wilson & Hilferty 1931, Proc. Natl. Acad. Sci. USA 17, 684). */
static double by_chance(double freedom)
{
    const double part = 2 / (9 * freedom), root = 1 - part + 1.2816 * sqrt(part);
    return root * root * root;
}

double cardo_force_groups_excess(const cardo_force_groups *groups, const double *row, double noise)
{
    const int m = groups->ngroup;
    double mean = 0, squares = 0, fourths = 0;
    for (int g = 0; g < m; ++g)
        mean += cardo_dot(groups->n, row, groups->change + (size_t)g * (size_t)groups->n) / m;
    for (int g = 0; g < m; ++g) {
        const double d =
            cardo_dot(groups->n, row, groups->change + (size_t)g * (size_t)groups->n) - mean;
        squares += d * d;
        fourths += d * d * d * d;
    }
    if (!(squares > 0))
        return 0;
    /* Of Gaussian changes alike the fourth powers make three times the squares' square over m. */
    const double freedom = fmax(fmin(3 * squares * squares / fourths, m) - 1, 1);
    const double excess = squares * (m - 1) / m - noise * noise * by_chance(freedom);
    return excess > 0 ? sqrt(excess) * cardo_student_factor(freedom) : 0;
}
