#include "cli/frame/study_verb.h"

#include "cli/frame/home.h"
#include "cli/frame/opening.h"
#include "cli/frame/start.h"
#include "cli/processes/gnuplot.h"
#include "cli/processes/interrupt.h"
#include "cli/processes/parallel.h"
#include <cardo/files.h>
#include <cardo/named_files.h>
#include <cardo/result_fill.h>
#include <cardo/result_text.h>
#include <cardo/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One command on its way. */
typedef struct errand {
    const cardo_command *command;
    const cardo_study_verb *verb;
    const cardo_study *study;
    cardo_communicator *communicator;
    cardo_home home; /* where the verb has a suffix for it */
    cardo_named_files *named;
    cardo_session *session;
    cardo_result *result;
    bool first; /* this process writes and speaks */
    bool drawn; /* its pictures            */
} errand;

static const char *named(const errand *e, const char *option)
{
    return option ? cardo_command_value(e->command, option) : NULL;
}

/* Files that the command names. */
static cardo_status take_names(errand *e, cardo_error *error)
{
    char holder[64];
    const cardo_study_names *options = &e->verb->named;
    const cardo_file_names names = {.size = sizeof names,
                                    .table = named(e, options->table),
                                    .structures = named(e, options->structures),
                                    .model = named(e, options->model),
                                    .holder = holder,
                                    .replace =
                                        options->replaces || cardo_command_has(e->command, "force"),
                                    .how_to_replace = "overwrite it with --force",
                                    .ninput = e->command->nargument,
                                    .input = e->command->argument};
    snprintf(holder, sizeof holder, "cardo %s", e->command->verb->name);
    if (!names.table && !names.structures && !names.model)
        return CARDO_OK;
    const cardo_status status = cardo_named_files_open(&names, &e->named, error);
    return status == CARDO_ERROR_USAGE ? cardo_error_prefix(error, "--out ") : status;
}

static cardo_status claim(errand *e, cardo_error *error)
{
    if (!e->verb->suffix)
        return take_names(e, error);
    cardo_status status =
        cardo_home_claim(&e->home, e->command, e->study, e->verb->suffix, e->first, error);
    e->command = e->home.command;
    return status;
}

static cardo_status open_session(errand *e, cardo_error *error)
{
    cardo_session_options options = {.forces_optional = !cardo_study_needs_forces(e->study),
                                     .model_alone = cardo_study_takes_model(e->study),
                                     .communicator = e->communicator};
    cardo_command model = *e->command;
    if (!cardo_study_takes(e->study, 0)) /* the others are files for the study */
        model.nargument = 1;
    if (!cardo_study_takes_files(e->study))
        return cardo_command_session(&model, &options, e->command->ear->quiet, &e->session, error);
    const cardo_listener listener = cardo_program_listener(e->command->ear);
    return cardo_session_create(&listener, &e->session, error);
}

/* From here on signals end a study that writes in good order. */
static cardo_status place(void *user, cardo_session *session, cardo_error *error)
{
    const errand *e = user;
    const cardo_status status = !cardo_session_state(session) ? CARDO_OK
                                : e->home.files ? cardo_home_place(&e->home, session, error)
                                                : cardo_start_place(e->command, session, error);
    if (e->home.files || e->verb->ends_well)
        cardo_interrupt_catch();
    return status;
}

static cardo_status run_study(errand *e, cardo_error *error)
{
    cardo_setting_list texts;
    const int model = !cardo_study_takes_files(e->study);
    cardo_status status = cardo_command_own(e->command, &texts, error);
    if (status == CARDO_OK && e->verb->adopt)
        status = e->verb->adopt(e->command, &texts, error);
    const cardo_run_options options = {.size = sizeof options,
                                       .noption = texts.count,
                                       .option = texts.text,
                                       .ninput = e->command->nargument - model,
                                       .input = e->command->argument + model,
                                       .writer = e->home.files ? cardo_files_writer(e->home.files)
                                                 : e->named    ? cardo_named_files_writer(e->named)
                                                               : NULL,
                                       .place = place,
                                       .user = e,
                                       .frames = cardo_trajectory_reader()};
    if (status == CARDO_OK)
        status = cardo_session_run(e->session, e->verb->study, &options, &e->result, error);
    cardo_setting_list_clear(&texts);
    return status == CARDO_OK && e->named ? cardo_named_files_keep(e->named, error) : status;
}

bool cardo_study_file_find(const char *folder, const char *name, char found[64])
{
    const char *star = strchr(name, '*');
    char path[4200];
    for (const cardo_trajectory_format *const *f = cardo_trajectory_format_list(); *f; ++f) {
        snprintf(found, 64, "%.*s%s", star ? (int)(star - name) : 40, name,
                 star ? cardo_trajectory_format_ending(*f) : "");
        snprintf(path, sizeof path, "%s/%s", folder, found);
        if (access(path, F_OK) == 0)
            return true;
    }
    return false;
}

static void say_files(const errand *e)
{
    const char *folder = cardo_files_path(e->home.files);
    char name[64];
    printf("%s/\n", folder);
    for (const cardo_study_file *file = e->verb->files; file->name; ++file) {
        if ((e->drawn && strcmp(file->name, "plot.gp") == 0) ||
            !cardo_study_file_find(folder, file->name, name))
            continue;
        printf("  %-18s ", name);
        cardo_result_say(stdout, e->result, file->what);
        putchar('\n');
    }
}

/* The study's own report, with options as they are typed. */
static void report_spelt(const errand *e)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return;
    cardo_result_report(stream, e->result, e->verb->study);
    fclose(stream);
    cardo_spell_studies(text);
    cardo_print_spelt(stdout, e->command->verb, text);
    free(text);
}

static cardo_status report(const errand *e, cardo_error *error)
{
    if (cardo_command_has(e->command, "json"))
        return cardo_result_print(e->result, "json", stdout, error);
    if (e->command->ear->quiet)
        return CARDO_OK;
    if (e->verb->sentence)
        cardo_result_say(stdout, e->result, e->verb->sentence);
    if (e->verb->say)
        e->verb->say(e->command, e->result);
    if (!e->verb->sentence && !e->verb->say)
        report_spelt(e);
    if (e->verb->next)
        cardo_result_say(stdout, e->result, e->verb->next);
    if (e->verb->files)
        say_files(e);
    return CARDO_OK;
}

/* Of a study that wrote files: its pictures, and its folder in the result. */
static cardo_status draw(errand *e, cardo_error *error)
{
    char script[64];
    const char *folder = cardo_files_path(e->home.files);
    if (!cardo_result_find(e->result, "folder"))
        cardo_result_text(e->result, &(cardo_quantity){"folder"}, folder);
    cardo_status status = cardo_result_status(e->result, error);
    return status == CARDO_OK && cardo_study_file_find(folder, "plot.gp", script)
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
    if (!e->home.files)
        return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED, "interrupted");
    return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED, "interrupted; what was reached is in %s",
                      cardo_files_path(e->home.files));
}

static cardo_status tell(errand *e, cardo_error *error)
{
    cardo_status status = e->home.files ? draw(e, error) : CARDO_OK;
    if (status == CARDO_OK && e->home.files && e->verb->add_files)
        status = e->verb->add_files(e->command, cardo_files_path(e->home.files), e->result, error);
    return status == CARDO_OK ? report(e, error) : status;
}

static cardo_status perform(errand *e, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(claim(e, error));
    CARDO_TRY(open_session(e, error));
    status = run_study(e, error);
    cardo_progress_end(e->command->ear);
    if (!e->first || !e->result)
        goto done;
    /* What a study that failed came to is told all the same; its own error is the one that is. */
    if (status != CARDO_OK)
        tell(e, NULL);
    else
        CARDO_TRY(tell(e, error));
    if (status == CARDO_OK)
        status = judge(e, error);
done:
    return status;
}

/* Of a member that was lost: what there is to go on from. */
static cardo_status add_remedy(const errand *e, cardo_status status, cardo_error *error)
{
    char reason[CARDO_ERROR_MESSAGE_SIZE];
    if (status != CARDO_ERROR_LOST || !e->first || !e->home.files ||
        !cardo_files_kept(e->home.files) || !error)
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
    ear->study = e->verb->study;
    ear->opening = e->verb->opening;
    ear->say_part = e->verb->say_part;
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

static bool has(const cardo_command *command, const char *option)
{
    return option && cardo_command_has(command, option);
}

/* Files on the command line, of a study that takes some. */
static cardo_status count_files(const cardo_command *command, cardo_error *error)
{
    const cardo_study_verb *verb = command->verb->study;
    const cardo_study *study = cardo_study_find(verb->study);
    const cardo_study_names *names = &verb->named;
    const bool named = !names->needed || has(command, names->table) ||
                       has(command, names->structures) || has(command, names->model);
    if (has(command, "continue") && has(command, "out")) /* they stand in the run's own command */
        return CARDO_OK;
    if (named && cardo_study_takes(study, command->nargument - !cardo_study_takes_files(study)))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_USAGE, "%s: cardo %s %s", verb->wants, command->verb->name,
                      command->verb->synopsis);
}

cardo_status cardo_study_verb_run(const cardo_command *command, cardo_error *error)
{
    const cardo_study_verb *verb = command->verb->study;
    errand e = {.command = command, .verb = verb, .study = cardo_study_find(verb->study)};
    const bool shared = e.verb->processes != 0;
    int n = e.verb->processes == CARDO_ONE_A_CORE ? 0 : 1;
    cardo_status status = count_files(command, error);
    if (status == CARDO_OK && shared)
        status = count_processes(command, n == 0, &n, error);
    if (status == CARDO_OK)
        status = shared ? cardo_parallel_run(n, work, &e, error) : work(NULL, &e, error);
    cardo_result_destroy(e.result);
    cardo_session_close(e.session);
    cardo_named_files_close(e.named);
    cardo_home_close(&e.home);
    return status;
}
