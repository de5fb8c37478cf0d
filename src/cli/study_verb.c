#include "cli/study_verb.h"

#include "base/memory.h"
#include "base/output.h"
#include "cli/gnuplot.h"
#include "cli/home.h"
#include "cli/interrupt.h"
#include "cli/opening.h"
#include "cli/parallel.h"
#include "cli/start.h"
#include "io/results/result_printer.h"
#include <cardo/result_text.h>
#include <cardo/text.h>

#include <stdio.h>
#include <string.h>

/* One command on its way. */
typedef struct errand {
    const cardo_command *command;
    const cardo_study_verb *verb;
    cardo_communicator *communicator;
    cardo_home home;
    cardo_session *session;
    void *options; /* of the study */
    cardo_result *result;
    bool first; /* this process writes and speaks */
    bool drawn; /* its pictures            */
} errand;

static void *member(const errand *e, size_t offset)
{
    return (char *)e->options + offset;
}

static cardo_status claim(errand *e, cardo_error *error)
{
    if (!e->verb->study->writer)
        return CARDO_OK;
    cardo_status status = cardo_home_claim(&e->home, e->command, e->verb->suffix,
                                           e->verb->checkpoint, e->first, error);
    e->command = e->home.command;
    *(const cardo_writer **)member(e, e->verb->study->writer) = &e->home.run.writer;
    return status;
}

static cardo_status open_session(errand *e, cardo_error *error)
{
    const unsigned needs = e->verb->study->needs;
    const bool quiet = e->command->ear->quiet;
    cardo_session_options options = {.forces_optional = !(needs & CARDO_STUDY_NEEDS_FORCES),
                                     .communicator = e->communicator};
    if (!(needs & CARDO_STUDY_TAKES_FILES))
        return cardo_command_session(e->command, &options, quiet, &e->session, error);
    const cardo_listener listener = cardo_program_listener(e->command->ear);
    if (e->verb->study->inputs)
        *(cardo_study_inputs *)member(e, e->verb->study->inputs) =
            (cardo_study_inputs){e->command->nargument, e->command->argument};
    return cardo_session_create(&listener, &e->session, error);
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

static cardo_status prepare(errand *e, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_allocate(&e->options, e->verb->study->options_size + 1, 1, error));
    CARDO_TRY(cardo_result_create(&e->result, error));
    CARDO_TRY(claim(e, error));
    CARDO_TRY(open_session(e, error));
    CARDO_TRY(read_options(e, error));
    if (e->verb->study->prepare)
        CARDO_TRY(e->verb->study->prepare(e->session, e->options, error));
    if (e->verb->study->writer)
        status = cardo_home_place(&e->home, e->session, error);
    else if (e->session->model)
        status = cardo_start_place(e->command, e->session, error);
done:
    return status;
}

/* "minimized.*" as it is in the folder: with the first of the endings that are there; false: with none. */
static bool find_file(const char *folder, const char *name, char found[64])
{
    static const char *const endings[] = {"cif", "pdb", "nc", "dcd", NULL};
    const char *star = strchr(name, '*');
    char path[4200];
    for (int k = 0; endings[k]; ++k) {
        snprintf(found, 64, "%.*s%s", star ? (int)(star - name) : 40, name, star ? endings[k] : "");
        snprintf(path, sizeof path, "%s/%s", folder, found);
        if (cardo_file_exists(path))
            return true;
    }
    return false;
}

static void say_files(const errand *e)
{
    const char *folder = e->home.run.folder.path;
    char name[64];
    printf("%s/\n", folder);
    for (const cardo_study_file *file = e->verb->files; file->name; ++file) {
        if ((e->drawn && strcmp(file->name, "plot.gp") == 0) ||
            !find_file(folder, file->name, name))
            continue;
        printf("  %-18s ", name);
        cardo_result_say(stdout, e->result, file->what);
        putchar('\n');
    }
}

static cardo_status report(const errand *e, cardo_error *error)
{
    if (cardo_command_has(e->command, "json"))
        return cardo_printer_json.print(e->result, stdout, error);
    if (e->command->ear->quiet)
        return CARDO_OK;
    if (e->verb->sentence)
        cardo_result_say(stdout, e->result, e->verb->sentence);
    if (e->verb->say)
        e->verb->say(e->command, e->result);
    if (e->verb->files)
        say_files(e);
    return CARDO_OK;
}

/* Of a study that wrote files: its pictures, and its folder in the result. */
static cardo_status draw(errand *e, cardo_error *error)
{
    char script[64];
    const char *folder = e->home.run.folder.path;
    if (!cardo_result_find(e->result, "folder"))
        cardo_result_text(e->result, &(cardo_quantity){"folder"}, folder);
    cardo_status status = cardo_result_status(e->result, error);
    return status == CARDO_OK && find_file(folder, "plot.gp", script)
               ? cardo_gnuplot_run(folder, &e->drawn, error)
               : status;
}

static cardo_status judge(const errand *e, cardo_error *error)
{
    const cardo_result *interrupted = cardo_result_find(e->result, "interrupted");
    if (e->verb->judge)
        return e->verb->judge(e->result, error);
    if (!interrupted || !cardo_result_as_truths(interrupted)[0])
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED, "interrupted; what was reached is in %s",
                      e->home.run.folder.path);
}

static cardo_status perform(errand *e, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(prepare(e, error));
    if (e->verb->study->writer)
        cardo_interrupt_catch();
    const cardo_status ended =
        cardo_study_run(e->verb->study, e->session, e->options, e->result, error);
    /* A study that fails may have come to an end that is told all the same; its own error is the one that is. */
    const bool told = ended == CARDO_OK || cardo_result_find(e->result, "interrupted");
    status = ended;
    cardo_error *own = ended == CARDO_OK ? error : NULL;
    cardo_progress_end(e->command->ear);
    if (!e->first || !told)
        goto done;
    status = e->verb->study->writer ? draw(e, own) : CARDO_OK;
    if (status == CARDO_OK)
        status = report(e, own);
    if (status == CARDO_OK && ended == CARDO_OK)
        status = judge(e, error);
    status = ended == CARDO_OK ? status : ended;
done:
    return status;
}

/* Of a member that was lost: what there is to go on from. */
static cardo_status add_remedy(const errand *e, cardo_status status, cardo_error *error)
{
    char reason[CARDO_ERROR_MESSAGE_SIZE];
    if (status != CARDO_ERROR_LOST || !e->first || !e->home.run.worth || !error)
        return status;
    snprintf(reason, sizeof reason, "%s", error->message);
    return CARDO_FAIL(error, status,
                      "%.1500s; the checkpoint is of before: --continue goes on from it", reason);
}

/* What every process does. */
static cardo_status work(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    errand *e = arg;
    cardo_ear *ear = e->command->ear;
    e->communicator = communicator;
    e->first = cardo_communicator_rank(communicator) == 0;
    ear->quiet = !e->first || cardo_command_has(e->command, "quiet") ||
                 cardo_command_has(e->command, "json");
    ear->study = e->verb->study->name;
    ear->opening = e->verb->opening;
    /* What the readers remark upon is told once. */
    if (!e->first && !freopen("/dev/null", "w", stderr))
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "/dev/null cannot be opened");
    cardo_status status = perform(e, error);
    cardo_progress_end(ear);
    return add_remedy(e, status, error);
}

/* *n of --processes, as it was where nothing is said. 0 is one a core, where that is not what a verb does anyway. */
static cardo_status count_processes(const cardo_command *command, int least, int *n,
                                    cardo_error *error)
{
    const char *text = cardo_command_value(command, "processes");
    if (!text || (cardo_parse_int(text, (int)strlen(text), n) && *n >= least))
        return CARDO_OK;
    return least > 0
               ? CARDO_FAIL(error, CARDO_ERROR_USAGE, "--processes %s is not a number above zero",
                            text)
               : CARDO_FAIL(error, CARDO_ERROR_USAGE,
                            "--processes takes a number of processes, 0 for one a core, not '%s'",
                            text);
}

/* Files on the command line, of a study that takes some. */
static cardo_status count_files(const cardo_command *command, cardo_error *error)
{
    const cardo_study_verb *verb = command->verb->study;
    const int most = verb->study->most_inputs;
    const int n = command->nargument - !(verb->study->needs & CARDO_STUDY_TAKES_FILES);
    if (!verb->study->inputs || (n > 0 && (most == 0 || n <= most)))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_USAGE, "%s: cardo %s %s", verb->wants, command->verb->name,
                      command->verb->synopsis);
}

cardo_status cardo_study_verb_run(const cardo_command *command, cardo_error *error)
{
    errand e = {.command = command, .verb = command->verb->study};
    const bool shared = e.verb->processes != 0;
    int n = e.verb->processes == CARDO_ONE_A_CORE ? 0 : 1;
    cardo_status status = count_files(command, error);
    if (status == CARDO_OK && shared)
        status = count_processes(command, n == 0, &n, error);
    if (status == CARDO_OK)
        status = shared ? cardo_parallel_run(n, work, &e, error) : work(NULL, &e, error);
    cardo_result_destroy(e.result);
    cardo_session_close(e.session);
    cardo_free(e.options);
    cardo_home_close(&e.home);
    return status;
}
