#include "analysis/force_fit.h"

#include "analysis/statistics.h"
#include "base/linalg.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Part of all samples that may lie apart from the others and be left out. */
static const double most_apart = 0.01;
/* Part of the visits of a node that one block may hold. */
static const double most_in_a_block = 0.5;

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
    double most = 0;
    for (int k = 0; k < blocks->nblock; ++k)
        most = fmax(most, blocks->square[(size_t)k * (size_t)f->nodes->n + (size_t)i]);
    return f->square[i] >= 1 && most <= most_in_a_block * f->square[i];
}

/* Of the runs of visited nodes the one that was visited most; all others together must hold next to
 * nothing, such as a few samples at an end of the range. */
static cardo_status find_visited(cardo_force_fit *f, cardo_error *error)
{
    const cardo_force_nodes *nodes = f->nodes;
    double run = 0, most = 0, total = 0;
    for (int i = 0, first = 0; i < nodes->n; ++i) {
        if (!is_visited(f, i)) {
            run = 0;
            first = i + 1;
            continue;
        }
        run += f->square[i];
        total += f->square[i];
        if (run > most) {
            most = run;
            f->first = first;
            f->n = i - first + 1;
        }
    }
    f->whole = nodes->periodic && f->n == nodes->n;
    if (f->n < 2)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "no forces were sampled between %g and %g",
                          nodes->low, nodes->low + nodes->n * nodes->spacing);
    if (total - most > most_apart * total)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "%.0f %% of the forces were sampled apart from those between %g and %g, "
                          "and none in between: the profiles cannot be joined; sample longer, or "
                          "take fewer force-bins",
                          100 * (total - most) / total, nodes->low + f->first * nodes->spacing,
                          nodes->low + (f->first + f->n - 1) * nodes->spacing);
    return CARDO_OK;
}

/* (matrix of one block) times v, visited nodes. */
static void multiply(const cardo_force_fit *f, const double *square, const double *next,
                     const double *v, double *out)
{
    for (int i = 0; i < f->n; ++i)
        out[i] = square[f->first + i] * v[i];
    for (int i = 0; i + 1 < f->n || (f->whole && i < f->n); ++i) {
        int j = i + 1 < f->n ? i + 1 : 0;
        out[i] += next[f->first + i] * v[j];
        out[j] += next[f->first + i] * v[i];
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
            f->mean[i] += f->inverse[i * n + j] * f->moment[(size_t)f->first + j];
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
    CARDO_TRY(find_visited(f, error));
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
        multiply(f, blocks->square + at, blocks->next + at, f->mean, work);
        f->phi[k] = 0;
        for (size_t j = 0; j < n; ++j) {
            const size_t node = (size_t)f->first + j;
            double share = blocks->square[at + node] / f->square[node];
            f->phi[k] += influence[j] * (blocks->moment[at + node] - work[j]) / sqrt(1 - share);
        }
    }
    double variance = cardo_long_run_variance_of_few(blocks->nblock, f->phi, &freedom);
    return sqrt(blocks->nblock * variance) * cardo_student_factor(freedom);
}
