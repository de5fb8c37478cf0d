/* Contacts that relaxing must not make: hydrogens on oxygen and nitrogen have next to no radius of
 * their own in AMBER's force fields, so that minimizing them leaves some inside their neighbours. */
#ifndef CARDO_FORCES_RELAX_CONTACTS_H
#define CARDO_FORCES_RELAX_CONTACTS_H

#include "structure/atoms/structure.h"
#include "topology/bonds.h"

typedef struct cardo_contact {
    int atom[2];
    double limit;                        /* nm: repelled below it */
    double stiffness;                    /* kJ/mol/nm2            */
    double inner_limit, inner_stiffness; /* added below it */
} cardo_contact;

typedef struct cardo_contacts {
    int count, capacity;
    cardo_contact *contact;
} cardo_contacts;

/* Collects pairs more than three bonds apart of which one atom may move (movable, natom) and that
 * are near enough to come into contact. The limit is 0.85 of the sum of Bondi's van der Waals radii
 * (J. Phys. Chem. 68, 441, 1964), and pairs that a torsion parts are repelled yet more below 0.81: a
 * group between two others takes the middle. A hydrogen on N, O or S and another N, O or S are no contact but a
 * hydrogen bond.
 * Zero-initialise *contacts; release with cardo_contacts_clear also after a failure. */
cardo_status cardo_contacts_find(cardo_contacts *contacts, const cardo_structure *structure,
                                 const cardo_bonds *bonds, const bool *movable, cardo_error *error);
void cardo_contacts_clear(cardo_contacts *contacts);

/* Energy (kJ/mol) of the pairs that are nearer than their limits at positions (natom x 3, nm),
 * rising with the square of the overlaps; adds its gradient to gradient (natom x 3, kJ/mol/nm). */
double cardo_contacts_energy(const cardo_contacts *contacts, const double *positions,
                             double *gradient);

#endif
