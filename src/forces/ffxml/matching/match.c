#include "forces/ffxml/matching/match.h"

#include "base/memory.h"
#include "forces/ffxml/matching/match_patched.h"

/* The force field's templates, as a list of pointers. The caller owns *out. */
static cardo_status list_templates(const cardo_templates *templates, const cardo_template ***out,
                                   cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(out, templates->count, error);
    for (int k = 0; status == CARDO_OK && k < templates->count; ++k)
        (*out)[k] = &templates->list[k];
    return status;
}

cardo_status cardo_match_templates(cardo_assignment *assignment, int *unmatched, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_search s = {.assignment = assignment};
    const cardo_template **all = NULL;
    int count = assignment->forcefield->templates.count;
    *unmatched = 0;
    CARDO_TRY(cardo_search_allocate(&s, error));
    CARDO_TRY(list_templates(&assignment->forcefield->templates, &all, error));
    for (int residue = 0; residue < assignment->structure->nresidue; ++residue) {
        const cardo_template *found;
        cardo_search_start(&s, residue);
        CARDO_TRY(cardo_search_among(&s, count, all, &found, error));
        if (found)
            cardo_search_record(assignment, residue, found, s.best);
        else
            ++*unmatched;
    }
    if (*unmatched > 0 && assignment->forcefield->npatch > 0)
        CARDO_TRY(cardo_match_patched(assignment, &s, unmatched, error));
done:
    cardo_free(all);
    cardo_search_clear(&s);
    return status;
}
