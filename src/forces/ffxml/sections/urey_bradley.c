/* AmoebaUreyBradleyForce: a harmonic distance between the ends of an angle (CHARMM's Urey-Bradley
 * terms), which joins the bonds. The file's energy is k (r - d)^2. */
#include "base/memory.h"
#include "forces/ffxml/definitions/atom_types.h"
#include "forces/ffxml/definitions/section.h"

static cardo_status read_urey_bradley(cardo_forcefield *ff, const cardo_xml *document,
                                      const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_xml_element *child = cardo_xml_child(element, "UreyBradley");
    for (; child; child = cardo_xml_next(child, "UreyBradley")) {
        cardo_angle_definition d;
        bool known;
        CARDO_TRY(cardo_selectors_read(&ff->types, document, child, 3, d.atom, &known, error));
        CARDO_TRY(cardo_xml_double(document, child, "d", &d.angle, error));
        CARDO_TRY(cardo_xml_double(document, child, "k", &d.k, error));
        if (!known)
            continue;
        CARDO_TRY(CARDO_RESERVE(&ff->urey_bradley, &ff->urey_bradley_capacity,
                                ff->nurey_bradley + 1, error));
        ff->urey_bradley[ff->nurey_bradley++] = d;
    }
done:
    return status;
}

static cardo_status add_distance(cardo_assignment *assignment, int a, int centre, int c,
                                 cardo_error *error)
{
    const cardo_forcefield *ff = assignment->forcefield;
    cardo_terms *terms = assignment->terms;
    const int type[3] = {assignment->type[a], assignment->type[centre], assignment->type[c]};
    for (int i = 0; i < ff->nurey_bradley; ++i) {
        const cardo_angle_definition *d = &ff->urey_bradley[i];
        if (!cardo_selector_matches(&ff->types, d->atom[1], type[1]) ||
            !cardo_selectors_match(&ff->types, 3, d->atom, type))
            continue;
        cardo_status status =
            CARDO_RESERVE(&terms->list.bond, &assignment->bond_capacity, terms->nbond + 1, error);
        if (status == CARDO_OK)
            terms->list.bond[terms->nbond++] = (cardo_bond_term){a, c, d->angle, 2 * d->k};
        return status;
    }
    return CARDO_OK;
}

static cardo_status assign_urey_bradley(cardo_assignment *assignment, cardo_error *error)
{
    const cardo_bonds *bonds = assignment->bonds;
    if (assignment->forcefield->nurey_bradley == 0)
        return CARDO_OK;
    for (int centre = 0; centre < assignment->structure->natom; ++centre)
        for (int i = 0; i < cardo_degree(bonds, centre); ++i)
            for (int j = i + 1; j < cardo_degree(bonds, centre); ++j) {
                cardo_status status =
                    add_distance(assignment, cardo_neighbour(bonds, centre, i), centre,
                                 cardo_neighbour(bonds, centre, j), error);
                if (status != CARDO_OK)
                    return status;
            }
    return CARDO_OK;
}

const cardo_section cardo_section_urey_bradley = {
    .element = "AmoebaUreyBradleyForce",
    .doc = "harmonic 1-3 distances of Urey and Bradley",
    .read = read_urey_bradley,
    .assign = assign_urey_bradley,
};
