/* Functions of generalized coordinates: cardo/functions.h. */
#ifndef CARDO_MULTIBODY_FUNCTIONS_FUNCTION_H
#define CARDO_MULTIBODY_FUNCTIONS_FUNCTION_H

#include "base/status.h"
#include "cardo/functions.h"

#endif
