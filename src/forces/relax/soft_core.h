/* Lennard-Jones energies between bodies that stay small where atoms overlap: a provider for the
 * first steps of minimizations that begin with clashes (strain.h finds these). */
#ifndef CARDO_FORCES_RELAX_SOFT_CORE_H
#define CARDO_FORCES_RELAX_SOFT_CORE_H

#include "forces/terms/terms.h"
#include "multibody/force.h"

/* A provider of soft-core Lennard-Jones energies between atoms of different bodies,
 *
 *   U = 4 epsilon (x^-2 - x^-1),  x = softness + (r/sigma)^6      (Beutler et al. 1994, eq. 5)
 *
 * switched off between 0.7 and 0.9 nm, and of what `bonded` gives. At contact the energy of a pair
 * is 4 epsilon (softness^-2 - softness^-1); with a softness of 0 it is Lennard and Jones's. No
 * charges and no solvent: nothing pulls atoms into each other. terms and body_of_atom (natom) are
 * borrowed and outlive the provider; bonded (may be NULL) is borrowed too, takes station positions,
 * and is for bonded terms alone. The caller owns *out (cardo_force_provider_destroy). */
cardo_status cardo_soft_core_create(const cardo_terms *terms, const int *body_of_atom,
                                    cardo_force_provider *bonded, double softness,
                                    cardo_force_provider **out, cardo_error *error);

/* Another softness, and the weight of the bonded energies (1 at first), from the next evaluation on.
 */
void cardo_soft_core_set(cardo_force_provider *provider, double softness, double bonded_weight);

#endif
