/* Hybrid-36 numbers: how PDB columns hold serials above 99999 and residue numbers above 9999. */
#ifndef CARDO_STRUCTURE_PDB_HYBRID36_H
#define CARDO_STRUCTURE_PDB_HYBRID36_H

#include <stdbool.h>

/* Reads a field of width 4 or 5: decimal (with blanks and sign), else upper-case base 36 continuing
 * after the decimals, then lower-case (Grosse-Kunstleve, cci.lbl.gov/hybrid_36). False when it is
 * none of these. */
bool cardo_hybrid36_decode(const char *field, int width, int *value);

/* Writes value right-justified into width characters and a NUL. False when it does not fit. */
bool cardo_hybrid36_encode(int value, int width, char *field);

#endif
