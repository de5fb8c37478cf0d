/* Status codes and the error record: cardo/status.h. */
#ifndef CARDO_BASE_STATUS_H
#define CARDO_BASE_STATUS_H

#include "cardo/status.h"

#endif
