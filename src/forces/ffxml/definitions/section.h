/* Force sections of a force-field file. Each kind is one file with a descriptor; sections.c lists
 * them. */
#ifndef CARDO_FORCES_FFXML_DEFINITIONS_SECTION_H
#define CARDO_FORCES_FFXML_DEFINITIONS_SECTION_H

#include "forces/ffxml/definitions/parameters.h"

/* A force field being applied to a structure. */
typedef struct cardo_assignment {
    const cardo_forcefield *forcefield;
    const cardo_structure *structure;
    const cardo_bonds *bonds;
    const cardo_template **template_of; /* template of each residue, NULL: none (nresidue) */
    int npatched, patched_capacity;
    cardo_template **patched; /* templates that patches made, owned */
    int *template_atom;       /* template's atom for each atom     (natom)    */
    int *type;                /* atom type                         (natom)    */
    cardo_terms *terms;       /* out                                          */
    int bond_capacity, angle_capacity, torsion_capacity, exception_capacity;
    int harmonic_capacity, rb_capacity, cmap_capacity;
    double *sigma_14, *epsilon_14; /* of a LennardJonesForce (natom), NULL without one */
} cardo_assignment;

typedef struct cardo_section {
    const char *element; /* name in the file */
    const char *doc;
    cardo_status (*read)(cardo_forcefield *forcefield, const cardo_xml *document,
                         const cardo_xml_element *element, cardo_error *error);
    /* Adds this section's terms; all types are known. */
    cardo_status (*assign)(cardo_assignment *assignment, cardo_error *error);
} cardo_section;

extern const cardo_section cardo_section_bond;
extern const cardo_section cardo_section_angle;
extern const cardo_section cardo_section_torsion;
extern const cardo_section cardo_section_urey_bradley;
extern const cardo_section cardo_section_custom_torsion;
extern const cardo_section cardo_section_rb_torsion;
extern const cardo_section cardo_section_cmap;
extern const cardo_section cardo_section_nonbonded;
extern const cardo_section cardo_section_lennard_jones;
extern const cardo_section cardo_section_gb;

/* All kinds, ended by NULL. */
extern const cardo_section *const cardo_sections[];

/* The kind with this element name, or NULL. */
const cardo_section *cardo_section_find(const char *element);

/* Number of the atom's neighbours; neighbour k of atom. */
static inline int cardo_degree(const cardo_bonds *bonds, int atom)
{
    return bonds->neighbour_first[atom + 1] - bonds->neighbour_first[atom];
}

static inline int cardo_neighbour(const cardo_bonds *bonds, int atom, int k)
{
    return bonds->neighbour[bonds->neighbour_first[atom] + k];
}

/* The section's numbers where its values differ from NonbondedForce's: fills sigma and epsilon of
 * the terms, and sigma_14 and epsilon_14. Without a LennardJonesForce it does nothing. */
cardo_status cardo_lennard_jones_apply(cardo_assignment *assignment, cardo_error *error);

/* The rule of their own that two types have, or NULL. */
const cardo_nbfix *cardo_nbfix_for(const cardo_forcefield *forcefield, int a, int b);

/* Reads a section's per-type <Atom> lines into its table. */
cardo_status cardo_type_attributes_read(cardo_forcefield *forcefield, cardo_type_attributes *table,
                                        const cardo_xml *document, const cardo_xml_element *element,
                                        cardo_error *error);
void cardo_type_attributes_clear(cardo_type_attributes *table);

/* The section's numbers for an atom: from its type, or from its template where the section says so.
 * out has nvalue entries. An atom without them is an error that names it and its type. */
cardo_status cardo_type_attributes_get(const cardo_assignment *assignment,
                                       const cardo_type_attributes *table, int atom, double *out,
                                       cardo_error *error);

/* Parameters of the force field's gb_model from elements, bonds and residues, solvent dielectric
 * 78.5. */
cardo_status cardo_gb_assign(cardo_assignment *assignment, cardo_error *error);

/* Makes room for the terms' GB arrays. */
cardo_status cardo_gb_allocate(cardo_terms *terms, double solvent_dielectric, cardo_error *error);

#endif
