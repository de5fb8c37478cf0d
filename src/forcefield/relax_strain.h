/* How far bonds and angles are from a force field's equilibrium values. */
#ifndef CARDO_FORCEFIELD_RELAX_STRAIN_H
#define CARDO_FORCEFIELD_RELAX_STRAIN_H

#include "forcefield/terms.h"

/* The worst bond (nm) and angle (rad) with an atom of a set; atom: one of theirs, -1: there is none.
 */
typedef struct cardo_strain {
    double bond, angle;
    int bond_atom, angle_atom;
} cardo_strain;

/* positions (natom x 3, nm); which (natom): the atoms whose terms count. */
cardo_strain cardo_strain_find(const cardo_terms *terms, const double *positions,
                               const bool *which);

#endif
