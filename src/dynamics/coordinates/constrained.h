/* Whether a system has constraints, which motion is then to stay on (cardo/manifold.h). */
#ifndef CARDO_DYNAMICS_COORDINATES_CONSTRAINED_H
#define CARDO_DYNAMICS_COORDINATES_CONSTRAINED_H

#include "cardo/manifold.h"

#include <stdbool.h>

static inline bool cardo_is_constrained(const cardo_system *system)
{
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(system, &counts);
    return counts.nconstraint > 0;
}

#endif
