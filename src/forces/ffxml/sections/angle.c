/* HarmonicAngleForce: the first definition that fits the three types, in either direction. */
#include "base/memory.h"
#include "forces/ffxml/definitions/atom_types.h"
#include "forces/ffxml/definitions/section.h"

#include <limits.h>

static cardo_status read_angles(cardo_forcefield *ff, const cardo_xml *document,
                                const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_xml_element *child = cardo_xml_child(element, "Angle");
    for (; child; child = cardo_xml_next(child, "Angle")) {
        cardo_angle_definition angle;
        bool known;
        CARDO_TRY(cardo_selectors_read(&ff->types, document, child, 3, angle.atom, &known, error));
        CARDO_TRY(cardo_xml_double(document, child, "angle", &angle.angle, error));
        CARDO_TRY(cardo_xml_double(document, child, "k", &angle.k, error));
        if (!known)
            continue;
        CARDO_TRY(CARDO_RESERVE(&ff->angle, &ff->angle_capacity, ff->nangle + 1, error));
        ff->angle[ff->nangle++] = angle;
    }
done:
    return status;
}

static const cardo_angle_definition *definition_for(const cardo_forcefield *ff, const int type[3])
{
    for (int i = 0; i < ff->nangle; ++i)
        if (cardo_selector_matches(&ff->types, ff->angle[i].atom[1], type[1]) &&
            cardo_selectors_match(&ff->types, 3, ff->angle[i].atom, type))
            return &ff->angle[i];
    return NULL;
}

static cardo_status add_angle(cardo_assignment *assignment, int a, int centre, int c,
                              cardo_error *error)
{
    cardo_terms *terms = assignment->terms;
    const int *type = assignment->type;
    const cardo_angle_definition *definition =
        definition_for(assignment->forcefield, (int[3]){type[a], type[centre], type[c]});
    if (!definition || definition->k == 0)
        return CARDO_OK;
    cardo_status status =
        CARDO_RESERVE(&terms->list.angle, &assignment->angle_capacity, terms->nangle + 1, error);
    if (status == CARDO_OK)
        terms->list.angle[terms->nangle++] =
            (cardo_angle_term){a, centre, c, definition->angle, definition->k};
    return status;
}

/* Room for all of them, as most are defined: a list that doubles takes thrice what it needs while it grows. */
static cardo_status make_room(cardo_assignment *assignment, cardo_error *error)
{
    const cardo_bonds *bonds = assignment->bonds;
    long long n = 0;
    for (int i = 0; i < assignment->structure->natom; ++i)
        n += (long long)cardo_degree(bonds, i) * (cardo_degree(bonds, i) - 1) / 2;
    return n > INT_MAX ? CARDO_OK
                       : CARDO_RESERVE(&assignment->terms->list.angle, &assignment->angle_capacity,
                                       (int)n, error);
}

static cardo_status assign_angles(cardo_assignment *assignment, cardo_error *error)
{
    const cardo_bonds *bonds = assignment->bonds;
    const cardo_status room = make_room(assignment, error);
    if (room != CARDO_OK)
        return room;
    for (int centre = 0; centre < assignment->structure->natom; ++centre)
        for (int i = 0; i < cardo_degree(bonds, centre); ++i)
            for (int j = i + 1; j < cardo_degree(bonds, centre); ++j) {
                cardo_status status = add_angle(assignment, cardo_neighbour(bonds, centre, i),
                                                centre, cardo_neighbour(bonds, centre, j), error);
                if (status != CARDO_OK)
                    return status;
            }
    return CARDO_OK;
}

const cardo_section cardo_section_angle = {
    .element = "HarmonicAngleForce",
    .doc = "harmonic angles",
    .read = read_angles,
    .assign = assign_angles,
};
