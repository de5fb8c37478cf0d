/* What a kind of force elements is made of (cardo/elements.h); multibody/forces/elements.h has those that there are. */
#ifndef CARDO_MULTIBODY_TREE_FORCE_ELEMENT_H
#define CARDO_MULTIBODY_TREE_FORCE_ELEMENT_H

#include "cardo/elements.h"
#include "multibody/force.h"
#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

#include <stddef.h>

struct cardo_force_element {
    const char *name;
    const char *doc;
    size_t parameter_size;
    /* Bodies, coordinates and numbers must be possible; system: as built so far. */
    cardo_status (*check)(const cardo_system *system, const void *parameters, cardo_error *error);
    /* Adds forces and returns the potential energy, kJ/mol (0 for forces that have none). */
    double (*compute)(const void *parameters, const cardo_force_work *work);
    /* Where parameters point to others: a copy of the element's own, *out, in place of a copy of the struct, and what frees it. NULL: the struct is
     * all there is. */
    cardo_status (*compile)(const cardo_system *system, const void *parameters, void **out,
                            cardo_error *error);
    void (*release)(void *parameters);
    /* Bytes that it works in, in every state (work->memory); NULL: none. */
    size_t (*memory)(const void *parameters);
};

/* Element number `index`, if there is such a one of this kind: its parameters, and where it works in a state; else NULL. */
const void *cardo_force_element_parameters(const cardo_system *system, int index,
                                           const cardo_force_element *element);
void *cardo_force_element_memory(const cardo_system *system, const cardo_state *state, int index);

#endif
