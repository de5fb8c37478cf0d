/* A study's options: the model file's element against the option tables of all that take part. */
#ifndef CARDO_STUDY_SESSION_STUDY_OPTIONS_H
#define CARDO_STUDY_SESSION_STUDY_OPTIONS_H

#include "model/model.h"
#include "study/session/option_choices.h"

/* The value of one option of the first study called verb, or NULL. */
const char *cardo_study_value(const cardo_model *model, const char *verb, const char *option);

/* Fills every target with defaults, then with the options of the first study called verb (a model
 * without one runs with the defaults). Each option goes to the tables that know it. What may stand in the model file unread is
 * told by tables: targets whose object is NULL, and what the choices (NULL-terminated, or NULL) have for others than the
 * chosen ones. An unknown name is an error with file:line and the nearest name of all tables. */
cardo_status cardo_study_fill_options(const cardo_model *model, const char *verb, int ntarget,
                                      const cardo_option_target *targets,
                                      const cardo_option_choice *const *choices,
                                      cardo_error *error);

/* Of a message that begins with an option of the first study called verb, "steps=...": puts in front whose it is, a setting
 * ("sample.steps=..."), or the model file's with its line; nothing where neither names it. Returns the error's code. */
cardo_status cardo_study_blame(const cardo_model *model, const char *verb, const char *option,
                               cardo_error *error);

/* Which of a kind the first study called verb has chosen: *k of choice->word(k). A word that is none of the kind is an
 * error with the nearest one and all of them. */
cardo_status cardo_study_choose(const cardo_model *model, const char *verb,
                                const cardo_option_choice *choice, int *k, cardo_error *error);

/* Which of a kind a word means: *k of choice->word(k); else the error says which there are. */
cardo_status cardo_choice_find(const cardo_option_choice *choice, const char *word, int *k,
                               cardo_error *error);

#endif
