/* Finding the residue template whose bond graph a residue has. */
#ifndef CARDO_FORCES_FFXML_MATCHING_MATCH_H
#define CARDO_FORCES_FFXML_MATCHING_MATCH_H

#include "forces/ffxml/definitions/section.h"

/* Fills template_of and template_atom for every residue. Names play no part: a template fits when
 * elements, bonds and the number of bonds that leave the residue agree. Of several mappings the
 * first is taken, with the search starting at the atom that has the fewest candidates and walking
 * along bonds, lowest index first: which of equivalent atoms is which decides the order of AMBER
 * impropers, so this follows OpenMM. Several templates may fit only if they give all atoms equal
 * types and parameters. Residues that none fits have template_of NULL; *unmatched counts them. */
cardo_status cardo_match_templates(cardo_assignment *assignment, int *unmatched,
                                   cardo_error *error);

#endif
