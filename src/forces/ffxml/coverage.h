/* Which residues of a structure a force field covers, and what is wrong with each of the others. */
#ifndef CARDO_FORCES_FFXML_COVERAGE_H
#define CARDO_FORCES_FFXML_COVERAGE_H

#include "forces/ffxml/forcefield.h"

/* One residue: the template that it matches, or NULL and what is wrong (nearest template, missing
 * and surplus atoms). */
typedef struct cardo_residue_coverage {
    char *template_name;
    char *problem;
} cardo_residue_coverage;

typedef struct cardo_coverage {
    int nresidue, nproblem;
    cardo_residue_coverage *residue; /* (nresidue) */
} cardo_coverage;

/* Matches every residue by its bond graph. A residue that matches nothing is no failure but an
 * entry. The caller owns *out (cardo_coverage_destroy). */
cardo_status cardo_coverage_find(const cardo_forcefield *forcefield,
                                 const cardo_structure *structure, const cardo_bonds *bonds,
                                 cardo_coverage **out, cardo_error *error);
void cardo_coverage_destroy(cardo_coverage *coverage);

#endif
