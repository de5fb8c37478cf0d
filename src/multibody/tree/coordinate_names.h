/* Coordinates by name: cardo/system.h. */
#ifndef CARDO_MULTIBODY_TREE_COORDINATE_NAMES_H
#define CARDO_MULTIBODY_TREE_COORDINATE_NAMES_H

#include "cardo/system.h"
#include "multibody/tree/system.h"

#endif
