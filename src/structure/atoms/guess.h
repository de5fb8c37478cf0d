/* The element of an atom whose file does not give one. */
#ifndef CARDO_STRUCTURE_ATOMS_GUESS_H
#define CARDO_STRUCTURE_ATOMS_GUESS_H

#include <stdbool.h>

/* Atomic number (0 unknown) from the atom's name and its residue's. left_justified: the name starts
 * in column 13 of a PDB line, where a two-letter symbol starts: "CA" there is calcium, one column
 * further a carbon. */
int cardo_element_guess(const char *name, bool left_justified, const char *residue);

#endif
