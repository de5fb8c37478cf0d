/* CustomTorsionForce with the energy k*(theta-theta0)^2: CHARMM's impropers. */
#include "base/memory.h"
#include "forces/ffxml/sections/torsion_definitions.h"

#include <string.h>

static const char harmonic[] = "k*(theta-theta0)^2";

/* Are the expressions alike but for blanks and a closing semicolon? */
static bool is_harmonic(const char *energy)
{
    const char *expected = harmonic;
    for (; *energy; ++energy) {
        if (strchr(" \t\r\n;", *energy))
            continue;
        if (*energy != *expected)
            return false;
        ++expected;
    }
    return *expected == '\0';
}

static cardo_status read_numbers(cardo_forcefield *ff, const cardo_xml *document,
                                 const cardo_xml_element *element,
                                 cardo_torsion_definition *definition, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_harmonic_torsion torsion;
    CARDO_TRY(cardo_xml_double(document, element, "theta0", &torsion.angle, error));
    CARDO_TRY(cardo_xml_double(document, element, "k", &torsion.k, error));
    CARDO_TRY(CARDO_RESERVE(&ff->harmonic, &ff->harmonic_capacity, ff->nharmonic + 1, error));
    definition->first = ff->nharmonic;
    definition->count = 1;
    ff->harmonic[ff->nharmonic++] = torsion;
done:
    return status;
}

static cardo_status read_torsions(cardo_forcefield *ff, const cardo_xml *document,
                                  const cardo_xml_element *element, cardo_error *error)
{
    const char *energy = NULL;
    cardo_status status = cardo_xml_need(document, element, "energy", &energy, error);
    if (status != CARDO_OK)
        return status;
    if (!is_harmonic(energy))
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s:%d: <CustomTorsionForce> with the energy \"%s\" is not supported, "
                          "only %s; prepare the system with OpenMM and use its serialized "
                          "System.xml instead",
                          cardo_xml_path(document), cardo_xml_line(element), energy, harmonic);
    return cardo_torsions_read(ff, document, element, CARDO_ORDERING_CHARMM, read_numbers,
                               &ff->harmonic_proper, &ff->harmonic_improper, error);
}

static cardo_status add_torsion(cardo_assignment *assignment,
                                const cardo_torsion_definition *definition, const int atom[4],
                                cardo_error *error)
{
    cardo_terms *terms = assignment->terms;
    const cardo_harmonic_torsion *torsion = &assignment->forcefield->harmonic[definition->first];
    cardo_status status =
        CARDO_RESERVE(&terms->list.harmonic_torsion, &assignment->harmonic_capacity,
                      terms->nharmonic_torsion + 1, error);
    if (status == CARDO_OK)
        terms->list.harmonic_torsion[terms->nharmonic_torsion++] = (cardo_harmonic_torsion_term){
            atom[0], atom[1], atom[2], atom[3], torsion->angle, torsion->k};
    return status;
}

static cardo_status assign_torsions(cardo_assignment *assignment, cardo_error *error)
{
    const cardo_forcefield *ff = assignment->forcefield;
    cardo_status status =
        cardo_propers_assign(assignment, &ff->harmonic_proper, add_torsion, error);
    if (status == CARDO_OK)
        status =
            cardo_impropers_assign(assignment, &ff->harmonic_improper, false, add_torsion, error);
    return status;
}

const cardo_section cardo_section_custom_torsion = {
    .element = "CustomTorsionForce",
    .doc = "harmonic torsions and impropers",
    .read = read_torsions,
    .assign = assign_torsions,
};
