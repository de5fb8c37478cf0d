/* cardo help: the option tables as text, and what is made of them for manuals, shells and programs. */
#include "cli/frame/verb.h"
#include "cli/help/completion.h"
#include "cli/help/help_topics.h"
#include "cli/help/manual.h"
#include <cardo/cardo.h>

#include <stdio.h>
#include <string.h>

static void print_wrapped(const char *text, int indent, int width)
{
    int column = 0;
    while (*text) {
        int word = (int)strcspn(text, " ");
        if (column == 0)
            column = printf("%*s%.*s", indent, "", word, text);
        else if (column + 1 + word <= width)
            column += printf(" %.*s", word, text);
        else
            column = printf("\n%*s%.*s", indent, "", word, text) - 1;
        text += word;
        text += strspn(text, " ");
    }
    printf("\n");
}

static void print_option(const cardo_option *option)
{
    char letter[8] = "    ", text[80];
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(text, sizeof text, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    printf("  %s\n", text);
    print_wrapped(option->doc, 8, 96);
}

static void print_field(const cardo_field *field)
{
    printf("  %s=\"%s%s%s\"", field->name, field->default_value,
           field->unit && *field->unit && strcmp(field->unit, "%") != 0 ? " " : "",
           field->unit ? field->unit : "");
    for (int k = 0; field->choices && field->choices[k]; ++k)
        printf("%s%s", k ? " | " : "   one of ", field->choices[k]);
    printf("\n");
    char doc[1024];
    snprintf(doc, sizeof doc, "%s%s", field->doc, cardo_field_note(field));
    print_wrapped(doc, 8, 96);
}

static void print_verb(const cardo_verb *verb)
{
    printf("cardo %s %s\n\n", verb->name, verb->synopsis);
    print_wrapped(verb->description, 0, 96);
    if (verb->options->name)
        printf("\nOptions\n");
    for (const cardo_option *option = verb->options; option->name; ++option)
        print_option(option);
    for (const cardo_option_group *group = cardo_verb_groups(verb); group->title; ++group) {
        printf("\n%s (with their defaults)\n", group->title);
        for (const cardo_field *field = group->fields; field->name; ++field)
            print_field(field);
    }
}

static void print_overview(const cardo_verb *const *verbs)
{
    int width = 0;
    for (const cardo_verb *const *verb = verbs; *verb; ++verb)
        width = (int)strlen((*verb)->name) > width ? (int)strlen((*verb)->name) : width;
    printf("Cardo: domain-hinge dynamics of proteins in internal coordinates\n\n");
    for (const cardo_verb *const *verb = verbs; *verb; ++verb)
        printf("  cardo %-*s %s\n", width, (*verb)->name, (*verb)->summary);
    fputc('\n', stdout);
    for (const cardo_help_topic *topic = cardo_help_topics; topic->name; ++topic)
        printf("  cardo help %-12s %s\n", topic->name, topic->summary);
    printf(
        "\ncardo help COMMAND says more.\n"
        "Exit status: 0 done, 1 the input is wrong, 2 the command line is wrong, 3 numerical "
        "failure or\na process that was lost, 130 interrupted (143 by SIGTERM, 129 by SIGHUP).\n");
}

static void add_text(cardo_result *into, const char *name, const char *text)
{
    cardo_result_text(into, &(cardo_quantity){name}, text);
}

static void add_verb(cardo_result *list, const cardo_verb *verb)
{
    cardo_result *one = cardo_result_group(list, NULL);
    add_text(one, "name", verb->name);
    add_text(one, "synopsis", verb->synopsis);
    cardo_result *options = cardo_result_list(one, "options"),
                 *groups = cardo_result_list(one, "groups");
    for (const cardo_option *option = verb->options; option->name; ++option) {
        cardo_result *row = cardo_result_group(options, NULL);
        add_text(row, "name", option->name);
        add_text(row, "argument", option->argument);
        add_text(row, "doc", option->doc);
    }
    for (const cardo_option_group *group = cardo_verb_groups(verb); group->title; ++group) {
        cardo_result *row = cardo_result_group(groups, NULL);
        add_text(row, "title", group->title);
        cardo_result_fields(row, "fields", group->fields);
    }
}

/* All that can be said to the program, for programs. */
static cardo_status print_tables(const cardo_verb *const *verbs, cardo_error *error)
{
    cardo_result *all;
    cardo_status status = cardo_result_create(&all, error);
    cardo_result *commands = cardo_result_list(all, "commands"),
                 *integrators = cardo_result_list(all, "integrators");
    for (const cardo_verb *const *verb = verbs; *verb; ++verb)
        add_verb(commands, *verb);
    for (const cardo_integrator *const *i = cardo_integrator_list(); *i; ++i) {
        cardo_result *one = cardo_result_group(integrators, NULL);
        add_text(one, "name", cardo_integrator_name(*i));
        cardo_result_fields(one, "fields", cardo_integrator_options(*i));
    }
    cardo_result_fields(all, "forcefield", cardo_forcefield_option_list());
    if (status == CARDO_OK)
        status = cardo_result_status(all, error);
    if (status == CARDO_OK)
        status = cardo_result_print(all, "json", stdout, error);
    cardo_result_destroy(all);
    return status;
}

static const cardo_help_topic *find_topic(const char *name)
{
    for (const cardo_help_topic *topic = cardo_help_topics; topic->name; ++topic)
        if (strcmp(topic->name, name) == 0)
            return topic;
    return NULL;
}

static void print_topic(const cardo_help_topic *topic)
{
    printf("%s: %s\n\n%s", topic->name, topic->summary, topic->text);
    if (topic->fields)
        printf("\nOptions (with their defaults)\n");
    for (const cardo_field *field = topic->fields ? topic->fields() : NULL; field && field->name;
         ++field)
        print_field(field);
}

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    if (cardo_command_has(command, "completion"))
        return cardo_print_completion(cardo_command_value(command, "completion"), command->verbs,
                                      error);
    if (cardo_command_has(command, "man") && command->nargument == 0) {
        cardo_print_manual(command->verbs);
        return CARDO_OK;
    }
    if (cardo_command_has(command, "json"))
        return print_tables(command->verbs, error);
    if (command->nargument == 0) {
        print_overview(command->verbs);
        return CARDO_OK;
    }
    const cardo_verb *verb = cardo_verb_find(command->verbs, command->argument[0]);
    const cardo_help_topic *topic = find_topic(command->argument[0]);
    if (!verb && !topic)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "there is no command '%s'; see cardo help",
                          command->argument[0]);
    if (cardo_command_has(command, "man") && !verb)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "topics have no manual page; see cardo help %s",
                          topic->name);
    if (verb && cardo_command_has(command, "man"))
        cardo_print_verb_manual(verb);
    else if (verb)
        print_verb(verb);
    else
        print_topic(topic);
    return CARDO_OK;
}

static const cardo_option options[] = {
    {"man", 0, NULL, "print the manual page (roff), of the program or of a command"},
    {"completion", 0, "SHELL",
     "print what completes command lines in bash, zsh or fish: source <(cardo help --completion "
     "bash)"},
    {"json", 0, NULL, "print all option tables as JSON"},
    {0},
};

const cardo_verb cardo_verb_help = {
    .name = "help",
    .synopsis = "[COMMAND | TOPIC]",
    .summary = "say what a command does and which options it has",
    .description = "Prints what a command does, its options and the options of its study, from the "
                   "tables that the command line and the model file are read with; or about a "
                   "topic: model, forcefield, flexible, ligands, constraints, units.",
    .options = options,
    .run = run,
};
