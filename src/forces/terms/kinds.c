#include "forces/terms/kinds.h"

#include "base/memory.h"

#include <string.h>

#define KIND(plural, name, first, n, whole, nwhole, number, nnumber)                               \
    {                                                                                              \
        offsetof(cardo_terms, plural), offsetof(cardo_terms, list.name),                           \
            sizeof(cardo_##name##_term), offsetof(cardo_##name##_term, first), n,                  \
            offsetof(cardo_##name##_term, whole), nwhole, offsetof(cardo_##name##_term, number),   \
            nnumber                                                                                \
    }

const cardo_term_kind cardo_term_kinds[CARDO_TERM_KINDS] = {
    KIND(nbond, bond, a, 2, a, 0, length, 2),
    KIND(nangle, angle, a, 3, a, 0, angle, 2),
    KIND(ntorsion, torsion, a, 4, periodicity, 1, phase, 2),
    KIND(nharmonic_torsion, harmonic_torsion, a, 4, a, 0, angle, 2),
    KIND(nrb_torsion, rb_torsion, a, 4, a, 0, coefficient, 6),
    KIND(ncmap, cmap, atom, 5, map, 1, atom, 0),
    KIND(nexception, exception, a, 2, a, 0, charge_product, 3),
};

int cardo_terms_count(const cardo_terms *terms, const cardo_term_kind *kind)
{
    int count;
    memcpy(&count, (const unsigned char *)terms + kind->count, sizeof count);
    return count;
}

unsigned char *cardo_terms_list(const cardo_terms *terms, const cardo_term_kind *kind)
{
    unsigned char *list;
    memcpy(&list, (const unsigned char *)terms + kind->list, sizeof list);
    return list;
}

void cardo_terms_put_list(cardo_terms *terms, const cardo_term_kind *kind, void *list)
{
    cardo_free(cardo_terms_list(terms, kind));
    memcpy((unsigned char *)terms + kind->list, &list, sizeof list);
}

void cardo_terms_read(const cardo_terms *terms, const cardo_term_kind *kind, int number, void *term)
{
    int atom[CARDO_TERM_MOST_ATOMS];
    const int shift = cardo_terms_shift(terms, cardo_terms_count(terms, kind), &number);
    const size_t size = (size_t)kind->natom * sizeof *atom;
    memcpy(term, cardo_terms_list(terms, kind) + (size_t)number * kind->size, kind->size);
    memcpy(atom, (unsigned char *)term + kind->atoms, size);
    for (int k = 0; k < kind->natom; ++k)
        atom[k] += shift;
    memcpy((unsigned char *)term + kind->atoms, atom, size);
}
