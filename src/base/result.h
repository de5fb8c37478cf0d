/* Results and how they are filled: cardo/result.h, cardo/result_fill.h. */
#ifndef CARDO_BASE_RESULT_H
#define CARDO_BASE_RESULT_H

#include "base/status.h"
#include "cardo/result_fill.h"

#endif
