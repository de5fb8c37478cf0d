/* Selections: cardo/structure.h. */
#ifndef CARDO_STRUCTURE_ATOMS_SELECTION_H
#define CARDO_STRUCTURE_ATOMS_SELECTION_H

#include "cardo/structure.h"
#include "structure/atoms/structure.h"

#endif
