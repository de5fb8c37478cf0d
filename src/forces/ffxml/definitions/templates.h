/* Residue templates: which atoms a residue has, how they are bonded, and their types. */
#ifndef CARDO_FORCES_FFXML_DEFINITIONS_TEMPLATES_H
#define CARDO_FORCES_FFXML_DEFINITIONS_TEMPLATES_H

#include "forces/ffxml/definitions/parameters.h"

/* Adds the templates of a <Residues> element: bonds and external bonds by index (from, to) or by
 * atom name. Of two templates of one name the higher override wins; equal ones are an error. */
cardo_status cardo_templates_read(cardo_templates *templates, const cardo_atom_types *types,
                                  const cardo_xml *document, const cardo_xml_element *element,
                                  cardo_error *error);
void cardo_templates_clear(cardo_templates *templates);

/* Index of the atom of that name, or -1. */
int cardo_template_atom_called(const cardo_template *t, const char *name);

/* Turns a list of bonds into sorted neighbours of each atom. */
cardo_status cardo_template_link(cardo_template *t, int nbond, int (*bond)[2], cardo_error *error);

void cardo_template_clear(cardo_template *t);

/* A number that is equal for two sets of atoms when they hold the same elements equally often: add
 * up cardo_element_signature over the atoms. */
uint64_t cardo_element_signature(int element);

#endif
