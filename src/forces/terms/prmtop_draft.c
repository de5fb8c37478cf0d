#include "forces/terms/prmtop_draft.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "forces/terms/prmtop_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 5 };

/* A pair that is neither excluded nor as other pairs are. */
typedef struct scaled_pair {
    int a, b; /* a < b */
    double scee, scnb;
    bool joined; /* a torsion stands for it */
} scaled_pair;

typedef struct scaled_pairs {
    int count;
    scaled_pair *pair; /* sorted (count) */
} scaled_pairs;

static cardo_status check_kinds_of_terms(const cardo_terms *t, cardo_error *error)
{
    const char *what = t->ncmap > 0               ? "CMAP terms"
                       : t->nharmonic_torsion > 0 ? "harmonic impropers"
                       : t->nrb_torsion > 0       ? "Ryckaert-Bellemans torsions"
                       : t->nspecial_pair > 0     ? "Lennard-Jones rules for pairs of types (NBFIX)"
                                                  : NULL;
    if (what)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "the force field has %s, for which a plain prmtop has no place", what);
    if (!t->has_nonbonded)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "the force field has no nonbonded terms, which a prmtop must have");
    return CARDO_OK;
}

/* ------------ kinds ------------ */

static double as_written(double x)
{
    char text[32];
    cardo_format(text, sizeof text, "%.8E", x);
    return cardo_read_double(text, NULL);
}

static cardo_status find_kind(cardo_prmtop_kinds *kinds, int width, const double *given, int *kind,
                              cardo_error *error)
{
    double value[MOST_NUMBERS];
    const size_t size = (size_t)width * sizeof *value;
    kinds->width = width;
    for (int k = 0; k < width; ++k)
        value[k] = as_written(given[k]) + 0.0; /* no negative zero: kinds are compared by bytes */
    for (*kind = 0; *kind < kinds->count; ++*kind)
        if (memcmp(kinds->value + (size_t)width * (size_t)*kind, value, size) == 0)
            return CARDO_OK;
    const cardo_status status =
        CARDO_RESERVE(&kinds->value, &kinds->capacity, width * (kinds->count + 1), error);
    if (status == CARDO_OK)
        memcpy(kinds->value + (size_t)width * (size_t)kinds->count++, value, size);
    return status;
}

static cardo_status sort_bonds_and_angles(cardo_prmtop_draft *d, cardo_error *error)
{
    cardo_status status;
    const cardo_terms *t = d->terms;
    CARDO_TRY(CARDO_ALLOCATE(&d->bond_kind, t->nbond, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->angle_kind, t->nangle, error));
    for (int k = 0; k < t->nbond; ++k) {
        const cardo_bond_term bond = cardo_terms_bond(t, k);
        const double half = 0.5 * bond.k * CARDO_ANGSTROM * CARDO_ANGSTROM;
        const double row[2] = {half / CARDO_KILOCALORIE, bond.length / CARDO_ANGSTROM};
        CARDO_TRY(find_kind(&d->bond, 2, row, &d->bond_kind[k], error));
    }
    for (int k = 0; k < t->nangle; ++k) {
        const cardo_angle_term angle = cardo_terms_angle(t, k);
        const double row[2] = {0.5 * angle.k / CARDO_KILOCALORIE, angle.angle};
        CARDO_TRY(find_kind(&d->angle, 2, row, &d->angle_kind[k], error));
    }
done:
    return status;
}

static cardo_status sort_atoms(cardo_prmtop_draft *d, cardo_error *error)
{
    cardo_status status;
    const cardo_terms *t = d->terms;
    CARDO_TRY(CARDO_ALLOCATE(&d->atom_kind, t->natom, error));
    for (int i = 0; i < t->natom; ++i) {
        const double sigma =
            cardo_terms_epsilon(t, i) > 0 ? cardo_terms_sigma(t, i) / CARDO_ANGSTROM : 0;
        const double row[2] = {sigma, cardo_terms_epsilon(t, i) / CARDO_KILOCALORIE};
        CARDO_TRY(find_kind(&d->atom, 2, row, &d->atom_kind[i], error));
    }
done:
    return status;
}

/* ------------ 1-4 pairs ------------ */

static int compare_pairs(const void *one, const void *other)
{
    const scaled_pair *p = one, *q = other;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* What a number of the pair's atoms is divided by to be the pair's; otherwise where both are none; 0: by nothing. */
static double divisor(double atoms, double pair, double otherwise)
{
    if (fabs(atoms) > 0 && fabs(pair) > 0)
        return fmax(atoms / pair, 0);
    return fabs(atoms) > 0 || fabs(pair) > 0 ? 0 : otherwise;
}

static cardo_status scale_of(const cardo_terms *t, const cardo_exception_term *x, scaled_pair *pair,
                             cardo_error *error)
{
    const double sigma = 0.5 * (cardo_terms_sigma(t, x->a) + cardo_terms_sigma(t, x->b));
    *pair = (scaled_pair){.a = x->a < x->b ? x->a : x->b, .b = x->a < x->b ? x->b : x->a};
    pair->scee = divisor(cardo_terms_charge(t, x->a) * cardo_terms_charge(t, x->b),
                         x->charge_product, CARDO_PRMTOP_SCEE);
    pair->scnb = divisor(sqrt(cardo_terms_epsilon(t, x->a) * cardo_terms_epsilon(t, x->b)),
                         x->epsilon, CARDO_PRMTOP_SCNB);
    if (pair->scee > 0 && pair->scnb > 0 &&
        !(x->epsilon > 0 && fabs(x->sigma - sigma) > 1e-7 * sigma))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                      "the pair of atoms %d and %d has parameters of its own, while those of a "
                      "prmtop are those of its atoms divided by a number",
                      x->a + 1, x->b + 1);
}

static cardo_status find_scaled_pairs(const cardo_terms *t, scaled_pairs *pairs, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&pairs->pair, t->nexception, error));
    for (int k = 0; k < t->nexception; ++k) {
        const cardo_exception_term x = cardo_terms_exception(t, k);
        if (fabs(x.charge_product) > 0 || x.epsilon > 0)
            CARDO_TRY(scale_of(t, &x, &pairs->pair[pairs->count++], error));
    }
    if (pairs->count > 0)
        qsort(pairs->pair, (size_t)pairs->count, sizeof *pairs->pair, compare_pairs);
done:
    return status;
}

static scaled_pair *find_pair(const scaled_pairs *pairs, int a, int b)
{
    const scaled_pair key = {.a = a < b ? a : b, .b = a < b ? b : a};
    return pairs->count > 0
               ? bsearch(&key, pairs->pair, (size_t)pairs->count, sizeof key, compare_pairs)
               : NULL;
}

/* Adds a torsion; pair: the one that it stands for, or NULL. The third and the fourth atom are told from others by a sign, which
 * the first atom of all, 0, has none of: such a torsion is turned round, which changes nothing. */
static cardo_status add_torsion(cardo_prmtop_draft *d, const cardo_torsion_term *term,
                                bool improper, scaled_pair *pair, cardo_error *error)
{
    const double row[5] = {term->k / CARDO_KILOCALORIE, term->periodicity, term->phase,
                           pair ? pair->scee : CARDO_PRMTOP_SCEE,
                           pair ? pair->scnb : CARDO_PRMTOP_SCNB};
    const bool turn = term->c == 0 || term->d == 0;
    cardo_prmtop_torsion torsion = {.atom = {turn ? term->d : term->a, turn ? term->c : term->b,
                                             turn ? term->b : term->c, turn ? term->a : term->d},
                                    .improper = improper,
                                    .pair = pair};
    cardo_status status;
    CARDO_TRY(find_kind(&d->torsion, 5, row, &torsion.kind, error));
    CARDO_TRY(CARDO_RESERVE(&d->torsion_row, &d->torsion_capacity, d->ntorsion + 1, error));
    d->torsion_row[d->ntorsion++] = torsion;
    if (pair)
        pair->joined = true;
done:
    return status;
}

/* A torsion without energy, for a pair that stands at the ends of no other. */
static cardo_status join(cardo_prmtop_draft *d, scaled_pair *pair, cardo_error *error)
{
    const int *first = d->bonded.first;
    const int row_a = cardo_partners_row(&d->bonded, pair->a);
    const int row_b = cardo_partners_row(&d->bonded, pair->b);
    for (int k = first[row_a]; k < first[row_a + 1]; ++k)
        for (int m = first[row_b]; m < first[row_b + 1]; ++m) {
            const int b = pair->a + d->bonded.to[k], c = pair->b + d->bonded.to[m];
            if (b != pair->b && c != pair->a && cardo_are_partners(&d->bonded, b, c))
                return add_torsion(d, &(cardo_torsion_term){pair->a, b, c, pair->b, 1, 0, 0}, false,
                                   pair, error);
        }
    return CARDO_FAIL(
        error, CARDO_ERROR_UNSUPPORTED,
        "the pair of atoms %d and %d has parameters of its own and is not three bonds "
        "apart, which is where a prmtop can have them",
        pair->a + 1, pair->b + 1);
}

static cardo_status sort_torsions(cardo_prmtop_draft *d, cardo_error *error)
{
    cardo_status status;
    const cardo_terms *t = d->terms;
    scaled_pairs pairs = {0};
    CARDO_TRY(cardo_partners_by_bonds(d->terms, &d->bonded, error));
    CARDO_TRY(find_scaled_pairs(t, &pairs, error));
    for (int k = 0; k < t->ntorsion; ++k) {
        const cardo_torsion_term term = cardo_terms_torsion(t, k);
        const bool improper = !cardo_are_partners(&d->bonded, term.a, term.b) ||
                              !cardo_are_partners(&d->bonded, term.b, term.c) ||
                              !cardo_are_partners(&d->bonded, term.c, term.d);
        scaled_pair *pair = improper ? NULL : find_pair(&pairs, term.a, term.d);
        CARDO_TRY(add_torsion(d, &term, improper, pair && !pair->joined ? pair : NULL, error));
    }
    for (int k = 0; k < pairs.count; ++k)
        if (!pairs.pair[k].joined)
            CARDO_TRY(join(d, &pairs.pair[k], error));
done:
    cardo_free(pairs.pair);
    return status;
}

cardo_status cardo_prmtop_draft_make(const cardo_terms *terms, cardo_prmtop_draft *draft,
                                     cardo_error *error)
{
    cardo_status status;
    draft->terms = terms;
    CARDO_TRY(check_kinds_of_terms(terms, error));
    CARDO_TRY(sort_atoms(draft, error));
    CARDO_TRY(sort_bonds_and_angles(draft, error));
    CARDO_TRY(sort_torsions(draft, error));
done:
    return status;
}

void cardo_prmtop_draft_clear(cardo_prmtop_draft *draft)
{
    cardo_free(draft->bond.value);
    cardo_free(draft->angle.value);
    cardo_free(draft->torsion.value);
    cardo_free(draft->atom.value);
    cardo_free(draft->bond_kind);
    cardo_free(draft->angle_kind);
    cardo_free(draft->atom_kind);
    cardo_free(draft->torsion_row);
    cardo_partners_clear(&draft->bonded);
    *draft = (cardo_prmtop_draft){0};
}
