/* Structures that come one after the other, from whoever has them: models of files, frames of trajectories. */
#ifndef CARDO_STRUCTURE_ATOMS_STRUCTURE_SOURCE_H
#define CARDO_STRUCTURE_ATOMS_STRUCTURE_SOURCE_H

#include "structure/atoms/structure.h"

#include <stddef.h>

typedef struct cardo_structure_source {
    size_t size; /* sizeof(cardo_structure_source): it may grow */
    void *user;  /* handed to the function                      */
    /* The next structure, which holds until the next call, and the name of its file; *structure is NULL after the last. */
    cardo_status (*next)(void *user, const char **file, const cardo_structure **structure,
                         cardo_error *error);
} cardo_structure_source;

#endif
