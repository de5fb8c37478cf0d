/* Parameters of mobilizers: cardo/mobilizers.h. */
#ifndef CARDO_MULTIBODY_MOBILIZERS_FUNCTION_BASED_H
#define CARDO_MULTIBODY_MOBILIZERS_FUNCTION_BASED_H

#include "base/vec.h"
#include "cardo/mobilizers.h"
#include "multibody/functions/function.h"

#endif
