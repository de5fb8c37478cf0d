/* Residue numbers of a PDB file beyond 9999, where their four columns end: hybrid-36 (A000 is 10000), or the
 * hexadecimal of VMD and psfgen (270f is 9999, 2710 is 10000, 271a is 10010). */
#ifndef CARDO_STRUCTURE_PDB_NUMBERS_H
#define CARDO_STRUCTURE_PDB_NUMBERS_H

#include "base/status.h"

#include <stdbool.h>

/* The field of one residue, in the order of the file. */
typedef struct cardo_pdb_number {
    char field[4];
    bool fresh; /* of another chain than the one before, or after a TER */
    int value;  /* what it was found to mean                            */
} cardo_pdb_number;

/* The hexadecimal number that fills these columns and is beyond what they hold in decimal digits. */
bool cardo_hexadecimal_decode(const char *field, int width, int *value);

/* Can it be read in any way? *value is the plain reading where there is one (decimal, hybrid-36). */
bool cardo_pdb_number_decode(const char *field, int width, int *value);

/* Fills the values of all fields, each of which can be read. Digits alone say nothing (2710 may be either), so
 * that of all ways to read a file the one is taken whose numbers go on from residue to residue best. Linear in n. */
cardo_status cardo_pdb_numbers_resolve(int n, cardo_pdb_number *list, cardo_error *error);

#endif
