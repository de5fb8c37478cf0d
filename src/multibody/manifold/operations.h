/* Constraints as the tree calls them (multibody/tree/constraint_set.h). */
#ifndef CARDO_MULTIBODY_MANIFOLD_OPERATIONS_H
#define CARDO_MULTIBODY_MANIFOLD_OPERATIONS_H

#include "multibody/tree/constraint_set.h"

/* The system has a list of constraints from here on, empty if it had none. */
cardo_status cardo_constraint_make_list(cardo_system *system, cardo_error *error);
cardo_status cardo_constraint_finalize(cardo_system *system, cardo_error *error);
void cardo_constraint_destroy_list(cardo_system *system);
cardo_status cardo_constraint_create_cache(const cardo_system *system, constraint_cache **out,
                                           cardo_error *error);
void cardo_constraint_destroy_cache(constraint_cache *cache);
void cardo_constraint_copy_cache(constraint_cache *to, const constraint_cache *from);
cardo_status cardo_constrain_accelerations(const cardo_system *system, cardo_state *state,
                                           cardo_error *error);

#endif
