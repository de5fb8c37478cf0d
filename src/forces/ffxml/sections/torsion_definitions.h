/* What all torsion sections share: reading definitions, and finding the torsions they apply to. */
#ifndef CARDO_FORCES_FFXML_SECTIONS_TORSION_DEFINITIONS_H
#define CARDO_FORCES_FFXML_SECTIONS_TORSION_DEFINITIONS_H

#include "forces/ffxml/definitions/section.h"

/* Reads the numbers of one <Proper> or <Improper> and sets definition->first and count. */
typedef cardo_status (*cardo_torsion_read)(cardo_forcefield *forcefield, const cardo_xml *document,
                                           const cardo_xml_element *element,
                                           cardo_torsion_definition *definition,
                                           cardo_error *error);

/* Reads a section's <Proper> and <Improper> lines; lines that name unknown types are left out.
 * fallback: the improper ordering where the section names none. An unknown ordering is an error. */
cardo_status cardo_torsions_read(cardo_forcefield *forcefield, const cardo_xml *document,
                                 const cardo_xml_element *element, cardo_improper_ordering fallback,
                                 cardo_torsion_read read, cardo_torsion_definitions *proper,
                                 cardo_torsion_definitions *improper, cardo_error *error);

/* Adds the terms of a definition for four atoms in the order of the dihedral angle. */
typedef cardo_status (*cardo_torsion_add)(cardo_assignment *assignment,
                                          const cardo_torsion_definition *definition,
                                          const int atom[4], cardo_error *error);

/* Calls add for every chain of four atoms that a definition fits: the first without a wildcard, or
 * else the first. */
cardo_status cardo_propers_assign(cardo_assignment *assignment,
                                  const cardo_torsion_definitions *definitions,
                                  cardo_torsion_add add, cardo_error *error);

/* Calls add for the improper torsions of every centre with three neighbours or more.
 * remembers_order: the order found first for a pattern of types serves for all later ones, as
 * OpenMM's PeriodicTorsionForce has it. */
cardo_status cardo_impropers_assign(cardo_assignment *assignment,
                                    const cardo_torsion_definitions *definitions,
                                    bool remembers_order, cardo_torsion_add add,
                                    cardo_error *error);

#endif
