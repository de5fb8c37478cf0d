#include "cli/reading.h"

#include <cardo/text.h>

#include <stdio.h>
#include <string.h>

cardo_status cardo_reading_options(const cardo_command *command, cardo_read_options *options,
                                   cardo_error *error)
{
    const char *numbering = cardo_command_value(command, "numbering");
    options->label_numbering = numbering && strcmp(numbering, "label") == 0;
    if (!numbering || options->label_numbering || strcmp(numbering, "author") == 0)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--numbering is author or label, not '%s'",
                      numbering);
}

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
