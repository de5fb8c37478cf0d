/* Eight bodies side by side: vectors of eight numbers, one a body. Loads turn rows (a body's numbers
 * as they lie in memory) into lanes. Nothing here is passed or returned by value, which would depend
 * on what the compiler may assume of the machine; arithmetic is the scalar one's, number by number,
 * and so are the bits. */
#ifndef CARDO_MULTIBODY_ALGEBRA_LANES_H
#define CARDO_MULTIBODY_ALGEBRA_LANES_H

enum { LANES = 8 };

typedef double lanes8 __attribute__((vector_size(64), aligned(8), may_alias));

typedef struct lanes_v3 {
    lanes8 x, y, z;
} lanes_v3;

#define LANES_INLINE static inline __attribute__((always_inline))

/* Rows become columns: element j of row i goes to element i of row j. Three rounds of exchanges
 * between rows 1, 2 and 4 apart. */
LANES_INLINE void lanes_transpose(lanes8 r[LANES])
{
    lanes8 s[LANES], t[LANES];
    for (int i = 0; i < LANES; i += 2) {
        s[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        s[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < LANES; i += 4)
        for (int j = i; j < i + 2; ++j) {
            t[j] = __builtin_shufflevector(s[j], s[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            t[j + 2] = __builtin_shufflevector(s[j], s[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; ++i) {
        r[i] = __builtin_shufflevector(t[i], t[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        r[i + 4] = __builtin_shufflevector(t[i], t[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* a x b */
LANES_INLINE void lanes_cross(const lanes_v3 *a, const lanes_v3 *b, lanes_v3 *out)
{
    const lanes_v3 c = {a->y * b->z - a->z * b->y, a->z * b->x - a->x * b->z,
                        a->x * b->y - a->y * b->x};
    *out = c;
}

/* a += b */
LANES_INLINE void lanes_add(lanes_v3 *a, const lanes_v3 *b)
{
    a->x += b->x;
    a->y += b->y;
    a->z += b->z;
}

/* J v for the symmetric J = xx, xy, xz, yy, yz, zz. */
LANES_INLINE void lanes_sym33_mul(const lanes8 J[6], const lanes_v3 *v, lanes_v3 *out)
{
    out->x = J[0] * v->x + J[1] * v->y + J[2] * v->z;
    out->y = J[1] * v->x + J[3] * v->y + J[4] * v->z;
    out->z = J[2] * v->x + J[4] * v->y + J[5] * v->z;
}

#endif
