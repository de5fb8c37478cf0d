/* NonbondedForce: charges and Lennard-Jones parameters, and the pairs that bonds exclude (1-2, 1-3)
 * or scale (1-4). */
#include "base/memory.h"
#include "forces/ffxml/definitions/atom_types.h"
#include "forces/ffxml/definitions/section.h"

#include <limits.h>
#include <math.h>

/* Files may write the same scale with different numbers of digits. */
static const double scale_tolerance = 1e-5;

enum { most_special_pairs = 2000000 };

static cardo_status read_nonbonded(cardo_forcefield *ff, const cardo_xml *document,
                                   const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double coulomb, lennard_jones;
    CARDO_TRY(cardo_xml_double(document, element, "coulomb14scale", &coulomb, error));
    CARDO_TRY(cardo_xml_double(document, element, "lj14scale", &lennard_jones, error));
    if (!ff->nonbonded.place.path) {
        ff->coulomb_14 = coulomb;
        ff->lennard_jones_14 = lennard_jones;
    } else if (fabs(coulomb - ff->coulomb_14) > scale_tolerance ||
               fabs(lennard_jones - ff->lennard_jones_14) > scale_tolerance) {
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s:%d: 1-4 scales %g, %g differ from %g, %g at %s:%d: these force fields "
            "do not go together",
            cardo_xml_path(document), cardo_xml_line(element), coulomb, lennard_jones,
            ff->coulomb_14, ff->lennard_jones_14, ff->nonbonded.place.path,
            ff->nonbonded.place.line);
    }
    CARDO_TRY(cardo_type_attributes_read(ff, &ff->nonbonded, document, element, error));
done:
    return status;
}

/* Atoms within three bonds of one atom, with their smallest number of bonds. */
typedef struct neighbourhood {
    int count, capacity;
    int *atom;
    unsigned char *distance; /* by atom; 0: not reached (natom) */
} neighbourhood;

static cardo_status collect(const cardo_bonds *bonds, int start, neighbourhood *near,
                            cardo_error *error)
{
    near->count = 0;
    cardo_status status = CARDO_RESERVE(&near->atom, &near->capacity, 1, error);
    if (status != CARDO_OK)
        return status;
    near->atom[near->count++] = start;
    near->distance[start] = 1;
    for (int i = 0; i < near->count; ++i) {
        int atom = near->atom[i];
        if (near->distance[atom] > 3)
            break;
        for (int k = 0; k < cardo_degree(bonds, atom); ++k) {
            int next = cardo_neighbour(bonds, atom, k);
            if (near->distance[next])
                continue;
            status = CARDO_RESERVE(&near->atom, &near->capacity, near->count + 1, error);
            if (status != CARDO_OK)
                return status;
            near->distance[next] = (unsigned char)(near->distance[atom] + 1);
            near->atom[near->count++] = next;
        }
    }
    return CARDO_OK;
}

static cardo_exception_term exception_for(const cardo_assignment *assignment, int a, int b,
                                          int bonds_apart)
{
    const cardo_forcefield *ff = assignment->forcefield;
    const cardo_terms *t = assignment->terms;
    const double *sigma = assignment->sigma_14 ? assignment->sigma_14 : t->number.sigma;
    const double *epsilon = assignment->epsilon_14 ? assignment->epsilon_14 : t->number.epsilon;
    double scale = assignment->sigma_14 ? ff->own_lennard_jones_14 : ff->lennard_jones_14;
    const cardo_nbfix *rule = cardo_nbfix_for(ff, assignment->type[a], assignment->type[b]);
    double charges = t->number.charge[a] * t->number.charge[b];
    if (bonds_apart < 3)
        return (cardo_exception_term){a, b, 0.0, 1.0, 0.0};
    if (rule)
        return (cardo_exception_term){a, b, ff->coulomb_14 * charges, rule->sigma,
                                      scale * rule->epsilon};
    return (cardo_exception_term){a, b, ff->coulomb_14 * charges, 0.5 * (sigma[a] + sigma[b]),
                                  scale * sqrt(epsilon[a] * epsilon[b])};
}

static cardo_status add_exception(cardo_assignment *assignment, cardo_exception_term exception,
                                  cardo_error *error)
{
    cardo_terms *terms = assignment->terms;
    cardo_status status = CARDO_RESERVE(&terms->list.exception, &assignment->exception_capacity,
                                        terms->nexception + 1, error);
    if (status == CARDO_OK)
        terms->list.exception[terms->nexception++] = exception;
    return status;
}

/* Pairs beyond three bonds whose types have a rule of their own. There are few: ions, lipids. */
static cardo_status add_special_pairs(cardo_assignment *assignment, int start,
                                      const neighbourhood *near, cardo_error *error)
{
    const cardo_forcefield *ff = assignment->forcefield;
    cardo_terms *t = assignment->terms;
    bool concerned = false;
    for (int k = 0; k < 2 * ff->nnbfix && !concerned; ++k)
        concerned = cardo_selector_matches(&ff->types, ff->nbfix[k / 2].atom[k % 2],
                                           assignment->type[start]);
    for (int other = start + 1; concerned && other < t->natom; ++other) {
        const cardo_nbfix *rule =
            cardo_nbfix_for(ff, assignment->type[start], assignment->type[other]);
        if (!rule || near->distance[other])
            continue;
        if (t->nspecial_pair++ == most_special_pairs)
            return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                              "more than %d pairs of atoms have Lennard-Jones rules of their own "
                              "(%s-%s among them, %s:%d); prepare the system with OpenMM and use "
                              "its serialized System.xml instead",
                              most_special_pairs, rule->name[0], rule->name[1],
                              ff->lennard_jones.place.path, ff->lennard_jones.place.line);
        cardo_exception_term exception = {start, other,
                                          t->number.charge[start] * t->number.charge[other],
                                          rule->sigma, rule->epsilon};
        cardo_status status = add_exception(assignment, exception, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

static cardo_status add_exceptions(cardo_assignment *assignment, int start, neighbourhood *near,
                                   cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(collect(assignment->bonds, start, near, error));
    for (int i = 0; i < near->count; ++i) {
        int other = near->atom[i], bonds_apart = near->distance[other] - 1;
        if (other <= start)
            continue;
        CARDO_TRY(
            add_exception(assignment, exception_for(assignment, start, other, bonds_apart), error));
    }
    CARDO_TRY(add_special_pairs(assignment, start, near, error));
    for (int i = 0; i < near->count; ++i)
        near->distance[near->atom[i]] = 0;
done:
    return status;
}

/* Room for the exceptions that bonds make: a list that doubles would be the most memory that a large model ever takes. */
static cardo_status make_room(cardo_assignment *assignment, neighbourhood *near, cardo_error *error)
{
    cardo_terms *terms = assignment->terms;
    long long pairs = 0;
    for (int i = 0; i < terms->natom; ++i) {
        const cardo_status status = collect(assignment->bonds, i, near, error);
        if (status != CARDO_OK)
            return status;
        for (int k = 0; k < near->count; ++k) {
            pairs += near->atom[k] > i;
            near->distance[near->atom[k]] = 0;
        }
    }
    return pairs > INT_MAX ? CARDO_OK
                           : CARDO_RESERVE(&terms->list.exception, &assignment->exception_capacity,
                                           (int)pairs, error);
}

static cardo_status assign_nonbonded(cardo_assignment *assignment, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_forcefield *ff = assignment->forcefield;
    cardo_terms *terms = assignment->terms;
    neighbourhood near = {0};
    if (!ff->nonbonded.place.path)
        return CARDO_OK;
    terms->has_nonbonded = true;
    CARDO_TRY(CARDO_ALLOCATE(&terms->number.charge, terms->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&terms->number.sigma, terms->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&terms->number.epsilon, terms->natom, error));
    for (int i = 0; i < terms->natom; ++i) {
        double value[3];
        CARDO_TRY(cardo_type_attributes_get(assignment, &ff->nonbonded, i, value, error));
        terms->number.charge[i] = value[0];
        terms->number.sigma[i] = value[1];
        terms->number.epsilon[i] = value[2];
    }
    CARDO_TRY(cardo_lennard_jones_apply(assignment, error));
    CARDO_TRY(CARDO_ALLOCATE(&near.distance, terms->natom, error));
    CARDO_TRY(make_room(assignment, &near, error));
    for (int i = 0; i < terms->natom; ++i)
        CARDO_TRY(add_exceptions(assignment, i, &near, error));
done:
    cardo_free(near.atom);
    cardo_free(near.distance);
    return status;
}

const cardo_section cardo_section_nonbonded = {
    .element = "NonbondedForce",
    .doc = "charges and Lennard-Jones with Lorentz-Berthelot rules",
    .read = read_nonbonded,
    .assign = assign_nonbonded,
};
