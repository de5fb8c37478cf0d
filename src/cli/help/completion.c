/* Completion of command lines: commands, their options, words that options and settings may have, names of settings, and files. Each shell
 * is a row of a table that writes the same facts in its language. */
#include "cli/help/completion.h"

#include "cli/frame/settings.h"
#include "cli/help/help_topics.h"
#include <cardo/cardo.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 128, WORDS = 512, MOST_SETTINGS = 400 };

/* A setting of a command, "simulate.ensemble", and the words that it may have with blanks between, or "". */
typedef struct setting {
    char name[NAME], words[WORDS];
} setting;
typedef struct setting_set {
    int count;
    setting row[MOST_SETTINGS];
} setting_set;

static void append(char words[WORDS], const char *word)
{
    const size_t length = strlen(words);
    if (*word && length + strlen(word) + 2 < WORDS)
        snprintf(words + length, WORDS - length, "%s%s", length ? " " : "", word);
}

static void add_setting(setting_set *set, const char *element, const cardo_field *field,
                        const cardo_study *study)
{
    char name[NAME];
    snprintf(name, sizeof name, "%s.%s", element, field->name);
    for (int k = 0; k < set->count; ++k)
        if (strcmp(set->row[k].name, name) == 0)
            return;
    if (set->count == MOST_SETTINGS)
        return;
    setting *new = &set->row[set->count++];
    *new = (setting){0};
    snprintf(new->name, sizeof new->name, "%s", name);
    for (int k = 0; field->choices && field->choices[k]; ++k)
        append(new->words, field->choices[k]);
    if (field->type == CARDO_FIELD_BOOL)
        append(new->words, "yes no");
    for (int c = 0; study && cardo_study_choice_name(study, c); ++c)
        if (strcmp(cardo_study_choice_name(study, c), field->name) == 0)
            for (int k = 0; cardo_study_choice_word(study, c, k); ++k)
                append(new->words, cardo_study_choice_word(study, c, k));
}

/* Those that its help lists, and those of the force field, of a command that takes settings. */
static void find_settings(const cardo_verb *verb, setting_set *set)
{
    const cardo_study *study = verb->tables ? cardo_study_find(verb->tables) : NULL;
    bool takes = false;
    set->count = 0;
    for (const cardo_option *option = verb->options; option->name; ++option)
        takes = takes || strcmp(option->name, "set") == 0;
    if (!takes)
        return;
    for (const cardo_option_group *group = cardo_verb_groups(verb); group->title; ++group)
        for (const cardo_field *field = group->fields; field->name && verb->tables; ++field)
            add_setting(set, verb->tables, field, study);
    for (int c = 0; study && cardo_study_choice_name(study, c); ++c)
        add_setting(set, verb->tables, &(cardo_field){.name = cardo_study_choice_name(study, c)},
                    study);
    for (const cardo_field *field = cardo_forcefield_option_list(); field->name; ++field)
        add_setting(set, "forcefield", field, NULL);
}

/* Words that an option may have: those of the setting that it is short for. */
static const char *words_of(const cardo_verb *verb, const cardo_option *option,
                            const setting_set *set)
{
    char text[CARDO_SETTING_NAME];
    const char *name = cardo_option_setting(verb, option, text);
    for (int k = 0; name && k < set->count; ++k)
        if (strcmp(set->row[k].name, name) == 0)
            return set->row[k].words;
    return "";
}

static bool takes_file(const cardo_option *option)
{
    return option->argument &&
           (strncmp(option->argument, "FILE", 4) == 0 ||
            strncmp(option->argument, "FOLDER", 6) == 0 || strchr(option->argument, '.') != NULL);
}

/* What a command's argument may be where it is no file: "[mobilizers|constraints]" of its synopsis, and of help what it helps with. */
static void find_arguments(const cardo_verb *verb, const cardo_verb *const *verbs,
                           char words[WORDS])
{
    words[0] = '\0';
    if (strcmp(verb->name, "help") == 0) {
        for (; *verbs; ++verbs)
            append(words, (*verbs)->name);
        for (const cardo_help_topic *topic = cardo_help_topics; topic->name; ++topic)
            append(words, topic->name);
        return;
    }
    if (verb->synopsis[0] != '[' || verb->synopsis[1] < 'a' || verb->synopsis[1] > 'z')
        return;
    char one[WORDS];
    for (const char *at = verb->synopsis + 1; *at && *at != ']';) {
        const size_t length = strcspn(at, "|]");
        snprintf(one, sizeof one, "%.*s", (int)length, at);
        append(words, one);
        at += length + (at[length] == '|');
    }
}

/* A text between the quotes of a shell, without letters that end them or mean something to it; zsh's brackets and colons too. */
static void print_quoted(const char *text)
{
    for (; *text; ++text)
        putchar(*text == '\'' || *text == '`'   ? ' '
                : *text == '[' || *text == ']'  ? '|'
                : *text == ':' || *text == '\\' ? ' '
                                                : *text);
}

/* ---- bash: words alone, which it has in pieces at "=" ---- */

static void bash_words(const char *pattern, const char *words)
{
    printf("        %s) words='%s' ;;\n", pattern, words);
}

static void bash_verb(const cardo_verb *verb, const cardo_verb *const *verbs,
                      const setting_set *set)
{
    char arguments[WORDS];
    find_arguments(verb, verbs, arguments);
    printf("    %s)\n        options='", verb->name);
    for (const cardo_option *option = verb->options; option->name; ++option)
        printf("--%s ", option->name);
    printf("'\n        arguments='%s'\n        case $option in\n", arguments);
    for (const cardo_option *option = verb->options; option->name; ++option) {
        char pattern[NAME];
        snprintf(pattern, sizeof pattern, option->letter ? "--%s|-%c" : "--%s", option->name,
                 option->letter);
        const char *words = words_of(verb, option, set);
        if (strcmp(option->name, "set") == 0)
            printf("        %s) settings=yes ;;\n", pattern);
        else if (*words)
            bash_words(pattern, words);
        else if (takes_file(option))
            printf("        %s) files=yes ;;\n", pattern);
        else if (option->argument)
            printf("        %s) nothing=yes ;;\n", pattern);
    }
    printf("        esac\n        names='");
    for (int k = 0; k < set->count; ++k)
        printf("%s= ", set->row[k].name);
    printf("'\n        case $name in\n");
    for (int k = 0; k < set->count; ++k)
        if (*set->row[k].words)
            bash_words(set->row[k].name, set->row[k].words);
    printf("        esac ;;\n");
}

static void print_bash(const cardo_verb *const *verbs, setting_set *set)
{
    printf("# Completion of cardo for bash, printed by cardo help --completion bash.\n_cardo() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} name=\n"
           "    local words= options= arguments= names= settings= files= nothing=\n"
           "    COMPREPLY=()\n    if [ \"$COMP_CWORD\" = 1 ]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W '");
    for (const cardo_verb *const *verb = verbs; *verb; ++verb)
        printf("%s ", (*verb)->name);
    printf("' -- \"$word\")\n        return\n    fi\n"
           "    # bash makes words of their own of \"=\" and what is on its sides\n"
           "    if [ \"$word\" = = ]; then\n        word=\n        name=$option\n"
           "        option=${COMP_WORDS[COMP_CWORD - 2]}\n"
           "    elif [ \"$option\" = = ]; then\n        name=${COMP_WORDS[COMP_CWORD - 2]}\n"
           "        option=${COMP_WORDS[COMP_CWORD - 3]}\n    fi\n"
           "    case $name in --*) option=$name name= ;; esac\n"
           "    case ${COMP_WORDS[1]} in\n");
    for (const cardo_verb *const *verb = verbs; *verb; ++verb) {
        find_settings(*verb, set);
        bash_verb(*verb, verbs, set);
    }
    printf("    esac\n    if [ -n \"$settings\" ] && [ -z \"$name\" ]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$names\" -- \"$word\")\n"
           "        compopt -o nospace\n        return\n    fi\n"
           "    [ -z \"$nothing\" ] || return\n"
           "    if [ -z \"$words$files$settings\" ]; then\n        words=$arguments\n"
           "        case $word in -*) words=$options ;; esac\n    fi\n"
           "    if [ -n \"$words\" ]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "    elif [ -z \"$settings\" ]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
           "        compopt -o filenames\n    fi\n}\ncomplete -F _cardo cardo\n");
}

/* ---- zsh: with what each word means ---- */

static void zsh_option(const cardo_verb *verb, const cardo_option *option, const char *written,
                       const setting_set *set)
{
    printf("            '*%s[", written);
    print_quoted(option->doc);
    printf("]");
    const char *words = words_of(verb, option, set);
    if (option->argument) {
        printf(":");
        print_quoted(option->argument);
        if (strcmp(option->name, "set") == 0)
            printf(":_cardo_settings_%s", verb->name);
        else if (*words)
            printf(":(%s)", words);
        else
            printf(":%s", takes_file(option) ? "_files" : " ");
    }
    printf("' \\\n");
}

static void zsh_settings(const cardo_verb *verb, const setting_set *set)
{
    printf("_cardo_settings_%s() {\n    if compset -P '*='; then\n        case $IPREFIX in\n",
           verb->name);
    for (int k = 0; k < set->count; ++k)
        if (*set->row[k].words)
            printf("        *%s=) compadd -- %s ;;\n", set->row[k].name, set->row[k].words);
    printf("        esac\n    else\n        compadd -S '' --");
    for (int k = 0; k < set->count; ++k)
        printf(" %s=", set->row[k].name);
    printf("\n    fi\n}\n");
}

static void print_zsh(const cardo_verb *const *verbs, setting_set *set)
{
    printf(
        "#compdef cardo\n# Completion of cardo for zsh, printed by cardo help --completion zsh.\n");
    for (const cardo_verb *const *verb = verbs; *verb; ++verb) {
        find_settings(*verb, set);
        if (set->count)
            zsh_settings(*verb, set);
    }
    printf("_cardo() {\n    local context state state_descr line\n    typeset -A opt_args\n"
           "    _arguments -C '1:command:->command' '*::argument:->argument'\n"
           "    case $state in\n    command)\n        local -a commands=(\n");
    for (const cardo_verb *const *verb = verbs; *verb; ++verb) {
        printf("            '%s:", (*verb)->name);
        print_quoted((*verb)->summary);
        printf("'\n");
    }
    printf("        )\n        _describe command commands ;;\n    argument)\n        case $line[1] "
           "in\n");
    for (const cardo_verb *const *verb = verbs; *verb; ++verb) {
        char words[WORDS], written[NAME];
        find_settings(*verb, set);
        find_arguments(*verb, verbs, words);
        printf("        %s) _arguments \\\n", (*verb)->name);
        for (const cardo_option *option = (*verb)->options; option->name; ++option) {
            snprintf(written, sizeof written, "--%s%s", option->name, option->argument ? "=" : "");
            zsh_option(*verb, option, written, set);
            snprintf(written, sizeof written, "-%c%s", option->letter, option->argument ? "+" : "");
            if (option->letter)
                zsh_option(*verb, option, written, set);
        }
        if (*words)
            printf("            '*:argument:(%s)' ;;\n", words);
        else
            printf("            '*:file:_files' ;;\n");
    }
    printf("        esac ;;\n    esac\n}\n"
           "if [ \"$funcstack[1]\" = _cardo ]; then\n    _cardo \"$@\"\nelse\n    compdef _cardo "
           "cardo\nfi\n");
}

/* ---- fish: a line for each fact ---- */

static void fish_words(const cardo_verb *verb, const cardo_option *option, const setting_set *set)
{
    const char *words = words_of(verb, option, set);
    if (strcmp(option->name, "set") == 0) {
        printf(" -x -a '");
        for (int k = 0; k < set->count; ++k) {
            char all[WORDS];
            snprintf(all, sizeof all, "%s", set->row[k].words);
            char *rest = NULL;
            printf("%s= ", set->row[k].name);
            for (char *word = strtok_r(all, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
                printf("%s=%s ", set->row[k].name, word);
        }
        printf("'");
    } else if (*words)
        printf(" -x -a '%s'", words);
    else if (option->argument)
        printf(takes_file(option) ? " -r -F" : " -x");
}

static void print_fish(const cardo_verb *const *verbs, setting_set *set)
{
    printf("# Completion of cardo for fish, printed by cardo help --completion fish.\n");
    for (const cardo_verb *const *verb = verbs; *verb; ++verb) {
        printf("complete -c cardo -n __fish_use_subcommand -f -a %s -d '", (*verb)->name);
        print_quoted((*verb)->summary);
        printf("'\n");
    }
    for (const cardo_verb *const *verb = verbs; *verb; ++verb) {
        char words[WORDS];
        find_settings(*verb, set);
        find_arguments(*verb, verbs, words);
        for (const cardo_option *option = (*verb)->options; option->name; ++option) {
            printf("complete -c cardo -n '__fish_seen_subcommand_from %s' -l %s", (*verb)->name,
                   option->name);
            if (option->letter)
                printf(" -s %c", option->letter);
            fish_words(*verb, option, set);
            printf(" -d '");
            print_quoted(option->doc);
            printf("'\n");
        }
        if (*words)
            printf("complete -c cardo -n '__fish_seen_subcommand_from %s' -f -a '%s'\n",
                   (*verb)->name, words);
    }
}

static const struct {
    const char *name;
    void (*print)(const cardo_verb *const *verbs, setting_set *set);
} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

cardo_status cardo_print_completion(const char *shell, const cardo_verb *const *verbs,
                                    cardo_error *error)
{
    for (size_t k = 0; k < sizeof shells / sizeof *shells; ++k) {
        if (strcmp(shell, shells[k].name) != 0)
            continue;
        setting_set *set = malloc(sizeof *set);
        if (!set)
            return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for the names of settings");
        shells[k].print(verbs, set);
        free(set);
        return CARDO_OK;
    }
    return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                      "there is no completion for %s; there are bash, zsh, fish", shell);
}
