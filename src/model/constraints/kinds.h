/* The table of kinds of constraints that model files can hold (kind.h). */
#ifndef CARDO_MODEL_CONSTRAINTS_KINDS_H
#define CARDO_MODEL_CONSTRAINTS_KINDS_H

#include "model/constraints/kind.h"

/* All of them, NULL-terminated; by the element's name, or NULL. */
extern const cardo_written_constraint *const cardo_written_constraints[];
const cardo_written_constraint *cardo_written_constraint_find(const char *name);
const char *cardo_written_constraint_name(const cardo_written_constraint *written);

#endif
