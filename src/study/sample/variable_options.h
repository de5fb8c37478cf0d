/* The variable of a study as the model file writes it: variable="distance" a="A:1-90" b="...". */
#ifndef CARDO_STUDY_SAMPLE_VARIABLE_OPTIONS_H
#define CARDO_STUDY_SAMPLE_VARIABLE_OPTIONS_H

#include "sampling/variables/variable.h"
#include "study/session/session.h"

typedef struct cardo_variable_options {
    int kind;                                 /* index into cardo_variable_kinds */
    char coordinate[CARDO_FIELD_STRING_SIZE]; /* BODY or BODY.K; "": the only one */
    char group[CARDO_VARIABLE_MAX_GROUPS][CARDO_FIELD_STRING_SIZE];
    char reference[CARDO_FIELD_STRING_SIZE]; /* id of a structure; "": the last one */
} cardo_variable_options;

extern const cardo_field cardo_variable_fields[];

/* The variable of the session's system that the options mean; selections are of the model's first
 * structure, centres weighted by the force field's masses (standard ones where there are none).
 * Options that are missing, or that the kind has no use for, and selections that mean nothing are
 * CARDO_ERROR_INPUT. The caller owns *out. */
cardo_status cardo_variable_from_options(const cardo_session *session,
                                         const cardo_variable_options *options,
                                         cardo_variable **out, cardo_error *error);

#endif
