#include "study/handoff/job.h"

void cardo_handoff_tell(cardo_result *programs, const char *program, const char *command,
                        const char *note)
{
    static const cardo_quantity name = {"program", .style = "-10s"},
                                run = {"command", .style = "s"}, remark = {"note", .style = "s"};
    cardo_result_row(programs);
    cardo_result_text(programs, &name, program);
    if (command)
        cardo_result_text(programs, &run, command);
    cardo_result_text(programs, &remark, note);
}
