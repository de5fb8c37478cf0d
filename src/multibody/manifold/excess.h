/* Constraints that have more rows than their bodies have motions between them. */
#ifndef CARDO_MULTIBODY_MANIFOLD_EXCESS_H
#define CARDO_MULTIBODY_MANIFOLD_EXCESS_H

#include "multibody/manifold/set.h"

/* Finds constraints that act between the same two bodies, and how many of their rows can be independent. */
void cardo_excess_plan(const cardo_system *system, constraint_list *list);
/* Whether some of the first `limit` rows depend on others in every configuration, by their number alone. */
bool cardo_excess_is_certain(const cardo_system *system, const cardo_state *state, int limit);

#endif
