/* What cardo info and cardo energy say of results of study/info.h. */
#ifndef CARDO_CLI_INFO_REPORT_H
#define CARDO_CLI_INFO_REPORT_H

#include <cardo/result.h>

#include <stdio.h>

void cardo_info_say(FILE *stream, const cardo_result *info);
/* Energies by term and generalized forces. */
void cardo_energies_say(FILE *stream, const cardo_result *energies);

#endif
