/* Descreening by far atoms, and the forces through it: part of kernel_text.h.
 *
 * After Hawkins, Cramer & Truhlar (1996), eq. 9 and 10: by an atom of scaled radius s at a distance
 * r > s beyond the own radius the integral is I = s^3/r^4 sum_k k/(2k+1) (s/r)^(2k-2), and dI/dr/r =
 * -2 s^3/r^6 sum_k k(k+1)/(2k+1) (s/r)^(2k-2). */
#ifndef RIGID_REAL
#include "rigid/kernel_text.h"
#else

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
    const double cutoff2 = rules->gb_cutoff * rules->gb_cutoff;
    S c[RIGID_FAR_TERMS], sums[CHUNK * CARDO_BLOCK] __attribute__((aligned(64)));
    N(clear_sums)(job, sums);
    for (int k = 1; k <= RIGID_FAR_TERMS; ++k)
        c[k - 1] = (S)k / (S)(2 * k + 1);
    for (int first = 0; first < job->ncolumn; first += CHUNK) {
        const int last = N(chunk_end)(job, first);
        N(places) p;
        N(see)(s, job, first, last, &p);
        for (int row = 0; row < job->count; row += ROWS) {
            const int i = CARDO_BLOCK * job->block + row;
            V own[ROWS] = {{0}};
            for (int n = 0; n < VECTORS * (last - first); ++n) {
                const N(columns) at = N(columns_at)(job, &p, first, n);
                const int j = at.slot;
                V scaled2 = N(load)(s->scaled2 + j), scaled3 = N(load)(s->scaled3 + j);
                V sum = N(load)(sums + LANES * n);
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    const N(apart) d = N(separate)(&p, row + k, at);
                    V w = N(simd_reciprocal)(d.r2), w2 = w * w;
                    if (cut)
                        w2 = N(keep)(w2, N(within)(s, d.r2, cutoff2, i + k, j));
                    own[k] += scaled3 * (w2 * N(series)(c, scaled2 * w));
                    sum += s->scaled3[i + k] * (w2 * N(series)(c, s->scaled2[i + k] * w));
                }
                *(V *)(sums + LANES * n) = sum;
            }
            for (int k = 0; k < ROWS; ++k)
                job->row_sum[row + k] += N(simd_total)(own[k]);
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
    const double cutoff2 = rules->gb_cutoff * rules->gb_cutoff;
    S c[RIGID_FAR_TERMS];
    for (int k = 1; k <= RIGID_FAR_TERMS; ++k)
        c[k - 1] = (S)(2 * k * (k + 1)) / (S)(2 * k + 1);
    for (int first = 0; first < job->ncolumn; first += CHUNK) {
        const int last = N(chunk_end)(job, first);
        N(places) p;
        N(see)(s, job, first, last, &p);
        for (int row = 0; row < job->count; row += ROWS) {
            const int i = CARDO_BLOCK * job->block + row;
            V fx[ROWS] = {{0}}, fy[ROWS] = {{0}}, fz[ROWS] = {{0}};
            for (int n = 0; n < VECTORS * (last - first); ++n) {
                const N(columns) at = N(columns_at)(job, &p, first, n);
                const int j = at.slot;
                V scaled2 = N(load)(s->scaled2 + j), scaled3 = N(load)(s->scaled3 + j);
                V chain = N(load)(s->chain + j);
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    const N(apart) d = N(separate)(&p, row + k, at);
                    V w = N(simd_reciprocal)(d.r2);
                    V by = s->chain[i + k] * scaled3 * N(series)(c, scaled2 * w);
                    V of = s->scaled3[i + k] * chain * N(series)(c, s->scaled2[i + k] * w);
                    V f = (by + of) * (w * w * w);
                    if (cut)
                        f = N(keep)(f, N(within)(s, d.r2, cutoff2, i + k, j));
                    fx[k] += f * d.x;
                    fy[k] += f * d.y;
                    fz[k] += f * d.z;
                }
            }
            for (int k = 0; k < ROWS; ++k)
                N(add_force)(job, row + k, fx[k], fy[k], fz[k]);
        }
    }
}

static void N(chain_far)(const VIEW *s, const cardo_rigid_rules *rules, cardo_rigid_job *job)
{
    if (rules->gb_cutoff > 0)
        N(chain_far_text)(s, rules, true, job);
    else
        N(chain_far_text)(s, rules, false, job);
}

#endif
