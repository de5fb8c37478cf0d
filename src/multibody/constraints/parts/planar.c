#include "multibody/constraints/parts/planar.h"

#include "base/memory.h"

cardo_status cardo_constraint_planar_drive(const cardo_function *function, planar_drive *drive,
                                           cardo_error *error)
{
    if (function->narg > 1)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the motion has %d arguments: time is the only one", function->narg);
    return cardo_function_compile(function, &drive->function, error);
}

void cardo_constraint_planar_release(void *data)
{
    planar_drive *drive = data;
    if (drive)
        cardo_function_destroy(drive->function);
    cardo_free(data);
}
