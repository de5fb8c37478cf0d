/* HarmonicBondForce: the first definition that fits the two types, in either order. */
#include "base/memory.h"
#include "forces/ffxml/definitions/atom_types.h"
#include "forces/ffxml/definitions/section.h"

static cardo_status read_bonds(cardo_forcefield *ff, const cardo_xml *document,
                               const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_xml_element *child = cardo_xml_child(element, "Bond");
    for (; child; child = cardo_xml_next(child, "Bond")) {
        cardo_bond_definition bond;
        bool known;
        CARDO_TRY(cardo_selectors_read(&ff->types, document, child, 2, bond.atom, &known, error));
        CARDO_TRY(cardo_xml_double(document, child, "length", &bond.length, error));
        CARDO_TRY(cardo_xml_double(document, child, "k", &bond.k, error));
        if (!known)
            continue;
        CARDO_TRY(CARDO_RESERVE(&ff->bond, &ff->bond_capacity, ff->nbond + 1, error));
        ff->bond[ff->nbond++] = bond;
    }
done:
    return status;
}

static const cardo_bond_definition *definition_for(const cardo_forcefield *ff, int a, int b)
{
    const int type[2] = {a, b};
    for (int i = 0; i < ff->nbond; ++i)
        if (cardo_selectors_match(&ff->types, 2, ff->bond[i].atom, type))
            return &ff->bond[i];
    return NULL;
}

static cardo_status assign_bonds(cardo_assignment *assignment, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_terms *terms = assignment->terms;
    for (int k = 0; k < assignment->bonds->nbond; ++k) {
        int a = assignment->bonds->bond[k][0], b = assignment->bonds->bond[k][1];
        const cardo_bond_definition *definition =
            definition_for(assignment->forcefield, assignment->type[a], assignment->type[b]);
        if (!definition || definition->k == 0)
            continue;
        CARDO_TRY(
            CARDO_RESERVE(&terms->list.bond, &assignment->bond_capacity, terms->nbond + 1, error));
        terms->list.bond[terms->nbond++] =
            (cardo_bond_term){a, b, definition->length, definition->k};
    }
done:
    return status;
}

const cardo_section cardo_section_bond = {
    .element = "HarmonicBondForce",
    .doc = "harmonic bonds",
    .read = read_bonds,
    .assign = assign_bonds,
};
