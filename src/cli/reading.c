#include "cli/reading.h"

#include <cardo/text.h>

#include <stdio.h>
#include <string.h>

cardo_status cardo_reading_identity(const cardo_command *command, double *identity,
                                    cardo_error *error)
{
    const char *text = cardo_command_value(command, "identity");
    *identity = -1;
    if (text && (!cardo_parse_double(text, (int)strlen(text), identity) || !(*identity > 0) ||
                 !(*identity <= 1)))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "--identity %s is no share of equal residues above 0, up to 1", text);
    return CARDO_OK;
}
