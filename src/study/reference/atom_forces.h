/* Energy and gradient of all atoms by themselves, whatever the provider wants: positions of stations, or poses of bodies of which every
 * atom is one. */
#ifndef CARDO_STUDY_REFERENCE_ATOM_FORCES_H
#define CARDO_STUDY_REFERENCE_ATOM_FORCES_H

#include "multibody/force.h"

typedef struct cardo_atom_forces {
    cardo_force_provider *provider; /* borrowed                                                */
    int natom;
    cardo_transform *pose; /* of a provider that wants poses; else NULL   (natom + 1) */
    cardo_spatial *force;  /* on them                                     (natom + 1) */
} cardo_atom_forces;

/* provider: one of cardo_session_atoms_provider, borrowed. Zero-initialise *forces; clear it also after a failure. */
cardo_status cardo_atom_forces_open(cardo_force_provider *provider, int natom,
                                    cardo_atom_forces *forces, cardo_error *error);
void cardo_atom_forces_clear(cardo_atom_forces *forces);

/* Energy (kJ/mol), by term (NULL or nterm of the provider) and the gradient (NULL or natom x 3, kJ/mol/nm) at positions
 * (natom x 3, nm, ground). */
cardo_status cardo_atom_forces_compute(const cardo_atom_forces *forces, const double *positions,
                                       double *terms, double *gradient, double *energy,
                                       cardo_error *error);

#endif
