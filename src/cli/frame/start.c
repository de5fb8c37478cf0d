#include "cli/frame/start.h"

#include <cardo/files.h>

#include <stdlib.h>

static cardo_status take_file(cardo_session *session, const char *path, cardo_error *error)
{
    const cardo_system *system = cardo_session_system(session);
    double *q = calloc((size_t)cardo_system_nq(system) + 1, sizeof *q);
    cardo_status status = q ? cardo_coordinates_read(path, system, q, error)
                            : CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory to read %s", path);
    if (status == CARDO_OK)
        status = cardo_session_set_coordinates(session, q, error);
    free(q);
    return status;
}

cardo_status cardo_start_place(const cardo_command *command, cardo_session *session,
                               cardo_error *error)
{
    const char *given[CARDO_MOST_GIVEN], *file = cardo_command_value(command, "from");
    const int n = cardo_command_values(command, "at", given);
    cardo_status status = file ? take_file(session, file, error) : CARDO_OK;
    for (int k = 0; k < n && status == CARDO_OK; ++k)
        status = cardo_session_place(session, given[k], error);
    return status == CARDO_ERROR_USAGE ? cardo_error_prefix(error, "--at ") : status;
}
