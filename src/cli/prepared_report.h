/* What cardo prepare prints. */
#ifndef CARDO_CLI_PREPARED_REPORT_H
#define CARDO_CLI_PREPARED_REPORT_H

#include "study/prepare/prepared.h"

/* The report on standard output: full lists every hydrogen, every water and every protonation state. */
void cardo_prepared_print(const cardo_wanted *wanted, const cardo_prepared *prepared, bool full);

/* Of a structure that stays as it is: its breaks, and what there is to look at; nothing where there is neither. */
void cardo_prepared_print_review(const cardo_wanted *wanted, const cardo_prepared *prepared);

#endif
