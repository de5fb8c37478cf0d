/* Parameters of mobilizers: cardo/mobilizers.h. */
#ifndef CARDO_MULTIBODY_MOBILIZERS_PATH_H
#define CARDO_MULTIBODY_MOBILIZERS_PATH_H

#include "base/vec.h"
#include "cardo/mobilizers.h"

#endif
