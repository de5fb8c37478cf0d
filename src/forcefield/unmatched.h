/* The message about residues that no template fits. */
#ifndef CARDO_FORCEFIELD_UNMATCHED_H
#define CARDO_FORCEFIELD_UNMATCHED_H

#include "forcefield/section.h"

/* Fails with a list of the residues whose template_of is NULL (as many as the record holds, then a
 * count): label, nearest template by atom names, missing and surplus atoms, and what to do. */
cardo_status cardo_report_unmatched(const cardo_assignment *assignment, int unmatched,
                                    cardo_error *error);

#endif
