/* What studies of files have in common: lists in an option, force fields by the names of their files, and what reading a
 * structure has met. */
#ifndef CARDO_STUDY_SESSION_INPUTS_H
#define CARDO_STUDY_SESSION_INPUTS_H

#include "cardo/listener.h"
#include "forces/ffxml/forcefield.h"
#include "structure/atoms/structure.h"

#include <stdbool.h>

/* Words of CARDO_FIELD_CHOICE for cardo_read_options.label_numbering. */
extern const char *const cardo_numbering_words[];

/* The next of several words with commas between, without blanks around it; false: there is none. *list moves past it. */
bool cardo_next_word(const char **list, char *word, size_t size);

/* A force field of files with commas between; those that are not found where they are named come with Cardo. The caller
 * owns *out. */
cardo_status cardo_forcefield_read_list(const char *list, cardo_forcefield **out,
                                        cardo_error *error);

/* Tells what reading has met (structure/records/remarks.h), by the structure's source. */
void cardo_tell_remarks(const cardo_listener *listener, const cardo_structure *structure);

#endif
