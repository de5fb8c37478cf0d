/* What cardo domains says of a result of cli/domain_result.h. */
#ifndef CARDO_CLI_DOMAIN_REPORT_H
#define CARDO_CLI_DOMAIN_REPORT_H

#include <cardo/result.h>

#include <stdio.h>

void cardo_domains_say(FILE *stream, const cardo_result *domains);

#endif
