/* How many hydrogens an atom of a standard residue carries that a structure does not have as atoms. */
#ifndef CARDO_EXPERIMENT_SAXS_HYDROGENS_H
#define CARDO_EXPERIMENT_SAXS_HYDROGENS_H

/* Of amino acids and nucleotides inside of a chain at pH 7 (histidine neutral, cysteine without a bridge); -1 where residue or
 * atom are not known. */
int cardo_hydrogens_of(const char *residue, const char *atom);

#endif
