/* The text of the inner loops for one width of vectors: rows_plain.c and rows_avx2.c compile it, each
 * with its own ROWS. */
#ifndef ROWS
#define ROWS      cardo_coarse_rows_plain
#define ROWS_NAME "plain"
#endif

#include "coarse/lanes.h"
#include "coarse/rows.h"

#define ROWS_INLINE static inline __attribute__((always_inline))

/* Sums over the partners of a site. */
typedef struct row_sums {
    lanes4 energy, fx, fy, fz;
} row_sums;

/* The partners j .. j + 3 of a site: distances, and 1 / r^2. */
typedef struct block {
    lanes4 dx, dy, dz, squared, inverse;
} block;

ROWS_INLINE void look(const double *x, int stride, int i, int j, block *b)
{
    b->dx = x[i] - *(const lanes4 *)(x + j);
    b->dy = x[stride + i] - *(const lanes4 *)(x + stride + j);
    b->dz = x[2 * stride + i] - *(const lanes4 *)(x + 2 * stride + j);
    b->squared = b->dx * b->dx + b->dy * b->dy + b->dz * b->dz;
    b->inverse = 1.0 / b->squared;
}

/* Takes energies u and slopes g = -(dU/dr) / r of a block. */
ROWS_INLINE void take(double *f, int stride, int j, const block *b, const lanes4 *u,
                      const lanes4 *g, row_sums *sums)
{
    lanes4 fx = *g * b->dx, fy = *g * b->dy, fz = *g * b->dz;
    sums->energy += *u;
    sums->fx += fx;
    sums->fy += fy;
    sums->fz += fz;
    *(lanes4 *)(f + j) -= fx;
    *(lanes4 *)(f + stride + j) -= fy;
    *(lanes4 *)(f + 2 * stride + j) -= fz;
}

static double end_row(double *f, int stride, int i, const row_sums *sums)
{
    f[i] += lanes_sum(&sums->fx);
    f[stride + i] += lanes_sum(&sums->fy);
    f[2 * stride + i] += lanes_sum(&sums->fz);
    return lanes_sum(&sums->energy);
}

/* The cores of site i with all its partners; adds forces and returns the energy. */
static double core_row(const cardo_coarse_energy *energy, int i, const double *restrict x,
                       double *restrict f, int stride)
{
    const int n = energy->sites.nsite, first = energy->sites.next[i];
    const double *restrict core = energy->core + energy->row[i];
    row_sums sums = {0};
    for (int j = first; j < n; j += LANES) {
        block b;
        look(x, stride, i, j, &b);
        lanes4 cubed = b.inverse * b.inverse * b.inverse;
        lanes4 u = *(const lanes4 *)(core + (j - first)) * (cubed * cubed);
        lanes4 g = 12.0 * u * b.inverse;
        take(f, stride, j, &b, &u, &g, &sums);
    }
    return end_row(f, stride, i, &sums);
}

/* The wells and humps of site i with all its partners. */
static double well_row(const cardo_coarse_energy *energy, int i, const double *restrict x,
                       double *restrict f, int stride)
{
    static const double ridge = 1.2599210498948732; /* 2^(1/3) */
    const int n = energy->sites.nsite, first = energy->sites.next[i];
    const size_t row = energy->row[i];
    row_sums sums = {0};
    for (int j = first; j < n; j += LANES) {
        const size_t at = row + (size_t)(j - first);
        block b;
        look(x, stride, i, j, &b);
        lanes4 depth4 = *(const lanes4 *)(energy->depth4 + at);
        lanes4 sigma2 = *(const lanes4 *)(energy->sigma2 + at);
        lanes4 hump = *(const lanes4 *)(energy->hump + at);
        lanes4 s2 = sigma2 * b.inverse, s6 = s2 * s2 * s2;
        /* 1 within the ridge of a hump and for wells; -1 beyond it. */
        lanes4 limit = ridge * sigma2, within;
        lanes_less(&b.squared, &limit, &within);
        lanes4 sign = 1.0 - 2.0 * hump * (1.0 - within);
        lanes4 u = sign * depth4 * (s6 * s6 - s6) + 0.5 * hump * within * depth4;
        lanes4 g = sign * depth4 * (12.0 * s6 * s6 - 6.0 * s6) * b.inverse;
        take(f, stride, j, &b, &u, &g, &sums);
    }
    return end_row(f, stride, i, &sums);
}

const cardo_coarse_rows ROWS = {ROWS_NAME, core_row, well_row};
