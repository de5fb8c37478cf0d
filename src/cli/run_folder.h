/* The folder that a study writes into: one process at a time has it, a refused or failed start leaves nothing
 * there, and a run that is continued finds in it how it was begun.
 *
 * Use: claim, before anything that takes time; what can refuse the command; open and begin, before the first file;
 * begun set once there is something worth keeping; close, in any case. */
#ifndef CARDO_CLI_RUN_FOLDER_H
#define CARDO_CLI_RUN_FOLDER_H

#include "base/lock.h"
#include "base/output.h"
#include "cli/continuation.h"
#include "io/results/json.h"
#include "io/run/run_files.h"
#include "study/session/session.h"

/* Zero-initialise. */
typedef struct cardo_run_folder {
    char *path;
    const cardo_command
        *command; /* to be obeyed: with --continue how the run was begun, and what is said anew */
    cardo_continuation continuation; /* of the run that goes on, or begins again */
    bool first;                      /* this process writes; other members only know the name */
    bool go_on;                      /* from the checkpoint */
    bool begun;                  /* what is there stays when the study fails; set by the study */
    bool opened;                 /* files of this run may be there */
    bool forced;                 /* files of a former run go when this one begins */
    int nmade;                   /* folders made for it */
    cardo_run_files_noted noted; /* that stood there before: not this run's to remove */
    cardo_lock *lock;
} cardo_run_folder;

/* --out, or the model file's name with the suffix in place of .xml, where the command runs. The caller owns
 * *path. */
cardo_status cardo_run_folder_name(const cardo_command *command, const char *suffix, char **path,
                                   cardo_error *error);

/* Chooses the folder and, where it is there, locks it and looks at it, so that a command that cannot succeed ends
 * at once: another process writes there; it holds a run and neither --continue nor --force was given; --continue
 * was given and there is nothing to go on from. checkpoint: the name of the study's checkpoint, NULL where it has
 * none. A run that ended before its first checkpoint is begun again by --continue. first: this is the process
 * that writes (other members learn name and command). path is taken over, also after a failure. */
cardo_status cardo_run_folder_claim(cardo_run_folder *folder, const cardo_command *command,
                                    char *path, const char *checkpoint, bool first,
                                    cardo_error *error);

/* Makes the folder where it is not there, and locks it. Nothing in processes that do not write. */
cardo_status cardo_run_folder_open(cardo_run_folder *folder, cardo_error *error);

/* Opens it where that is not done yet, and removes what killed processes left and, where that is wanted (--force), the
 * files of the former run: called when nothing but the work itself can fail any more. keeps_table: but for a force
 * table, which is this run's too. */
cardo_status cardo_run_folder_begin(cardo_run_folder *folder, bool keeps_table, cardo_error *error);

/* Gives the folder back. What a study that did not begin has left there goes, and so does the folder, where it was
 * made for it and is empty. */
void cardo_run_folder_close(cardo_run_folder *folder);

/* Puts the session where the study starts: where a run that goes on started, else by --from and --at. */
cardo_status cardo_run_folder_place(const cardo_run_folder *folder, cardo_session *session,
                                    cardo_error *error);

/* FOLDER/NAME; the caller owns *out. */
cardo_status cardo_run_folder_path(const char *folder, const char *name, char **out,
                                   cardo_error *error);

/* "cif" where STEM.cif is in the folder, and else "pdb": as what a study has written a structure. */
const char *cardo_run_folder_structure(const char *folder, const char *stem);

/* Opens FOLDER/NAME for writing, as cardo_output_open does. */
cardo_status cardo_run_folder_output(const char *folder, const char *name, cardo_output *output,
                                     cardo_error *error);

#endif
