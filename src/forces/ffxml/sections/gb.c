/* GBSAOBCForce: OBC2 solvent with radii by atom type, and the door to the models known by name. */
#include "base/memory.h"
#include "forces/ffxml/definitions/section.h"

#include <math.h>

/* Water of the files that have a <GBSAOBCForce>. */
static const double file_solvent_dielectric = 78.3;

static cardo_status read_gb(cardo_forcefield *ff, const cardo_xml *document,
                            const cardo_xml_element *element, cardo_error *error)
{
    return cardo_type_attributes_read(ff, &ff->gb, document, element, error);
}

/* The terms hold one charge an atom: a file whose solvent charges differ from those of
 * NonbondedForce does not fit. */
static cardo_status check_charge(const cardo_assignment *assignment, int atom, double charge,
                                 cardo_error *error)
{
    const cardo_forcefield *ff = assignment->forcefield;
    double other = assignment->terms->number.charge[atom];
    char label[40];
    if (fabs(charge - other) <= 1e-9)
        return CARDO_OK;
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "%s of %s has charge %g in <NonbondedForce> and %g in <GBSAOBCForce> (%s:%d): "
        "use solvent parameters that belong to the force field",
        assignment->structure->atom_name[atom].text,
        cardo_residue_label(assignment->structure, assignment->structure->atom_residue[atom],
                            label),
        other, charge, ff->gb.place.path, ff->gb.place.line);
}

static cardo_status assign_by_type(cardo_assignment *assignment, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_terms *terms = assignment->terms;
    CARDO_TRY(cardo_gb_allocate(terms, file_solvent_dielectric, error));
    for (int i = 0; i < terms->natom; ++i) {
        double value[3];
        CARDO_TRY(
            cardo_type_attributes_get(assignment, &assignment->forcefield->gb, i, value, error));
        CARDO_TRY(check_charge(assignment, i, value[0], error));
        terms->number.gb_radius[i] = value[1];
        terms->number.gb_scale[i] = value[2];
    }
done:
    return status;
}

static cardo_status assign_gb(cardo_assignment *assignment, cardo_error *error)
{
    const cardo_forcefield *ff = assignment->forcefield;
    if (!ff->gb_model && !ff->gb.place.path)
        return CARDO_OK;
    if (!assignment->terms->has_nonbonded)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "implicit solvent needs charges: no file has a <NonbondedForce>");
    return ff->gb_model ? cardo_gb_assign(assignment, error) : assign_by_type(assignment, error);
}

const cardo_section cardo_section_gb = {
    .element = "GBSAOBCForce",
    .doc = "generalized Born solvent OBC2 with the ACE surface term",
    .read = read_gb,
    .assign = assign_gb,
};
