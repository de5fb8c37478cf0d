/* Names of atoms, residues and chains. */
#ifndef CARDO_STRUCTURE_ATOMS_NAME_H
#define CARDO_STRUCTURE_ATOMS_NAME_H

/* NUL-terminated, without blanks around them, and zero after the NUL, so that memcmp compares them. mmCIF
 * chain names need more than a PDB column. */
enum { CARDO_NAME_SIZE = 16 };
typedef struct cardo_name {
    char text[CARDO_NAME_SIZE];
} cardo_name;

#endif
