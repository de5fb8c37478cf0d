/* Which atoms of a model correspond to those of a structure that it is fitted to. */
#ifndef CARDO_STUDY_FIT_ATOMS_H
#define CARDO_STUDY_FIT_ATOMS_H

#include "model/model.h"

/* Atoms of the model and where the structure has them. */
typedef struct cardo_fit_atoms {
    int n, capacity;
    int *atom;               /* of the model                       (n)     */
    int *partner;            /* of the structure                   (n)     */
    double *position;        /* nm, in the structure's frame       (n x 3) */
    const char *what;        /* "C-alpha of the domains", "heavy atoms", "atoms", "chosen atoms" */
    bool same;               /* the structure has the model's atoms, one by one */
    int wanted;              /* atoms of the model that were looked for          */
    cardo_likeness likeness; /* of the sequences, not with same             */
} cardo_fit_atoms;

/* Finds them. chosen: a selection of the model's atoms (it goes on from all that correspond), or
 * NULL: all atoms where the structure has just the model's; else heavy atoms of residues with one
 * name where the model has torsions; else one atom a residue of the domains (CA, or C4' of nucleotides). Residues
 * pair as those of the model's own structures do; identity: the share of equal ones that is enough, or
 * negative: by the rule of superpose.h. Zero-initialise *out; the caller clears it. */
cardo_status cardo_fit_atoms_find(const cardo_model *model, const cardo_structure *structure,
                                  const char *chosen, double identity, cardo_fit_atoms *out,
                                  cardo_error *error);
void cardo_fit_atoms_clear(cardo_fit_atoms *atoms);

/* Exchanges the places of atoms that differ by name alone (CD1 and CD2 of Phe and Tyr, oxygens of
 * Asp and Glu, NH1 and NH2 of Arg) where they are then nearer to the model's (natom x 3, nm).
 * Returns how many residues changed. */
int cardo_fit_atoms_exchange(cardo_fit_atoms *atoms, const cardo_structure *model,
                             const double *positions);

#endif
