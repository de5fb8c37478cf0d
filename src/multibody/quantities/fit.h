/* Fits of a mobilizer's coordinates and speeds: cardo/fit.h. */
#ifndef CARDO_MULTIBODY_QUANTITIES_FIT_H
#define CARDO_MULTIBODY_QUANTITIES_FIT_H

#include "cardo/fit.h"
#include "multibody/tree/system.h"

#endif
