/* The command line against a verb's option table. */
#include "cli/frame/verb.h"
#include <cardo/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cardo_option *find_long(const cardo_verb *verb, const char *name, size_t length)
{
    for (const cardo_option *option = verb->options; option->name; ++option)
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
            return option;
    return NULL;
}

/* Letters that options had before, which scripts of that time use. */
static const struct {
    char letter;
    const char *name;
} former[] = {{'n', "processes"}};

static const cardo_option *find_letter(const cardo_verb *verb, char letter)
{
    for (const cardo_option *option = verb->options; option->name; ++option)
        if (option->letter == letter)
            return option;
    for (size_t k = 0; k < sizeof former / sizeof *former; ++k)
        if (former[k].letter == letter)
            return find_long(verb, former[k].name, strlen(former[k].name));
    return NULL;
}

static cardo_status unknown(const cardo_verb *verb, const char *word, cardo_error *error)
{
    const char *names[CARDO_MOST_GIVEN];
    int n = 0;
    for (const cardo_option *option = verb->options; option->name && n < CARDO_MOST_GIVEN - 1;
         ++option)
        names[n++] = option->name;
    names[n] = NULL;
    char bare[64] = "";
    strncat(bare, word + (word[1] == '-' ? 2 : 1), sizeof bare - 1);
    bare[strcspn(bare, "=")] = '\0';
    const char *near = cardo_nearest_name(bare, names);
    if (strncmp(word, "-j", 2) == 0)
        return CARDO_FAIL(
            error, CARDO_ERROR_USAGE,
            "cardo %s works in one process: there is no %s%s; --json prints JSON", verb->name, word,
            find_long(verb, "threads", 7) ? ", and --threads N sets its threads" : "");
    return CARDO_FAIL(error, CARDO_ERROR_USAGE, "there is no option %s%s%s%s; see cardo help %s",
                      word, near ? "; did you mean --" : "", near ? near : "", near ? "?" : "",
                      verb->name);
}

static cardo_status add_option(cardo_command *command, const cardo_option *option,
                               const char *attached, int count, char **words, int *k,
                               cardo_error *error)
{
    const char *value = attached;
    if (option->argument && !value) {
        if (*k + 1 >= count)
            return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--%s needs a value: %s", option->name,
                              option->argument);
        value = words[++*k];
    }
    if (!option->argument && attached)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--%s takes no value", option->name);
    if (command->ngiven == CARDO_MOST_GIVEN)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "more than %d options", CARDO_MOST_GIVEN);
    command->given[command->ngiven].option = option;
    command->given[command->ngiven++].value = value;
    return CARDO_OK;
}

cardo_status cardo_command_parse(const cardo_verb *verb, int count, char **words,
                                 cardo_command *command, cardo_error *error)
{
    *command = (cardo_command){.verb = verb};
    bool options_over = false;
    for (int k = 0; k < count; ++k) {
        const char *word = words[k];
        if (options_over || word[0] != '-' || word[1] == '\0') {
            if (command->nargument == CARDO_MOST_GIVEN)
                return CARDO_FAIL(error, CARDO_ERROR_USAGE, "more than %d arguments",
                                  CARDO_MOST_GIVEN);
            command->argument[command->nargument++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            options_over = true;
            continue;
        }
        const cardo_option *option;
        const char *attached = NULL;
        if (word[1] == '-') {
            size_t length = strcspn(word + 2, "=");
            option = find_long(verb, word + 2, length);
            if (word[2 + length] == '=')
                attached = word + 3 + length;
        } else {
            option = find_letter(verb, word[1]);
            if (word[2] != '\0')
                attached = word + 2;
        }
        if (!option)
            return unknown(verb, word, error);
        cardo_status status = add_option(command, option, attached, count, words, &k, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

const char *cardo_command_value(const cardo_command *command, const char *option)
{
    const char *value = NULL;
    for (int k = 0; k < command->ngiven; ++k)
        if (strcmp(command->given[k].option->name, option) == 0)
            value = command->given[k].value;
    return value;
}

bool cardo_command_has(const cardo_command *command, const char *option)
{
    for (int k = 0; k < command->ngiven; ++k)
        if (strcmp(command->given[k].option->name, option) == 0)
            return true;
    return false;
}

int cardo_command_values(const cardo_command *command, const char *option, const char **values)
{
    int n = 0;
    for (int k = 0; k < command->ngiven; ++k)
        if (strcmp(command->given[k].option->name, option) == 0)
            values[n++] = command->given[k].value;
    return n;
}

/* A word as a shell reads it back. */
static void put_word(FILE *stream, const char *word)
{
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; ++word)
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            fputc(*word, stream);
    fputc('\'', stream);
}

/* Of an invocation, not of the run. */
static bool is_passing(const char *option)
{
    return strcmp(option, "continue") == 0 || strcmp(option, "force") == 0;
}

cardo_status cardo_command_text(const cardo_command *command, char **text, cardo_error *error)
{
    char *words = NULL;
    size_t length;
    FILE *stream = open_memstream(&words, &length);
    *text = NULL;
    if (!stream)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for the command");
    fprintf(stream, "cardo %s", command->verb->name);
    for (int k = 0; k < command->nargument; ++k) {
        fputc(' ', stream);
        put_word(stream, command->argument[k]);
    }
    for (int k = 0; k < command->ngiven; ++k) {
        if (is_passing(command->given[k].option->name))
            continue;
        fprintf(stream, " --%s", command->given[k].option->name);
        if (command->given[k].value)
            fputc(' ', stream), put_word(stream, command->given[k].value);
    }
    if (fclose(stream) != 0) {
        free(words);
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for the command");
    }
    *text = words;
    return CARDO_OK;
}

const cardo_verb *cardo_verb_find(const cardo_verb *const *verbs, const char *name)
{
    for (const cardo_verb *const *verb = verbs; *verb; ++verb)
        if (strcmp((*verb)->name, name) == 0)
            return *verb;
    return NULL;
}

const cardo_option_group *cardo_verb_groups(const cardo_verb *verb)
{
    static const cardo_option_group none = {NULL, NULL};
    const cardo_study *study = verb->tables ? cardo_study_find(verb->tables) : NULL;
    return study ? cardo_study_option_groups(study) : &none;
}

int cardo_exit_status(cardo_status status)
{
    switch (status) {
    case CARDO_OK:
        return 0;
    case CARDO_ERROR_INPUT:
    case CARDO_ERROR_FILE:
    case CARDO_ERROR_UNSUPPORTED:
    case CARDO_ERROR_PROVIDER:
        return 1;
    case CARDO_ERROR_USAGE:
        return 2;
    case CARDO_ERROR_INTERRUPTED:
        return 130;
    default:
        return 3;
    }
}
