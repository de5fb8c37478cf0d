#include "cli/frame/opening.h"

#include "cli/frame/settings.h"
#include "cli/processes/interrupt.h"
#include <cardo/result_text.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void cardo_progress_end(cardo_ear *ear)
{
    if (!ear->about[0])
        return;
    cardo_progress_finish(&ear->progress);
    ear->about[0] = '\0';
}

static void take_pace(void *user, double time)
{
    cardo_ear *ear = user;
    cardo_progress_end(ear);
    ear->timestep = time;
}

static void hear(void *user, cardo_severity severity, const char *about, const char *text)
{
    cardo_ear *ear = user;
    char typed[8192];
    snprintf(typed, sizeof typed, "%s", text);
    cardo_spell_settings(typed, sizeof typed);
    cardo_spell_studies(typed);
    cardo_progress_end(ear);
    if (severity == CARDO_SAID_REMARK)
        fprintf(stderr, "%s: %s\n", about, typed);
    else if (severity == CARDO_SAID_WARNING)
        fprintf(stderr, "warning: %s\n", typed);
    else if (!ear->quiet && (strcmp(about, "forcefield.table") == 0 ||
                             (ear->study && strcmp(about, ear->study) == 0))) {
        /* Verbs print other notes where they belong among their own lines. */
        printf("%s\n", typed);
        fflush(stdout);
    }
}

static void open(void *user, const cardo_result *head)
{
    cardo_ear *ear = user;
    if (ear->quiet)
        return;
    const cardo_result *timestep = cardo_result_find(head, "timestep_ps");
    /* Of a time that is none nobody wants to know how much of it goes by in a day. */
    ear->timestep =
        timestep && !cardo_result_find(head, "time_is") ? cardo_result_as_doubles(timestep)[0] : 0;
    cardo_progress_end(ear);
    cardo_result_say(
        stdout, head,
        "{model}: {atoms} atoms in {bodies} bodies, {degrees_of_freedom} degrees of freedom\n");
    cardo_result_say_rows(stdout, cardo_result_find(head, "notes"), "NOTE: {structure}: {note}\n",
                          LLONG_MAX);
    cardo_result_say(
        stdout, head,
        ear->opening
            ? ear->opening
            : "forces: {engine}[, {solvent}][ with salt, kappa {kappa_per_nm}/nm], {method}\n");
    cardo_result_say(stdout, head, "[{choice}\n][{forces_judged/verdict}\n]");
    fflush(stdout);
}

static void advise(void *user, cardo_advice advice, const char *subject, char *text, size_t size)
{
    (void)user;
    if (advice == CARDO_ADVISE_HYDROGENS)
        snprintf(text, size, "cardo prepare %s --drop hydrogens -o NEW.pdb\n    places them anew",
                 subject);
    else if (advice == CARDO_ADVISE_GUESSES)
        snprintf(text, size,
                 "a coarse-grained energy, which needs C-alpha atoms alone: --forcefield %s; or go "
                 "on all the same with --allow-guesses",
                 subject);
    else if (advice == CARDO_ADVISE_NO_PREPARATION)
        snprintf(text, size,
                 "a coarse-grained energy needs C-alpha atoms alone: --forcefield %s; --no-prepare "
                 "leaves the file as it is, which is enough for cardo modes and cardo fit",
                 subject);
    else if (advice == CARDO_ADVISE_START_AT)
        snprintf(text, size, "--at %s", subject);
    else if (advice == CARDO_ADVISE_START_MINIMIZED)
        snprintf(text, size, "--from, with coordinates from cardo minimize");
    else
        snprintf(text, size,
                 "cardo minimize MODEL.xml and then --from MODEL.minimized/coordinates.csv, other "
                 "coordinates (--at), another cut between the domains, or side chains and strands "
                 "that give way (<flexible>)");
}

static void note_frame(void *user, const cardo_frame *frame)
{
    cardo_ear *ear = user;
    ear->progress.framed = true;
    ear->progress.potential = frame->potential;
    ear->progress.temperature = frame->temperature;
}

static void show_part(void *user, const cardo_result *part)
{
    cardo_ear *ear = user;
    if (ear->quiet || !ear->say_part)
        return;
    cardo_progress_end(ear);
    ear->say_part(part);
    fflush(stdout);
}

static void show_progress(void *user, const char *about, long long done, long long of)
{
    cardo_ear *ear = user;
    if (ear->quiet)
        return;
    /* What begins anew is another one of its kind, as a trial after a trial. */
    if (strcmp(ear->about, about) != 0 || done < ear->progress.told) {
        cardo_progress_end(ear);
        snprintf(ear->about, sizeof ear->about, "%s", about);
        const bool steps = strcmp(about, "step") == 0;
        cardo_progress_start(&ear->progress, done, of, steps ? ear->timestep : 0, false);
    }
    ear->progress.last = of;
    ear->progress.told = done;
    if (done == ear->progress.first) /* only now does the clock run */
        return;
    cardo_progress_tell(&ear->progress, done, about);
    if (done == of)
        cardo_progress_end(ear);
}

cardo_listener cardo_program_listener(cardo_ear *ear)
{
    return (cardo_listener){.size = sizeof(cardo_listener),
                            .user = ear,
                            .say = hear,
                            .begin = open,
                            .progress = show_progress,
                            .frame = note_frame,
                            .pace = take_pace,
                            .part = show_part,
                            .advise = advise,
                            .stop = &cardo_interrupted};
}

static cardo_status open_pair(const cardo_command *command, const cardo_session_options *options,
                              const cardo_listener *listener, cardo_session **session,
                              cardo_error *error)
{
    const cardo_session_pair pair = {.open = command->argument[0],
                                     .closed = command->argument[1],
                                     .stationary = cardo_command_value(command, "stationary"),
                                     .mobile = cardo_command_value(command, "mobile"),
                                     .hinge = cardo_command_value(command, "hinge"),
                                     .interpolation =
                                         cardo_command_value(command, "interpolation")};
    if (command->nargument != 2 || !pair.stationary || !pair.mobile)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "a pair of structures is given as cardo %s OPEN CLOSED --stationary "
                          "RESIDUES --mobile RESIDUES",
                          command->verb->name);
    return cardo_session_open_pair(&pair, options, listener, session, error);
}

static cardo_status open_file(const cardo_command *command, const cardo_session_options *options,
                              const cardo_listener *listener, cardo_session **session,
                              cardo_error *error)
{
    if (command->nargument != 1)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "cardo %s needs one model file: cardo %s %s",
                          command->verb->name, command->verb->name, command->verb->synopsis);
    return cardo_session_open(command->argument[0], options, listener, session, error);
}

cardo_status cardo_command_session(const cardo_command *command, cardo_session_options *options,
                                   bool quiet, cardo_session **session, cardo_error *error)
{
    const cardo_listener listener = cardo_program_listener(command->ear);
    const bool pair =
        cardo_command_has(command, "stationary") || cardo_command_has(command, "mobile");
    cardo_setting_list settings;
    cardo_status status = cardo_command_settings(command, &settings, error);
    command->ear->quiet = quiet;
    options->size = sizeof *options;
    options->nsetting = settings.count;
    options->setting = settings.text;
    if (status == CARDO_OK)
        status = pair ? open_pair(command, options, &listener, session, error)
                      : open_file(command, options, &listener, session, error);
    cardo_setting_list_clear(&settings);
    return status;
}

cardo_status cardo_command_begin(const cardo_command *command, bool need_forces, bool quiet,
                                 cardo_session **session, cardo_error *error)
{
    return cardo_command_session(
        command, &(cardo_session_options){.forces_optional = !need_forces, .model_alone = true},
        quiet, session, error);
}

cardo_status cardo_command_open(const cardo_command *command, bool need_forces,
                                cardo_session **session, cardo_error *error)
{
    const bool quiet = cardo_command_has(command, "quiet") || cardo_command_has(command, "json");
    return cardo_command_session(command, &(cardo_session_options){.forces_optional = !need_forces},
                                 quiet, session, error);
}
