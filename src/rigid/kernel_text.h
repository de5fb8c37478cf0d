/* The text of the inner loops for one precision; kernel_set.h includes it for float and for double.
 * A few rows stay in registers while columns pass by, a vector at a time; sums are taken over to
 * double after CHUNK blocks of columns, so that single precision never adds up many numbers.
 * What the loops share is here; they follow in kernel_pairs_text.h (Lennard-Jones and Coulomb),
 * kernel_radii_text.h (descreening) and kernel_solvent_text.h. */
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

RIGID_INLINE V N(square)(V dx, V dy, V dz)
{
    return dx * dx + dy * dy + dz * dz;
}

RIGID_INLINE int N(chunk_end)(const cardo_rigid_job *job, int first)
{
    return first + CHUNK < job->ncolumn ? first + CHUNK : job->ncolumn;
}

/* Empties the sums of the columns of the first chunk; add_columns leaves them empty for the next. Most of
 * a small body's jobs have few columns or none. */
RIGID_INLINE void N(clear_sums)(const cardo_rigid_job *job, S *sums)
{
    memset(sums, 0, sizeof *sums * CARDO_BLOCK * (size_t)N(chunk_end)(job, 0));
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

/* The n-th vector of a chunk's columns: its first slot, and places. */
typedef struct N(columns) {
    int slot;
    V x, y, z;
} N(columns);

RIGID_INLINE N(columns)
    N(columns_at)(const cardo_rigid_job *job, const N(places) * p, int first, int n)
{
    return (N(columns)){.slot =
                            CARDO_BLOCK * job->columns[first + n / VECTORS] + LANES * (n % VECTORS),
                        .x = N(load)(p->x + LANES * n),
                        .y = N(load)(p->y + LANES * n),
                        .z = N(load)(p->z + LANES * n)};
}

/* One row seen from a vector of columns. */
typedef struct N(apart) {
    V x, y, z, r2;
} N(apart);

RIGID_INLINE N(apart) N(separate)(const N(places) * p, int row, N(columns) at)
{
    N(apart) d = {.x = p->row_x[row] - at.x, .y = p->row_y[row] - at.y, .z = p->row_z[row] - at.z};
    d.r2 = N(square)(d.x, d.y, d.z);
    return d;
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

#include "rigid/kernel_pairs_text.h"
#include "rigid/kernel_radii_text.h"
#include "rigid/kernel_solvent_text.h"

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
