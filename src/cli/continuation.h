/* What a run that is continued keeps from its beginning, as its run.json has it: the command line, the options, the
 * force field and the place where it started. */
#ifndef CARDO_CLI_CONTINUATION_H
#define CARDO_CLI_CONTINUATION_H

#include "cli/verb.h"
#include "io/results/json.h"
#include "study/session/session.h"
#include "study/session/study_options.h"

/* Zero-initialise. */
typedef struct cardo_continuation {
    cardo_json *stored; /* run.json; NULL: there is none */
    cardo_command
        command; /* with which the run was begun, and behind it what is said anew; borrows from the
                              present command and from what follows */
    char *text;  /* the words of the one that began it */
    char *model, *from; /* paths that were meant from another folder */
} cardo_continuation;

/* Reads FOLDER/run.json and puts the two commands together. Options of the present one come behind those of the run
 * and win; where a run starts, and what makes its model, cannot be said anew and is refused by name. A folder
 * without run.json, or with one that cannot be read, leaves stored NULL. */
cardo_status cardo_continuation_read(cardo_continuation *self, const char *folder,
                                     const cardo_command *command, cardo_error *error);

/* Refuses what differs from the run's own options and may not (cardo_field.may_change), by name: words such as the
 * integrator's name; the fields of ntarget tables; what the forces come from. Nothing is refused without stored. */
cardo_status cardo_continuation_check_word(const cardo_continuation *self, const char *name,
                                           const char *present, cardo_error *error);
cardo_status cardo_continuation_check(const cardo_continuation *self, const cardo_session *session,
                                      int ntarget, const cardo_option_target *targets,
                                      cardo_error *error);

/* Puts the session where the run started; placed: whether run.json says where. */
cardo_status cardo_continuation_place(const cardo_continuation *self, cardo_session *session,
                                      bool *placed, cardo_error *error);

void cardo_continuation_clear(cardo_continuation *self);

#endif
