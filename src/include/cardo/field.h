/* Field tables: one row per member of a plain struct drives parsing, help, printing and saving.
 *
 * Options of studies and integrators are such structs: a host lists a table's rows for its help, and sets members by name
 * and text, as the model file's attributes and the command line do. */
#ifndef CARDO_FIELD_H
#define CARDO_FIELD_H

#include <cardo/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cardo_field_type {
    CARDO_FIELD_DOUBLE,
    CARDO_FIELD_INT,
    CARDO_FIELD_LONG,   /* long long                                                       */
    CARDO_FIELD_BOOL,   /* bool; written yes/no, also read true/false/1/0                   */
    CARDO_FIELD_CHOICE, /* int: index into choices                                         */
    CARDO_FIELD_STRING, /* char[CARDO_FIELD_STRING_SIZE]                                    */
    CARDO_FIELD_TEXT    /* char[CARDO_FIELD_TEXT_SIZE]: paths, lists                        */
} cardo_field_type;

enum { CARDO_FIELD_STRING_SIZE = 256, CARDO_FIELD_TEXT_SIZE = 4096 };

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

/* Sets every member of the struct to its row's default. */
CARDO_API void cardo_fields_default(const cardo_field *fields, void *object);

/* Sets the member called name from text, with range and choice checks; numbers may carry a unit
 * of the kind of the row's ("2 fs" or "2fs" where that is ps, "1 kcal/mol/A^2" where it is kJ/mol/nm^2). An unknown
 * name is CARDO_ERROR_INPUT with the nearest one suggested. */
CARDO_API cardo_status cardo_fields_set(const cardo_field *fields, void *object, const char *name,
                                        const char *text, cardo_error *error);

/* Writes a member's value as text that cardo_fields_set reads back exactly. */
CARDO_API void cardo_field_print(const cardo_field *field, const void *object, char *text,
                                 size_t size);

/* The row called name, or NULL. */
CARDO_API const cardo_field *cardo_fields_find(const cardo_field *fields, const char *name);

#ifdef __cplusplus
}
#endif

#endif
