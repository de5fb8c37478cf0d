/* A molecular structure: atoms, residues and chains; reading, writing, selecting and comparing.
 *
 * Positions are in nm. A residue is identified by chain id + number + insertion code, all as the
 * authors of the entry gave them. A chain is a run of residues with one chain id up to a TER
 * record; several chains may carry the same id (a protein, then its ligands and waters). Atoms, residues and chains count from 0. */
#ifndef CARDO_STRUCTURE_H
#define CARDO_STRUCTURE_H

#include <cardo/geometry.h>
#include <cardo/status.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_structure cardo_structure;

/* Reads a structure file: PDB or mmCIF, or an AMBER topology and its coordinates beside it, plain or gzip, found by content. model: its
 * serial number in the file; 0: the first that has atoms. Of alternate locations per residue and atom name that of
 * highest occupancy, then the first in the file. The caller owns *out. Errors name file and line. */
CARDO_API cardo_status cardo_structure_read(const char *path, int model, cardo_structure **out,
                                            cardo_error *error);
CARDO_API void cardo_structure_destroy(cardo_structure *structure);

/* Writes a whole file in the format that the path's extension names (PDB when it names none),
 * atomically, with positions (natom x 3, nm) in place of the structure's own when not NULL. */
CARDO_API cardo_status cardo_structure_write(const char *path, const cardo_structure *structure,
                                             const double *positions, cardo_error *error);

/* A copy with only the atoms for which keep[atom] is true; empty residues and chains go, bridges and
 * polymers of kept residues, links of kept atoms stay. The caller owns *out. */
CARDO_API cardo_status cardo_structure_subset(const cardo_structure *structure, const bool *keep,
                                              cardo_structure **out, cardo_error *error);

/* How many there are. */
CARDO_API int cardo_structure_natom(const cardo_structure *structure);
CARDO_API int cardo_structure_nresidue(const cardo_structure *structure);
CARDO_API int cardo_structure_nchain(const cardo_structure *structure);
/* Positions, nm, borrowed (natom x 3). */
CARDO_API const double *cardo_structure_positions(const cardo_structure *structure);
/* Of an atom: its name, atomic number (0: unknown) and residue. */
CARDO_API const char *cardo_structure_atom_name(const cardo_structure *structure, int atom);
CARDO_API int cardo_structure_element(const cardo_structure *structure, int atom);
CARDO_API int cardo_structure_atom_residue(const cardo_structure *structure, int atom);
/* Of a residue: its name, author's number, insertion code or NUL, chain, and first atom; residue nresidue would begin
 * at natom. */
CARDO_API const char *cardo_structure_residue_name(const cardo_structure *structure, int residue);
CARDO_API int cardo_structure_residue_number(const cardo_structure *structure, int residue);
CARDO_API char cardo_structure_insertion(const cardo_structure *structure, int residue);
CARDO_API int cardo_structure_residue_chain(const cardo_structure *structure, int residue);
CARDO_API int cardo_structure_first_atom(const cardo_structure *structure, int residue);
/* "" when blank. */
CARDO_API const char *cardo_structure_chain_id(const cardo_structure *structure, int chain);

/* The atom called name in a residue, or -1. */
CARDO_API int cardo_structure_find_atom(const cardo_structure *structure, int residue,
                                        const char *name);

/* The first residue with this identity (chain "*" means any), or -1. */
CARDO_API int cardo_structure_find_residue(const cardo_structure *structure, const char *chain,
                                           int number, char insertion);

/* "A:GLN4" or ":GLN52A": how messages name a residue. Returns text. */
CARDO_API char *cardo_residue_label(const cardo_structure *structure, int residue, char text[40]);

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

/* Marks the selected atoms: mark[natom] is overwritten. An item that matches nothing, an end of a
 * range that does not exist (the message says which residues there are), or a syntax error is
 * CARDO_ERROR_INPUT with the column. With strict false, ranges are clipped to what exists instead,
 * and only an empty result is an error. */
CARDO_API cardo_status cardo_select_atoms(const cardo_structure *structure, const char *text,
                                          bool strict, bool *mark, cardo_error *error);

/* Marks the selected residues: mark[nresidue]. */
CARDO_API cardo_status cardo_select_residues(const cardo_structure *structure, const char *text,
                                             bool strict, bool *mark, cardo_error *error);

/* Writes a mask of residues as a selection text ("A:1-89,A:194-238"), which reads back to the same
 * mask. The caller owns *out: cardo_free. */
CARDO_API cardo_status cardo_selection_text(const cardo_structure *structure, const bool *mark,
                                            char **out, cardo_error *error);

/* The proper rotation and translation X that minimizes sum_k w_k |X a_k - b_k|^2.
 * a, b: n x 3; weights: n or NULL for equal ones. rmsd (may be NULL) gets the minimum, weighted. n
 * >= 3 points that are not on a line are needed: CARDO_ERROR_INPUT otherwise. */
CARDO_API cardo_status cardo_superpose(int n, const double *a, const double *b,
                                       const double *weights, cardo_transform *X, double *rmsd,
                                       cardo_error *error);

/* Root mean square of |X a_k - b_k|. */
CARDO_API double cardo_rmsd(int n, const double *a, const double *b, cardo_transform X);

/* The TM-score of points X a_k and b_k, C-alpha atoms that pair: the mean of 1/(1 + (d/d0)^2), with the d0 for n of
 * them (Zhang & Skolnick 2004, Proteins 57, 702), nm. Above 0.5 folds are the same, about 0.2 is chance (Xu & Zhang
 * 2010, Bioinformatics 26, 889); of fewer than 20 points it means little. */
CARDO_API double cardo_tm_score(int n, const double *a, const double *b, cardo_transform X);

/* For every residue of a, the corresponding residue of b or -1: match[nresidue of a]. Only amino acids and
 * nucleotides are matched, by author number where names agree in at least 90 % of the pairs, otherwise by alignment of their
 * sequences; sequences that are not alike are CARDO_ERROR_INPUT. *identity (may be NULL): the share of pairs with one name. */
CARDO_API cardo_status cardo_match_residues(const cardo_structure *a, const cardo_structure *b,
                                            int *match, double *identity, cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
