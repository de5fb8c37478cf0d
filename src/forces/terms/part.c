#include "forces/terms/part.h"

#include "base/memory.h"
#include "forces/terms/kinds.h"

#include <string.h>

typedef struct parting {
    const cardo_terms *whole;
    cardo_terms *part;
    int *now; /* index of each atom among those kept, -1: it is not (natom of whole) */
} parting;

static cardo_status take_numbers(const parting *p, const double *from, double **to,
                                 cardo_error *error)
{
    if (!from)
        return CARDO_OK;
    const cardo_status status = CARDO_ALLOCATE(to, p->part->natom, error);
    for (int i = 0; status == CARDO_OK && i < p->whole->natom; ++i)
        if (p->now[i] >= 0)
            (*to)[p->now[i]] = from[cardo_terms_atom(p->whole, i)];
    return status;
}

static cardo_status take_atoms(parting *p, const bool *keep, cardo_error *error)
{
    cardo_status status;
    const cardo_terms *whole = p->whole;
    CARDO_TRY(CARDO_ALLOCATE(&p->now, whole->natom, error));
    for (int i = 0; i < whole->natom; ++i)
        p->now[i] = keep[i] ? p->part->natom++ : -1;
    CARDO_TRY(take_numbers(p, whole->number.mass, &p->part->number.mass, error));
    CARDO_TRY(take_numbers(p, whole->number.charge, &p->part->number.charge, error));
    CARDO_TRY(take_numbers(p, whole->number.sigma, &p->part->number.sigma, error));
    status = take_numbers(p, whole->number.epsilon, &p->part->number.epsilon, error);
done:
    return status;
}

/* Gives a term's atoms the indices that they have now; false: not all of them are kept. */
static bool renumber(const parting *p, const cardo_term_kind *kind, unsigned char *term)
{
    int now[CARDO_TERM_MOST_ATOMS];
    const size_t size = (size_t)kind->natom * sizeof *now;
    memcpy(now, term + kind->atoms, size);
    for (int i = 0; i < kind->natom; ++i) {
        now[i] = p->now[now[i]];
        if (now[i] < 0)
            return false;
    }
    memcpy(term + kind->atoms, now, size);
    return true;
}

static cardo_status take_terms(const parting *p, const cardo_term_kind *kind, cardo_error *error)
{
    const int n = cardo_terms_count(p->whole, kind);
    unsigned char term[CARDO_TERM_MOST_BYTES], *to = NULL;
    int kept = 0;
    for (int i = 0; i < n; ++i) {
        cardo_terms_read(p->whole, kind, i, term);
        kept += renumber(p, kind, term);
    }
    const cardo_status status = cardo_allocate((void **)&to, (size_t)kept, kind->size, error);
    if (status != CARDO_OK)
        return status;
    cardo_terms_put_list(p->part, kind, to);
    memcpy((unsigned char *)p->part + kind->count, &kept, sizeof kept);
    for (int i = 0; i < n; ++i) {
        cardo_terms_read(p->whole, kind, i, term);
        if (renumber(p, kind, term)) {
            memcpy(to, term, kind->size);
            to += kind->size;
        }
    }
    return CARDO_OK;
}

static cardo_status take_maps(const parting *p, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&p->part->map, p->whole->nmap, error));
    for (int k = 0; k < p->whole->nmap; ++k) {
        const cardo_cmap *map = &p->whole->map[k];
        const size_t n = (size_t)map->size * (size_t)map->size;
        CARDO_TRY(CARDO_ALLOCATE(&p->part->map[k].energy, n, error));
        memcpy(p->part->map[k].energy, map->energy, n * sizeof *map->energy);
        p->part->map[k].size = map->size;
        p->part->nmap = k + 1;
    }
done:
    return status;
}

cardo_status cardo_terms_part(const cardo_terms *terms, const bool *keep, cardo_terms **out,
                              cardo_error *error)
{
    cardo_status status;
    parting p = {.whole = terms};
    *out = NULL;
    if (terms->has_gb)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "terms with an implicit solvent cannot be had of some atoms alone");
    CARDO_TRY(CARDO_ALLOCATE(&p.part, 1, error));
    p.part->has_nonbonded = terms->has_nonbonded;
    p.part->nspecial_pair = terms->nspecial_pair;
    CARDO_TRY(take_atoms(&p, keep, error));
    for (int k = 0; k < CARDO_TERM_KINDS; ++k)
        CARDO_TRY(take_terms(&p, &cardo_term_kinds[k], error));
    CARDO_TRY(take_maps(&p, error));
    *out = p.part;
    p.part = NULL;
done:
    cardo_terms_destroy(p.part);
    cardo_free(p.now);
    return status;
}
