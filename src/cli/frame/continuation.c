#include "cli/frame/continuation.h"

#include "cli/frame/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORDS = 4 * CARDO_MOST_GIVEN };

/* Cuts a command line as run.json has it into words, in place: blanks part them, quotes hold them together. */
static int cut_words(char *text, char **words)
{
    int n = 0;
    char *to = text;
    for (const char *from = text; *from;) {
        bool quoted = false;
        from += strspn(from, " ");
        if (!*from || n == MOST_WORDS)
            break;
        words[n++] = to;
        for (; *from && (quoted || *from != ' '); ++from) {
            if (*from == '\'')
                quoted = !quoted;
            else if (*from == '\\' && !quoted && from[1])
                *to++ = *++from;
            else
                *to++ = *from;
        }
        from += *from == ' ';
        *to++ = '\0';
    }
    return n;
}

/* Said for one invocation; the next one says it again or not. */
static bool is_passing(const char *option)
{
    static const char *const names[] = {"out",  "continue", "force",     "quiet",
                                        "json", "at",       "processes", NULL};
    for (int k = 0; names[k]; ++k)
        if (strcmp(names[k], option) == 0)
            return true;
    return false;
}

/* The NAME that "NAME=VALUE" of --set or an option that is short for one sets, and the value; false: it is neither. */
static bool set_name(const cardo_verb *verb, const cardo_option *option, const char *value,
                     char name[CARDO_SETTING_NAME], const char **set)
{
    const char *equals = value ? strchr(value, '=') : NULL;
    *set = value;
    if (cardo_option_setting(verb, option, name))
        return true;
    if (strcmp(option->name, "set") != 0 || !equals)
        return false;
    snprintf(name, CARDO_SETTING_NAME, "%.*s", (int)(equals - value), value);
    *set = equals + 1;
    return true;
}

/* The value that a command gives to a name of --set, the last one, or NULL. */
static const char *find_set(const cardo_command *command, const char *name)
{
    const char *found = NULL, *value;
    char one[CARDO_SETTING_NAME];
    for (int k = 0; k < command->ngiven; ++k)
        if (set_name(command->verb, command->given[k].option, command->given[k].value, one,
                     &value) &&
            strcmp(one, name) == 0)
            found = value;
    return found;
}

static bool is_given_anew(const cardo_command *present, const cardo_option *option,
                          const char *value)
{
    const char *set;
    char name[CARDO_SETTING_NAME];
    return set_name(present->verb, option, value, name, &set)
               ? find_set(present, name) != NULL
               : cardo_command_has(present, option->name);
}

/* Elements whose attributes make the model: what they say of a run that goes on is known by its own command alone. */
static bool makes_model(const char *name)
{
    return strncmp(name, "model.", 6) == 0 || strncmp(name, "structure.", 10) == 0 ||
           strncmp(name, "path.", 5) == 0;
}

static cardo_status check_model(const cardo_command *stored, const cardo_command *present,
                                const char *folder, cardo_error *error)
{
    for (int k = 0; k < present->ngiven; ++k) {
        const char *value;
        char name[CARDO_SETTING_NAME];
        if (!set_name(present->verb, present->given[k].option, present->given[k].value, name,
                      &value) ||
            !makes_model(name))
            continue;
        const char *before = find_set(stored, name);
        if (!before || strcmp(before, value) != 0)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s=%s cannot be set for the run in %s, which is continued as it was "
                              "begun, %s%s: leave it out, or begin another run with --out",
                              name, value, folder, before ? "with " : "without it",
                              before ? before : "");
    }
    return CARDO_OK;
}

/* --at and --from must be those of the beginning where they are said again. */
static cardo_status check_start(const cardo_command *stored, const cardo_command *present,
                                const char *folder, cardo_error *error)
{
    for (int k = 0; k < present->ngiven; ++k) {
        const char *option = present->given[k].option->name, *value = present->given[k].value;
        bool same = strcmp(option, "at") != 0 && strcmp(option, "from") != 0;
        for (int i = 0; i < stored->ngiven && !same; ++i)
            same = strcmp(stored->given[i].option->name, option) == 0 &&
                   strcmp(stored->given[i].value, value) == 0;
        if (!same)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "--%s %s sets where a run starts, and the one in %s goes on from its "
                              "checkpoint: leave it out, or begin another run with --out",
                              option, value, folder);
    }
    return CARDO_OK;
}

/* A path of the stored command as it is seen from here; NULL: as it stands. */
static cardo_status seen_from_here(const cardo_files *files, const char *path, char **out,
                                   cardo_error *error)
{
    const char *there = cardo_files_said(files, "command_folder");
    char *here = getcwd(NULL, 0);
    const bool moved = there && here && path[0] != '/' && strcmp(there, here) != 0;
    const size_t size = moved ? strlen(there) + strlen(path) + 2 : 0;
    free(here);
    *out = moved ? malloc(size) : NULL;
    if (*out)
        snprintf(*out, size, "%s/%s", there, path);
    return moved && !*out ? CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for a path")
                          : CARDO_OK;
}

static cardo_status add(cardo_command *command, const cardo_option *option, const char *value,
                        cardo_error *error)
{
    if (command->ngiven == CARDO_MOST_GIVEN)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "the run was begun with so many options that with those given anew there "
                          "are more than %d",
                          CARDO_MOST_GIVEN);
    command->given[command->ngiven].option = option;
    command->given[command->ngiven++].value = value;
    return CARDO_OK;
}

/* An option of the run's beginning. */
static cardo_status add_stored(cardo_continuation *self, const cardo_files *files,
                               const cardo_option *option, const char *value, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (strcmp(option->name, "from") == 0) {
        CARDO_TRY(seen_from_here(files, value, &self->from, error));
        value = self->from ? self->from : value;
    }
    status = add(&self->command, option, value, error);
done:
    return status;
}

static cardo_status merge(cardo_continuation *self, const cardo_files *files,
                          const cardo_command *stored, const cardo_command *present,
                          cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_command *both = &self->command;
    *both = (cardo_command){.verb = present->verb, .verbs = present->verbs, .ear = present->ear};
    const cardo_command *named = present->nargument > 0 ? present : stored;
    both->nargument = named->nargument;
    memcpy(both->argument, named->argument, sizeof both->argument);
    if (named == stored && stored->nargument == 1) {
        CARDO_TRY(seen_from_here(files, stored->argument[0], &self->model, error));
        both->argument[0] = self->model ? self->model : stored->argument[0];
    }
    for (int k = 0; k < stored->ngiven; ++k) {
        const cardo_option *option = stored->given[k].option;
        const char *value = stored->given[k].value;
        const bool start = strcmp(option->name, "at") == 0 || strcmp(option->name, "from") == 0;
        if (start || (!is_passing(option->name) && !is_given_anew(present, option, value)))
            CARDO_TRY(add_stored(self, files, option, value, error));
    }
    for (int k = 0; k < present->ngiven; ++k) {
        const char *name = present->given[k].option->name;
        if (strcmp(name, "at") != 0 && strcmp(name, "from") != 0)
            CARDO_TRY(add(both, present->given[k].option, present->given[k].value, error));
    }
done:
    return status;
}

static cardo_status take_command(cardo_continuation *self, const cardo_files *files,
                                 const cardo_command *present, cardo_error *error)
{
    cardo_status status;
    cardo_command stored;
    char *words[MOST_WORDS];
    const char *folder = cardo_files_path(files);
    const int n = cut_words(self->text, words);
    const cardo_verb *verb = present->verb;
    if (n < 2)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s/%s: its command is none of Cardo's: the run cannot be continued",
                          folder, "run.json");
    if (strcmp(words[1], verb->name) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: holds a run of cardo %s: cardo %s --continue goes on with it, --out "
                          "FOLDER goes elsewhere",
                          folder, words[1], words[1]);
    status = cardo_command_parse(verb, n - 2, words + 2, &stored, error);
    if (status != CARDO_OK)
        return cardo_error_prefix(error, "%s/%s: the command that began the run: ", folder,
                                  "run.json");
    CARDO_TRY(check_start(&stored, present, folder, error));
    CARDO_TRY(check_model(&stored, present, folder, error));
    status = merge(self, files, &stored, present, error);
done:
    return status;
}

cardo_status cardo_continuation_read(cardo_continuation *self, const cardo_files *files,
                                     const cardo_command *command, bool *known, cardo_error *error)
{
    const char *text = cardo_files_said(files, "command");
    *known = text != NULL;
    if (!text)
        return CARDO_OK;
    self->text = strdup(text);
    return self->text ? take_command(self, files, command, error)
                      : CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for the command");
}

void cardo_continuation_clear(cardo_continuation *self)
{
    free(self->text);
    free(self->model);
    free(self->from);
    *self = (cardo_continuation){0};
}
