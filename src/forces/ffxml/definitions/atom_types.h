/* Atom types, their classes, and selectors of them. */
#ifndef CARDO_FORCES_FFXML_DEFINITIONS_ATOM_TYPES_H
#define CARDO_FORCES_FFXML_DEFINITIONS_ATOM_TYPES_H

#include "forces/ffxml/definitions/parameters.h"

/* Adds the types of an <AtomTypes> element. A name that is there already is an error with its line.
 */
cardo_status cardo_atom_types_read(cardo_atom_types *types, const cardo_xml *document,
                                   const cardo_xml_element *element, cardo_error *error);
void cardo_atom_types_clear(cardo_atom_types *types);

/* Reads typeK or classK (K = 1..count; plain type or class when count is 1) of a definition. *known
 * is false when a name is not in the force field or is missing: OpenMM leaves such lines out, and
 * files rely on it. type and class for one atom is an error. */
cardo_status cardo_selectors_read(const cardo_atom_types *types, const cardo_xml *document,
                                  const cardo_xml_element *element, int count,
                                  cardo_selector *selector, bool *known, cardo_error *error);

static inline bool cardo_selector_matches(const cardo_atom_types *types, cardo_selector selector,
                                          int type)
{
    return selector.kind == CARDO_SELECT_ANY ||
           (selector.kind == CARDO_SELECT_TYPE && selector.index == type) ||
           (selector.kind == CARDO_SELECT_CLASS && selector.index == types->type[type].class_index);
}

/* Do the selectors match the types as given, or in reverse? */
bool cardo_selectors_match(const cardo_atom_types *types, int count, const cardo_selector *selector,
                           const int *type);

/* Reads the attributes of an <Atom> that are numbers of ours (charge, sigma, ...). */
cardo_status cardo_attributes_read(const cardo_xml *document, const cardo_xml_element *element,
                                   cardo_attribute_values *values, cardo_error *error);

#endif
