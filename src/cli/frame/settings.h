/* What the options of a command say to the library: settings in place of what a model file says, and options of a study;
 * and messages about them as they are typed. */
#ifndef CARDO_CLI_FRAME_SETTINGS_H
#define CARDO_CLI_FRAME_SETTINGS_H

#include "cli/frame/verb.h"

#include <stdio.h>

/* The setting that an option of a verb is short for, "simulate.steps"; NULL: it is none. Returns text. */
enum { CARDO_SETTING_NAME = 64 };
const char *cardo_option_setting(const cardo_verb *verb, const cardo_option *option,
                                 char text[CARDO_SETTING_NAME]);

/* Texts "name=value" in the order in which they came. */
typedef struct cardo_setting_list {
    int count;
    const char *text[CARDO_MOST_GIVEN];
    char *own[CARDO_MOST_GIVEN]; /* the texts that were put together, or NULL */
} cardo_setting_list;

/* All settings of a command, "simulate.steps=1000": those of --set and those that options are short for; and what options
 * say to the study alone, "clashes=yes". Clear *list also after a failure. */
cardo_status cardo_command_settings(const cardo_command *command, cardo_setting_list *list,
                                    cardo_error *error);
cardo_status cardo_command_own(const cardo_command *command, cardo_setting_list *list,
                               cardo_error *error);
/* Adds "name=value". */
cardo_status cardo_setting_list_add(cardo_setting_list *list, const char *name, const char *value,
                                    cardo_error *error);
void cardo_setting_list_clear(cardo_setting_list *list);

/* Of a message that begins with a setting of the command: it is the option's that gave it, "--set simulate.steps=x ...",
 * "--steps=x ...". Settings that it proposes are spelt as they are typed, "--set sample.from=0". */
void cardo_command_blame(const cardo_command *command, cardo_error *error);
/* The same of any text of the library, in its place as far as there is room. */
void cardo_spell_settings(char *text, size_t size);
/* "the study minimize", as a text of the library has it, becomes "cardo minimize". */
void cardo_spell_studies(char *text);
/* Prints a text of the library in which options of a verb stand as a study knows them, "(keep=water keeps it)", as they are typed:
 * "--keep water". */
void cardo_print_spelt(FILE *stream, const cardo_verb *verb, const char *text);
/* The same of a message. */
void cardo_spell_options(const cardo_verb *verb, cardo_error *error);

#endif
