/* Force elements: forces that need no molecule, part of a system and evaluated whenever
 * accelerations are realized.
 *
 * A kind is a const descriptor (multibody/forces/elements.h has those that there are). Elements of a
 * system work in the order they were added; the force of each is added to the forces that the
 * caller set on the state. */
#ifndef CARDO_MULTIBODY_TREE_FORCE_ELEMENT_H
#define CARDO_MULTIBODY_TREE_FORCE_ELEMENT_H

#include "multibody/force.h"
#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

#include <stddef.h>

/* What an element sees, and where it adds what it does. */
typedef struct cardo_force_work {
    const cardo_system *system;
    const cardo_state *state;
    double time;
    const double *q, *u;
    const cardo_transform *X_GB; /* (nbody) */
    const cardo_spatial *V_GB;   /* (nbody); NULL when only the energy is wanted   */
    cardo_spatial *body_forces;  /* the element ADDS torques about body origins and forces, in
                                    ground;  NULL when only the energy is wanted  (nbody) */
    double *mobility_forces; /* the element ADDS generalized forces; NULL likewise      (nu)    */
} cardo_force_work;

typedef struct cardo_force_element {
    const char *name;
    const char *doc;
    size_t parameter_size;
    /* Bodies, coordinates and numbers must be possible; system: as built so far. */
    cardo_status (*check)(const cardo_system *system, const void *parameters, cardo_error *error);
    /* Adds forces and returns the potential energy, kJ/mol (0 for forces that have none). */
    double (*compute)(const void *parameters, const cardo_force_work *work);
} cardo_force_element;

/* Adds an element before the system is finalized; parameters are copied. */
cardo_status cardo_system_add_force(cardo_system *system, const cardo_force_element *element,
                                    const void *parameters, int *index, cardo_error *error);
int cardo_system_nforce(const cardo_system *system);

/* Potential energy of each element (nforce; may be NULL) and of gravity and all elements together.
 * POSITION. */
cardo_status cardo_potential_energy(const cardo_system *system, const cardo_state *state,
                                    double *by_element, double *total, cardo_error *error);
/* Forces of all elements, overwritten: on bodies (nbody) and mobilities (nu). VELOCITY. */
cardo_status cardo_element_forces(const cardo_system *system, const cardo_state *state,
                                  cardo_spatial *body_forces, double *mobility_forces,
                                  cardo_error *error);

#endif
