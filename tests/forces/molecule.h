/* A small molecule and a force field for it, both written by hand in a test. */
#ifndef CARDO_TESTS_MOLECULE_H
#define CARDO_TESTS_MOLECULE_H

#include "forces/ffxml/forcefield.h"

typedef struct molecule {
    cardo_structure *structure;
    cardo_bonds bonds;
    int bond[16][2], first[32], neighbour[32];
    cardo_forcefield *forcefield;
    cardo_terms *terms;
    cardo_error error;
} molecule;

/* Atoms by element symbol, all in residue MOL 1 (or from split on in residue 2), and bonds as
 * pairs, of 16 bonds at most. */
void molecule_make(molecule *m, const char *elements, int split, int nbond, const int (*bond)[2]);
void molecule_release(molecule *m);

/* Reads text as a force-field file called ff.xml. */
cardo_status molecule_read(molecule *m, const char *text);
/* Applies what was read. */
cardo_status molecule_assign(molecule *m);
/* Both, which must succeed. */
void molecule_apply(molecule *m, const char *text);

#endif
