/* Manual pages, printed from the tables that the command line is parsed with. */
#ifndef CARDO_CLI_HELP_MANUAL_H
#define CARDO_CLI_HELP_MANUAL_H

#include "cli/frame/verb.h"

/* What is to be said of an option besides its own line, "" where nothing is. */
const char *cardo_field_note(const cardo_field *field);

/* cardo(1), with a line for each command, and cardo-COMMAND(1), in roff on standard output. */
void cardo_print_manual(const cardo_verb *const *verbs);
void cardo_print_verb_manual(const cardo_verb *verb);

#endif
