/* What completes command lines in shells, printed from the tables that they are parsed with. */
#ifndef CARDO_CLI_HELP_COMPLETION_H
#define CARDO_CLI_HELP_COMPLETION_H

#include "cli/frame/verb.h"

/* The script for a shell (bash, zsh, fish) on standard output; another shell is CARDO_ERROR_USAGE. */
cardo_status cardo_print_completion(const char *shell, const cardo_verb *const *verbs,
                                    cardo_error *error);

#endif
