/* Field tables: one row per member of a plain struct drives parsing, help, printing and saving.
 *
 * Options of studies and integrators are such structs. The model file's attributes, the command
 * line's
 * --set, the help text, the man page and the checkpoint all walk the same table, so adding an
 * option is one row. */
#ifndef CARDO_BASE_FIELD_H
#define CARDO_BASE_FIELD_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum cardo_field_type {
    CARDO_FIELD_DOUBLE,
    CARDO_FIELD_INT,
    CARDO_FIELD_LONG,   /* long long                                                       */
    CARDO_FIELD_BOOL,   /* bool; written yes/no, also read true/false/1/0                   */
    CARDO_FIELD_CHOICE, /* int: index into choices                                         */
    CARDO_FIELD_STRING  /* char[CARDO_FIELD_STRING_SIZE]                                    */
} cardo_field_type;

enum { CARDO_FIELD_STRING_SIZE = 256 };

/* One member. A table ends with a row whose name is NULL. */
typedef struct cardo_field {
    const char *name; /* key in model files, options and checkpoints: words-with-hyphens      */
    cardo_field_type type;
    size_t offset;    /* offsetof the member                                                 */
    const char *unit; /* "ps", "K", "" ...: printed in help                                  */
    const char *default_value;  /* as text; parsed by cardo_fields_default  */
    double minimum, maximum;    /* for numbers; both 0: unlimited    */
    const char *const *choices; /* for CARDO_FIELD_CHOICE: NULL-terminated */
    const char *doc; /* one line                                                            */
    bool may_change; /* another value than before may be given to a run that is continued */
} cardo_field;

/* The last member of a row whose option may change: what is left out may not. */
#define CARDO_MAY_CHANGE true

/* A table and the struct that it fills: options are read into it, printed and compared from it. */
typedef struct cardo_option_target {
    const cardo_field *fields;
    void *object;
} cardo_option_target;

/* Sets every member of the struct to its row's default. */
void cardo_fields_default(const cardo_field *fields, void *object);

/* Sets the member called name from text, with range and choice checks; numbers may carry the row's
 * unit after a blank ("2 fs" is understood where the unit is ps; also nm/A, ns/ps/fs). An unknown
 * name is CARDO_ERROR_INPUT with the nearest one suggested. */
cardo_status cardo_fields_set(const cardo_field *fields, void *object, const char *name,
                              const char *text, cardo_error *error);

/* Writes a member's value as text that cardo_fields_set reads back exactly. */
void cardo_field_print(const cardo_field *field, const void *object, char *text, size_t size);

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

/* The row called name, or NULL. */
const cardo_field *cardo_fields_find(const cardo_field *fields, const char *name);

#endif
