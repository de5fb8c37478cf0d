/* LennardJonesForce: Lennard-Jones numbers apart from the charges, with others for 1-4 pairs and
 * pairs of types that override the combination rule (CHARMM's NBFIX). They go into the one
 * nonbonded force: OpenMM's own layer makes two custom forces of them, forty times slower. */
#include "base/memory.h"
#include "forces/ffxml/definitions/atom_types.h"
#include "forces/ffxml/definitions/section.h"

#include <math.h>

/* Files may write the same scale with different numbers of digits. */
static const double scale_tolerance = 1e-5;

static const char *name_of(const cardo_xml_element *element, const char *type,
                           const char *class_key)
{
    const char *name = cardo_xml_attribute(element, type);
    return name ? name : cardo_xml_attribute(element, class_key);
}

static cardo_status read_pair(cardo_forcefield *ff, const cardo_xml *document,
                              const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_nbfix pair;
    bool known;
    CARDO_TRY(cardo_selectors_read(&ff->types, document, element, 2, pair.atom, &known, error));
    CARDO_TRY(cardo_xml_double(document, element, "sigma", &pair.sigma, error));
    CARDO_TRY(cardo_xml_double(document, element, "epsilon", &pair.epsilon, error));
    if (!known)
        return CARDO_OK;
    pair.name[0] = name_of(element, "type1", "class1");
    pair.name[1] = name_of(element, "type2", "class2");
    CARDO_TRY(CARDO_RESERVE(&ff->nbfix, &ff->nbfix_capacity, ff->nnbfix + 1, error));
    ff->nbfix[ff->nnbfix++] = pair;
done:
    return status;
}

static cardo_status read_lennard_jones(cardo_forcefield *ff, const cardo_xml *document,
                                       const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double scale;
    CARDO_TRY(cardo_xml_double(document, element, "lj14scale", &scale, error));
    if (ff->lennard_jones.place.path && fabs(scale - ff->own_lennard_jones_14) > scale_tolerance)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: the 1-4 scale %g differs from %g at %s:%d: these force fields do "
                          "not go together",
                          cardo_xml_path(document), cardo_xml_line(element), scale,
                          ff->own_lennard_jones_14, ff->lennard_jones.place.path,
                          ff->lennard_jones.place.line);
    if (!ff->lennard_jones.place.path)
        ff->own_lennard_jones_14 = scale;
    CARDO_TRY(cardo_type_attributes_read(ff, &ff->lennard_jones, document, element, error));
    const cardo_xml_element *child = cardo_xml_child(element, "NBFixPair");
    for (; child; child = cardo_xml_next(child, "NBFixPair"))
        CARDO_TRY(read_pair(ff, document, child, error));
done:
    return status;
}

/* Of several rules for a pair the last one counts. */
const cardo_nbfix *cardo_nbfix_for(const cardo_forcefield *ff, int a, int b)
{
    const int type[2] = {a, b};
    for (int k = ff->nnbfix - 1; k >= 0; --k)
        if (cardo_selectors_match(&ff->types, 2, ff->nbfix[k].atom, type))
            return &ff->nbfix[k];
    return NULL;
}

/* NonbondedForce must leave Lennard-Jones to this section: the terms hold one set of numbers. */
static cardo_status check_no_other(const cardo_assignment *assignment, int atom, cardo_error *error)
{
    const cardo_forcefield *ff = assignment->forcefield;
    if (assignment->terms->number.epsilon[atom] == 0)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                      "%s:%d: type '%s' has an epsilon in <NonbondedForce> beside "
                      "<LennardJonesForce> (%s:%d): use one force field",
                      ff->nonbonded.place.path, ff->nonbonded.place.line,
                      ff->types.type[assignment->type[atom]].name, ff->lennard_jones.place.path,
                      ff->lennard_jones.place.line);
}

cardo_status cardo_lennard_jones_apply(cardo_assignment *assignment, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_type_attributes *table = &assignment->forcefield->lennard_jones;
    cardo_terms *terms = assignment->terms;
    if (!table->place.path)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&assignment->sigma_14, terms->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&assignment->epsilon_14, terms->natom, error));
    for (int i = 0; i < terms->natom; ++i) {
        double value[2];
        CARDO_TRY(check_no_other(assignment, i, error));
        CARDO_TRY(cardo_type_attributes_get(assignment, table, i, value, error));
        const cardo_attribute_values *own = &table->values[assignment->type[i]];
        bool has_sigma = (own->present >> CARDO_ATTRIBUTE_SIGMA_14) & 1u;
        bool has_epsilon = (own->present >> CARDO_ATTRIBUTE_EPSILON_14) & 1u;
        terms->number.sigma[i] = value[0];
        terms->number.epsilon[i] = value[1];
        assignment->sigma_14[i] = has_sigma ? own->value[CARDO_ATTRIBUTE_SIGMA_14] : value[0];
        assignment->epsilon_14[i] = has_epsilon ? own->value[CARDO_ATTRIBUTE_EPSILON_14] : value[1];
    }
done:
    return status;
}

/* The numbers went into the nonbonded terms; without those there is nothing to put them in. */
static cardo_status assign_lennard_jones(cardo_assignment *assignment, cardo_error *error)
{
    const cardo_forcefield *ff = assignment->forcefield;
    if (!ff->lennard_jones.place.path || assignment->terms->has_nonbonded)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                      "%s:%d: <LennardJonesForce> without a <NonbondedForce> is not supported",
                      ff->lennard_jones.place.path, ff->lennard_jones.place.line);
}

const cardo_section cardo_section_lennard_jones = {
    .element = "LennardJonesForce",
    .doc = "Lennard-Jones apart from the charges, with 1-4 numbers and NBFIX pairs",
    .read = read_lennard_jones,
    .assign = assign_lennard_jones,
};
