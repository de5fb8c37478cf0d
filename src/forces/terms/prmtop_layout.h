/* What a prmtop's numbers mean, to read and to write it. */
#ifndef CARDO_FORCES_TERMS_PRMTOP_LAYOUT_H
#define CARDO_FORCES_TERMS_PRMTOP_LAYOUT_H

#define CARDO_PRMTOP_CHARGE 18.2223 /* of the file's charges: sqrt(kcal A/mol) */
#define CARDO_PRMTOP_SCEE   1.2     /* what 1-4 pairs are divided by where nothing is said: */
#define CARDO_PRMTOP_SCNB   2.0     /* their electrostatics and Lennard-Jones                */

/* Places in POINTERS. */
enum {
    NATOM = 0,
    NTYPES = 1,
    NBONH = 2,
    MBONA = 3,
    NTHETH = 4,
    MTHETA = 5,
    NPHIH = 6,
    MPHIA = 7,
    NNB = 10,
    NRES = 11,
    NBONA = 12,
    NTHETA = 13,
    NPHIA = 14,
    NUMBND = 15,
    NUMANG = 16,
    NPTRA = 17,
    NATYP = 18,
    IFBOX = 27,
    NMXRS = 28,
    NUMEXTRA = 30,
    NPOINTER = 31
};

#endif
