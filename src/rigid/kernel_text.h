/* The text of the inner loops for one precision; kernel_set.h includes it for float and for double.
 * A few rows stay in registers while columns pass by, a vector at a time; sums are taken over to
 * double after CHUNK blocks of columns, so that single precision never adds up many numbers.
 *
 * Solvent pairs after Still et al. (1990). Descreening after Hawkins, Cramer & Truhlar (1996), eq. 9
 * and 10: by an atom of scaled radius s at a distance r > s beyond the own radius the integral is
 * I = s^3/r^4 sum_k k/(2k+1) (s/r)^(2k-2), and dI/dr/r = -2 s^3/r^6 sum_k k(k+1)/(2k+1)
 * (s/r)^(2k-2). */
#ifndef RIGID_REAL
#define RIGID_REAL       float
#define RIGID_NAME(name) name##_float
#define RIGID_MASK       simd_float_mask
#define RIGID_FAR_TERMS  6
#include "rigid/kernels.h"
#include "rigid/simd.h"
#include <stdbool.h>
enum { ROWS = 2, CHUNK = 16 };
#define RIGID_INLINE static inline __attribute__((always_inline))
#endif

#define N       RIGID_NAME
#define S       RIGID_REAL
#define V       N(simd)
#define M       RIGID_MASK
#define VIEW    N(cardo_rigid_view)
#define LANES   ((int)(sizeof(V) / sizeof(S)))
#define VECTORS (CARDO_BLOCK / LANES)

RIGID_INLINE V N(load)(const S *from)
{
    return *(const V *)from;
}

RIGID_INLINE V N(keep)(V x, M where)
{
    return (V)((M)x & where);
}

/* What one row of the block and one vector of columns are to each other. */
RIGID_INLINE V N(square)(V dx, V dy, V dz)
{
    return dx * dx + dy * dy + dz * dz;
}

RIGID_INLINE int N(chunk_end)(const cardo_rigid_job *job, int first)
{
    return first + CHUNK < job->ncolumn ? first + CHUNK : job->ncolumn;
}

RIGID_INLINE void N(add_force)(cardo_rigid_job *job, int row, V fx, V fy, V fz)
{
    job->force[row] += (double)N(simd_sum)(fx);
    job->force[CARDO_BLOCK + row] += (double)N(simd_sum)(fy);
    job->force[2 * CARDO_BLOCK + row] += (double)N(simd_sum)(fz);
}

/* Adds the columns' sums of a chunk to their slots and clears them. */
RIGID_INLINE void N(add_columns)(cardo_rigid_job *job, int first, int last, S *sums)
{
    for (int c = first; job->column_sum && c < last; ++c) {
        double *to = job->column_sum + CARDO_BLOCK * job->columns[c];
        const S *from = sums + CARDO_BLOCK * (c - first);
        for (int k = 0; k < CARDO_BLOCK; ++k)
            to[k] += (double)from[k];
    }
    memset(sums, 0, sizeof *sums * CARDO_BLOCK * (size_t)(last - first));
}

RIGID_INLINE void N(pairs_text)(const VIEW *s, const cardo_rigid_rules *rules, const int64_t *mask,
                                bool cut, cardo_rigid_job *job)
{
    const S cutoff2 = (S)(rules->cutoff * rules->cutoff), k2 = (S)(2 * rules->field_k);
    const S field_k = (S)rules->field_k, field_c = (S)rules->field_c;
    for (int first = 0; first < job->ncolumn; first += CHUNK)
        for (int row = 0, last = N(chunk_end)(job, first); row < job->count; row += ROWS) {
            const int i = CARDO_BLOCK * job->block + row;
            V energy = {0}, fx[ROWS] = {{0}}, fy[ROWS] = {{0}}, fz[ROWS] = {{0}};
            for (int c = first; c < last; ++c)
                for (int v = 0; v < VECTORS; ++v) {
                    const int j = CARDO_BLOCK * job->columns[c] + LANES * v;
                    V x = N(load)(s->x + j), y = N(load)(s->y + j), z = N(load)(s->z + j);
                    V q = N(load)(s->charge + j), sigma = N(load)(s->half_sigma + j);
                    V epsilon = N(load)(s->root_epsilon + j);
#pragma GCC unroll 4
                    for (int k = 0; k < ROWS; ++k) {
                        V dx = s->x[i + k] - x, dy = s->y[i + k] - y, dz = s->z[i + k] - z;
                        V r2 = N(square)(dx, dy, dz), inverse = N(simd_rsqrt)(r2);
                        V inverse2 = inverse * inverse, ratio = (s->half_sigma[i + k] + sigma);
                        V s2 = ratio * ratio * inverse2, s6 = s2 * s2 * s2;
                        V well = s->root_epsilon[i + k] * epsilon * s6;
                        V e = inverse, f = inverse;
                        if (cut) {
                            e = inverse + field_k * r2 - field_c;
                            f = inverse - k2 * r2;
                        }
                        /* Not (q q)/r: the same few charges come again and again, and so
                         * would the rounding error of their products. */
                        e = s->charge[i + k] * (q * e);
                        f = s->charge[i + k] * (q * f);
                        e = e + well * (s6 - 1);
                        f = (f + well * (12 * s6 - 6)) * inverse2;
                        if (cut) {
                            e = N(keep)(e, r2 <= cutoff2);
                            f = N(keep)(f, r2 <= cutoff2);
                        }
                        if (mask) {
                            M in = *(const M *)(const void *)(mask + CARDO_BLOCK * (row + k) +
                                                              LANES * v);
                            e = N(keep)(e, in);
                            f = N(keep)(f, in);
                        }
                        energy += e;
                        fx[k] += f * dx;
                        fy[k] += f * dy;
                        fz[k] += f * dz;
                    }
                }
            job->energy += (double)N(simd_sum)(energy);
            for (int k = 0; k < ROWS; ++k)
                N(add_force)(job, row + k, fx[k], fy[k], fz[k]);
        }
}

static void N(pairs)(const VIEW *s, const cardo_rigid_rules *rules, cardo_rigid_job *job)
{
    if (rules->cutoff > 0)
        N(pairs_text)(s, rules, NULL, true, job);
    else
        N(pairs_text)(s, rules, NULL, false, job);
}

/* sum_k c_k y^(k-1) */
RIGID_INLINE V N(series)(const S *c, V y)
{
    V sum = y * c[RIGID_FAR_TERMS - 1] + c[RIGID_FAR_TERMS - 2];
#pragma GCC unroll 16
    for (int k = RIGID_FAR_TERMS - 3; k >= 0; --k)
        sum = sum * y + c[k];
    return sum;
}

RIGID_INLINE void N(descreen_far_text)(const VIEW *s, const cardo_rigid_rules *rules, bool cut,
                                       cardo_rigid_job *job)
{
    const S cutoff2 = (S)(rules->gb_cutoff * rules->gb_cutoff);
    S c[RIGID_FAR_TERMS], sums[CHUNK * CARDO_BLOCK] __attribute__((aligned(64))) = {0};
    for (int k = 1; k <= RIGID_FAR_TERMS; ++k)
        c[k - 1] = (S)k / (S)(2 * k + 1);
    for (int first = 0; first < job->ncolumn; first += CHUNK) {
        const int last = N(chunk_end)(job, first);
        for (int row = 0; row < job->count; row += ROWS) {
            const int i = CARDO_BLOCK * job->block + row;
            V own[ROWS] = {{0}};
            for (int n = 0; n < VECTORS * (last - first); ++n) {
                const int j =
                    CARDO_BLOCK * job->columns[first + n / VECTORS] + LANES * (n % VECTORS);
                V x = N(load)(s->x + j), y = N(load)(s->y + j), z = N(load)(s->z + j);
                V scaled2 = N(load)(s->scaled2 + j), scaled3 = N(load)(s->scaled3 + j);
                V sum = N(load)(sums + LANES * n);
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    V dx = s->x[i + k] - x, dy = s->y[i + k] - y, dz = s->z[i + k] - z;
                    V r2 = N(square)(dx, dy, dz), w = N(simd_reciprocal)(r2), w2 = w * w;
                    if (cut)
                        w2 = N(keep)(w2, r2 <= cutoff2);
                    own[k] += scaled3 * (w2 * N(series)(c, scaled2 * w));
                    sum += s->scaled3[i + k] * (w2 * N(series)(c, s->scaled2[i + k] * w));
                }
                *(V *)(sums + LANES * n) = sum;
            }
            for (int k = 0; k < ROWS; ++k)
                job->row_sum[row + k] += (double)N(simd_sum)(own[k]);
        }
        N(add_columns)(job, first, last, sums);
    }
}

static void N(descreen_far)(const VIEW *s, const cardo_rigid_rules *rules, cardo_rigid_job *job)
{
    if (rules->gb_cutoff > 0)
        N(descreen_far_text)(s, rules, true, job);
    else
        N(descreen_far_text)(s, rules, false, job);
}

RIGID_INLINE void N(chain_far_text)(const VIEW *s, const cardo_rigid_rules *rules, bool cut,
                                    cardo_rigid_job *job)
{
    const S cutoff2 = (S)(rules->gb_cutoff * rules->gb_cutoff);
    S c[RIGID_FAR_TERMS];
    for (int k = 1; k <= RIGID_FAR_TERMS; ++k)
        c[k - 1] = (S)(2 * k * (k + 1)) / (S)(2 * k + 1);
    for (int first = 0; first < job->ncolumn; first += CHUNK)
        for (int row = 0, last = N(chunk_end)(job, first); row < job->count; row += ROWS) {
            const int i = CARDO_BLOCK * job->block + row;
            V fx[ROWS] = {{0}}, fy[ROWS] = {{0}}, fz[ROWS] = {{0}};
            for (int n = 0; n < VECTORS * (last - first); ++n) {
                const int j =
                    CARDO_BLOCK * job->columns[first + n / VECTORS] + LANES * (n % VECTORS);
                V x = N(load)(s->x + j), y = N(load)(s->y + j), z = N(load)(s->z + j);
                V scaled2 = N(load)(s->scaled2 + j), scaled3 = N(load)(s->scaled3 + j);
                V chain = N(load)(s->chain + j);
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    V dx = s->x[i + k] - x, dy = s->y[i + k] - y, dz = s->z[i + k] - z;
                    V r2 = N(square)(dx, dy, dz), w = N(simd_reciprocal)(r2);
                    V by = s->chain[i + k] * scaled3 * N(series)(c, scaled2 * w);
                    V of = s->scaled3[i + k] * chain * N(series)(c, s->scaled2[i + k] * w);
                    V f = (by + of) * (w * w * w);
                    if (cut)
                        f = N(keep)(f, r2 <= cutoff2);
                    fx[k] += f * dx;
                    fy[k] += f * dy;
                    fz[k] += f * dz;
                }
            }
            for (int k = 0; k < ROWS; ++k)
                N(add_force)(job, row + k, fx[k], fy[k], fz[k]);
        }
}

static void N(chain_far)(const VIEW *s, const cardo_rigid_rules *rules, cardo_rigid_job *job)
{
    if (rules->gb_cutoff > 0)
        N(chain_far_text)(s, rules, true, job);
    else
        N(chain_far_text)(s, rules, false, job);
}

/* f^2 = r^2 + B B exp(-D), D = r^2/(4 B B); E = -q q/f; sums of q B exp(-D) (1 + D)/f^3. */
RIGID_INLINE void N(solvent_text)(const VIEW *s, const cardo_rigid_rules *rules, bool cut,
                                  bool between, cardo_rigid_job *job)
{
    const S cutoff2 = (S)(rules->gb_cutoff * rules->gb_cutoff);
    const S shift = cut ? (S)(1 / rules->gb_cutoff) : 0;
    S sums[CHUNK * CARDO_BLOCK] __attribute__((aligned(64))) = {0};
    for (int first = 0; first < job->ncolumn; first += CHUNK) {
        const int last = N(chunk_end)(job, first);
        for (int row = 0; row < job->count; row += ROWS) {
            const int i = CARDO_BLOCK * job->block + row;
            V energy[ROWS] = {{0}}, own[ROWS] = {{0}};
            V fx[ROWS] = {{0}}, fy[ROWS] = {{0}}, fz[ROWS] = {{0}};
            for (int n = 0; n < VECTORS * (last - first); ++n) {
                const int j =
                    CARDO_BLOCK * job->columns[first + n / VECTORS] + LANES * (n % VECTORS);
                V x = N(load)(s->x + j), y = N(load)(s->y + j), z = N(load)(s->z + j);
                V q = N(load)(s->gb_charge + j), born = N(load)(s->born + j);
                V half = N(load)(s->half_inverse_born + j), q_born = N(load)(s->charge_born + j);
                V sum = N(load)(sums + LANES * n);
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    V dx = s->x[i + k] - x, dy = s->y[i + k] - y, dz = s->z[i + k] - z;
                    V r2 = N(square)(dx, dy, dz), D = r2 * (s->half_inverse_born[i + k] * half);
                    V g = N(simd_exp_minus)(D);
                    V inverse = N(simd_rsqrt)(r2 + (s->born[i + k] * born) * g);
                    V cube = inverse * inverse * inverse, e = q * inverse;
                    if (cut) {
                        e = N(keep)(e - shift * q, r2 <= cutoff2);
                        cube = N(keep)(cube, r2 <= cutoff2);
                    }
                    V slope = cube * (g + D * g);
                    energy[k] += e;
                    own[k] += q_born * slope;
                    sum += s->charge_born[i + k] * slope;
                    if (between) {
                        V f = q * cube * ((S)0.25 * g - 1);
                        fx[k] += f * dx;
                        fy[k] += f * dy;
                        fz[k] += f * dz;
                    }
                }
                *(V *)(sums + LANES * n) = sum;
            }
            for (int k = 0; k < ROWS; ++k) {
                const S charge = s->gb_charge[i + k];
                job->energy -= (double)(charge * N(simd_sum)(energy[k]));
                job->row_sum[row + k] += (double)N(simd_sum)(own[k]);
                if (between)
                    N(add_force)(job, row + k, charge * fx[k], charge * fy[k], charge * fz[k]);
            }
        }
        N(add_columns)(job, first, last, sums);
    }
}

static void N(solvent)(const VIEW *s, const cardo_rigid_rules *rules, cardo_rigid_job *job)
{
    if (rules->gb_cutoff > 0)
        N(solvent_text)(s, rules, true, true, job);
    else
        N(solvent_text)(s, rules, false, true, job);
}

static void N(solvent_inside)(const VIEW *s, const cardo_rigid_rules *rules, cardo_rigid_job *job)
{
    if (rules->gb_cutoff > 0)
        N(solvent_text)(s, rules, true, false, job);
    else
        N(solvent_text)(s, rules, false, false, job);
}

#undef N
#undef S
#undef V
#undef M
#undef VIEW
#undef LANES
#undef VECTORS
#undef RIGID_REAL
#undef RIGID_NAME
#undef RIGID_MASK
#undef RIGID_FAR_TERMS
