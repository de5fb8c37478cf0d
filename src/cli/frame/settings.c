#include "cli/frame/settings.h"

#include <cardo/study.h>
#include <cardo/text.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cardo_option_setting(const cardo_verb *verb, const cardo_option *option,
                                 char text[CARDO_SETTING_NAME])
{
    if (!option->sets || !strchr(option->sets, '.'))
        return NULL;
    snprintf(text, CARDO_SETTING_NAME, "%s%s", option->sets[0] == '.' ? verb->name : "",
             option->sets);
    return text;
}

/* The field that an option ".timestep" sets, by the tables of the verb's help; NULL: it sets none. */
static const cardo_field *find_field(const cardo_verb *verb, const char *sets)
{
    for (const cardo_option_group *group = cardo_verb_groups(verb); group->title; ++group) {
        const cardo_field *field =
            sets[0] == '.' ? cardo_fields_find(group->fields, sets + 1) : NULL;
        if (field)
            return field;
    }
    return NULL;
}

/* On a command line a time says its unit: people write steps in fs, files have them in ps. */
static cardo_status check_unit(const cardo_verb *verb, const cardo_option *option,
                               const char *value, cardo_error *error)
{
    const cardo_field *field = value ? find_field(verb, option->sets) : NULL;
    if (!field || !field->unit || strcmp(field->unit, "ps") != 0 || !cardo_unit_is_missing(value))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                      "--%s %s: is that %s fs or %s ps? Write --%s %sfs or --%s %sps", option->name,
                      value, value, value, option->name, value, option->name, value);
}

cardo_status cardo_setting_list_add(cardo_setting_list *list, const char *name, const char *value,
                                    cardo_error *error)
{
    const size_t size = strlen(name) + strlen(value) + 2;
    char *own = list->count < CARDO_MOST_GIVEN ? malloc(size) : NULL;
    if (!own)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for %s=%s", name, value);
    snprintf(own, size, "%s=%s", name, value);
    list->own[list->count] = own;
    list->text[list->count++] = own;
    return CARDO_OK;
}

cardo_status cardo_command_settings(const cardo_command *command, cardo_setting_list *list,
                                    cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char name[CARDO_SETTING_NAME];
    *list = (cardo_setting_list){0};
    for (int k = 0; k < command->ngiven && status == CARDO_OK; ++k) {
        const cardo_option *option = command->given[k].option;
        const char *value = command->given[k].value;
        if (cardo_option_setting(command->verb, option, name)) {
            status = check_unit(command->verb, option, value, error);
            if (status == CARDO_OK)
                status = cardo_setting_list_add(list, name, value ? value : "yes", error);
        } else if (strcmp(option->name, "set") == 0)
            list->text[list->count++] = value;
    }
    return status;
}

/* Values of an option that may be repeated, before the k-th of those that were given. */
static bool is_repeated(const cardo_command *command, int k)
{
    for (int i = 0; i < k; ++i)
        if (command->given[i].option == command->given[k].option)
            return true;
    return false;
}

/* "forcefield+": all values of the option, with commas between. */
static cardo_status put_list(const cardo_command *command, const cardo_option *option,
                             cardo_setting_list *list, cardo_error *error)
{
    char name[CARDO_SETTING_NAME], text[CARDO_FIELD_TEXT_SIZE] = "";
    const char *value[CARDO_MOST_GIVEN];
    const int n = cardo_command_values(command, option->name, value);
    for (int k = 0; k < n; ++k) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", used ? "," : "", value[k]);
    }
    snprintf(name, sizeof name, "%.*s", (int)strlen(option->sets) - 1, option->sets);
    return cardo_setting_list_add(list, name, text, error);
}

/* "domains.window=7" as "window=7". */
static const char *without_element(const cardo_verb *verb, const char *text)
{
    const size_t n = strlen(verb->name);
    return strncmp(text, verb->name, n) == 0 && text[n] == '.' ? text + n + 1 : text;
}

cardo_status cardo_command_own(const cardo_command *command, cardo_setting_list *list,
                               cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *list = (cardo_setting_list){0};
    for (int k = 0; k < command->ngiven && status == CARDO_OK; ++k) {
        const cardo_option *option = command->given[k].option;
        const char *name = option->sets, *value = command->given[k].value;
        if (!name || strchr(name, '.'))
            continue;
        if (strcmp(name, "=") == 0)
            list->text[list->count++] = without_element(command->verb, value);
        else if (!value && strchr(name, '='))
            list->text[list->count++] = name;
        else if (name[strlen(name) - 1] != '+')
            status = cardo_setting_list_add(list, name, value ? value : "yes", error);
        else if (!is_repeated(command, k))
            status = put_list(command, option, list, error);
    }
    return status;
}

void cardo_setting_list_clear(cardo_setting_list *list)
{
    for (int k = 0; k < list->count; ++k)
        free(list->own[k]);
    *list = (cardo_setting_list){0};
}

/* Whether a message begins with this setting; what the word goes on with then is no part of it. */
static bool is_about(const char *message, const char *setting, size_t length)
{
    return length > 0 && strncmp(message, setting, length) == 0 &&
           strchr("=: ", message[length]) != NULL;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || c == '-';
}

/* How much of a text is a setting, "sample.from=0": element, name, and a value of at least one character. */
static size_t setting_length(const char *text)
{
    size_t element = 0, name = 0, value = 0;
    while (is_word(text[element]))
        ++element;
    if (element == 0 || text[element] != '.')
        return 0;
    while (is_word(text[element + 1 + name]))
        ++name;
    if (name == 0 || text[element + 1 + name] != '=')
        return 0;
    value = strcspn(text + element + name + 2, " ,;)\"");
    return value > 0 ? element + name + 2 + value : 0;
}

void cardo_spell_settings(char *message, size_t size)
{
    static const char set[] = "--set ";
    const size_t extra = sizeof set - 1;
    for (char *at = message; *at; ++at) {
        const bool begins =
            at > message && strchr(" (", at[-1]) &&
            !(at - message >= (ptrdiff_t)extra && strncmp(at - extra, set, extra) == 0);
        const size_t length = begins ? setting_length(at) : 0, rest = strlen(at) + 1;
        if (length == 0 || (size_t)(at - message) + rest + extra > size)
            continue;
        memmove(at + extra, at, rest);
        memcpy(at, set, extra);
        at += extra + length - 1;
    }
}

void cardo_spell_studies(char *text)
{
    static const char said[] = "the study ", typed[] = "cardo ";
    char name[CARDO_SETTING_NAME];
    for (char *at = text; (at = strstr(at, said)); ++at) {
        const char *word = at + sizeof said - 1;
        size_t n = 0;
        while (is_word(word[n]))
            ++n;
        snprintf(name, sizeof name, "%.*s", (int)n, word);
        if (!cardo_study_find(name))
            continue;
        memcpy(at, typed, sizeof typed - 1);
        memmove(at + sizeof typed - 1, word, strlen(word) + 1);
    }
}

/* Whether a message begins with what an option of its own name says to the study: "keep=...". */
static bool is_own(const cardo_option *option, const char *message)
{
    const size_t n = strlen(option->name);
    return option->sets && strncmp(option->sets, option->name, n) == 0 &&
           strncmp(message, option->name, n) == 0 && message[n] == '=';
}

/* The option of a verb that begins here as "keep=" or, of a flag, "force=yes"; *n: so long is that. No setting. */
static const cardo_option *find_proposed(const cardo_verb *verb, const char *text, size_t *n)
{
    for (const cardo_option *option = verb->options; option->name; ++option) {
        const size_t name = strlen(option->name);
        const char *value = option->argument ? "=" : "=yes";
        *n = name + strlen(value);
        const bool own = option->sets ? !strchr(option->sets, '.') : !verb->study;
        if (own && strncmp(text, option->name, name) == 0 &&
            strncmp(text + name, value, strlen(value)) == 0 && text[*n] != '"')
            return option;
    }
    return NULL;
}

void cardo_print_spelt(FILE *stream, const cardo_verb *verb, const char *text)
{
    size_t n = 0;
    for (const char *at = text; *at; at += n) {
        const bool begins = at > text && strchr(" (", at[-1]);
        const cardo_option *option = begins ? find_proposed(verb, at, &n) : NULL;
        if (option) {
            fprintf(stream, "--%s%s", option->name, option->argument ? " " : "");
        } else {
            fputc(*at, stream);
            n = 1;
        }
    }
}

void cardo_spell_options(const cardo_verb *verb, cardo_error *error)
{
    char text[CARDO_ERROR_MESSAGE_SIZE] = "";
    FILE *stream = fmemopen(text, sizeof text - 1, "w");
    if (!stream)
        return;
    cardo_print_spelt(stream, verb, error->message);
    fclose(stream);
    memcpy(error->message, text, sizeof text);
}

void cardo_command_blame(const cardo_command *command, cardo_error *error)
{
    char name[CARDO_SETTING_NAME], rest[CARDO_ERROR_MESSAGE_SIZE];
    cardo_spell_settings(error->message, sizeof error->message);
    cardo_spell_studies(error->message);
    cardo_spell_options(command->verb, error);
    for (int k = 0; k < command->ngiven; ++k) {
        const cardo_option *option = command->given[k].option;
        const char *setting = cardo_option_setting(command->verb, option, name);
        if (setting && is_about(error->message, setting, strlen(setting))) {
            snprintf(rest, sizeof rest, "%s", error->message + strlen(setting));
            snprintf(error->message, sizeof error->message, "--%s%.*s", option->name,
                     CARDO_ERROR_MESSAGE_SIZE - CARDO_SETTING_NAME, rest);
            return;
        }
        if (is_own(option, error->message)) {
            cardo_error_prefix(error, "--");
            return;
        }
        setting = strcmp(option->name, "set") == 0 ? command->given[k].value : NULL;
        if (setting && option->sets)
            setting = without_element(command->verb, setting);
        if (setting && is_about(error->message, setting, strcspn(setting, "="))) {
            cardo_error_prefix(error, "--set ");
            return;
        }
    }
}
