/* Monomials x^a = x^i y^j z^k / (i! j! k!) up to an order, numbered by their own order; sums of numbers times monomials, and fields as series of them, taken from one
 * place to another, and turned. */
#ifndef CARDO_FORCES_RIGID_KERNELS_MONOMIALS_H
#define CARDO_FORCES_RIGID_KERNELS_MONOMIALS_H

#include "base/vec.h"

enum {
    CARDO_MONOMIAL_ORDER = 8,
    CARDO_MONOMIALS = 165,      /* of that order or less      */
    CARDO_MONOMIALS_NEXT = 220, /* and of one order more      */
    CARDO_MONOMIAL_PRODUCTS = 3003
};

typedef struct cardo_monomials {
    int order, size, next; /* of that order or less; and of one order more             */
    struct {
        unsigned char power[3];
        unsigned char axis;     /* one that has a power                                */
        unsigned char one, two; /* with one power less of it, and with two; 0: none    */
        double inverse;         /* of that power                                       */
        unsigned char up[3];    /* with one power more of each axis; of `size` ones    */
    } of[CARDO_MONOMIALS_NEXT];
    /* Products of a and b of orders that add up to the order at most: for each a those of all such b in turn. */
    unsigned char product[CARDO_MONOMIAL_PRODUCTS];
} cardo_monomials;

/* How many there are of an order or less. */
static inline int cardo_monomials_to(int order)
{
    return (order + 1) * (order + 2) * (order + 3) / 6;
}

static inline int cardo_monomial(int i, int j, int k)
{
    const int rest = j + k;
    return cardo_monomials_to(i + rest - 1) + rest * (rest + 1) / 2 + k;
}

/* The products of monomial a. */
static inline int cardo_monomial_partners(const cardo_monomials *m, int a)
{
    const unsigned char *power = m->of[a].power;
    return cardo_monomials_to(m->order - power[0] - power[1] - power[2]);
}

void cardo_monomials_list(int order, cardo_monomials *monomials);
/* Their values at x (size). */
void cardo_monomials_at(const cardo_monomials *monomials, const double x[3], double *values);
/* Adds moments about a place to those about another, from which the former is seen at `by`. */
void cardo_monomials_raise(const cardo_monomials *monomials, const double by[3],
                           const double *moments, double *to);
/* A field's series about a place that is seen at `by` from that of another series. */
void cardo_monomials_lower(const cardo_monomials *monomials, const double by[3],
                           const double *series, double *to);
/* The matrix that turns moments of an order, from that of the order before. */
void cardo_monomials_turn(const cardo_monomials *monomials, cardo_mat33 R, int order,
                          const double *before, double *matrix);

#endif
