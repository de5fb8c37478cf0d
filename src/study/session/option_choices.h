/* Words in a study's options that choose one of a kind, each with options of its own: integrator="langevin". */
#ifndef CARDO_STUDY_SESSION_OPTION_CHOICES_H
#define CARDO_STUDY_SESSION_OPTION_CHOICES_H

#include "base/field.h"

/* Those of the chosen one are a target as others are; those of all others may stand in the model file unread, so that
 * another one can be tried by its word alone. */
typedef struct cardo_option_choice {
    const char *name; /* of the option: "integrator" */
    const char *default_word;
    const char *(*word)(int k);          /* of the k-th of the kind; NULL after the last */
    const cardo_field *(*fields)(int k); /* its options, or NULL */
} cardo_option_choice;

extern const cardo_option_choice cardo_choice_of_integrator, cardo_choice_of_method;

#endif
