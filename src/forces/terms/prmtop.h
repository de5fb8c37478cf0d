/* AMBER topologies (prmtop, parm7): energy terms without a force field, read and written. Their atoms, and
 * coordinates, are in structure/amber/amber.h. */
#ifndef CARDO_FORCES_TERMS_PRMTOP_H
#define CARDO_FORCES_TERMS_PRMTOP_H

#include "forces/terms/terms.h"
#include "structure/atoms/structure.h"

#include <stdio.h>

/* Reads a topology without a periodic box. solvent: "" or "none", or hct, obc1, obc2 with the file's
 * RADII and SCREEN. Residues are numbered from 1, in chain A; positions are zero. What changes the
 * energy and is not known here (CHARMM's terms, CMAP, 10-12 and 12-6-4 terms, extra points) is
 * CARDO_ERROR_UNSUPPORTED by name. The caller owns *terms and *structure; either may be NULL. */
cardo_status cardo_prmtop_read(const char *path, const char *solvent, cardo_terms **terms,
                               cardo_structure **structure, cardo_error *error);

/* Whether a prmtop can hold these terms; else CARDO_ERROR_UNSUPPORTED with the first thing that it has no
 * place for: CMAP, harmonic impropers, Ryckaert-Bellemans torsions, NBFIX, pairs that are not those of
 * their atoms divided by a number. */
cardo_status cardo_prmtop_can_hold(const cardo_terms *terms, cardo_error *error);

/* Prints a topology of these terms and of the structure's names (the same atoms), without a box: what
 * cardo_prmtop_read makes the same terms of, to the nine digits of the file. RADII and SCREEN are zero
 * without a solvent. Errors are those of cardo_prmtop_can_hold. */
cardo_status cardo_prmtop_print(const cardo_terms *terms, const cardo_structure *structure,
                                FILE *stream, cardo_error *error);

#endif
