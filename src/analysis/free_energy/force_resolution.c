#include "analysis/free_energy/force_resolution.h"

#include "base/linalg.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Of errors that fall with the square of the spacing, as at bends of the force, a third of what doubling it
 * changes; those of a smooth force fall faster. */
static const double unresolved = 1. / 3;

/* Standard errors that noise of the forces may change the forces about a node by. */
static const double noise = 2;

/* Memory of the coarser fit, of m nodes. */
typedef struct coarse_fit {
    int m;
    double *matrix, *solved; /* (m x m), (m x (1 + n/2)): its forces, and what gaps depend on   */
    double *v, *w, *c;       /* (n)                                                             */
} coarse_fit;

/* Forces at every other node, and halfway between them where a node is left out: nodes from coarse ones.
 * The last node stays, which may have none after it. */
static void spread(const cardo_force_fit *f, const double *coarse, double *v)
{
    for (int i = 0; i < f->n; ++i)
        v[i] = i % 2 == 0     ? coarse[i / 2]
               : i + 1 < f->n ? 0.5 * (coarse[i / 2] + coarse[i / 2 + 1])
               : f->whole     ? 0.5 * (coarse[i / 2] + coarse[0])
                              : coarse[i / 2 + 1];
}

/* The transpose of spread. */
static void gather(const cardo_force_fit *f, const double *v, double *coarse)
{
    memset(coarse, 0, (size_t)f->n * sizeof *coarse);
    for (int i = 0; i < f->n; ++i) {
        if (i % 2 == 0) {
            coarse[i / 2] += v[i];
        } else if (i + 1 < f->n || f->whole) {
            coarse[i / 2] += 0.5 * v[i];
            coarse[i + 1 < f->n ? i / 2 + 1 : 0] += 0.5 * v[i];
        } else {
            coarse[i / 2 + 1] += v[i];
        }
    }
}

/* The nodes of the gap about node i, which the coarser fit lacks, and the part of each that is the gap's: a
 * node that both have belongs to the gaps on its two sides, or to the only one. Returns how many. */
static int gap_about(int n, bool whole, int i, int node[3], double part[3])
{
    int count = 0;
    node[count] = i;
    part[count++] = 1;
    for (int side = -1; side <= 1; side += 2) {
        int j = i + side < n ? i + side : 0;
        if (j == 0 && side > 0 && !whole)
            break;
        int gaps = (j > 0 || (whole && n % 2 == 0)) + (j + 1 < n);
        node[count] = j;
        part[count++] = 1. / gaps;
    }
    return count;
}

/* The same as weights[n] of all nodes. */
static void weights_about(const cardo_force_fit *f, int i, double *weights)
{
    int node[3];
    double part[3];
    memset(weights, 0, (size_t)f->n * sizeof *weights);
    for (int k = gap_about(f->n, f->whole, i, node, part) - 1; k >= 0; --k)
        weights[node[k]] += part[k];
}

/* Right-hand sides: the forces' sums, then the weights of each gap. */
static cardo_status solve_coarse(const cardo_force_fit *f, coarse_fit *coarse, cardo_error *error)
{
    const int nright = 1 + f->n / 2;
    const size_t m = (size_t)coarse->m;
    for (size_t k = 0; k < m; ++k) {
        memset(coarse->c, 0, (size_t)f->n * sizeof *coarse->c);
        coarse->c[k] = 1;
        spread(f, coarse->c, coarse->v);
        cardo_force_fit_multiply(f, coarse->v, coarse->w);
        gather(f, coarse->w, coarse->c);
        memcpy(coarse->matrix + k * m, coarse->c, m * sizeof *coarse->c);
    }
    for (int k = 0; k < nright; ++k) {
        if (k == 0)
            for (int i = 0; i < f->n; ++i)
                coarse->v[i] = f->moment[cardo_force_fit_node(f, i)];
        else
            weights_about(f, 2 * k - 1, coarse->v);
        gather(f, coarse->v, coarse->c);
        for (size_t i = 0; i < m; ++i)
            coarse->solved[i * (size_t)nright + (size_t)k] = coarse->c[i];
    }
    cardo_status status =
        cardo_cholesky_solve(coarse->m, coarse->matrix, nright, coarse->solved, error);
    return status == CARDO_OK ? status
                              : cardo_error_prefix(error, "mean forces at %d nodes: ", coarse->m);
}

static void take_column(const cardo_force_fit *f, const coarse_fit *coarse, int column)
{
    const size_t nright = (size_t)(1 + f->n / 2);
    for (size_t i = 0; i < (size_t)coarse->m; ++i)
        coarse->c[i] = coarse->solved[i * nright + (size_t)column];
}

/* Forces that fluctuate change with the nodes too; what may be that is left out. */
static double share_about(cardo_force_fit *f, const coarse_fit *coarse,
                          const cardo_force_resolution *r, int i)
{
    weights_about(f, i, coarse->v);
    const double change = cardo_dot(f->n, coarse->v, r->change);
    cardo_force_fit_invert(f, coarse->v, coarse->w);
    take_column(f, coarse, 1 + i / 2);
    spread(f, coarse->c, coarse->v);
    for (int j = 0; j < f->n; ++j)
        coarse->v[j] -= coarse->w[j];
    double by_noise = noise * cardo_force_fit_sigma(f, coarse->v);
    return change == 0 ? 0 : fmax(0, 1 - by_noise * by_noise / (change * change));
}

cardo_status cardo_force_resolution_create(cardo_force_fit *f, cardo_force_resolution *r,
                                           cardo_error *error)
{
    cardo_status status;
    const size_t n = (size_t)f->n;
    coarse_fit coarse = {.m = f->whole || f->n % 2 == 1 ? (f->n + 1) / 2 : f->n / 2 + 1};
    r->n = f->n;
    r->whole = f->whole;
    CARDO_TRY(CARDO_ALLOCATE(&r->change, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->share, n / 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&coarse.matrix, (size_t)coarse.m * (size_t)coarse.m, error));
    CARDO_TRY(CARDO_ALLOCATE(&coarse.solved, (size_t)coarse.m * (1 + n / 2), error));
    CARDO_TRY(CARDO_ALLOCATE(&coarse.v, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&coarse.w, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&coarse.c, n, error));
    CARDO_TRY(solve_coarse(f, &coarse, error));
    take_column(f, &coarse, 0);
    spread(f, coarse.c, r->change);
    for (size_t i = 0; i < n; ++i)
        r->change[i] -= f->mean[i];
    for (int i = 1; i < f->n; i += 2)
        r->share[i / 2] = share_about(f, &coarse, r, i);
done:
    cardo_free(coarse.matrix);
    cardo_free(coarse.solved);
    cardo_free(coarse.v);
    cardo_free(coarse.w);
    cardo_free(coarse.c);
    return status;
}

void cardo_force_resolution_clear(cardo_force_resolution *r)
{
    cardo_free(r->change);
    cardo_free(r->share);
}

/* Two spacings may be off by the same at a place, so that their difference there is no bound: gaps of the
 * wider one are taken to err each for itself. */
double cardo_force_resolution_of(const cardo_force_resolution *r, const double *row)
{
    double sum = 0;
    for (int i = 1; i < r->n; i += 2) {
        int node[3];
        double part[3], change = 0;
        for (int k = gap_about(r->n, r->whole, i, node, part) - 1; k >= 0; --k)
            change += part[k] * row[node[k]] * r->change[node[k]];
        sum += r->share[i / 2] * change * change;
    }
    return unresolved * sqrt(sum);
}
