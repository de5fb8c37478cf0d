/* The atoms that each atom has terms of two with. */
#ifndef CARDO_FORCES_TERMS_PARTNERS_H
#define CARDO_FORCES_TERMS_PARTNERS_H

#include "forces/terms/terms.h"

#include <stdbool.h>

/* Atom a has partners a + to[first[a] ... first[a + 1] - 1], in the order of the terms; of identical chains, as terms have them, the
 * first one's are kept, which cardo_partners_row() finds. */
typedef struct cardo_partners {
    int natom;       /* whose partners are kept */
    int *first, *to; /* (natom + 1), (two of each term) */
} cardo_partners;

/* By bonds; by exceptions. Clear *out also after a failure, which is CARDO_ERROR_MEMORY. */
cardo_status cardo_partners_by_bonds(const cardo_terms *terms, cardo_partners *out,
                                     cardo_error *error);
cardo_status cardo_partners_by_exceptions(const cardo_terms *terms, cardo_partners *out,
                                          cardo_error *error);
void cardo_partners_clear(cardo_partners *partners);

/* Where an atom's partners are: those of entries first[row] ... first[row + 1] - 1. */
static inline int cardo_partners_row(const cardo_partners *partners, int atom)
{
    return atom < partners->natom ? atom : atom % partners->natom;
}

static inline bool cardo_are_partners(const cardo_partners *partners, int a, int b)
{
    const int row = cardo_partners_row(partners, a), to = b - a;
    for (int k = partners->first[row]; k < partners->first[row + 1]; ++k)
        if (partners->to[k] == to)
            return true;
    return false;
}

#endif
