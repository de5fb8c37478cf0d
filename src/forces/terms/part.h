/* The terms of some of a structure's atoms. */
#ifndef CARDO_FORCES_TERMS_PART_H
#define CARDO_FORCES_TERMS_PART_H

#include "forces/terms/terms.h"

/* Terms of the atoms kept (natom of terms), which are counted anew in their order; those that name another atom are left out.
 * Bonded terms, charges and Lennard-Jones: terms with an implicit solvent, whose radii hang on all atoms, are CARDO_ERROR_ARGUMENT. The
 * caller owns *out: cardo_terms_destroy. */
cardo_status cardo_terms_part(const cardo_terms *terms, const bool *keep, cardo_terms **out,
                              cardo_error *error);

#endif
