/* Selections: which residues and atoms a text means.
 *
 *   A:1-89,A:194-238     residues of chain A, ends included
 *   1-89 194-238         in a structure with one (polymer) chain the chain may be left out
 *   A:52A-60             insertion codes; negative numbers as A:-3-5
 *   A  or  A:*           a whole chain (2:* for a chain named 2; plain 2 means it where there are
 *                        several chains)
 *   A:10-20@CA,CB        only these atoms of those residues; A:*@CA
 *   resname LYS+ARG      by residue name
 *
 * Items are separated by commas or blanks. ":5" is residue 5 of the chain with blank id. */
#ifndef CARDO_STRUCTURE_ATOMS_SELECTION_H
#define CARDO_STRUCTURE_ATOMS_SELECTION_H

#include "structure/atoms/structure.h"

/* Marks the selected atoms: mark[natom] is overwritten. An item that matches nothing, an end of a
 * range that does not exist (the message says which residues there are), or a syntax error is
 * CARDO_ERROR_INPUT with the column. With strict false, ranges are clipped to what exists instead,
 * and only an empty result is an error. */
cardo_status cardo_select_atoms(const cardo_structure *structure, const char *text, bool strict,
                                bool *mark, cardo_error *error);

/* Marks the selected residues: mark[nresidue]. */
cardo_status cardo_select_residues(const cardo_structure *structure, const char *text, bool strict,
                                   bool *mark, cardo_error *error);

/* Writes a mask of residues as a selection text ("A:1-89,A:194-238"), which reads back to the same
 * mask. The caller owns *out. */
cardo_status cardo_selection_text(const cardo_structure *structure, const bool *mark, char **out,
                                  cardo_error *error);

#endif
