/* A writer (base/writer.h) of a study that writes no folder but a table, a trajectory or both, into files that its user
 * named. They appear when they are complete. */
#ifndef CARDO_IO_RUN_NAMED_FILES_H
#define CARDO_IO_RUN_NAMED_FILES_H

#include "base/lock.h"
#include "base/output.h"
#include "base/writer.h"

/* Zero-initialise and set the first three. */
typedef struct cardo_named_files {
    const char *table,
        *trajectory;     /* CSV; models of PDB or, by its ending, mmCIF; NULL: not written */
    const char *holder;  /* of the locks on them: "cardo fit"                              */
    cardo_writer writer; /* to hand to a study, once cardo_named_files_open has set it     */
    char *part;          /* the table while it is written                                  */
    cardo_output output;
    cardo_lock *lock[2];
} cardo_named_files;

/* Takes the files, which may be there. self is not to be moved while its writer is used. */
cardo_status cardo_named_files_open(cardo_named_files *self, cardo_error *error);

/* Puts what a study has written in its places; call it when the study has succeeded. */
cardo_status cardo_named_files_commit(cardo_named_files *self, cardo_error *error);

/* Gives all back, and removes what was not put in its place. */
void cardo_named_files_close(cardo_named_files *self);

#endif
