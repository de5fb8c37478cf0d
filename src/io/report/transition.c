/* The report of a transition: the answer in lines. */
#include "io/report/report.h"

#include "cardo/result_text.h"

#include <limits.h>

static void say(FILE *stream, const cardo_result *result)
{
    if (!cardo_result_find(result, "answer"))
        return;
    putc('\n', stream);
    cardo_result_say_rows(stream, cardo_result_find(result, "answer"), "{line:98,2w}\n", LLONG_MAX);
}

const cardo_report cardo_report_transition = {"transition", say};
