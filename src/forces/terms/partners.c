#include "forces/terms/partners.h"

#include "base/memory.h"

/* The two atoms of a term. */
typedef void ends_of(const cardo_terms *terms, int k, int ends[2]);

static void ends_of_bond(const cardo_terms *terms, int k, int ends[2])
{
    const cardo_bond_term bond = cardo_terms_bond(terms, k);
    ends[0] = bond.a;
    ends[1] = bond.b;
}

static void ends_of_exception(const cardo_terms *terms, int k, int ends[2])
{
    const cardo_exception_term e = cardo_terms_exception(terms, k);
    ends[0] = e.a;
    ends[1] = e.b;
}

static cardo_status list(const cardo_terms *terms, int n, ends_of *ends_of_term,
                         cardo_partners *out, cardo_error *error)
{
    cardo_status status;
    int ends[2];
    const int ncopy = terms->ncopy > 1 ? terms->ncopy : 1, natom = terms->natom / ncopy;
    n /= ncopy; /* the first of all are those of the first copy */
    *out = (cardo_partners){.natom = natom};
    CARDO_TRY(CARDO_ALLOCATE(&out->first, natom + 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->to, 2 * (size_t)n + 1, error));
    int *next = out->first + 1; /* moves on to where the next atom's begin */
    for (int k = 0; k < n; ++k) {
        ends_of_term(terms, k, ends);
        ++next[ends[0] + 1];
        ++next[ends[1] + 1];
    }
    for (int i = 0; i < natom; ++i)
        next[i + 1] += next[i];
    for (int k = 0; k < n; ++k) {
        ends_of_term(terms, k, ends);
        out->to[next[ends[0]]++] = ends[1] - ends[0];
        out->to[next[ends[1]]++] = ends[0] - ends[1];
    }
done:
    return status;
}

cardo_status cardo_partners_by_bonds(const cardo_terms *terms, cardo_partners *out,
                                     cardo_error *error)
{
    return list(terms, terms->nbond, ends_of_bond, out, error);
}

cardo_status cardo_partners_by_exceptions(const cardo_terms *terms, cardo_partners *out,
                                          cardo_error *error)
{
    return list(terms, terms->nexception, ends_of_exception, out, error);
}

void cardo_partners_clear(cardo_partners *partners)
{
    cardo_free(partners->first);
    cardo_free(partners->to);
    *partners = (cardo_partners){0};
}
