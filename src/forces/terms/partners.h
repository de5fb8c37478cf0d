/* The atoms that each atom has terms of two with. */
#ifndef CARDO_FORCES_TERMS_PARTNERS_H
#define CARDO_FORCES_TERMS_PARTNERS_H

#include "forces/terms/terms.h"

#include <stdbool.h>

/* atom[first[a] ... first[a + 1] - 1] are a's, in the order of the terms. */
typedef struct cardo_partners {
    int *first, *atom; /* (natom + 1), (two of each term) */
} cardo_partners;

/* By bonds; by exceptions. Clear *out also after a failure, which is CARDO_ERROR_MEMORY. */
cardo_status cardo_partners_by_bonds(const cardo_terms *terms, cardo_partners *out,
                                     cardo_error *error);
cardo_status cardo_partners_by_exceptions(const cardo_terms *terms, cardo_partners *out,
                                          cardo_error *error);
void cardo_partners_clear(cardo_partners *partners);

static inline bool cardo_are_partners(const cardo_partners *partners, int a, int b)
{
    for (int k = partners->first[a]; k < partners->first[a + 1]; ++k)
        if (partners->atom[k] == b)
            return true;
    return false;
}

#endif
