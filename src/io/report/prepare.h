/* What was done to a structure while it was prepared, as "prepare" tells it, and "domains" of its first structure. */
#ifndef CARDO_IO_REPORT_PREPARE_H
#define CARDO_IO_REPORT_PREPARE_H

#include "cardo/result.h"

#include <stdio.h>

/* A summary, then what was done by topic. */
void cardo_prepared_say(FILE *stream, const cardo_result *prepared);

/* Of a structure that stays as it is: its breaks, and what there is to look at; nothing where there is neither. */
void cardo_prepared_say_review(FILE *stream, const cardo_result *prepared);

#endif
