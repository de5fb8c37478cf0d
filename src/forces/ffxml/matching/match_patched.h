/* Residues that fit no template as it stands, but one that patches change. */
#ifndef CARDO_FORCES_FFXML_MATCHING_MATCH_PATCHED_H
#define CARDO_FORCES_FFXML_MATCHING_MATCH_PATCHED_H

#include "forces/ffxml/matching/match_search.h"

/* Matches residues whose template_of is NULL: first to templates with any combination of patches of
 * one residue that touch different atoms, then pairs of bonded residues to such templates with a
 * patch of two residues on top. Counts *unmatched down. */
cardo_status cardo_match_patched(cardo_assignment *assignment, cardo_search *search, int *unmatched,
                                 cardo_error *error);

void cardo_patched_templates_clear(cardo_assignment *assignment);

#endif
