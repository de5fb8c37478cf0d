/* Prescribed motion: cardo/motion.h. */
#ifndef CARDO_MULTIBODY_TREE_MOTION_H
#define CARDO_MULTIBODY_TREE_MOTION_H

#include "cardo/motion.h"
#include "multibody/functions/function.h"
#include "multibody/tree/state.h"

#endif
