/* A force provider made of one function: cardo/provider.h. */
#ifndef CARDO_DYNAMICS_EVALUATION_CALLBACK_PROVIDER_H
#define CARDO_DYNAMICS_EVALUATION_CALLBACK_PROVIDER_H

#include "cardo/provider.h"
#include "multibody/force.h"

#endif
