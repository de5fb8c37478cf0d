/* What cardo check says of a result of study/check.h. */
#ifndef CARDO_CLI_CHECK_REPORT_H
#define CARDO_CLI_CHECK_REPORT_H

#include <cardo/result.h>

#include <stdbool.h>
#include <stdio.h>

/* All problems by kind, what to do about each, and the commands to type. full: covered residues with their
 * templates too. */
void cardo_checked_say(FILE *stream, const cardo_result *checked, bool full);

#endif
