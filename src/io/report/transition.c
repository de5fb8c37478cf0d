/* The report of a transition: the answer in lines. */
#include "io/report/report.h"

#include "cardo/result_text.h"

static void say(FILE *stream, const cardo_result *result)
{
    const cardo_result *lines = cardo_result_find(result, "answer");
    for (int k = 0; k < cardo_result_count(lines); ++k)
        fprintf(stream, "%s%s\n", k ? "" : "\n",
                cardo_result_as_texts(cardo_result_part(lines, k))[0]);
}

const cardo_report cardo_report_transition = {"transition", say};
