/* Field tables (cardo/field.h): adding an option is one row. */
#ifndef CARDO_BASE_FIELD_H
#define CARDO_BASE_FIELD_H

#include "base/status.h"
#include "base/text.h"
#include "cardo/field.h"

#include <stdio.h>

/* The last member of a row whose option may change: what is left out may not. */
#define CARDO_MAY_CHANGE true

/* A table and the struct that it fills: options are read into it, printed and compared from it. */
typedef struct cardo_option_target {
    const cardo_field *fields;
    void *object;
} cardo_option_target;

/* What a run that goes on must agree with: prints a line "PREFIXname value" for every member but those that may change.
 * fields may be NULL: nothing. */
void cardo_fields_identity(FILE *stream, const char *prefix, const cardo_field *fields,
                           const void *object);

/* Two texts of "key value" lines that must be the same: CARDO_ERROR_INPUT with the first line that
 * differs. path: where the stored one is, for the message. */
cardo_status cardo_compare_identities(const char *path, const char *stored, const char *present,
                                      cardo_error *error);

/* Shows the names of a table to who looks for a misspelling; fields may be NULL. */
void cardo_fields_near(const cardo_field *fields, cardo_near *near);

#endif
