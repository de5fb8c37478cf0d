#include "cli/study_verb.h"

#include "base/memory.h"
#include "cli/opening.h"
#include "cli/start.h"
#include "io/results/result_printer.h"
#include "io/results/result_text.h"

#include <stdio.h>

/* One command on its way. */
typedef struct errand {
    const cardo_command *command;
    const cardo_study_verb *verb;
    cardo_session *session;
    void *options; /* of the study */
    cardo_result *result;
} errand;

static void *member(const errand *e, size_t offset)
{
    return offset ? (char *)e->options + offset : NULL;
}

static cardo_status read_options(errand *e, cardo_error *error)
{
    cardo_setting_list own;
    cardo_status status = cardo_command_own(e->command, &own, error);
    if (status == CARDO_OK)
        status = cardo_study_read_options(e->verb->study, e->session, own.count, own.text,
                                          e->options, error);
    if (status == CARDO_OK && e->verb->adopt)
        status = e->verb->adopt(e->command, e->options, error);
    cardo_setting_list_clear(&own);
    return status;
}

static cardo_status open_session(errand *e, cardo_error *error)
{
    const unsigned needs = e->verb->study->needs;
    if (!(needs & CARDO_STUDY_TAKES_FILES))
        return cardo_command_open(e->command, needs & CARDO_STUDY_NEEDS_FORCES, &e->session, error);
    const cardo_listener listener = cardo_program_listener(e->command->ear);
    cardo_study_inputs *inputs = member(e, e->verb->study->inputs);
    if (inputs)
        *inputs = (cardo_study_inputs){e->command->nargument, e->command->argument};
    return cardo_session_create(&listener, &e->session, error);
}

static cardo_status prepare(errand *e, cardo_error *error)
{
    cardo_status status;
    const cardo_study *study = e->verb->study;
    CARDO_TRY(cardo_allocate(&e->options, study->options_size + 1, 1, error));
    CARDO_TRY(cardo_result_create(&e->result, error));
    CARDO_TRY(open_session(e, error));
    CARDO_TRY(read_options(e, error));
    if (e->session->model)
        CARDO_TRY(cardo_start_place(e->command, e->session, error));
done:
    return status;
}

static cardo_status report(const errand *e, cardo_error *error)
{
    if (cardo_command_has(e->command, "json"))
        return cardo_printer_json.print(e->result, stdout, error);
    if (cardo_command_has(e->command, "quiet"))
        return CARDO_OK;
    if (e->verb->sentence)
        cardo_result_say(stdout, e->result, e->verb->sentence);
    if (e->verb->say)
        e->verb->say(e->command, e->result);
    return CARDO_OK;
}

static cardo_status perform(errand *e, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(prepare(e, error));
    CARDO_TRY(cardo_study_run(e->verb->study, e->session, e->options, e->result, error));
    CARDO_TRY(report(e, error));
    if (e->verb->judge)
        status = e->verb->judge(e->result, error);
done:
    return status;
}

cardo_status cardo_study_verb_run(const cardo_command *command, cardo_error *error)
{
    errand e = {.command = command, .verb = command->verb->study};
    command->ear->quiet = cardo_command_has(command, "quiet") || cardo_command_has(command, "json");
    command->ear->study = e.verb->study->name;
    cardo_status status = perform(&e, error);
    cardo_result_destroy(e.result);
    cardo_session_close(e.session);
    cardo_free(e.options);
    return status;
}
