/* Parameters of mobilizers: cardo/mobilizers.h. */
#ifndef CARDO_MULTIBODY_MOBILIZERS_PARAMETERS_H
#define CARDO_MULTIBODY_MOBILIZERS_PARAMETERS_H

#include "base/vec.h"
#include "cardo/mobilizers.h"

#endif
