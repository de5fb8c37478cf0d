/* Relaxing atoms that were built, everything else held where it is. */
#ifndef CARDO_FORCEFIELD_RELAX_H
#define CARDO_FORCEFIELD_RELAX_H

#include "base/minimize.h"
#include "multibody/force.h"

#include <stdbool.h>

/* Minimizes the provider's energy over the atoms that may move. positions (natom x 3, nm): only
 * those of movable atoms change. The provider takes station positions of natom atoms in ground.
 * largest_gradient in kJ/mol/nm; the unit of the options is nm. */
cardo_status cardo_relax(cardo_force_provider *provider, int natom, double *positions,
                         const bool *movable, const cardo_minimize_options *options,
                         cardo_minimize_result *result, cardo_error *error);

/* 1000 iterations, to 5 kJ/mol/nm, first steps of 0.002 nm. */
cardo_minimize_options cardo_relax_options_default(void);

#endif
