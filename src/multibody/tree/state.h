/* States: cardo/state.h. */
#ifndef CARDO_MULTIBODY_TREE_STATE_H
#define CARDO_MULTIBODY_TREE_STATE_H

#include "cardo/state.h"
#include "multibody/force.h"
#include "multibody/tree/system.h"

#endif
