/* Four pairs side by side. Arithmetic is the scalar one's, number by number, and sums are taken in
 * one order, so the bits do not depend on how wide the machine's vectors are. */
#ifndef CARDO_FORCES_COARSE_LANES_H
#define CARDO_FORCES_COARSE_LANES_H

#include "forces/exponential.h"

enum { LANES = 4 };

typedef double lanes4 __attribute__((vector_size(32), aligned(8), may_alias));

/* 1 where a < b, else 0. */
static inline void lanes_less(const lanes4 *a, const lanes4 *b, lanes4 *out)
{
    typedef long long bits4 __attribute__((vector_size(32)));
    const lanes4 one = {1, 1, 1, 1};
    *out = (lanes4)((bits4)(*a < *b) & (bits4)one);
}

/* exp(-x), x >= 0 */
static inline void lanes_exp_minus(const lanes4 *x, lanes4 *out)
{
    typedef long long bits4 __attribute__((vector_size(32), may_alias));
    CARDO_EXP_MINUS(lanes4, bits4, *x, *out);
}

static inline double lanes_sum(const lanes4 *a)
{
    return ((*a)[0] + (*a)[1]) + ((*a)[2] + (*a)[3]);
}

#endif
