/* What Cardo has to know about OpenMM's classes of forces, by their names. */
#ifndef CARDO_FORCES_OPENMM_FORCE_CLASSES_H
#define CARDO_FORCES_OPENMM_FORCE_CLASSES_H

#include <stdbool.h>

/* Does the class keep no pair list, so that its results do not depend on earlier positions? */
bool cardo_force_is_listless(const char *class_name);

/* Does it only change velocities or boxes between steps of OpenMM's own integrators? */
/* Does it depend on distances and angles alone (as long as the System is not periodic), so that the
 * molecule may be turned and shifted? */
bool cardo_force_is_invariant(const char *class_name);

bool cardo_force_is_energyless(const char *class_name);

/* Rank of its cost, from 1 (bonded terms) to 4 (generalized Born). */
int cardo_force_cost(const char *class_name);

#endif
