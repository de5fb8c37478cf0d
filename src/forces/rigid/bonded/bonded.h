/* Bonded terms, and pairs with parameters of their own (exceptions), one by one in double. Those
 * whose atoms all lie in one body never change: their energies are kept as constants. */
#ifndef CARDO_FORCES_RIGID_BONDED_BONDED_H
#define CARDO_FORCES_RIGID_BONDED_BONDED_H

#include "forces/rigid/layout/layout.h"
#include "forces/terms/terms.h"
#include "multibody/force.h"

/* The terms of the provider; indices of its energies. */
typedef enum cardo_rigid_term {
    CARDO_RIGID_BOND,
    CARDO_RIGID_ANGLE,
    CARDO_RIGID_TORSION,
    CARDO_RIGID_RB_TORSION,
    CARDO_RIGID_CMAP,
    CARDO_RIGID_NONBONDED,
    CARDO_RIGID_GB,
    CARDO_RIGID_TERMS
} cardo_rigid_term;

typedef struct cardo_rigid_bonded cardo_rigid_bonded;

/* Where atoms stand and where forces go. wrench (nbody, about the origin of x, y, z) and atom_force
 * (3 x nslot) are added to; either may be NULL. */
typedef struct cardo_rigid_scene {
    const cardo_rigid_layout *layout;
    const double *x, *y, *z; /* of slots */
    cardo_spatial *wrench;
    double *atom_force;
} cardo_rigid_scene;

/* Copies the terms between bodies, and adds the energies of the others to constants. Exceptions
 * inside bodies are among the latter. */
cardo_status cardo_rigid_bonded_create(const cardo_terms *terms, const cardo_rigid_layout *layout,
                                       double constants[CARDO_RIGID_TERMS],
                                       cardo_rigid_bonded **out, cardo_error *error);
void cardo_rigid_bonded_destroy(cardo_rigid_bonded *bonded);

/* Adds the energies of the terms between bodies to energies, their forces to the scene. */
void cardo_rigid_bonded_evaluate(const cardo_rigid_bonded *bonded, const cardo_rigid_scene *scene,
                                 double energies[CARDO_RIGID_TERMS]);

#endif
