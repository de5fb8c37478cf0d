/* Results of studies as pages of text for people, where a sentence or two do not do: a report is a const descriptor in a file of its
 * own, listed in reports.c, and printed by cardo_result_report (cardo/result_text.h). */
#ifndef CARDO_IO_REPORT_REPORT_H
#define CARDO_IO_REPORT_REPORT_H

#include "cardo/result.h"

#include <stdio.h>

typedef struct cardo_report {
    const char *study; /* whose results it is of */
    void (*say)(FILE *stream, const cardo_result *result);
} cardo_report;

extern const cardo_report cardo_report_domains, cardo_report_energy, cardo_report_info,
    cardo_report_modes, cardo_report_prepare, cardo_report_transition;

#endif
