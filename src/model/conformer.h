/* Side-chain conformers: torsions of a residue's side chain taken from another structure.
 *
 * Bonds and angles stay the reference's, hydrogens go with what they are bonded to. Rings, residues
 * of another name, and bridged cysteines stay as they are. */
#ifndef CARDO_MODEL_CONFORMER_H
#define CARDO_MODEL_CONFORMER_H

#include "model/model.h"

/* Of both (or all) structures, per residue, the conformer with least overlap along the paths. */
enum { CARDO_CONFORMER_BEST = -1 };

/* Writes the reference's positions (natom x 3, nm) with side chains of the residues in mask
 * (nresidue) as in structure `choice`, or CARDO_CONFORMER_BEST. positions: in: those of the
 * reference's own side chains. body_of_residue: the bodies that move (cardo_model_riders), -1 for
 * residues of none. */
cardo_status cardo_conformers_apply(const cardo_model *model, int choice, const bool *mask,
                                    const int *body_of_residue, double *positions,
                                    cardo_error *error);

#endif
