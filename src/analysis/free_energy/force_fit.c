#include "analysis/free_energy/force_fit.h"

#include "analysis/free_energy/statistics.h"
#include "base/linalg.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Part of the visits of a node that one block, or a tenth of the run, may hold. */
static const double most_in_a_block = 0.5, most_in_a_tenth = 0.8;

static cardo_status add_blocks(cardo_force_fit *f, cardo_error *error)
{
    const cardo_force_blocks *blocks = f->blocks;
    const cardo_force_nodes *nodes = f->nodes;
    const int n = nodes->n;
    for (int k = 0; k < blocks->nblock; ++k)
        for (int i = 0; i < n; ++i) {
            f->square[i] += blocks->square[k * n + i];
            f->next[i] += blocks->next[k * n + i];
            f->moment[i] += blocks->moment[k * n + i];
            if (!isfinite(blocks->moment[k * n + i]))
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "the forces of block %d at %g add up "
                                  "to %g",
                                  k + 1, nodes->low + i * nodes->spacing,
                                  blocks->moment[k * n + i]);
        }
    return CARDO_OK;
}

/* A node that was visited, and not in one block alone: what is left of forces there would say next to
 * nothing of the error. */
static bool is_visited(const cardo_force_fit *f, int i)
{
    const cardo_force_blocks *blocks = f->blocks;
    const int nblock = blocks->nblock;
    double most = 0, longest = 0, tenth = 0;
    for (int k = 0; k < nblock; ++k) {
        const double visits = blocks->square[(size_t)k * (size_t)f->nodes->n + (size_t)i];
        if (k > 0 && k * CARDO_LONG_PARTS / nblock != (k - 1) * CARDO_LONG_PARTS / nblock)
            tenth = 0;
        tenth += visits;
        most = fmax(most, visits);
        longest = fmax(longest, tenth);
    }
    const bool parts = nblock >= 2 * CARDO_LONG_PARTS;
    return f->square[i] >= 1 && most <= most_in_a_block * f->square[i] &&
           (!parts || longest <= most_in_a_tenth * f->square[i]);
}

int cardo_force_fit_node(const cardo_force_fit *f, int i)
{
    assert(i >= 0 && i < f->n && f->first >= 0);
    return (f->first + i) % f->nodes->n;
}

static size_t node_of(const cardo_force_fit *f, int i)
{
    return (size_t)cardo_force_fit_node(f, i);
}

/* Of the runs of visited nodes the one that was visited most: nothing joins the others to it. */
static void find_visited(cardo_force_fit *f)
{
    const int n = f->nodes->n;
    double most = 0;
    for (int first = 0; first < n; ++first) {
        if (!is_visited(f, first) || (f->nodes->periodic && is_visited(f, (first + n - 1) % n)) ||
            (!f->nodes->periodic && first > 0 && is_visited(f, first - 1)))
            continue;
        double run = 0;
        int last = first;
        for (; last < first + n && (f->nodes->periodic || last < n) && is_visited(f, last % n);
             ++last)
            run += f->square[last % n];
        if (run > most && last - first > 1) {
            most = run;
            f->first = first;
            f->n = last - first;
        }
    }
}

/* Where no node of a period is left out no run begins. */
static bool is_whole(const cardo_force_fit *f)
{
    for (int i = 0; i < f->nodes->n; ++i)
        if (!is_visited(f, i))
            return false;
    return f->nodes->periodic;
}

/* (matrix of one block) times v, visited nodes. */
static void multiply(const cardo_force_fit *f, const double *square, const double *next,
                     const double *v, double *out)
{
    for (int i = 0; i < f->n; ++i)
        out[i] = square[node_of(f, i)] * v[i];
    for (int i = 0; i + 1 < f->n || (f->whole && i < f->n); ++i) {
        int j = i + 1 < f->n ? i + 1 : 0;
        out[i] += next[node_of(f, i)] * v[j];
        out[j] += next[node_of(f, i)] * v[i];
    }
}

static cardo_status solve(cardo_force_fit *f, cardo_error *error)
{
    const size_t n = (size_t)f->n;
    double *matrix = f->inverse + n * n;
    for (size_t i = 0; i < n; ++i) {
        memset(f->mean, 0, n * sizeof *f->mean);
        f->mean[i] = 1;
        multiply(f, f->square, f->next, f->mean, matrix + i * n);
        f->inverse[i * n + i] = 1;
    }
    cardo_status status = cardo_cholesky_solve(f->n, matrix, f->n, f->inverse, error);
    if (status != CARDO_OK)
        return cardo_error_prefix(error, "mean forces at %d nodes: ", f->n);
    for (size_t i = 0; i < n; ++i) {
        f->mean[i] = 0;
        for (size_t j = 0; j < n; ++j)
            f->mean[i] += f->inverse[i * n + j] * f->moment[node_of(f, (int)j)];
    }
    return CARDO_OK;
}

cardo_status cardo_force_fit_create(const cardo_force_blocks *blocks,
                                    const cardo_force_nodes *nodes, cardo_force_fit *f,
                                    cardo_error *error)
{
    cardo_status status;
    const size_t n = (size_t)nodes->n;
    f->blocks = blocks;
    f->nodes = nodes;
    CARDO_TRY(CARDO_ALLOCATE(&f->square, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->next, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->moment, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->inverse, 2 * n * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->mean, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->phi, blocks->nblock, error));
    CARDO_TRY(add_blocks(f, error));
    f->whole = is_whole(f);
    f->n = f->whole ? nodes->n : 0;
    if (!f->whole)
        find_visited(f);
    if (f->n > 0)
        CARDO_TRY(solve(f, error));
done:
    return status;
}

void cardo_force_fit_clear(cardo_force_fit *f)
{
    cardo_free(f->square);
    cardo_free(f->next);
    cardo_free(f->moment);
    cardo_free(f->inverse);
    cardo_free(f->mean);
    cardo_free(f->phi);
}

void cardo_force_fit_multiply(const cardo_force_fit *f, const double *v, double *out)
{
    multiply(f, f->square, f->next, v, out);
}

void cardo_force_fit_invert(const cardo_force_fit *f, const double *v, double *out)
{
    const size_t n = (size_t)f->n;
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            out[j] += v[i] * f->inverse[i * n + j];
}

void cardo_force_fit_residual(const cardo_force_fit *f, const cardo_force_blocks *blocks, int block,
                              double *out)
{
    const size_t at = (size_t)block * (size_t)f->nodes->n;
    multiply(f, blocks->square + at, blocks->next + at, f->mean, out);
    for (int i = 0; i < f->n; ++i)
        out[i] = blocks->moment[at + node_of(f, i)] - out[i];
}

/* The fit follows what it is fitted to: what is left in a block that holds the share h of a node's
 * visits is too small by sqrt(1 - h) (MacKinnon & White 1985, J. Econometrics 29, 305). The few
 * blocks count as so many degrees of freedom as their own correlation leaves. */
double cardo_force_fit_sigma(cardo_force_fit *f, const double *influence)
{
    const cardo_force_blocks *blocks = f->blocks;
    const size_t n = (size_t)f->n;
    double *work = f->inverse + n * n, freedom;
    for (int k = 0; k < blocks->nblock; ++k) {
        size_t at = (size_t)k * (size_t)f->nodes->n;
        cardo_force_fit_residual(f, blocks, k, work);
        f->phi[k] = 0;
        for (size_t j = 0; j < n; ++j) {
            const size_t node = node_of(f, (int)j);
            double share = blocks->square[at + node] / f->square[node];
            assert(share >= 0 && share < 1);
            f->phi[k] += influence[j] * work[j] / sqrt(1 - share);
        }
    }
    double variance = cardo_long_run_variance(blocks->nblock, f->phi,
                                              (cardo_memory){.few_values = true}, &freedom);
    return sqrt(blocks->nblock * variance) * cardo_student_factor(freedom);
}
