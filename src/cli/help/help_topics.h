/* What cardo help says besides what verbs do. */
#ifndef CARDO_CLI_HELP_HELP_TOPICS_H
#define CARDO_CLI_HELP_HELP_TOPICS_H

#include <cardo/field.h>

typedef struct cardo_help_topic {
    const char *name, *summary;
    const char *text;                   /* lines as they are printed */
    const cardo_field *(*fields)(void); /* options with defaults that follow, or NULL */
} cardo_help_topic;

/* Ends with a name of NULL. */
extern const cardo_help_topic cardo_help_topics[];

#endif
