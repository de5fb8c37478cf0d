/* Which bonds of a structure may turn, and what their torsions are called.
 *
 * A bond may turn when it is in no ring, is no double bond or amide, and has further atoms on both
 * sides. Found from the bond graph; names tell the backbone torsions of proteins (IUPAC-IUB 1970)
 * and nucleic acids (IUPAC-IUB 1983) from side chains. */
#ifndef CARDO_TOPOLOGY_ROTATABLE_BONDS_H
#define CARDO_TOPOLOGY_ROTATABLE_BONDS_H

#include "topology/bonds.h"

enum {
    CARDO_TURN_PHI = 1 << 0,
    CARDO_TURN_PSI = 1 << 1,
    CARDO_TURN_OMEGA = 1 << 2,
    CARDO_TURN_CHI = 1 << 3, /* side chains; the glycosidic bond of nucleotides */
    CARDO_TURN_ALPHA = 1 << 4,
    CARDO_TURN_BETA = 1 << 5,
    CARDO_TURN_GAMMA = 1 << 6,
    CARDO_TURN_EPSILON = 1 << 7,
    CARDO_TURN_ZETA = 1 << 8,
    /* Besides one of the above: one end carries hydrogens (or nothing but itself) only, as in
     * methyl, hydroxyl, thiol and ammonium groups. */
    CARDO_TURN_ROTOR = 1 << 9,
    /* all backbone torsions that are no double bond */
    CARDO_TURN_BACKBONE = CARDO_TURN_PHI | CARDO_TURN_PSI | CARDO_TURN_ALPHA | CARDO_TURN_BETA |
                          CARDO_TURN_GAMMA | CARDO_TURN_EPSILON | CARDO_TURN_ZETA
};

/* A bond about which a part of the molecule may turn. */
typedef struct cardo_turn {
    int atom[2]; /* the first one nearer to the backbone (chi), or to the chain's start */
    int residue;
    int kind;   /* CARDO_TURN_...                                                     */
    int number; /* of a chi: 1, 2, ... bonds from the backbone                           */
} cardo_turn;

/* The bits that a list of words means: "phi psi chi", "backbone", "all" (backbone and chi), ... A
 * word that is none of them is CARDO_ERROR_INPUT with the nearest that is. */
cardo_status cardo_turn_words(const char *text, int *kinds, cardo_error *error);

/* Lists the bonds that may turn, of residues whose wanted[r] has their kind; those that are rotors
 * only where it has CARDO_TURN_ROTOR too. wanted: nresidue. In the order of bonds. The caller
 * owns *out. */
cardo_status cardo_rotatable_bonds_find(const cardo_structure *structure, const cardo_bonds *bonds,
                                        const int *wanted, cardo_turn **out, int *count,
                                        cardo_error *error);

/* "A:TYR14.chi1", "A:SER3.CB-OG" for rotors. Returns text. */
char *cardo_turn_name(const cardo_structure *structure, const cardo_turn *turn, char text[80]);

#endif
