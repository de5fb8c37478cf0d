/* Operators on a realized state: cardo/operators.h. */
#ifndef CARDO_MULTIBODY_TREE_OPERATORS_H
#define CARDO_MULTIBODY_TREE_OPERATORS_H

#include "cardo/operators.h"
#include "multibody/tree/state.h"

#endif
