/* cardo version: what this program is, what it was built with, and what to cite. */
#include "cli/verb.h"
#include "cli/version.h"

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    (void)command;
    (void)error;
    cardo_print_version(stdout);
    return CARDO_OK;
}

static const cardo_option options[] = {{0}};

const cardo_verb cardo_verb_version = {
    .name = "version",
    .synopsis = "",
    .summary = "versions, and what to cite",
    .description = "Prints the versions of this program and of what it was built with, and the "
                   "papers to cite. cardo --version does the same.",
    .options = options,
    .run = run,
};
