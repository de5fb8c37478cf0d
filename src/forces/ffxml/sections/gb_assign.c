/* Radii, screening factors and curves of the generalized Born models, from elements, bonds and
 * residues, as AMBER assigns them. */
#include "base/memory.h"
#include "forces/ffxml/definitions/section.h"
#include "forces/ffxml/sections/gb_neck.h"

#include <string.h>

enum { HYDROGEN = 1, CARBON = 6, NITROGEN = 7, OXYGEN = 8, SULFUR = 16, NUCLEIC_SCREEN = 3 };

static const double solvent_dielectric = 78.5;

/* The ACE term's tension as OpenMM's GBSAOBCForce has it. */
static const double surface_area_energy = 2.25936; /* kJ/mol/nm^2 */

/* Bondi's radius (nm) and the screening factors of an element: HCT and OBC, GBn, GBn2, GBn2 in
 * nucleic acids. The row of element 0 is for all others. */
typedef struct element_row {
    int element;
    double radius, screen[CARDO_GB_SCREENS];
} element_row;

static const element_row rows[] = {
    {1, 0.12, {0.85, 1.09085413633, 1.425952, 1.696538}},
    {6, 0.17, {0.72, 0.48435382330, 1.058554, 1.268902}},
    {7, 0.155, {0.79, 0.700147318409, 0.733599, 1.4259728}},
    {8, 0.15, {0.85, 1.06557401132, 1.061039, 0.1840098}},
    {9, 0.15, {0.88, 0.5, 0.5, 0.5}},
    {14, 0.21, {0.80, 0.5, 0.5, 0.5}},
    {15, 0.185, {0.86, 0.5, 0.5, 1.5450597}},
    {16, 0.18, {0.96, 0.602256336067, -0.703469, 0.05}},
    {17, 0.17, {0.80, 0.5, 0.5, 0.5}},
    {0, 0.15, {0.80, 0.5, 0.5, 0.5}},
};

/* alpha, beta, gamma of GBn2 by element; the row of element 0 is for all others. */
typedef struct curve_row {
    int element;
    double value[3];
} curve_row;

static const curve_row curves[] = {
    {1, {0.788440, 0.798699, 0.437334}},  {6, {0.733756, 0.506378, 0.205844}},
    {7, {0.503364, 0.316828, 0.192915}},  {8, {0.867814, 0.876635, 0.387882}},
    {16, {0.867814, 0.876635, 0.387882}}, {0, {1.0, 0.8, 4.851}},
};

static const curve_row nucleic_curves[] = {
    {1, {0.537050, 0.362861, 0.116704}},
    {6, {0.331670, 0.196842, 0.093422}},
    {7, {0.686311, 0.463189, 0.138722}},
    {8, {0.606344, 0.463006, 0.142262}},
    {16, {0.606344, 0.463006, 0.142262}},
    {15, {0.418365, 0.290054, 0.1064245}},
    {0, {1.0, 0.8, 4.851}},
};

/* Residues with the parameters of nucleic acids; ends of chains bear these names too. */
static const char *const nucleotides[] = {"A", "C", "G", "U", "DA", "DC", "DG", "DT", NULL};

static const element_row *row_of(int element)
{
    const element_row *row = rows;
    while (row->element != 0 && row->element != element)
        ++row;
    return row;
}

static const double *curve_of(const curve_row *row, int element)
{
    while (row->element != 0 && row->element != element)
        ++row;
    return row->value;
}

static const char *residue_name(const cardo_assignment *assignment, int atom)
{
    const cardo_structure *structure = assignment->structure;
    return structure->residue_name[structure->atom_residue[atom]].text;
}

static bool is_in_nucleotide(const cardo_assignment *assignment, int atom)
{
    const char *name = residue_name(assignment, atom);
    for (int k = 0; nucleotides[k]; ++k)
        if (strcmp(nucleotides[k], name) == 0)
            return true;
    return false;
}

/* Radius (nm) of a hydrogen that is bonded to this element (0: to nothing). */
static double hydrogen_radius(cardo_gb_radii radii, int bonded)
{
    if (radii == CARDO_RADII_BONDI)
        return 0.12;
    if (radii == CARDO_RADII_MBONDI) {
        if (bonded == CARBON || bonded == NITROGEN)
            return 0.13;
        return bonded == OXYGEN || bonded == SULFUR ? 0.08 : 0.12;
    }
    return bonded == NITROGEN ? 0.13 : 0.12;
}

/* mbondi3 also has 0.14 nm for the oxygens of carboxylates, which OpenMM 7.7 never applies: this
 * follows 7.7, whose figures are the reference. */
static double radius_of(const cardo_assignment *assignment, cardo_gb_radii radii, int atom)
{
    const cardo_structure *structure = assignment->structure;
    const char *name = structure->atom_name[atom].text;
    if (radii == CARDO_RADII_MBONDI3 &&
        (strncmp(name, "HH", 2) == 0 || strncmp(name, "HE", 2) == 0) &&
        strcmp(residue_name(assignment, atom), "ARG") == 0)
        return 0.117;
    if (structure->element[atom] != HYDROGEN)
        return row_of(structure->element[atom])->radius;
    bool bonded = cardo_degree(assignment->bonds, atom) > 0;
    return hydrogen_radius(
        radii, bonded ? structure->element[cardo_neighbour(assignment->bonds, atom, 0)] : 0);
}

static cardo_status assign_curves(cardo_assignment *assignment, cardo_error *error)
{
    cardo_terms *terms = assignment->terms;
    cardo_status status = CARDO_ALLOCATE(&terms->gb_curve, 3 * terms->natom, error);
    for (int i = 0; status == CARDO_OK && i < terms->natom; ++i)
        memcpy(terms->gb_curve + 3 * i,
               curve_of(is_in_nucleotide(assignment, i) ? nucleic_curves : curves,
                        assignment->structure->element[i]),
               3 * sizeof(double));
    return status;
}

cardo_status cardo_gb_allocate(cardo_terms *terms, double dielectric, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    terms->has_gb = true;
    terms->solute_dielectric = 1.0;
    terms->solvent_dielectric = dielectric;
    terms->surface_area_energy = surface_area_energy;
    CARDO_TRY(CARDO_ALLOCATE(&terms->number.gb_radius, terms->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&terms->number.gb_scale, terms->natom, error));
done:
    return status;
}

cardo_status cardo_gb_assign(cardo_assignment *assignment, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_terms *terms = assignment->terms;
    const cardo_gb_model *model = assignment->forcefield->gb_model;
    CARDO_TRY(cardo_gb_allocate(terms, solvent_dielectric, error));
    terms->gb_model = model;
    for (int i = 0; i < terms->natom; ++i) {
        bool nucleic = model->curve == CARDO_CURVE_BY_ATOM && is_in_nucleotide(assignment, i);
        const element_row *row = row_of(assignment->structure->element[i]);
        terms->number.gb_scale[i] = row->screen[nucleic ? NUCLEIC_SCREEN : model->screen];
        terms->number.gb_radius[i] = radius_of(assignment, model->radii, i);
    }
    if (model->curve == CARDO_CURVE_BY_ATOM)
        CARDO_TRY(assign_curves(assignment, error));
    if (model->neck_scale > 0)
        CARDO_TRY(cardo_neck_assign(assignment, error));
done:
    return status;
}
