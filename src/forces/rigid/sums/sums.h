/* Numbers of single atoms, by plain sums over all others in double precision: what provider rigid is
 * checked by where a whole evaluation elsewhere would take minutes. The formulas are written down again here,
 * from OpenMM's definitions, and share nothing with the provider's kernels. */
#ifndef CARDO_FORCES_RIGID_SUMS_SUMS_H
#define CARDO_FORCES_RIGID_SUMS_SUMS_H

#include "forces/terms/partners.h"
#include "multibody/force.h"

/* What sums are made over. Borrowed. */
typedef struct cardo_sums_scene {
    const cardo_terms *terms;
    const int *body;          /* of each atom                                     (natom)     */
    const double *x;          /* nm                                               (natom x 3) */
    const double *born;       /* Born radii, nm: those that are being checked     (natom)     */
    const double *chain;      /* dE/dI by the descreening integrals I, likewise   (natom)     */
    double cutoff, gb_cutoff; /* nm; 0: all pairs                                              */
    double reaction_field;
    double plain_beyond; /* solvent pairs with r^2/(4 B B) beyond this may be taken for -q q/r    */
    cardo_partners excluded; /* pairs left out of Lennard-Jones and Coulomb: cardo_sums_open     */
} cardo_sums_scene;

/* A sum; the sum of its terms' magnitudes, to which rounding is relative; and how much of it the
 * provider may leave out by scene->plain_beyond. */
typedef struct cardo_sum {
    double value, magnitude, droppable;
} cardo_sum;

typedef struct cardo_atom_sums {
    cardo_sum born;   /* the Born radius, nm                                                 */
    cardo_sum chain;  /* dE/dI, kJ/mol nm: from the scene's Born radii                       */
    cardo_vec3 force; /* of all pairs with atoms of other bodies, and through all descreening
                             integrals; kJ/mol/nm                                                */
    double force_magnitude, force_droppable;
} cardo_atom_sums;

/* Lists the excluded pairs. The caller clears the scene, also after a failure. */
cardo_status cardo_sums_open(cardo_sums_scene *scene, cardo_error *error);
void cardo_sums_clear(cardo_sums_scene *scene);

/* Born radius, its derivative and force of one atom: sums over all others. Without a solvent the force
 * alone. */
void cardo_sums_of_atom(const cardo_sums_scene *scene, int atom, cardo_atom_sums *sums);

#endif
