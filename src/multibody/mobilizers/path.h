/* Parameters of mobilizers: cardo/mobilizers.h. */
#ifndef CARDO_MULTIBODY_MOBILIZERS_PATH_H
#define CARDO_MULTIBODY_MOBILIZERS_PATH_H

#include "base/vec.h"
#include "cardo/mobilizers.h"
#include "multibody/mobilizers/descriptor.h"

/* Is coordinate k (from 1) of a path's joint, one beside the path, a shift? Else it is a turn. */
bool cardo_path_shifts(const cardo_joint *joint, int k);

#endif
