/* Where a system's constraints come in: the tree keeps them for the room above it (multibody/manifold), and calls it by these
 * functions. */
#ifndef CARDO_MULTIBODY_TREE_CONSTRAINT_SET_H
#define CARDO_MULTIBODY_TREE_CONSTRAINT_SET_H

#include "multibody/tree/state.h"

/* What a state keeps for constraints: made with it, copied with it. */
typedef struct constraint_cache constraint_cache;

typedef struct constraint_operations {
    /* Once numbers of coordinates and mobilities are known. */
    cardo_status (*finalize)(cardo_system *system, cardo_error *error);
    void (*destroy)(cardo_system *system);
    cardo_status (*create_cache)(const cardo_system *system, constraint_cache **out,
                                 cardo_error *error);
    /* Switches a new state's constraints on or off. */
    void (*switch_first)(const cardo_system *system, cardo_state *state);
    void (*destroy_cache)(constraint_cache *cache);
    void (*copy_cache)(constraint_cache *to, const constraint_cache *from);
    /* From the accelerations of the tree alone to those on the constraints; what they apply is added to the forces that the state
     * counts as applied. */
    cardo_status (*accelerate)(const cardo_system *system, cardo_state *state, cardo_error *error);
} constraint_operations;

/* Constraints of a system: the head of what the room above keeps. */
typedef struct constraint_set {
    const constraint_operations *operations;
    int count;
} constraint_set;

#endif
