#include "forces/relax/approaches.h"

#include "base/memory.h"
#include "forces/relax/bonded_geometry.h"
#include "forces/relax/near_pairs.h"
#include "forces/terms/partners.h"

static const double minimum = 1.122462048309373; /* 2^(1/6) */
static const double allowed = 0.8;               /* of contact */
static const double allowed_near = 0.7; /* of contact, for pairs that two turning bonds part */
static const double hydrogen_bond = 0.05, known_error = 0.01; /* nm */

struct cardo_approaches {
    cardo_approach_question question;
    cardo_near_pairs *near;
    cardo_partners bonded;
    bool *donor; /* may give a hydrogen                            (natom) */
    cardo_broken_bounds *list;
    cardo_status status; /* of the look at hand, with its list and error */
    cardo_error *error;
};

static bool is_polar(unsigned char element)
{
    return element == 7 || element == 8 || element == 9 || element == 16;
}

static cardo_status list_bonds(cardo_approaches *self, cardo_error *error)
{
    cardo_status status;
    const cardo_terms *terms = self->question.terms;
    const unsigned char *element = self->question.element;
    CARDO_TRY(cardo_partners_by_bonds(terms, &self->bonded, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->donor, terms->natom + 1, error));
    for (int k = 0; k < terms->nbond; ++k) {
        const cardo_bond_term bond = cardo_terms_bond(terms, k);
        const int a = bond.a, b = bond.b;
        self->donor[a] |= element[b] == 1 && is_polar(element[a]);
        self->donor[b] |= element[a] == 1 && is_polar(element[b]);
    }
done:
    return status;
}

cardo_status cardo_approaches_create(const cardo_approach_question *question,
                                     cardo_approaches **out, cardo_error *error)
{
    cardo_status status;
    const cardo_terms *terms = question->terms;
    cardo_approaches *self = NULL;
    double largest = 0;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->question = *question;
    CARDO_TRY(list_bonds(self, error));
    if (terms->has_nonbonded) {
        for (int i = 0; i < terms->natom; ++i)
            largest =
                question->element[i] == 1 ? largest : fmax(largest, cardo_terms_sigma(terms, i));
        CARDO_TRY(cardo_near_pairs_create(terms->natom, fmax(allowed * minimum * largest, 0.1),
                                          &self->near, error));
    }
    *out = self;
    self = NULL;
done:
    cardo_approaches_destroy(self);
    return status;
}

void cardo_approaches_destroy(cardo_approaches *self)
{
    if (!self)
        return;
    cardo_near_pairs_destroy(self->near);
    cardo_partners_clear(&self->bonded);
    cardo_free(self->donor);
    cardo_free(self);
}

static bool within_bonds(const cardo_approaches *self, int a, int b, int bonds)
{
    const int row = cardo_partners_row(&self->bonded, a);
    for (int k = self->bonded.first[row]; k < self->bonded.first[row + 1]; ++k) {
        const int other = a + self->bonded.to[k];
        if (other == b || (bonds > 1 && within_bonds(self, other, b, bonds - 1)))
            return true;
    }
    return false;
}

/* The least distance allowed, nm. */
static double least(const cardo_approaches *self, int a, int b)
{
    const cardo_approach_question *question = &self->question;
    const unsigned char *element = question->element;
    double contact =
        0.5 * minimum *
        (cardo_terms_sigma(question->terms, a) + cardo_terms_sigma(question->terms, b));
    if (is_polar(element[a]) && is_polar(element[b]) && (self->donor[a] || self->donor[b]))
        contact -= hydrogen_bond;
    const double part = within_bonds(self, a, b, 4) ? allowed_near : allowed;
    double least = part * contact;
    for (int k = 0; k < question->nknown; ++k) {
        const double known = cardo_distance_of(question->known[k], a, b);
        if (known < part * contact)
            least = fmin(least, known - known_error);
    }
    return least;
}

static void look_at_pair(void *context, int a, int b, cardo_vec3 r, double square)
{
    (void)r;
    cardo_approaches *self = context;
    const cardo_approach_question *question = &self->question;
    const cardo_terms *terms = question->terms;
    const double reach =
        allowed * 0.5 * minimum * (cardo_terms_sigma(terms, a) + cardo_terms_sigma(terms, b));
    if (question->body_of_atom[a] == question->body_of_atom[b] || question->element[a] == 1 ||
        question->element[b] == 1 || square >= reach * reach || within_bonds(self, a, b, 3))
        return;
    const double value = sqrt(square), low = least(self, a, b);
    ++self->list->looked[CARDO_BOUND_CONTACT];
    if (value >= low || self->status != CARDO_OK)
        return;
    const cardo_broken_bound broken = {.kind = CARDO_BOUND_CONTACT,
                                       .natom = 2,
                                       .atom = {a < b ? a : b, a < b ? b : a},
                                       .strand = -1,
                                       .value = value,
                                       .low = low,
                                       .high = HUGE_VAL,
                                       .beyond = value > 0 ? low / value : HUGE_VAL};
    self->status = cardo_broken_bounds_add(self->list, &broken, self->error);
}

cardo_status cardo_approaches_look(cardo_approaches *self, const double *positions,
                                   cardo_broken_bounds *list, cardo_error *error)
{
    if (!self->near)
        return CARDO_OK;
    self->list = list;
    self->error = error;
    self->status = CARDO_OK;
    cardo_near_pairs_visit(self->near, positions, look_at_pair, self);
    self->list = NULL;
    self->error = NULL;
    return self->status;
}
