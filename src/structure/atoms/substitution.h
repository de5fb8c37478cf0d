/* How alike two residues are, for aligning sequences. */
#ifndef CARDO_STRUCTURE_ATOMS_SUBSTITUTION_H
#define CARDO_STRUCTURE_ATOMS_SUBSTITUTION_H

/* The score of pairing residues by their names: BLOSUM62 for amino acids (Henikoff & Henikoff 1992,
 * Proc. Natl. Acad. Sci. 89, 10915), protonation states and modified residues as their parents;
 * otherwise 5 for one name and -2 for two. To be used with -11 for opening a gap and -1 for each
 * residue more in it, for which it is calibrated (Altschul & Gish 1996, Methods Enzymol. 266, 460).
 */
int cardo_substitution_score(const char *name, const char *other);

enum { CARDO_GAP_OPEN = -12, CARDO_GAP_EXTEND = -1 };

#endif
