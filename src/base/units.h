/* Units and constants: cardo/units.h. */
#ifndef CARDO_BASE_UNITS_H
#define CARDO_BASE_UNITS_H

#include "cardo/units.h"

#endif
