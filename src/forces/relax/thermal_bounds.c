#include "forces/relax/thermal_bounds.h"

#include "base/memory.h"
#include "base/units.h"
#include "forces/relax/bonded_geometry.h"

static const double temperature = 300, deviations = 4, beyond_known = 1;

typedef struct bound {
    cardo_bound_kind kind;
    int natom, atom[4], strand;
    double ideal, low, high;
} bound;

struct cardo_thermal_bounds {
    int n;
    bound *bound;
};

/* Torsions are told about their ideal, so that none jumps by a turn. */
static double value_of(const bound *b, const double *positions)
{
    switch (b->kind) {
    case CARDO_BOUND_BOND:
        return cardo_distance_of(positions, b->atom[0], b->atom[1]);
    case CARDO_BOUND_ANGLE:
        return cardo_angle_of(positions, b->atom[0], b->atom[1], b->atom[2]);
    default:
        return b->ideal + remainder(cardo_torsion_of(positions, b->atom) - b->ideal, 2 * CARDO_PI);
    }
}

static void set_bounds(bound *b, double stiffness, const cardo_thermal_question *question)
{
    const double sigma = sqrt(CARDO_BOLTZMANN * temperature / stiffness);
    b->low = b->ideal - deviations * sigma;
    b->high = b->ideal + deviations * sigma;
    for (int k = 0; k < question->nknown; ++k) {
        const double value = value_of(b, question->known[k]);
        if (value < b->low)
            b->low = fmin(b->low, value - beyond_known * sigma);
        if (value > b->high)
            b->high = fmax(b->high, value + beyond_known * sigma);
    }
}

/* The strand of the first atom that is in one; -1: none, or nothing that can change. */
static int strand_of(const cardo_thermal_question *question, int natom, const int *atom)
{
    bool changes = false;
    int strand = -1;
    for (int k = 0; k < natom; ++k) {
        changes |= question->body_of_atom[atom[k]] != question->body_of_atom[atom[0]];
        if (strand < 0)
            strand = question->strand_of_atom[atom[k]];
    }
    return changes ? strand : -1;
}

static void add(cardo_thermal_bounds *self, bound b, double stiffness,
                const cardo_thermal_question *question)
{
    if (b.strand < 0 || !(stiffness > 0))
        return;
    set_bounds(&b, stiffness, question);
    self->bound[self->n++] = b;
}

/* d2E/dphi2 of all torsions about the bond between omega's middle atoms, with all at the planar place that is
 * nearest to where they are, kJ/mol/rad^2. */
static double curvature(const cardo_terms *terms, const cardo_omega *omega, const double *positions)
{
    const int b = omega->atom[1], c = omega->atom[2];
    double sum = 0;
    for (int k = 0; k < terms->ntorsion; ++k) {
        const cardo_torsion_term t = cardo_terms_torsion(terms, k);
        const int atom[4] = {t.a, t.b, t.c, t.d};
        if (!((t.b == b && t.c == c) || (t.b == c && t.c == b)))
            continue;
        const double phi = cardo_torsion_of(positions, atom);
        if (!isfinite(phi))
            continue;
        const double planar = fabs(phi) < CARDO_PI / 2 ? 0 : CARDO_PI;
        sum -= t.k * t.periodicity * t.periodicity * cos(t.periodicity * planar - t.phase);
    }
    return sum;
}

static void add_omega(cardo_thermal_bounds *self, const cardo_thermal_question *question,
                      const cardo_omega *omega)
{
    const int *atom = omega->atom;
    bound b = {CARDO_BOUND_OMEGA, 4, {atom[0], atom[1], atom[2], atom[3]}, -1, 0, 0, 0};
    if (question->nknown == 0 || strand_of(question, 4, atom) < 0)
        return;
    b.strand = omega->strand;
    b.ideal = fabs(cardo_torsion_of(question->known[0], atom)) < CARDO_PI / 2 ? 0 : CARDO_PI;
    add(self, b, curvature(question->terms, omega, question->known[0]), question);
}

cardo_status cardo_thermal_bounds_create(const cardo_thermal_question *question,
                                         cardo_thermal_bounds **out, cardo_error *error)
{
    cardo_status status;
    const cardo_terms *terms = question->terms;
    cardo_thermal_bounds *self = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    CARDO_TRY(
        CARDO_ALLOCATE(&self->bound, terms->nbond + terms->nangle + question->nomega + 1, error));
    for (int k = 0; k < terms->nbond; ++k) {
        const cardo_bond_term t = cardo_terms_bond(terms, k);
        bound b = {CARDO_BOUND_BOND, 2, {t.a, t.b}, -1, t.length, 0, 0};
        b.strand = strand_of(question, 2, b.atom);
        add(self, b, t.k, question);
    }
    for (int k = 0; k < terms->nangle; ++k) {
        const cardo_angle_term t = cardo_terms_angle(terms, k);
        bound b = {CARDO_BOUND_ANGLE, 3, {t.a, t.b, t.c}, -1, t.angle, 0, 0};
        b.strand = strand_of(question, 3, b.atom);
        add(self, b, t.k, question);
    }
    for (int k = 0; k < question->nomega; ++k)
        add_omega(self, question, &question->omega[k]);
    *out = self;
    self = NULL;
done:
    cardo_thermal_bounds_destroy(self);
    return status;
}

void cardo_thermal_bounds_destroy(cardo_thermal_bounds *self)
{
    if (!self)
        return;
    cardo_free(self->bound);
    cardo_free(self);
}

cardo_status cardo_thermal_bounds_look(const cardo_thermal_bounds *self, const double *positions,
                                       cardo_broken_bounds *list, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < self->n && status == CARDO_OK; ++k) {
        const bound *b = &self->bound[k];
        const double value = value_of(b, positions);
        ++list->looked[b->kind];
        if (value >= b->low && value <= b->high)
            continue;
        const double allowed = value < b->low ? b->ideal - b->low : b->high - b->ideal;
        const cardo_broken_bound broken = {.kind = b->kind,
                                           .natom = b->natom,
                                           .atom = {b->atom[0], b->atom[1], b->atom[2], b->atom[3]},
                                           .strand = b->strand,
                                           .value = value,
                                           .low = b->low,
                                           .high = b->high,
                                           .beyond = fabs(value - b->ideal) / allowed};
        status = cardo_broken_bounds_add(list, &broken, error);
    }
    return status;
}
