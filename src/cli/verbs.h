/* All verbs of the program, and how one is run. */
#ifndef CARDO_CLI_VERBS_H
#define CARDO_CLI_VERBS_H

#include "cli/frame/verb.h"

/* NULL-terminated, in the order of cardo help. */
extern const cardo_verb *const cardo_verbs[];

/* Runs a verb with what follows it on the command line. */
cardo_status cardo_verb_run(const cardo_verb *verb, int count, char **words, cardo_error *error);

#endif
