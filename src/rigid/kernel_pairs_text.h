/* Lennard-Jones and Coulomb: part of kernel_text.h. */
#ifndef RIGID_REAL
#include "rigid/kernel_text.h"
#else

RIGID_INLINE void N(pairs_text)(const VIEW *s, const cardo_rigid_rules *rules, const int64_t *mask,
                                bool cut, cardo_rigid_job *job)
{
    const double cutoff2 = rules->cutoff * rules->cutoff;
    const S k2 = (S)(2 * rules->field_k);
    const S field_k = (S)rules->field_k, field_c = (S)rules->field_c;
    for (int first = 0; first < job->ncolumn; first += CHUNK) {
        const int last = N(chunk_end)(job, first);
        N(places) p;
        N(see)(s, job, first, last, &p);
        for (int row = 0; row < job->count; row += ROWS) {
            const int i = CARDO_BLOCK * job->block + row;
            V energy = {0}, fx[ROWS] = {{0}}, fy[ROWS] = {{0}}, fz[ROWS] = {{0}};
            for (int n = 0; n < VECTORS * (last - first); ++n) {
                const N(columns) at = N(columns_at)(job, &p, first, n);
                const int j = at.slot;
                V q = N(load)(s->charge + j), sigma = N(load)(s->half_sigma + j);
                V epsilon = N(load)(s->root_epsilon + j);
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    const N(apart) d = N(separate)(&p, row + k, at);
                    V inverse = N(simd_rsqrt)(d.r2);
                    V inverse2 = inverse * inverse, ratio = (s->half_sigma[i + k] + sigma);
                    V s2 = ratio * ratio * inverse2, s6 = s2 * s2 * s2;
                    V well = s->root_epsilon[i + k] * epsilon * s6;
                    V e = inverse, f = inverse;
                    if (cut) {
                        e = inverse + field_k * d.r2 - field_c;
                        f = inverse - k2 * d.r2;
                    }
                    /* Not (q q)/r: the same few charges come again and again, and so
                         * would the rounding error of their products. */
                    e = s->charge[i + k] * (q * e);
                    f = s->charge[i + k] * (q * f);
                    e = e + well * (s6 - 1);
                    f = (f + well * (12 * s6 - 6)) * inverse2;
                    if (cut) {
                        M in = N(within)(s, d.r2, cutoff2, i + k, j);
                        e = N(keep)(e, in);
                        f = N(keep)(f, in);
                    }
                    if (mask) {
                        M in =
                            *(const M *)(const void *)(mask + CARDO_BLOCK * (row + k) + LANES * n);
                        e = N(keep)(e, in);
                        f = N(keep)(f, in);
                    }
                    energy += e;
                    fx[k] += f * d.x;
                    fy[k] += f * d.y;
                    fz[k] += f * d.z;
                }
            }
            job->energy += N(simd_total)(energy);
            for (int k = 0; k < ROWS; ++k)
                N(add_force)(job, row + k, fx[k], fy[k], fz[k]);
        }
    }
}

static void N(pairs)(const VIEW *s, const cardo_rigid_rules *rules, cardo_rigid_job *job)
{
    if (rules->cutoff > 0)
        N(pairs_text)(s, rules, NULL, true, job);
    else
        N(pairs_text)(s, rules, NULL, false, job);
}

#endif
