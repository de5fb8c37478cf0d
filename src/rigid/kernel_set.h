/* One set of kernels: included by kernels_plain.c, kernels_avx2.c and kernels_avx512.c, which are
 * compiled for different processors and name their set by RIGID_SET. */
#include "rigid/kernels.h"
#include "rigid/simd.h"

#include <stdbool.h>
#include <stddef.h>

#ifndef RIGID_SET
#define RIGID_SET      cardo_rigid_kernels_example
#define RIGID_SET_NAME "example"
#endif

/* Rows that are done together, and blocks of columns between two sums in double. */
enum { ROWS = 2, CHUNK = 16 };
#define RIGID_INLINE static inline __attribute__((always_inline))

#define RIGID_REAL       float
#define RIGID_NAME(name) name##_float
#define RIGID_MASK       simd_float_mask
#define RIGID_FAR_TERMS  6
#include "rigid/kernel_text.h"

#define RIGID_REAL       double
#define RIGID_NAME(name) name##_double
#define RIGID_MASK       simd_double_mask
#define RIGID_FAR_TERMS  12
#include "rigid/kernel_text.h"

static void pairs_masked(const cardo_rigid_view_double *s, const cardo_rigid_rules *rules,
                         const int64_t *mask, cardo_rigid_job *job)
{
    if (rules->cutoff > 0)
        pairs_text_double(s, rules, mask, true, job);
    else
        pairs_text_double(s, rules, mask, false, job);
}

enum { LANES = SIMD_BYTES / (int)sizeof(double), VECTORS = CARDO_BLOCK / LANES };

RIGID_INLINE simd_double larger(simd_double a, simd_double b)
{
    simd_double_mask where = a > b;
    return (simd_double)(((simd_double_mask)a & where) | ((simd_double_mask)b & ~where));
}

/* Where a sphere of scaled radius s at distance r descreens an atom of the given offset radius: from
 * 1/l to 1/u, and l, u, ln(u/l). Nothing where the atom swallows the sphere. */
typedef struct shell {
    simd_double l, u, log;
    simd_double_mask in;
} shell;

RIGID_INLINE shell descreened_shell(simd_double r, simd_double radius, simd_double s)
{
    simd_double far_end = r + s, near_end = larger(radius, larger(r - s, s - r));
    shell a = {.l = 1.0 / near_end, .u = 1.0 / far_end};
    a.in = (radius < far_end) & (s > 0.0);
    a.log = simd_log_double(near_end * a.u);
    return a;
}

RIGID_INLINE simd_double descreening(simd_double r, simd_double inverse, simd_double radius,
                                     simd_double s)
{
    shell a = descreened_shell(r, radius, s);
    simd_double I =
        a.l - a.u + 0.25 * (r - s * s * inverse) * (a.u * a.u - a.l * a.l) + 0.5 * inverse * a.log;
    simd_double engulfed = keep_double(2.0 * (1.0 / radius - a.l), radius < s - r);
    return keep_double(0.5 * (I + engulfed), a.in);
}

/* -dI/dr/r */
RIGID_INLINE simd_double descreening_slope(simd_double r, simd_double inverse, simd_double radius,
                                           simd_double s)
{
    shell a = descreened_shell(r, radius, s);
    simd_double ratio = s * inverse;
    simd_double slope =
        0.125 * (1.0 + ratio * ratio) * (a.l * a.l - a.u * a.u) + 0.25 * a.log * inverse * inverse;
    return keep_double(slope * inverse, a.in);
}

typedef struct separation {
    simd_double x, y, z, r, inverse;
    simd_double_mask in;
} separation;

RIGID_INLINE separation separate(const cardo_rigid_view_double *s, const cardo_rigid_rules *rules,
                                 int i, int j)
{
    separation d = {.x = s->x[i] - load_double(s->x + j),
                    .y = s->y[i] - load_double(s->y + j),
                    .z = s->z[i] - load_double(s->z + j)};
    simd_double r2 = square_double(d.x, d.y, d.z);
    d.inverse = simd_rsqrt_double(r2);
    d.r = r2 * d.inverse;
    double cutoff2 = rules->gb_cutoff > 0 ? rules->gb_cutoff * rules->gb_cutoff : HUGE_VAL;
    d.in = r2 <= cutoff2;
    return d;
}

static void descreen_near(const cardo_rigid_view_double *s, const cardo_rigid_rules *rules,
                          cardo_rigid_job *job)
{
    for (int row = 0; row < job->count; ++row) {
        const int i = CARDO_BLOCK * job->block + row;
        simd_double own = {0}, none = {0};
        for (int n = 0; n < VECTORS * job->ncolumn; ++n) {
            const int j = CARDO_BLOCK * job->columns[n / VECTORS] + LANES * (n % VECTORS);
            separation d = separate(s, rules, i, j);
            simd_double *other = (simd_double *)(job->column_sum + j);
            own += keep_double(
                descreening(d.r, d.inverse, none + s->offset_radius[i], load_double(s->scaled + j)),
                d.in);
            *other += keep_double(
                descreening(d.r, d.inverse, load_double(s->offset_radius + j), none + s->scaled[i]),
                d.in);
        }
        job->row_sum[row] += simd_sum_double(own);
    }
}

static void chain_near(const cardo_rigid_view_double *s, const cardo_rigid_rules *rules,
                       cardo_rigid_job *job)
{
    for (int row = 0; row < job->count; ++row) {
        const int i = CARDO_BLOCK * job->block + row;
        simd_double fx = {0}, fy = {0}, fz = {0}, none = {0};
        for (int n = 0; n < VECTORS * job->ncolumn; ++n) {
            const int j = CARDO_BLOCK * job->columns[n / VECTORS] + LANES * (n % VECTORS);
            separation d = separate(s, rules, i, j);
            simd_double by = descreening_slope(d.r, d.inverse, none + s->offset_radius[i],
                                               load_double(s->scaled + j));
            simd_double of = descreening_slope(d.r, d.inverse, load_double(s->offset_radius + j),
                                               none + s->scaled[i]);
            simd_double f = keep_double(s->chain[i] * by + load_double(s->chain + j) * of, d.in);
            fx += f * d.x;
            fy += f * d.y;
            fz += f * d.z;
        }
        add_force_double(job, row, fx, fy, fz);
    }
}

const cardo_rigid_kernels RIGID_SET = {
    .name = RIGID_SET_NAME,
    .single = {pairs_float, descreen_far_float, solvent_float, solvent_inside_float,
               chain_far_float, pairs_and_solvent_float, excess_inside_float},
    .full = {pairs_double, descreen_far_double, solvent_double, solvent_inside_double,
             chain_far_double, pairs_and_solvent_double, excess_inside_double},
    .pairs_masked = pairs_masked,
    .descreen_near = descreen_near,
    .chain_near = chain_near,
};
