#include "cli/opening.h"

#include "cli/interrupt.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Options that are short for --set. */
static const struct {
    const char *option, *name;
} shorthands[] = {
    {"platform", "forcefield.platform"},
    {"threads", "forcefield.threads"},
    {"provider", "forcefield.provider"},
    {"numbering", "structure.numbering"},
};

enum { SHORTHAND_COUNT = sizeof shorthands / sizeof *shorthands };

const char *cardo_setting_of_option(const char *option)
{
    for (int k = 0; k < SHORTHAND_COUNT; ++k)
        if (strcmp(shorthands[k].option, option) == 0)
            return shorthands[k].name;
    return NULL;
}

static void hear(void *user, cardo_severity severity, const char *about, const char *text)
{
    const bool quiet = user != NULL;
    if (severity == CARDO_SAID_REMARK)
        fprintf(stderr, "%s: %s\n", about, text);
    else if (severity == CARDO_SAID_WARNING)
        fprintf(stderr, "warning: %s\n", text);
    else if (!quiet && strcmp(about, "forcefield.table") == 0) {
        /* Verbs print other notes where they belong among their own lines. */
        printf("%s\n", text);
        fflush(stdout);
    }
}

static void advise(void *user, cardo_advice advice, const char *subject, char *text, size_t size)
{
    (void)user;
    if (advice == CARDO_ADVISE_HYDROGENS)
        snprintf(text, size, "cardo prepare %s --drop hydrogens -o NEW.pdb\n    places them anew",
                 subject);
    else
        snprintf(text, size,
                 "cardo minimize MODEL.xml and then --from MODEL.minimized/coordinates.csv, "
                 "another place (--at), another cut between the domains, or side chains and "
                 "strands that give way (<flexible>)");
}

static void show_progress(void *user, const char *about, long long done, long long of)
{
    (void)about;
    if (user)
        return;
    if (done == of)
        fputs(isatty(STDERR_FILENO) ? "\n" : "", stderr);
    else if (isatty(STDERR_FILENO) || done % 500 == 0)
        fprintf(stderr,
                isatty(STDERR_FILENO) ? "\rforce table: %lld evaluations"
                                      : "force table: %lld evaluations\n",
                done);
    fflush(stderr);
}

cardo_listener cardo_program_listener(bool quiet)
{
    static const char hushed[] = "quiet"; /* the user, where all that counts is that there is one */
    union {
        const char *text;
        void *user;
    } same = {quiet ? hushed : NULL};
    return (cardo_listener){.size = sizeof(cardo_listener),
                            .user = same.user,
                            .say = hear,
                            .progress = show_progress,
                            .advise = advise,
                            .stop = &cardo_interrupted};
}

/* --set and its shorthands as settings. */
typedef struct setting_list {
    const char *text[CARDO_MOST_GIVEN + SHORTHAND_COUNT];
    char shorthand[SHORTHAND_COUNT][64];
    int count;
} setting_list;

static void collect_settings(const cardo_command *command, setting_list *list)
{
    list->count = cardo_command_values(command, "set", list->text);
    for (int k = 0; k < SHORTHAND_COUNT; ++k) {
        const char *value = cardo_command_value(command, shorthands[k].option);
        if (!value)
            continue;
        snprintf(list->shorthand[k], sizeof list->shorthand[k], "%s=%s", shorthands[k].name, value);
        list->text[list->count++] = list->shorthand[k];
    }
}

static cardo_status open_pair(const cardo_command *command, cardo_session_options *options,
                              const cardo_listener *listener, cardo_session **session,
                              cardo_error *error)
{
    static const char *const label[] = {"structure.numbering=label"};
    cardo_read_options reading = {.model = 0};
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
                          "RESIDUES --mobile "
                          "RESIDUES",
                          command->verb->name);
    cardo_status status = cardo_reading_options(command, &reading, error);
    if (status != CARDO_OK)
        return status;
    options->nsetting = reading.label_numbering;
    options->setting = label;
    return cardo_session_open_pair(&pair, options, listener, session, error);
}

static cardo_status open_file(const cardo_command *command, cardo_session_options *options,
                              const cardo_listener *listener, cardo_session **session,
                              cardo_error *error)
{
    setting_list settings = {0};
    if (command->nargument != 1)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "cardo %s needs one model file: cardo %s %s",
                          command->verb->name, command->verb->name, command->verb->synopsis);
    collect_settings(command, &settings);
    options->nsetting = settings.count;
    options->setting = settings.text;
    cardo_status status =
        cardo_session_open(command->argument[0], options, listener, session, error);
    return status == CARDO_ERROR_USAGE ? cardo_error_prefix(error, "--set ") : status;
}

static cardo_status open_session(const cardo_command *command, cardo_session_options *options,
                                 bool quiet, cardo_session **session, cardo_error *error)
{
    const cardo_listener listener = cardo_program_listener(quiet);
    const bool pair =
        cardo_command_has(command, "stationary") || cardo_command_has(command, "mobile");
    options->size = sizeof *options;
    return pair ? open_pair(command, options, &listener, session, error)
                : open_file(command, options, &listener, session, error);
}

cardo_status cardo_command_begin(const cardo_command *command, bool need_forces, bool quiet,
                                 cardo_session **session, cardo_error *error)
{
    return open_session(
        command, &(cardo_session_options){.forces_optional = !need_forces, .model_alone = true},
        quiet, session, error);
}

cardo_status cardo_command_open(const cardo_command *command, bool need_forces,
                                cardo_session **session, cardo_error *error)
{
    const bool quiet = cardo_command_has(command, "quiet") || cardo_command_has(command, "json");
    return open_session(command, &(cardo_session_options){.forces_optional = !need_forces}, quiet,
                        session, error);
}
