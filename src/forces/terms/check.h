/* Whether the atoms of every term exist. */
#ifndef CARDO_FORCES_TERMS_CHECK_H
#define CARDO_FORCES_TERMS_CHECK_H

#include "forces/terms/terms.h"

/* CARDO_ERROR_ARGUMENT with the first term that names an atom, or a map, that does not exist. */
cardo_status cardo_terms_check(const cardo_terms *terms, cardo_error *error);

#endif
