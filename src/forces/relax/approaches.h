/* Heavy atoms of different bodies that come nearer than molecules do.
 *
 * Contact is where the Lennard-Jones energy of a pair is lowest, the sum of the force field's van der Waals radii
 * (2^(1/6) sigma). Pairs of which one atom bears a hydrogen and both are N, O, F or S may share it: hydrogen bonds
 * are about 0.05 nm shorter than contact (O-O 0.28 nm where AMBER's radii add up to 0.33), which is taken off it.
 * Nearer than 0.8 of that counts, and than 0.7 of pairs four bonds apart: two torsions alone part these, as O of a residue and C of the
 * next or a carbonyl's C and the end of its residue's chi 1 and 2, and in crystals they come to 0.75 of contact (src/forces/relax/README.md). A pair that is so near in a known conformation (a crystal's) counts where it comes
 * nearer than there by more than 0.01 nm, the error of such a conformation. */
#ifndef CARDO_FORCES_RELAX_APPROACHES_H
#define CARDO_FORCES_RELAX_APPROACHES_H

#include "forces/relax/broken_bounds.h"
#include "forces/terms/terms.h"

typedef struct cardo_approach_question {
    const cardo_terms *terms;
    const int *body_of_atom;      /*                                           (natom) */
    const unsigned char *element; /* atomic numbers                            (natom) */
    int nknown;
    const double *const *known; /* nm; NaN: atom not known      (nknown of natom x 3) */
} cardo_approach_question;

typedef struct cardo_approaches cardo_approaches;

/* What the question points to is borrowed. The caller owns *out. */
cardo_status cardo_approaches_create(const cardo_approach_question *question,
                                     cardo_approaches **out, cardo_error *error);
void cardo_approaches_destroy(cardo_approaches *approaches);

/* Adds to list the pairs more than three bonds apart that are too near at positions (natom x 3, nm, finite). Nothing
 * without nonbonded terms. */
cardo_status cardo_approaches_look(cardo_approaches *approaches, const double *positions,
                                   cardo_broken_bounds *list, cardo_error *error);

#endif
