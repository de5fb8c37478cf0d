/* Status codes and the error record (cardo/status.h), and how functions in the library leave on failure. */
#ifndef CARDO_BASE_STATUS_H
#define CARDO_BASE_STATUS_H

#include "cardo/status.h"

/* Inside a function with `cardo_status status` and a label `done`: leave on failure. */
#define CARDO_TRY(call)                                                                            \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != CARDO_OK)                                                                    \
            goto done;                                                                             \
    } while (0)

#endif
