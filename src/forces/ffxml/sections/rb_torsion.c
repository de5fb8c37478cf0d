/* RBTorsionForce: torsions of Ryckaert and Bellemans. */
#include "base/memory.h"
#include "forces/ffxml/sections/torsion_definitions.h"

#include <string.h>

static cardo_status read_numbers(cardo_forcefield *ff, const cardo_xml *document,
                                 const cardo_xml_element *element,
                                 cardo_torsion_definition *definition, cardo_error *error)
{
    static const char *const names[6] = {"c0", "c1", "c2", "c3", "c4", "c5"};
    cardo_status status = CARDO_OK;
    cardo_rb_torsion torsion;
    for (int n = 0; n < 6; ++n)
        CARDO_TRY(cardo_xml_double(document, element, names[n], &torsion.coefficient[n], error));
    CARDO_TRY(CARDO_RESERVE(&ff->rb, &ff->rb_capacity, ff->nrb + 1, error));
    definition->first = ff->nrb;
    definition->count = 1;
    ff->rb[ff->nrb++] = torsion;
done:
    return status;
}

static cardo_status read_torsions(cardo_forcefield *ff, const cardo_xml *document,
                                  const cardo_xml_element *element, cardo_error *error)
{
    return cardo_torsions_read(ff, document, element, CARDO_ORDERING_CHARMM, read_numbers,
                               &ff->rb_proper, &ff->rb_improper, error);
}

static cardo_status add_torsion(cardo_assignment *assignment,
                                const cardo_torsion_definition *definition, const int atom[4],
                                cardo_error *error)
{
    cardo_terms *terms = assignment->terms;
    cardo_status status = CARDO_RESERVE(&terms->list.rb_torsion, &assignment->rb_capacity,
                                        terms->nrb_torsion + 1, error);
    if (status != CARDO_OK)
        return status;
    cardo_rb_torsion_term *term = &terms->list.rb_torsion[terms->nrb_torsion++];
    *term = (cardo_rb_torsion_term){atom[0], atom[1], atom[2], atom[3], {0}};
    memcpy(term->coefficient, assignment->forcefield->rb[definition->first].coefficient,
           sizeof term->coefficient);
    return CARDO_OK;
}

static cardo_status assign_torsions(cardo_assignment *assignment, cardo_error *error)
{
    const cardo_forcefield *ff = assignment->forcefield;
    cardo_status status = cardo_propers_assign(assignment, &ff->rb_proper, add_torsion, error);
    if (status == CARDO_OK)
        status = cardo_impropers_assign(assignment, &ff->rb_improper, false, add_torsion, error);
    return status;
}

const cardo_section cardo_section_rb_torsion = {
    .element = "RBTorsionForce",
    .doc = "torsions of Ryckaert and Bellemans",
    .read = read_torsions,
    .assign = assign_torsions,
};
