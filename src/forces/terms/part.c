#include "forces/terms/part.h"

#include "base/memory.h"

#include <stddef.h>
#include <string.h>

/* A kind of terms: where their number, their array and, in each, the indices of atoms stand. */
typedef struct kind {
    size_t count, array, size, atoms;
    int natom;
} kind;

#define KIND(count, array, type, first, n)                                                         \
    {                                                                                              \
        offsetof(cardo_terms, count), offsetof(cardo_terms, array), sizeof(type),                  \
            offsetof(type, first), n                                                               \
    }

static const kind kinds[] = {
    KIND(nbond, bond, cardo_bond_term, a, 2),
    KIND(nangle, angle, cardo_angle_term, a, 3),
    KIND(ntorsion, torsion, cardo_torsion_term, a, 4),
    KIND(nharmonic_torsion, harmonic_torsion, cardo_harmonic_torsion_term, a, 4),
    KIND(nrb_torsion, rb_torsion, cardo_rb_torsion_term, a, 4),
    KIND(ncmap, cmap, cardo_cmap_term, atom, 5),
    KIND(nexception, exception, cardo_exception_term, a, 2),
};

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
            (*to)[p->now[i]] = from[i];
    return status;
}

static cardo_status take_atoms(parting *p, const bool *keep, cardo_error *error)
{
    cardo_status status;
    const cardo_terms *whole = p->whole;
    CARDO_TRY(CARDO_ALLOCATE(&p->now, whole->natom, error));
    for (int i = 0; i < whole->natom; ++i)
        p->now[i] = keep[i] ? p->part->natom++ : -1;
    CARDO_TRY(take_numbers(p, whole->mass, &p->part->mass, error));
    CARDO_TRY(take_numbers(p, whole->charge, &p->part->charge, error));
    CARDO_TRY(take_numbers(p, whole->sigma, &p->part->sigma, error));
    status = take_numbers(p, whole->epsilon, &p->part->epsilon, error);
done:
    return status;
}

/* The indices that a term's atoms have now; false: not all of them are kept. */
static bool renumber(const parting *p, const kind *k, const unsigned char *term, int now[5])
{
    memcpy(now, term + k->atoms, (size_t)k->natom * sizeof *now);
    for (int i = 0; i < k->natom; ++i) {
        now[i] = p->now[now[i]];
        if (now[i] < 0)
            return false;
    }
    return true;
}

static cardo_status take_terms(const parting *p, const kind *k, cardo_error *error)
{
    const int n = *(const int *)((const unsigned char *)p->whole + k->count);
    const unsigned char *from;
    unsigned char *to = NULL;
    int now[5], kept = 0;
    memcpy(&from, (const unsigned char *)p->whole + k->array, sizeof from);
    for (int i = 0; i < n; ++i)
        kept += renumber(p, k, from + (size_t)i * k->size, now);
    const cardo_status status = cardo_allocate((void **)&to, (size_t)kept, k->size, error);
    if (status != CARDO_OK)
        return status;
    memcpy((unsigned char *)p->part + k->array, &to, sizeof to);
    memcpy((unsigned char *)p->part + k->count, &kept, sizeof kept);
    for (int i = 0; i < n; ++i)
        if (renumber(p, k, from + (size_t)i * k->size, now)) {
            memcpy(to, from + (size_t)i * k->size, k->size);
            memcpy(to + k->atoms, now, (size_t)k->natom * sizeof *now);
            to += k->size;
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
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        CARDO_TRY(take_terms(&p, &kinds[k], error));
    CARDO_TRY(take_maps(&p, error));
    *out = p.part;
    p.part = NULL;
done:
    cardo_terms_destroy(p.part);
    cardo_free(p.now);
    return status;
}
