#include "analysis/mean_force_blocks.h"

#include "analysis/force_fit.h"
#include "analysis/force_resolution.h"
#include "analysis/profile_rows.h"
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

/* Integrals over exp(-F) go in so many steps from node to node, means in a bin over so many places. */
enum { STEPS = 8, PLACES_A_BIN = 32 };

typedef struct force_integral {
    cardo_force_fit fit;
    cardo_force_resolution resolution;
    int nfine;                      /* middles of steps                                        */
    double *rows;                   /* of F there, and of basins, on forces (nfine + nbasin, n) */
    double *xi, *F, *width, *share; /*                                           (nfine)       */
    double *row, *mean_row, *work;  /* working memory                            (n)           */
} force_integral;

static void integral_clear(force_integral *f)
{
    cardo_force_fit_clear(&f->fit);
    cardo_force_resolution_clear(&f->resolution);
    cardo_free(f->rows);
    cardo_free(f->xi);
    cardo_free(f->F);
    cardo_free(f->width);
    cardo_free(f->share);
    cardo_free(f->row);
    cardo_free(f->mean_row);
    cardo_free(f->work);
}

static cardo_status integral_create(const cardo_force_blocks *blocks,
                                    const cardo_force_nodes *nodes, int nbasin, force_integral *f,
                                    cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_force_fit_create(blocks, nodes, &f->fit, error));
    CARDO_TRY(cardo_force_resolution_create(&f->fit, &f->resolution, error));
    f->nfine = (f->fit.whole ? f->fit.n : f->fit.n - 1) * STEPS;
    const size_t n = (size_t)f->fit.n, nfine = (size_t)f->nfine;
    CARDO_TRY(CARDO_ALLOCATE(&f->rows, (nfine + (size_t)nbasin) * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->xi, nfine, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->F, nfine, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->width, nfine, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->share, nfine, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->row, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->mean_row, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->work, n, error));
done:
    return status;
}

/* By which F at x (in spacings from the first visited node, where F is 0) depends on the mean forces.
 * Round a period the mean of the force, noise, is taken off. */
static void row_at(const cardo_force_fit *f, double x, double *row)
{
    const double spacing = f->nodes->spacing;
    const int last = f->whole ? f->n - 1 : f->n - 2;
    int i = (int)x < last ? (int)x : last, j = i + 1 < f->n ? i + 1 : 0;
    double t = x - i;
    memset(row, 0, (size_t)f->n * sizeof *row);
    for (int k = 0; k < i; ++k) {
        row[k] += 0.5 * spacing;
        row[k + 1] += 0.5 * spacing;
    }
    row[i] += spacing * t * (1 - 0.5 * t);
    row[j] += spacing * 0.5 * t * t;
    for (int k = 0; f->whole && k < f->n; ++k)
        row[k] -= x / f->n * spacing;
}

static void integrate(force_integral *f)
{
    const cardo_force_nodes *nodes = f->fit.nodes;
    for (int i = 0; i < f->nfine; ++i) {
        double x = (i + 0.5) / STEPS, *row = f->rows + (size_t)i * (size_t)f->fit.n;
        row_at(&f->fit, x, row);
        f->F[i] = cardo_dot(f->fit.n, row, f->fit.mean);
        f->xi[i] = nodes->low + (f->fit.first + x) * nodes->spacing;
        f->width[i] = nodes->spacing / STEPS;
    }
    cardo_profile_normalize(f->nfine, f->fit.n, f->width, f->F, f->rows, f->share);
}

/* Of a number that depends on the mean forces by row, and what of it is unresolved. */
static double sigma_of(force_integral *f, const double *row, double *unresolved)
{
    cardo_force_fit_invert(&f->fit, row, f->work);
    *unresolved = cardo_force_resolution_of(&f->resolution, row);
    return hypot(cardo_force_fit_sigma(&f->fit, f->work), *unresolved);
}

/* F at a place, as at the first middle of a step, and the integral of the fit from there: f->row. NaN
 * where the fit does not reach. */
static double at_place(force_integral *f, double place)
{
    const cardo_force_fit *fit = &f->fit;
    const int n = fit->n;
    double x = (place - fit->nodes->low) / fit->nodes->spacing - fit->first;
    if (fit->whole)
        x -= n * floor(x / n);
    if (!(x >= -1e-9 && x <= (fit->whole ? n : n - 1) + 1e-9))
        return (double)NAN;
    row_at(fit, fmax(x, 0), f->row);
    row_at(fit, 0.5 / STEPS, f->work);
    for (int k = 0; k < n; ++k)
        f->row[k] += f->rows[k] - f->work[k];
    return f->F[0] + cardo_dot(n, f->row, fit->mean) - cardo_dot(n, f->rows, fit->mean);
}

/* F of the mean density in a bin, and in row how it depends on the mean forces. */
static double in_bin(force_integral *f, const cardo_bins *bins, int b, double *row)
{
    const int n = f->fit.n;
    double sum = 0, first = 0;
    memset(row, 0, (size_t)n * sizeof *row);
    for (int i = 0; i < PLACES_A_BIN; ++i) {
        double part = (i + 0.5) / PLACES_A_BIN - 0.5;
        double F = at_place(f, cardo_bin_centre(bins, b) + part * cardo_bin_width(bins));
        first = i > 0 ? first : F;
        double density = exp(first - F);
        sum += density;
        for (int k = 0; k < n; ++k)
            row[k] += density * f->row[k];
    }
    for (int k = 0; k < n; ++k)
        row[k] /= sum;
    return first - log(sum / PLACES_A_BIN);
}

cardo_status cardo_integrate_blocks(const cardo_force_blocks *blocks,
                                    const cardo_force_nodes *nodes, cardo_force_profile *profile,
                                    cardo_error *error)
{
    force_integral f = {0};
    cardo_status status;
    const double period = nodes->periodic ? nodes->n * nodes->spacing : 0;
    const int nbasin = profile->nbasin;
    CARDO_TRY(integral_create(blocks, nodes, nbasin, &f, error));
    integrate(&f);
    if (nbasin > 0)
        cardo_profile_basins(f.nfine, f.xi, f.share, f.fit.n, f.rows, period, nbasin,
                             profile->basin, profile->basin_F);
    for (int b = 0; profile->bins && b < profile->bins->n; ++b) {
        profile->F[b] = in_bin(&f, profile->bins, b, f.mean_row);
        profile->sigma[b] = profile->unresolved[b] = (double)NAN;
        if (!isnan(profile->F[b]))
            profile->sigma[b] = sigma_of(&f, f.mean_row, &profile->unresolved[b]);
    }
    for (int b = 0; b < nbasin; ++b) {
        double unresolved, *row = f.rows + (size_t)(f.nfine + b) * (size_t)f.fit.n;
        profile->basin_sigma[b] = sigma_of(&f, row, &unresolved);
    }
done:
    integral_clear(&f);
    return status;
}
