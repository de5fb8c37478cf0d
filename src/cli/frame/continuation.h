/* The command of a run that is continued: how it was begun, as its record has it, and what is said anew. */
#ifndef CARDO_CLI_FRAME_CONTINUATION_H
#define CARDO_CLI_FRAME_CONTINUATION_H

#include "cli/frame/verb.h"
#include <cardo/files.h>

/* Zero-initialise. */
typedef struct cardo_continuation {
    cardo_command
        command; /* with which the run was begun, and after it what is said anew; borrows from the present
                              command and from what follows */
    char *text;         /* the words of the one that began it */
    char *model, *from; /* paths that were meant from another folder */
} cardo_continuation;

/* Puts the two commands together. Options of the present one come after those of the run
 * and win; where a run starts, and what makes its model, cannot be said anew and is refused by name. known: the run's
 * record has its command; else nothing is done. */
cardo_status cardo_continuation_read(cardo_continuation *self, const cardo_files *files,
                                     const cardo_command *command, bool *known, cardo_error *error);

void cardo_continuation_clear(cardo_continuation *self);

#endif
