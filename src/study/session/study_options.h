/* A study's options: the model file's element against the option tables of all that take part. */
#ifndef CARDO_STUDY_SESSION_STUDY_OPTIONS_H
#define CARDO_STUDY_SESSION_STUDY_OPTIONS_H

#include "model/model.h"

/* A table and the struct that it fills. */
typedef struct cardo_option_target {
    const cardo_field *fields;
    void *object;
} cardo_option_target;

/* The value of one option of the first study called verb, or NULL. */
const char *cardo_study_value(const cardo_model *model, const char *verb, const char *option);

/* Fills every target with defaults, then with the options of the first study called verb (a model
 * without one runs with the defaults). Each option goes to the tables that know it; names in skip
 * (NULL-terminated) are left to the caller. An unknown name is an error with file:line and the
 * nearest name of all tables. */
cardo_status cardo_study_options(const cardo_model *model, const char *verb, int ntarget,
                                 const cardo_option_target *targets, const char *const *skip,
                                 cardo_error *error);

#endif
