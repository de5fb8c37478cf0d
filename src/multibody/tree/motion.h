/* Prescribed motion: cardo/motion.h. */
#ifndef CARDO_MULTIBODY_TREE_MOTION_H
#define CARDO_MULTIBODY_TREE_MOTION_H

#include "cardo/motion.h"
#include "multibody/functions/function.h"
#include "multibody/tree/state.h"

/* Does time move a prescribed mobility? Not where all stand at a constant place, or have a speed of 0. */
bool cardo_system_is_moved(const cardo_system *system);

#endif
