#include "analysis/mean_force_blocks.h"

#include "analysis/profile_rows.h"
#include "analysis/statistics.h"
#include "base/linalg.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

bool cardo_force_nodes_add(const cardo_force_nodes *nodes, double xi, double force, double *square,
                           double *next, double *moment)
{
    double x = (xi - nodes->low) / nodes->spacing;
    if (nodes->periodic)
        x -= nodes->n * floor(x / nodes->n);
    else if (!(x >= 0 && x <= nodes->n - 1))
        return false;
    int last = nodes->periodic ? nodes->n - 1 : nodes->n - 2;
    int i = (int)x < last ? (int)x : last, j = i + 1 < nodes->n ? i + 1 : 0;
    double upper = x - i, lower = 1 - upper;
    square[i] += lower * lower;
    square[j] += upper * upper;
    next[i] += lower * upper;
    moment[i] += lower * force;
    moment[j] += upper * force;
    return true;
}

/* Part of all samples that may lie apart from the others and be left out. */
static const double most_apart = 0.01;
/* Part of the visits of a node that one block may hold. */
static const double most_in_a_block = 0.5;

/* Integrals over exp(-F) go in so many steps from node to node, means in a bin over so many places. */
enum { STEPS = 8, PLACES_A_BIN = 32 };

/* The fit, over visited nodes first ... first + n - 1, numbered from 0. */
typedef struct force_fit {
    int first, n;
    bool whole;                     /* all nodes of a period                                   */
    double *square, *next, *moment; /* sums over blocks                          (all nodes)   */
    double *inverse, *mean;         /* of the matrix; the forces                 (n x n), (n)  */
    double *coarser;                /* forces fitted to half the nodes, less mean         (n)  */
    int nfine;                      /* middles of steps                                        */
    double *rows;                   /* of F there, and of basins, on mean  (nfine + nbasin, n) */
    double *xi, *F, *width, *share; /*                                           (nfine)       */
    double *row, *mean_row, *influence; /* working memory                        (n)           */
    double *phi;                        /*                                       (nblock)      */
} force_fit;

static void fit_clear(force_fit *f)
{
    cardo_free(f->square);
    cardo_free(f->next);
    cardo_free(f->moment);
    cardo_free(f->inverse);
    cardo_free(f->mean);
    cardo_free(f->coarser);
    cardo_free(f->rows);
    cardo_free(f->row);
    cardo_free(f->mean_row);
    cardo_free(f->influence);
    cardo_free(f->F);
    cardo_free(f->width);
    cardo_free(f->share);
    cardo_free(f->xi);
    cardo_free(f->phi);
}

static cardo_status fit_create(const cardo_force_blocks *blocks, const cardo_force_nodes *nodes,
                               int nbasin, force_fit *f, cardo_error *error)
{
    cardo_status status;
    size_t n = (size_t)nodes->n, nfine = n * STEPS;
    CARDO_TRY(CARDO_ALLOCATE(&f->square, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->next, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->moment, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->inverse, 2 * n * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->mean, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->coarser, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->rows, (nfine + (size_t)nbasin) * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->row, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->mean_row, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->influence, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->F, nfine, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->width, nfine, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->share, nfine, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->xi, nfine, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->phi, blocks->nblock, error));
done:
    return status;
}

static cardo_status add_blocks(const cardo_force_blocks *blocks, const cardo_force_nodes *nodes,
                               force_fit *f, cardo_error *error)
{
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
static bool is_visited(const cardo_force_blocks *blocks, const cardo_force_nodes *nodes,
                       const force_fit *f, int i)
{
    double most = 0;
    for (int k = 0; k < blocks->nblock; ++k)
        most = fmax(most, blocks->square[(size_t)k * (size_t)nodes->n + (size_t)i]);
    return f->square[i] >= 1 && most <= most_in_a_block * f->square[i];
}

/* Of the runs of visited nodes the one that was visited most; all others together must hold next to
 * nothing, such as a few samples at an end of the range. */
static cardo_status find_visited(const cardo_force_blocks *blocks, const cardo_force_nodes *nodes,
                                 force_fit *f, cardo_error *error)
{
    double run = 0, most = 0, total = 0;
    for (int i = 0, first = 0; i < nodes->n; ++i) {
        if (!is_visited(blocks, nodes, f, i)) {
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
static void multiply(const force_fit *f, const double *square, const double *next, const double *v,
                     double *out)
{
    for (int i = 0; i < f->n; ++i)
        out[i] = square[f->first + i] * v[i];
    for (int i = 0; i + 1 < f->n || (f->whole && i < f->n); ++i) {
        int j = i + 1 < f->n ? i + 1 : 0;
        out[i] += next[f->first + i] * v[j];
        out[j] += next[f->first + i] * v[i];
    }
}

static cardo_status solve(force_fit *f, cardo_error *error)
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

/* Forces at every other node, and halfway between them where a node is left out: nodes from coarse ones.
 * The last node stays, which may have none behind it. */
static void spread(const force_fit *f, const double *coarse, double *v)
{
    for (int i = 0; i < f->n; ++i)
        v[i] = i % 2 == 0     ? coarse[i / 2]
               : i + 1 < f->n ? 0.5 * (coarse[i / 2] + coarse[i / 2 + 1])
               : f->whole     ? 0.5 * (coarse[i / 2] + coarse[0])
                              : coarse[i / 2 + 1];
}

/* The transpose of spread. */
static void gather(const force_fit *f, const double *v, double *coarse)
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

/* The same fit to nodes twice as far apart: what F changes by tells how well it is resolved. */
static cardo_status solve_coarser(force_fit *f, cardo_error *error)
{
    const int count = f->whole || f->n % 2 == 1 ? (f->n + 1) / 2 : f->n / 2 + 1;
    const size_t n = (size_t)f->n, m = (size_t)count;
    double *matrix = f->inverse + n * n, *v = f->mean_row, *Av = f->influence, *c = f->row;
    for (size_t k = 0; k < m; ++k) {
        memset(c, 0, n * sizeof *c);
        c[k] = 1;
        spread(f, c, v);
        multiply(f, f->square, f->next, v, Av);
        gather(f, Av, c);
        memcpy(matrix + k * m, c, m * sizeof *c);
    }
    gather(f, f->moment + f->first, c);
    cardo_status status = cardo_cholesky_solve(count, matrix, 1, c, error);
    if (status != CARDO_OK)
        return cardo_error_prefix(error, "mean forces at %d nodes: ", count);
    spread(f, c, f->coarser);
    for (size_t i = 0; i < n; ++i)
        f->coarser[i] -= f->mean[i];
    return CARDO_OK;
}

/* By which F at x (in spacings from the first visited node, where F is 0) depends on the mean forces.
 * Round a period the mean of the force, noise, is taken off. */
static void row_at(const cardo_force_nodes *nodes, const force_fit *f, double x, double *row)
{
    const int last = f->whole ? f->n - 1 : f->n - 2;
    int i = (int)x < last ? (int)x : last, j = i + 1 < f->n ? i + 1 : 0;
    double t = x - i;
    memset(row, 0, (size_t)f->n * sizeof *row);
    for (int k = 0; k < i; ++k) {
        row[k] += 0.5 * nodes->spacing;
        row[k + 1] += 0.5 * nodes->spacing;
    }
    row[i] += nodes->spacing * t * (1 - 0.5 * t);
    row[j] += nodes->spacing * 0.5 * t * t;
    for (int k = 0; f->whole && k < f->n; ++k)
        row[k] -= x / f->n * nodes->spacing;
}

static void integrate(const cardo_force_nodes *nodes, force_fit *f)
{
    f->nfine = (f->whole ? f->n : f->n - 1) * STEPS;
    for (int i = 0; i < f->nfine; ++i) {
        double x = (i + 0.5) / STEPS, *row = f->rows + (size_t)i * (size_t)f->n;
        row_at(nodes, f, x, row);
        f->F[i] = cardo_dot(f->n, row, f->mean);
        f->xi[i] = nodes->low + (f->first + x) * nodes->spacing;
        f->width[i] = nodes->spacing / STEPS;
    }
    cardo_profile_normalize(f->nfine, f->n, f->width, f->F, f->rows, f->share);
}

/* Of errors that fall with the square of the spacing, as at bends of the force, a third of what doubling it
 * changes; those of a smooth force fall faster. */
static const double unresolved = 1. / 3;

/* A node that both spacings have belongs to the gaps on its two sides, or to the only one. */
static double kept_node(const force_fit *f, const double *row, int i)
{
    int gaps = (i > 0 || (f->whole && f->n % 2 == 0)) + (i + 1 < f->n);
    return row[i] * f->coarser[i] / gaps;
}

/* What a force that is not straight between nodes may add. Two spacings may be off by the same at a place, so
 * that their difference there is no bound: gaps of the wider one, each about a node that it lacks, are
 * taken to err each for itself. */
static double resolution_of(const force_fit *f, const double *row)
{
    double sum = 0;
    for (int i = 1; i < f->n; i += 2) {
        int next = i + 1 < f->n ? i + 1 : 0;
        double change = kept_node(f, row, i - 1) + row[i] * f->coarser[i];
        if (i + 1 < f->n || f->whole)
            change += kept_node(f, row, next);
        sum += change * change;
    }
    return unresolved * sqrt(sum);
}

/* The fit follows what it is fitted to: what is left in a block that holds the share h of a node's
 * visits is too small by sqrt(1 - h) (MacKinnon & White 1985, J. Econometrics 29, 305). The few
 * blocks count as so many degrees of freedom as their own correlation leaves. */
static double sigma_of(const cardo_force_blocks *blocks, const cardo_force_nodes *nodes,
                       force_fit *f, const double *row)
{
    const size_t n = (size_t)f->n;
    double *work = f->inverse + n * n;
    for (size_t j = 0; j < n; ++j) {
        f->influence[j] = 0;
        for (size_t i = 0; i < n; ++i)
            f->influence[j] += row[i] * f->inverse[i * n + j];
    }
    for (int k = 0; k < blocks->nblock; ++k) {
        size_t at = (size_t)k * (size_t)nodes->n;
        multiply(f, blocks->square + at, blocks->next + at, f->mean, work);
        f->phi[k] = 0;
        for (size_t j = 0; j < n; ++j) {
            const size_t node = (size_t)f->first + j;
            double share = blocks->square[at + node] / f->square[node];
            f->phi[k] += f->influence[j] * (blocks->moment[at + node] - work[j]) / sqrt(1 - share);
        }
    }
    double freedom, variance = cardo_long_run_variance_over(blocks->nblock, f->phi, 0, &freedom);
    return hypot(sqrt(blocks->nblock * variance) * cardo_student_factor(freedom),
                 resolution_of(f, row));
}

/* F at a place, as at the first middle of a step, and the integral of the fit from there: f->row. NaN
 * where the fit does not reach. */
static double at_place(const cardo_force_nodes *nodes, force_fit *f, double place)
{
    double x = (place - nodes->low) / nodes->spacing - f->first;
    if (f->whole)
        x -= f->n * floor(x / f->n);
    if (!(x >= -1e-9 && x <= (f->whole ? f->n : f->n - 1) + 1e-9))
        return (double)NAN;
    row_at(nodes, f, fmax(x, 0), f->row);
    row_at(nodes, f, 0.5 / STEPS, f->influence);
    for (int k = 0; k < f->n; ++k)
        f->row[k] += f->rows[k] - f->influence[k];
    return f->F[0] + cardo_dot(f->n, f->row, f->mean) - cardo_dot(f->n, f->rows, f->mean);
}

/* F of the mean density in a bin, and in row how it depends on the mean forces. */
static double in_bin(const cardo_force_nodes *nodes, force_fit *f, const cardo_bins *bins, int b,
                     double *row)
{
    double sum = 0, first = 0;
    memset(row, 0, (size_t)f->n * sizeof *row);
    for (int i = 0; i < PLACES_A_BIN; ++i) {
        double part = (i + 0.5) / PLACES_A_BIN - 0.5;
        double F = at_place(nodes, f, cardo_bin_centre(bins, b) + part * cardo_bin_width(bins));
        first = i > 0 ? first : F;
        double density = exp(first - F);
        sum += density;
        for (int k = 0; k < f->n; ++k)
            row[k] += density * f->row[k];
    }
    for (int k = 0; k < f->n; ++k)
        row[k] /= sum;
    return first - log(sum / PLACES_A_BIN);
}

cardo_status cardo_integrate_blocks(const cardo_force_blocks *blocks,
                                    const cardo_force_nodes *nodes, cardo_force_profile *profile,
                                    cardo_error *error)
{
    force_fit f = {0};
    cardo_status status;
    const double period = nodes->periodic ? nodes->n * nodes->spacing : 0;
    const int nbasin = profile->nbasin;
    CARDO_TRY(fit_create(blocks, nodes, nbasin, &f, error));
    CARDO_TRY(add_blocks(blocks, nodes, &f, error));
    CARDO_TRY(find_visited(blocks, nodes, &f, error));
    CARDO_TRY(solve(&f, error));
    CARDO_TRY(solve_coarser(&f, error));
    integrate(nodes, &f);
    if (nbasin > 0)
        cardo_profile_basins(f.nfine, f.xi, f.share, f.n, f.rows, period, nbasin, profile->basin,
                             profile->basin_F);
    for (int b = 0; profile->bins && b < profile->bins->n; ++b) {
        profile->F[b] = in_bin(nodes, &f, profile->bins, b, f.mean_row);
        bool known = !isnan(profile->F[b]);
        profile->sigma[b] = known ? sigma_of(blocks, nodes, &f, f.mean_row) : (double)NAN;
        if (profile->unresolved)
            profile->unresolved[b] = known ? resolution_of(&f, f.mean_row) : (double)NAN;
    }
    for (int b = 0; b < nbasin; ++b)
        profile->basin_sigma[b] =
            sigma_of(blocks, nodes, &f, f.rows + (size_t)(f.nfine + b) * (size_t)f.n);
done:
    fit_clear(&f);
    return status;
}
