/* Verbs of the program: each a const descriptor in a file of its own, listed in verbs.h.
 *
 * A verb's option table is what the command line is parsed with and what the help and the man page
 * print. */
#ifndef CARDO_CLI_FRAME_VERB_H
#define CARDO_CLI_FRAME_VERB_H

#include <cardo/status.h>
#include <cardo/study.h>

#include <stdbool.h>

/* One option; tables end with a row whose name is NULL. */
typedef struct cardo_option {
    const char *name;     /* "out": written --out                                    */
    char letter;          /* 'o', or 0                                               */
    const char *argument; /* "FOLDER" for options that take a value, NULL for flags   */
    const char *doc;
    /* What it is short for, NULL: nothing. "forcefield.platform" and ".steps", of the verb's own element: a setting in
     * place of what a model file says; "clashes": an option of a study that has no element there; "keep+": the same, to
     * which all values go that are given, with commas between; "=": the value says itself what it sets. Flags stand for
     * "yes", or for what they say: "relax=no" */
    const char *sets;
} cardo_option;

enum { CARDO_MOST_GIVEN = 128 };

struct cardo_verb;
struct cardo_ear;
struct cardo_study_verb;

/* A parsed command line. */
typedef struct cardo_command {
    const struct cardo_verb *verb;
    const struct cardo_verb *const *verbs; /* all of the program, NULL-terminated               */
    struct cardo_ear *ear; /* what hears the library (cli/frame/opening.h)            */
    int nargument;
    const char *argument[CARDO_MOST_GIVEN]; /* what is no option                            */
    int ngiven;
    struct {
        const cardo_option *option;
        const char *value;     /* NULL for flags                                               */
    } given[CARDO_MOST_GIVEN]; /* options in the order in which they came                  */
} cardo_command;

typedef struct cardo_verb {
    const char *name;
    const char *synopsis;    /* what follows the verb: "MODEL.xml [options]"            */
    const char *summary;     /* a few words                                             */
    const char *description; /* paragraphs for help and man page                        */
    const cardo_option *options;
    const char *tables; /* the study whose tables of options the help shows, or NULL    */
    const struct cardo_study_verb
        *study; /* of a verb that cardo_study_verb_run runs (cli/frame/study_verb.h) */
    cardo_status (*run)(const cardo_command *command, cardo_error *error);
} cardo_verb;

extern const cardo_verb cardo_verb_conformations, cardo_verb_distances, cardo_verb_handoff,
    cardo_verb_fetch, cardo_verb_prepare, cardo_verb_check, cardo_verb_domains, cardo_verb_info,
    cardo_verb_energy, cardo_verb_minimize, cardo_verb_simulate, cardo_verb_drive, cardo_verb_modes,
    cardo_verb_sample, cardo_verb_fit, cardo_verb_saxs, cardo_verb_study, cardo_verb_report,
    cardo_verb_list, cardo_verb_help, cardo_verb_version;

/* Tables of the help, ends with a title of NULL. */
const cardo_option_group *cardo_verb_groups(const cardo_verb *verb);

/* By name, in a NULL-terminated table; NULL: there is none. */
const cardo_verb *cardo_verb_find(const cardo_verb *const *verbs, const char *name);

/* Parses what follows the verb. CARDO_ERROR_USAGE for unknown options (with the nearest name),
 * missing or surplus values. "--" ends the options. */
cardo_status cardo_command_parse(const cardo_verb *verb, int count, char **words,
                                 cardo_command *command, cardo_error *error);

/* Was the option given? Its last value, or NULL. */
bool cardo_command_has(const cardo_command *command, const char *option);
const char *cardo_command_value(const cardo_command *command, const char *option);

/* All values of an option that may be repeated: at most CARDO_MOST_GIVEN; returns how many. */
int cardo_command_values(const cardo_command *command, const char *option, const char **values);

/* The command line that repeats a run, as a shell reads it; --continue and --force are of an invocation and not in it.
 * The caller owns *text. */
cardo_status cardo_command_text(const cardo_command *command, char **text, cardo_error *error);

/* Exit status of a failure: 1 the input, 2 the command line, 3 the numbers, 130 interrupted. */
int cardo_exit_status(cardo_status status);

#endif
