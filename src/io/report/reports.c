#include "io/report/report.h"

#include "cardo/result_text.h"

#include <stdbool.h>
#include <string.h>

static const cardo_report *const reports[] = {
    &cardo_report_domains,
    &cardo_report_energy,
    &cardo_report_info,
    &cardo_report_modes,
    &cardo_report_prepare,
    &cardo_report_transition,
    NULL,
};

bool cardo_result_report(FILE *stream, const cardo_result *result, const char *study)
{
    for (int k = 0; reports[k]; ++k)
        if (strcmp(reports[k]->study, study) == 0) {
            reports[k]->say(stream, result);
            return true;
        }
    return false;
}
