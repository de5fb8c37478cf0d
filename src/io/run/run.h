/* The folder that a study's run writes into: one process at a time has it, a refused or failed start leaves nothing
 * there, and a run that goes on finds in it how it was begun.
 *
 * Use: claim, before anything that takes time; the study, with the writer; close, in any case. */
#ifndef CARDO_IO_RUN_RUN_H
#define CARDO_IO_RUN_RUN_H

#include "base/lock.h"
#include "dynamics/tables/table_store.h"
#include "io/run/folder_writer.h"
#include "io/run/record.h"
#include "io/run/run_files.h"

/* How the user of who runs studies says what messages advise. */
typedef struct cardo_run_words {
    const char *go_on, *start_over, *elsewhere; /* "--continue", "--force", "--out" */
} cardo_run_words;

typedef struct cardo_run_request {
    const char *path;       /* of the folder                                                    */
    const char *study;      /* its name                                                         */
    const char *checkpoint; /* the file that a run goes on from, NULL: such runs cannot          */
    bool go_on, start_over; /* wishes: with the run that is there; in its place                  */
    bool writes;            /* this process does; others only read what a run goes on from       */
    cardo_run_words words;
} cardo_run_request;

/* Zero-initialise. Not to be moved while its writer is used. */
typedef struct cardo_run {
    cardo_folder folder;
    cardo_run_request request;   /* its texts are borrowed, but for the path */
    cardo_json *before;          /* run.json of the run that goes on or begins again; NULL: none */
    bool goes_on;                /* from the checkpoint */
    bool forced;                 /* files of a former run go when this one begins */
    bool opened;                 /* files of this run may be there */
    bool worth;                  /* what is there stays when the study fails */
    bool tabulated;              /* a force table there is this run's */
    int nmade;                   /* folders made for it */
    cardo_run_files_noted noted; /* that stood there before: not this run's to remove */
    cardo_repetition repetition;
    cardo_table_store forces, shown; /* in the folder's file; what the writer hands out */
    char *forces_path;
    cardo_lock *lock;
    cardo_writer writer; /* to hand to a study */
} cardo_run;

/* Chooses the folder and, where it is there, locks it and looks at it, so that what cannot succeed ends at once: another
 * process writes there; it holds a run and nothing was wished; there is nothing to go on from. A run that ended before
 * its first checkpoint is begun again where going on is wished. */
cardo_status cardo_run_claim(cardo_run *run, const cardo_run_request *request, cardo_error *error);

/* What the record of the run that goes on says under a name ("command"), or NULL. Borrowed. */
const char *cardo_run_said(const cardo_run *run, const char *name);

/* The coordinates (nq) at which the run that goes on started; false where nobody knows, q is as it was then. */
bool cardo_run_start(const cardo_run *run, int nq, double *q);

/* How this run is repeated, for its record; borrowed. */
void cardo_run_repeat(cardo_run *run, const cardo_repetition *repetition);

/* Gives the folder back. What a study that did not begin has left there goes, and so does the folder, where it was
 * made for it and is empty. */
void cardo_run_close(cardo_run *run);

#endif
