/* Terms sorted into what a prmtop lists: kinds of bonds, angles, torsions and atoms, and the torsions at whose
 * ends 1-4 pairs are. */
#ifndef CARDO_FORCES_TERMS_PRMTOP_DRAFT_H
#define CARDO_FORCES_TERMS_PRMTOP_DRAFT_H

#include "forces/terms/partners.h"

/* Distinct rows of numbers, in the file's units and as the file has them: nine digits. */
typedef struct cardo_prmtop_kinds {
    int width, count, capacity;
    double *value; /* (count x width) */
} cardo_prmtop_kinds;

typedef struct cardo_prmtop_torsion {
    int atom[4], kind;
    bool improper; /* its atoms are no chain of bonds */
    bool pair;     /* the one of its ends that stands for their 1-4 pair */
} cardo_prmtop_torsion;

/* Zero-initialise. */
typedef struct cardo_prmtop_draft {
    const cardo_terms *terms;                /* borrowed */
    cardo_prmtop_kinds bond;                 /* kcal/mol/A^2, A */
    cardo_prmtop_kinds angle;                /* kcal/mol, rad */
    cardo_prmtop_kinds torsion;              /* kcal/mol, periodicity, rad, SCEE, SCNB */
    cardo_prmtop_kinds atom;                 /* sigma, A, and epsilon, kcal/mol */
    int *bond_kind, *angle_kind, *atom_kind; /* (nbond, nangle, natom) */
    int ntorsion, torsion_capacity;
    cardo_prmtop_torsion *torsion_row; /* (ntorsion) */
    cardo_partners bonded;
} cardo_prmtop_draft;

/* Sorts the terms, which must outlive the draft. CARDO_ERROR_UNSUPPORTED says what a prmtop has no place for. */
cardo_status cardo_prmtop_draft_make(const cardo_terms *terms, cardo_prmtop_draft *draft,
                                     cardo_error *error);
void cardo_prmtop_draft_clear(cardo_prmtop_draft *draft);

#endif
