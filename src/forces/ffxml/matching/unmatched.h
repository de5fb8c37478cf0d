/* The message about residues that no template fits. */
#ifndef CARDO_FORCES_FFXML_MATCHING_UNMATCHED_H
#define CARDO_FORCES_FFXML_MATCHING_UNMATCHED_H

#include "forces/ffxml/definitions/section.h"

/* Fails with a list of the residues whose template_of is NULL (as many as the record holds, then a
 * count): label, nearest template by atom names, missing and surplus atoms, and what to do. */
cardo_status cardo_report_unmatched(const cardo_assignment *assignment, int unmatched,
                                    cardo_error *error);

/* The same of one residue alone; bare: the structure has no hydrogens. */
cardo_status cardo_report_unmatched_residue(const cardo_assignment *assignment, int residue,
                                            bool bare, cardo_error *error);

bool cardo_has_hydrogens(const cardo_structure *structure);

#endif
