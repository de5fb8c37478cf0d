/* Solvent pairs after Still et al. (1990), and those beside Lennard-Jones and Coulomb: part of
 * kernel_text.h. */
#ifndef RIGID_REAL
#include "rigid/kernel_text.h"
#else

/* f^2 = r^2 + B B exp(-D), D = r^2/(4 B B); E = -q q/f; sums of q B exp(-D) (1 + D)/f^3. */
RIGID_INLINE void N(solvent_text)(const VIEW *s, const cardo_rigid_rules *rules, bool cut,
                                  bool between, cardo_rigid_job *job)
{
    const double cutoff2 = rules->gb_cutoff * rules->gb_cutoff;
    const S shift = cut ? (S)(1 / rules->gb_cutoff) : 0;
    S sums[CHUNK * CARDO_BLOCK] __attribute__((aligned(64)));
    N(clear_sums)(job, sums);
    for (int first = 0; first < job->ncolumn; first += CHUNK) {
        const int last = N(chunk_end)(job, first);
        N(places) p;
        N(see)(s, job, first, last, &p);
        for (int row = 0; row < job->count; row += ROWS) {
            const int i = CARDO_BLOCK * job->block + row;
            V energy[ROWS] = {{0}}, own[ROWS] = {{0}};
            V fx[ROWS] = {{0}}, fy[ROWS] = {{0}}, fz[ROWS] = {{0}};
            for (int n = 0; n < VECTORS * (last - first); ++n) {
                const N(columns) at = N(columns_at)(job, &p, first, n);
                const int j = at.slot;
                V q = N(load)(s->gb_charge + j), born = N(load)(s->born + j);
                V half = N(load)(s->half_inverse_born + j), q_born = N(load)(s->charge_born + j);
                V sum = N(load)(sums + LANES * n);
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    const N(apart) d = N(separate)(&p, row + k, at);
                    V D = d.r2 * (s->half_inverse_born[i + k] * half);
                    V g = N(simd_exp_minus)(D);
                    V inverse = N(simd_rsqrt)(d.r2 + (s->born[i + k] * born) * g);
                    V cube = inverse * inverse * inverse, e = q * inverse;
                    if (cut) {
                        M in = N(within)(s, d.r2, cutoff2, i + k, j);
                        e = N(keep)(e - shift * q, in);
                        cube = N(keep)(cube, in);
                    }
                    V slope = cube * (g + D * g);
                    energy[k] += e;
                    own[k] += q_born * slope;
                    sum += s->charge_born[i + k] * slope;
                    if (between) {
                        V f = q * cube * ((S)0.25 * g - 1);
                        fx[k] += f * d.x;
                        fy[k] += f * d.y;
                        fz[k] += f * d.z;
                    }
                }
                *(V *)(sums + LANES * n) = sum;
            }
            for (int k = 0; k < ROWS; ++k) {
                const S charge = s->gb_charge[i + k];
                job->energy -= (double)(charge * N(simd_sum)(energy[k]));
                job->row_sum[row + k] += N(simd_total)(own[k]);
                if (between)
                    N(add_force)(job, row + k, charge * fx[k], charge * fy[k], charge * fz[k]);
            }
        }
        N(add_columns)(job, first, last, sums);
    }
}

/* What the solvent energy of two atoms of unit charge has beyond the plain 1/r: 1/f - 1/r, the same
 * of -(dE/dr)/r, and the slope of solvent_text. With h = B B exp(-D)/r^2 and w = 1/sqrt(1 + h) it is
 * f = r/w, and 1 - w is written so that nothing cancels: the excess is as exact as it is small. */
typedef struct N(excess) {
    V energy, force, slope;
} N(excess);

RIGID_INLINE N(excess) N(solvent_excess)(V D, V inverse, V born2)
{
    V inverse2 = inverse * inverse, cube = inverse2 * inverse;
    V g = N(simd_exp_minus)(D), h = born2 * g * inverse2;
    V w = N(simd_rsqrt)(1 + h), w2 = w * w, w3g = w2 * w * g;
    V less = h * w2 * N(simd_reciprocal)(1 + w);
    return (N(excess)){.energy = -inverse * less,
                       .force = cube * (less * (1 + w + w2) + (S)0.25 * w3g),
                       .slope = cube * (w3g + D * w3g)};
}

/* A vector's excess is computed where one of its pairs of either row is not plain. */
static void N(pairs_and_solvent)(const VIEW *s, const cardo_rigid_rules *rules,
                                 cardo_rigid_job *job)
{
    const S strength = (S)rules->gb_strength, screened = (S)(1 - rules->gb_strength);
    const S limit = (S)rules->plain_beyond;
    S sums[CHUNK * CARDO_BLOCK] __attribute__((aligned(64)));
    N(clear_sums)(job, sums);
    for (int first = 0; first < job->ncolumn; first += CHUNK) {
        const int last = N(chunk_end)(job, first);
        N(places) p;
        N(see)(s, job, first, last, &p);
        for (int row = 0; row < job->count; row += ROWS) {
            const int i = CARDO_BLOCK * job->block + row;
            V coulomb = {0}, other = {0}, excess = {0}, own[ROWS] = {{0}};
            V fx[ROWS] = {{0}}, fy[ROWS] = {{0}}, fz[ROWS] = {{0}};
            for (int n = 0; n < VECTORS * (last - first); ++n) {
                const N(columns) at = N(columns_at)(job, &p, first, n);
                const int j = at.slot;
                V q = N(load)(s->charge + j), sigma = N(load)(s->half_sigma + j);
                V epsilon = N(load)(s->root_epsilon + j), half = N(load)(s->half_inverse_born + j);
                N(apart) d[ROWS];
                V D[ROWS], inverse[ROWS], f[ROWS];
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    d[k] = N(separate)(&p, row + k, at);
                    D[k] = d[k].r2 * (s->half_inverse_born[i + k] * half);
                    inverse[k] = N(simd_rsqrt)(d[k].r2);
                    V inverse2 = inverse[k] * inverse[k], ratio = s->half_sigma[i + k] + sigma;
                    V s2 = ratio * ratio * inverse2, s6 = s2 * s2 * s2;
                    V well = s->root_epsilon[i + k] * epsilon * s6;
                    V e = s->charge[i + k] * (q * inverse[k]);
                    coulomb += e;
                    other += well * (s6 - 1);
                    f[k] = (e * screened + well * (12 * s6 - 6)) * inverse2;
                }
                if (N(simd_any_below)(N(smaller)(D[0], D[ROWS - 1]), limit)) {
                    V born = N(load)(s->born + j), q_born = N(load)(s->charge_born + j);
                    V sum = N(load)(sums + LANES * n);
#pragma GCC unroll 4
                    for (int k = 0; k < ROWS; ++k) {
                        N(excess)
                        a = N(solvent_excess)(D[k], inverse[k], s->born[i + k] * born);
                        V charge = s->charge[i + k] * q;
                        excess += charge * a.energy;
                        own[k] += q_born * a.slope;
                        sum += s->charge_born[i + k] * a.slope;
                        f[k] += strength * (charge * a.force);
                    }
                    *(V *)(sums + LANES * n) = sum;
                }
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    fx[k] += f[k] * d[k].x;
                    fy[k] += f[k] * d[k].y;
                    fz[k] += f[k] * d[k].z;
                }
            }
            double plain = N(simd_total)(coulomb);
            job->pair_energy += plain + N(simd_total)(other);
            job->energy -= rules->gb_strength * (plain + N(simd_total)(excess));
            for (int k = 0; k < ROWS; ++k) {
                job->row_sum[row + k] += N(simd_total)(own[k]);
                N(add_force)(job, row + k, fx[k], fy[k], fz[k]);
            }
        }
        N(add_columns)(job, first, last, sums);
    }
}

static void N(excess_inside)(const VIEW *s, const cardo_rigid_rules *rules, cardo_rigid_job *job)
{
    const S limit = (S)rules->plain_beyond;
    S sums[CHUNK * CARDO_BLOCK] __attribute__((aligned(64)));
    N(clear_sums)(job, sums);
    for (int first = 0; first < job->ncolumn; first += CHUNK) {
        const int last = N(chunk_end)(job, first);
        N(places) p;
        N(see)(s, job, first, last, &p);
        for (int row = 0; row < job->count; row += ROWS) {
            const int i = CARDO_BLOCK * job->block + row;
            V energy[ROWS] = {{0}}, own[ROWS] = {{0}};
            for (int n = 0; n < VECTORS * (last - first); ++n) {
                const N(columns) at = N(columns_at)(job, &p, first, n);
                const int j = at.slot;
                V half = N(load)(s->half_inverse_born + j), r2[ROWS], D[ROWS];
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    r2[k] = N(separate)(&p, row + k, at).r2;
                    D[k] = r2[k] * (s->half_inverse_born[i + k] * half);
                }
                if (!N(simd_any_below)(N(smaller)(D[0], D[ROWS - 1]), limit))
                    continue;
                V q = N(load)(s->gb_charge + j), born = N(load)(s->born + j);
                V q_born = N(load)(s->charge_born + j), sum = N(load)(sums + LANES * n);
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    /* An atom with itself has no plain part. */
                    V inverse = N(keep)(N(simd_rsqrt)(r2[k]), r2[k] > 0);
                    V g = N(simd_exp_minus)(D[k]);
                    V screened = N(simd_rsqrt)(r2[k] + (s->born[i + k] * born) * g);
                    V slope = screened * screened * screened * (g + D[k] * g);
                    energy[k] += q * (screened - inverse);
                    own[k] += q_born * slope;
                    sum += s->charge_born[i + k] * slope;
                }
                *(V *)(sums + LANES * n) = sum;
            }
            for (int k = 0; k < ROWS; ++k) {
                job->energy -= (double)(s->gb_charge[i + k] * N(simd_sum)(energy[k]));
                job->row_sum[row + k] += N(simd_total)(own[k]);
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

#endif
