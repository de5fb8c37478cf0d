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

RIGID_INLINE V N(smaller)(V a, V b)
{
    M where = a < b;
    return (V)(((M)a & where) | ((M)b & ~where));
}

RIGID_INLINE V N(larger_of)(V a, V b)
{
    M where = a > b;
    return (V)(((M)a & where) | ((M)b & ~where));
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
    job->force[row] += N(simd_total)(fx);
    job->force[CARDO_BLOCK + row] += N(simd_total)(fy);
    job->force[2 * CARDO_BLOCK + row] += N(simd_total)(fz);
}

/* The places of a chunk's columns and of the rows, seen from the middle of the rows. In single
 * precision the differences of places far from the origin would lose what distances need, and the
 * same error of an atom's place would come again with every pair it is in. */
typedef struct N(places) {
    S x[CHUNK * CARDO_BLOCK] __attribute__((aligned(64)));
    S y[CHUNK * CARDO_BLOCK] __attribute__((aligned(64)));
    S z[CHUNK * CARDO_BLOCK] __attribute__((aligned(64)));
    S row_x[CARDO_BLOCK], row_y[CARDO_BLOCK], row_z[CARDO_BLOCK];
} N(places);

RIGID_INLINE void N(see_from)(const S *x, const S *rest, const cardo_rigid_job *job, int first,
                              int last, S *columns, S *rows)
{
    const int row = CARDO_BLOCK * job->block;
    S middle = 0;
    for (int k = 0; k < CARDO_BLOCK; ++k)
        middle += x[row + k] * ((S)1 / CARDO_BLOCK);
    for (int k = 0; k < CARDO_BLOCK; ++k)
        rows[k] = (x[row + k] - middle) + rest[row + k];
    for (int n = 0; n < VECTORS * (last - first); ++n) {
        const int j = CARDO_BLOCK * job->columns[first + n / VECTORS] + LANES * (n % VECTORS);
        *(V *)(columns + LANES * n) = (N(load)(x + j) - middle) + N(load)(rest + j);
    }
}

RIGID_INLINE void N(see)(const VIEW *s, const cardo_rigid_job *job, int first, int last,
                         N(places) * p)
{
    N(see_from)(s->x, s->x_rest, job, first, last, p->x, p->row_x);
    N(see_from)(s->y, s->y_rest, job, first, last, p->y, p->row_y);
    N(see_from)(s->z, s->z_rest, job, first, last, p->z, p->row_z);
}

/* Which of a row's pairs with the columns from j on are within the cutoff. At the very cutoff single
 * precision cannot tell, and a pair more or less is a force more or less: there places are taken as
 * they are. */
static __attribute__((noinline)) M N(within_exactly)(const VIEW *s, V r2, double cutoff2, int i,
                                                     int j)
{
    M in = r2 <= (S)cutoff2;
    for (int k = 0; k < LANES; ++k) {
        double x = (double)s->x[i] - (double)s->x[j + k], y = (double)s->y[i] - (double)s->y[j + k];
        double z = (double)s->z[i] - (double)s->z[j + k];
        x += (double)s->x_rest[i] - (double)s->x_rest[j + k];
        y += (double)s->y_rest[i] - (double)s->y_rest[j + k];
        z += (double)s->z_rest[i] - (double)s->z_rest[j + k];
        in[k] = x * x + y * y + z * z <= cutoff2 ? -1 : 0;
    }
    return in;
}

RIGID_INLINE M N(within)(const VIEW *s, V r2, double cutoff2, int i, int j)
{
    const S doubt = (S)(2e-6 * cutoff2);
    V off = r2 - (S)cutoff2;
    if (sizeof(S) == sizeof(float) && N(simd_any_below)(N(larger_of)(off, -off), doubt))
        return N(within_exactly)(s, r2, cutoff2, i, j);
    return off <= 0;
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
                const int j =
                    CARDO_BLOCK * job->columns[first + n / VECTORS] + LANES * (n % VECTORS);
                V x = N(load)(p.x + LANES * n), y = N(load)(p.y + LANES * n),
                  z = N(load)(p.z + LANES * n);
                V q = N(load)(s->charge + j), sigma = N(load)(s->half_sigma + j);
                V epsilon = N(load)(s->root_epsilon + j);
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    V dx = p.row_x[row + k] - x, dy = p.row_y[row + k] - y,
                      dz = p.row_z[row + k] - z;
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
                        M in = N(within)(s, r2, cutoff2, i + k, j);
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
                    fx[k] += f * dx;
                    fy[k] += f * dy;
                    fz[k] += f * dz;
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
    S c[RIGID_FAR_TERMS], sums[CHUNK * CARDO_BLOCK] __attribute__((aligned(64))) = {0};
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
                const int j =
                    CARDO_BLOCK * job->columns[first + n / VECTORS] + LANES * (n % VECTORS);
                V x = N(load)(p.x + LANES * n), y = N(load)(p.y + LANES * n),
                  z = N(load)(p.z + LANES * n);
                V scaled2 = N(load)(s->scaled2 + j), scaled3 = N(load)(s->scaled3 + j);
                V sum = N(load)(sums + LANES * n);
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    V dx = p.row_x[row + k] - x, dy = p.row_y[row + k] - y,
                      dz = p.row_z[row + k] - z;
                    V r2 = N(square)(dx, dy, dz), w = N(simd_reciprocal)(r2), w2 = w * w;
                    if (cut)
                        w2 = N(keep)(w2, N(within)(s, r2, cutoff2, i + k, j));
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
                const int j =
                    CARDO_BLOCK * job->columns[first + n / VECTORS] + LANES * (n % VECTORS);
                V x = N(load)(p.x + LANES * n), y = N(load)(p.y + LANES * n),
                  z = N(load)(p.z + LANES * n);
                V scaled2 = N(load)(s->scaled2 + j), scaled3 = N(load)(s->scaled3 + j);
                V chain = N(load)(s->chain + j);
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    V dx = p.row_x[row + k] - x, dy = p.row_y[row + k] - y,
                      dz = p.row_z[row + k] - z;
                    V r2 = N(square)(dx, dy, dz), w = N(simd_reciprocal)(r2);
                    V by = s->chain[i + k] * scaled3 * N(series)(c, scaled2 * w);
                    V of = s->scaled3[i + k] * chain * N(series)(c, s->scaled2[i + k] * w);
                    V f = (by + of) * (w * w * w);
                    if (cut)
                        f = N(keep)(f, N(within)(s, r2, cutoff2, i + k, j));
                    fx[k] += f * dx;
                    fy[k] += f * dy;
                    fz[k] += f * dz;
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

/* f^2 = r^2 + B B exp(-D), D = r^2/(4 B B); E = -q q/f; sums of q B exp(-D) (1 + D)/f^3. */
RIGID_INLINE void N(solvent_text)(const VIEW *s, const cardo_rigid_rules *rules, bool cut,
                                  bool between, cardo_rigid_job *job)
{
    const double cutoff2 = rules->gb_cutoff * rules->gb_cutoff;
    const S shift = cut ? (S)(1 / rules->gb_cutoff) : 0;
    S sums[CHUNK * CARDO_BLOCK] __attribute__((aligned(64))) = {0};
    for (int first = 0; first < job->ncolumn; first += CHUNK) {
        const int last = N(chunk_end)(job, first);
        N(places) p;
        N(see)(s, job, first, last, &p);
        for (int row = 0; row < job->count; row += ROWS) {
            const int i = CARDO_BLOCK * job->block + row;
            V energy[ROWS] = {{0}}, own[ROWS] = {{0}};
            V fx[ROWS] = {{0}}, fy[ROWS] = {{0}}, fz[ROWS] = {{0}};
            for (int n = 0; n < VECTORS * (last - first); ++n) {
                const int j =
                    CARDO_BLOCK * job->columns[first + n / VECTORS] + LANES * (n % VECTORS);
                V x = N(load)(p.x + LANES * n), y = N(load)(p.y + LANES * n),
                  z = N(load)(p.z + LANES * n);
                V q = N(load)(s->gb_charge + j), born = N(load)(s->born + j);
                V half = N(load)(s->half_inverse_born + j), q_born = N(load)(s->charge_born + j);
                V sum = N(load)(sums + LANES * n);
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    V dx = p.row_x[row + k] - x, dy = p.row_y[row + k] - y,
                      dz = p.row_z[row + k] - z;
                    V r2 = N(square)(dx, dy, dz), D = r2 * (s->half_inverse_born[i + k] * half);
                    V g = N(simd_exp_minus)(D);
                    V inverse = N(simd_rsqrt)(r2 + (s->born[i + k] * born) * g);
                    V cube = inverse * inverse * inverse, e = q * inverse;
                    if (cut) {
                        M in = N(within)(s, r2, cutoff2, i + k, j);
                        e = N(keep)(e - shift * q, in);
                        cube = N(keep)(cube, in);
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
    S sums[CHUNK * CARDO_BLOCK] __attribute__((aligned(64))) = {0};
    for (int first = 0; first < job->ncolumn; first += CHUNK) {
        const int last = N(chunk_end)(job, first);
        N(places) p;
        N(see)(s, job, first, last, &p);
        for (int row = 0; row < job->count; row += ROWS) {
            const int i = CARDO_BLOCK * job->block + row;
            V coulomb = {0}, other = {0}, excess = {0}, own[ROWS] = {{0}};
            V fx[ROWS] = {{0}}, fy[ROWS] = {{0}}, fz[ROWS] = {{0}};
            for (int n = 0; n < VECTORS * (last - first); ++n) {
                const int j =
                    CARDO_BLOCK * job->columns[first + n / VECTORS] + LANES * (n % VECTORS);
                V x = N(load)(p.x + LANES * n), y = N(load)(p.y + LANES * n),
                  z = N(load)(p.z + LANES * n);
                V q = N(load)(s->charge + j), sigma = N(load)(s->half_sigma + j);
                V epsilon = N(load)(s->root_epsilon + j), half = N(load)(s->half_inverse_born + j);
                V dx[ROWS], dy[ROWS], dz[ROWS], r2[ROWS], D[ROWS], inverse[ROWS], f[ROWS];
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    dx[k] = p.row_x[row + k] - x, dy[k] = p.row_y[row + k] - y,
                    dz[k] = p.row_z[row + k] - z;
                    r2[k] = N(square)(dx[k], dy[k], dz[k]);
                    D[k] = r2[k] * (s->half_inverse_born[i + k] * half);
                    inverse[k] = N(simd_rsqrt)(r2[k]);
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
                    fx[k] += f[k] * dx[k];
                    fy[k] += f[k] * dy[k];
                    fz[k] += f[k] * dz[k];
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
    S sums[CHUNK * CARDO_BLOCK] __attribute__((aligned(64))) = {0};
    for (int first = 0; first < job->ncolumn; first += CHUNK) {
        const int last = N(chunk_end)(job, first);
        N(places) p;
        N(see)(s, job, first, last, &p);
        for (int row = 0; row < job->count; row += ROWS) {
            const int i = CARDO_BLOCK * job->block + row;
            V energy[ROWS] = {{0}}, own[ROWS] = {{0}};
            for (int n = 0; n < VECTORS * (last - first); ++n) {
                const int j =
                    CARDO_BLOCK * job->columns[first + n / VECTORS] + LANES * (n % VECTORS);
                V x = N(load)(p.x + LANES * n), y = N(load)(p.y + LANES * n),
                  z = N(load)(p.z + LANES * n);
                V half = N(load)(s->half_inverse_born + j), r2[ROWS], D[ROWS];
#pragma GCC unroll 4
                for (int k = 0; k < ROWS; ++k) {
                    r2[k] =
                        N(square)(p.row_x[row + k] - x, p.row_y[row + k] - y, p.row_z[row + k] - z);
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
