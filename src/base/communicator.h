/* Members that do one study together: cardo/communicator.h. */
#ifndef CARDO_BASE_COMMUNICATOR_H
#define CARDO_BASE_COMMUNICATOR_H

#include "base/status.h"
#include "cardo/communicator.h"

#endif
